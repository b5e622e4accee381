/* A consumer of performance counters.
 *
 *     consumer QUERY                       writes each value: object counter instance value
 *     consumer kill PUBLISHER ROUNDS ...   starts a publisher and kills it while it writes, ROUNDS times
 *
 * The publisher that is killed writes objects in which all values are the same. kill writes how many reads were wrong,
 * because values differed; how many were empty; and how often the publisher was killed during a Write.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>
#include <winperf.h>

static BYTE buffer[1 << 20];

typedef void on_value(PERF_OBJECT_TYPE *o, PERF_COUNTER_DEFINITION *c, const WCHAR *instance, ULONGLONG value);

static void read_block(PERF_OBJECT_TYPE *o, BYTE *block, const WCHAR *instance, on_value *f)
{
	PERF_COUNTER_DEFINITION *c = (PERF_COUNTER_DEFINITION *)((BYTE *)o + o->HeaderLength);
	for (DWORD i = 0; i < o->NumCounters; i++) {
		ULONGLONG value = 0;
		memcpy(&value, block + c->CounterOffset, c->CounterSize == 4 ? 4 : 8);
		f(o, c, instance, value);
		c = (PERF_COUNTER_DEFINITION *)((BYTE *)c + c->ByteLength);
	}
}

static int query(const WCHAR *text, on_value *f)
{
	DWORD size = sizeof buffer;
	LSTATUS status = RegQueryValueExW(HKEY_PERFORMANCE_DATA, text, NULL, NULL, buffer, &size);
	if (status != ERROR_SUCCESS) {
		printf("error %ld\n", (long)status);
		return 0;
	}
	PERF_DATA_BLOCK *data = (PERF_DATA_BLOCK *)buffer;
	PERF_OBJECT_TYPE *o = (PERF_OBJECT_TYPE *)(buffer + data->HeaderLength);
	for (DWORD i = 0; i < data->NumObjectTypes; i++) {
		BYTE *p = (BYTE *)o + o->DefinitionLength;
		if (o->NumInstances == PERF_NO_INSTANCES)
			read_block(o, p, L"-", f);
		for (LONG n = 0; n < o->NumInstances; n++) {
			PERF_INSTANCE_DEFINITION *in = (PERF_INSTANCE_DEFINITION *)p;
			p += in->ByteLength;
			read_block(o, p, (WCHAR *)((BYTE *)in + in->NameOffset), f);
			p += ((PERF_COUNTER_BLOCK *)p)->ByteLength;
		}
		o = (PERF_OBJECT_TYPE *)((BYTE *)o + o->TotalByteLength);
	}
	return 1;
}

static void print(PERF_OBJECT_TYPE *o, PERF_COUNTER_DEFINITION *c, const WCHAR *instance, ULONGLONG value)
{
	printf("%lu %lu %ls %llu\n", (unsigned long)o->ObjectNameTitleIndex, (unsigned long)c->CounterNameTitleIndex, instance, value);
}

static struct {
	ULONGLONG first;
	int values, differ;
} seen;

static void compare(PERF_OBJECT_TYPE *o, PERF_COUNTER_DEFINITION *c, const WCHAR *instance, ULONGLONG value)
{
	(void)o;
	(void)c;
	(void)instance;
	if (seen.values++ == 0)
		seen.first = value;
	else if (value != seen.first)
		seen.differ++;
}

static HANDLE open_mapping(const WCHAR *name, const DWORD **memory)
{
	HANDLE mapping = OpenFileMappingW(FILE_MAP_READ, FALSE, name);
	*memory = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : NULL;
	return mapping;
}

/* kill_publishers kills the publisher of the service Kill while it writes. It keeps the memory open, as a consumer does,
 * so that the memory stays as the publisher has left it. The arguments are offsets: number is that of the generation
 * number in the root, and first and second are those of the two buffer sequences in the generation. The query is text.
 */
static int kill_publishers(WCHAR *command, int rounds, int number, int first, int second, const WCHAR *text)
{
	int wrong = 0, empty = 0, half = 0, failures = 0;
	DWORD last = 0;
	const DWORD *root = NULL;

	for (int round = 0; round < rounds; round++) {
		STARTUPINFOW start = {sizeof start};
		PROCESS_INFORMATION process;
		WCHAR name[64];
		const DWORD *generation;
		HANDLE mapping;
		while (!CreateProcessW(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process)) {
			/* Wine fails sometimes to start a process on a busy machine. */
			if (++failures == 5)
				return printf("the publisher does not start: %lu\n", GetLastError()), 1;
			Sleep(100);
		}
		while (!root || root[number / 4] == 0 || root[number / 4] == last) {
			if (!root)
				open_mapping(L"Global\\perfblock-kill", &root);
			if (WaitForSingleObject(process.hProcess, 1) == WAIT_OBJECT_0)
				return printf("the publisher has ended\n"), 1;
		}
		last = root[number / 4];
		swprintf(name, sizeof name / sizeof *name, L"Global\\perfblock-kill-%08lx", (unsigned long)last);
		mapping = open_mapping(name, &generation);
		if (!generation)
			return printf("there is no %ls\n", name), 1;
		for (int dead = 0; dead < 2; dead++) {
			if (dead) {
				TerminateProcess(process.hProcess, 9);
				WaitForSingleObject(process.hProcess, INFINITE);
				half += generation[first / 4] % 2 || generation[second / 4] % 2;
			}
			memset(&seen, 0, sizeof seen);
			if (!query(text, compare))
				return 1;
			wrong += seen.differ != 0;
			empty += seen.values == 0;
		}
		UnmapViewOfFile(generation);
		CloseHandle(mapping);
		CloseHandle(process.hThread);
		CloseHandle(process.hProcess);
	}
	printf("rounds %d wrong %d empty %d half %d\n", rounds, wrong, empty, half);
	return 0;
}

int wmain(int count, WCHAR **arguments)
{
	if (count == 8 && wcscmp(arguments[1], L"kill") == 0)
		return kill_publishers(arguments[2], _wtoi(arguments[3]), _wtoi(arguments[4]), _wtoi(arguments[5]), _wtoi(arguments[6]), arguments[7]);
	return count == 2 && query(arguments[1], print) ? 0 : 1;
}
