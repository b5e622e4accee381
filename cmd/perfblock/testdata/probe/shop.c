// A provider with the objects 5000 and 5006, for tests of perfblock probe. The name of its file selects a fault; the provider
// in shop.dll has none.
#include <windows.h>
#include <winperf.h>
#include <string.h>
#include <wchar.h>

typedef struct {
	PERF_OBJECT_TYPE type;
	PERF_COUNTER_DEFINITION depth;
	PERF_COUNTER_BLOCK block;
	DWORD value;
} Object;

static char fault[MAX_PATH]; // the name of the file, without its extension

BOOL WINAPI DllMain(HINSTANCE dll, DWORD reason, LPVOID reserved) {
	if (reason == DLL_PROCESS_ATTACH) {
		char path[MAX_PATH];
		GetModuleFileNameA(dll, path, sizeof path);
		strcpy(fault, strrchr(path, '\\') + 1);
		*strrchr(fault, '.') = 0;
	}
	return TRUE;
}

static BOOL has(const char *name) { return strcmp(fault, name) == 0; }

static void fill(Object *o, DWORD title) {
	memset(o, 0, sizeof *o);
	o->type.TotalByteLength = sizeof *o;
	o->type.DefinitionLength = sizeof o->type + sizeof o->depth;
	o->type.HeaderLength = sizeof o->type;
	o->type.ObjectNameTitleIndex = title;
	o->type.ObjectHelpTitleIndex = title + 1;
	o->type.DetailLevel = PERF_DETAIL_NOVICE;
	o->type.NumCounters = 1;
	o->type.DefaultCounter = 0;
	o->type.NumInstances = PERF_NO_INSTANCES;
	o->depth.ByteLength = sizeof o->depth;
	o->depth.CounterNameTitleIndex = title + 2;
	o->depth.CounterHelpTitleIndex = title + 3;
	o->depth.DetailLevel = PERF_DETAIL_NOVICE;
	o->depth.CounterType = PERF_COUNTER_RAWCOUNT;
	o->depth.CounterSize = sizeof o->value;
	o->depth.CounterOffset = sizeof o->block;
	o->block.ByteLength = sizeof o->block + sizeof o->value;
	o->value = 17;
}

// asks reports whether the query asks for an object.
static BOOL asks(const wchar_t *query, DWORD title) {
	if (*query == 0 || _wcsicmp(query, L"Global") == 0) return TRUE;
	if (has("metadata") && wcscmp(query, L"MetadataGlobal") == 0) return TRUE;
	if (has("unrequested")) {
		wchar_t digits[16];
		_ultow(title, digits, 10);
		return wcsstr(query, digits) != NULL;
	}
	while (*query) {
		wchar_t *end;
		unsigned long n = wcstoul(query, &end, 10);
		if (end == query) return FALSE;
		if (n == title && (*end == 0 || *end == L' ')) return TRUE;
		query = end;
	}
	return FALSE;
}

// exit_later ends the process when Open has returned.
static DWORD WINAPI exit_later(LPVOID unused) {
	Sleep(5);
	ExitProcess(3);
}

// probe_memory causes exceptions between the calls, and handles them.
static DWORD WINAPI probe_memory(LPVOID unused) {
	for (int i = 0; i < 50; i++) {
		IsBadReadPtr((void *)8, 1);
		Sleep(1);
	}
	return 0;
}

__declspec(dllexport) DWORD WINAPI OpenShop(LPWSTR context) {
	if (has("thread")) CreateThread(NULL, 0, exit_later, NULL, 0, NULL);
	if (has("handled")) CreateThread(NULL, 0, probe_memory, NULL, 0, NULL);
	return has("open") ? ERROR_SERVICE_NOT_ACTIVE : ERROR_SUCCESS;
}

__declspec(dllexport) DWORD WINAPI CloseShop(void) { return has("close") ? ERROR_INVALID_FUNCTION : ERROR_SUCCESS; }

__declspec(dllexport) DWORD WINAPI CollectShop(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects) {
	static const DWORD titles[] = {5000, 5006};
	BOOL global = _wcsicmp(query, L"Global") == 0;
	DWORD size = *bytes, n = 0, count = 0;
	char *start = *data;

	if (wcscmp(query, L"Costly") == 0) {
		if (has("crash")) *(volatile int *)0 = 1;
		if (has("hang")) Sleep(INFINITE);
		if (has("exit")) ExitProcess(3);
		if (has("slow") && size > 4) Sleep(2500);
		if (has("code")) return ERROR_INVALID_FUNCTION;
	}
	*bytes = 0;
	*objects = 0;
	for (int i = 0; i < 2; i++) n += asks(query, titles[i]) ? sizeof(Object) : 0;
	if (n == 0) {
		if (has("nodata")) *objects = 2;
		return ERROR_SUCCESS;
	}
	if (n > size && !(global && has("overrun"))) {
		if (has("moredata")) *bytes = n;
		return ERROR_MORE_DATA;
	}
	char *at = start;
	for (int i = 0; i < 2; i++) {
		if (!asks(query, titles[i])) continue;
		Object *o = (Object *)at;
		fill(o, titles[i]);
		if (wcscmp(query, L"MetadataGlobal") == 0) {
			o->type.NumInstances = -3; // no instances, and no counter block
			o->type.TotalByteLength = o->type.DefinitionLength;
		}
		at += o->type.TotalByteLength;
		count++;
	}
	if (has("length")) ((Object *)(at - sizeof(Object)))->type.TotalByteLength -= 8;
	if (has("perf")) memcpy(start, L"PERF", 8);
	if (global && has("underrun")) start[-1] ^= 1;
	if (has("unaligned")) at++;
	*bytes = (DWORD)(at - start);
	*objects = has("count") ? count + 1 : count;
	if (!has("pointer")) *data = at;
	return ERROR_SUCCESS;
}
