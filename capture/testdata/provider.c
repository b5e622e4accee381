/* A provider of V1 with one object, two instances and one counter. */
#include <windows.h>
#include <winperf.h>

struct instance {
	PERF_INSTANCE_DEFINITION definition;
	WCHAR name[8];
	PERF_COUNTER_BLOCK block;
	DWORD value;
};

struct object {
	PERF_OBJECT_TYPE type;
	PERF_COUNTER_DEFINITION counter;
	struct instance instances[2];
};

static void fill(struct instance *in, const WCHAR *name, DWORD value)
{
	in->definition.ByteLength = offsetof(struct instance, block);
	in->definition.UniqueID = PERF_NO_UNIQUE_ID;
	in->definition.NameOffset = sizeof in->definition;
	in->definition.NameLength = (lstrlenW(name) + 1) * sizeof(WCHAR);
	lstrcpyW(in->name, name);
	in->block.ByteLength = sizeof in->block + sizeof in->value;
	in->value = value;
}

/* Wine 8 and 10 add the length of PERF_DATA_BLOCK twice, so the buffer begins 88 bytes after the end of the header. */
static BYTE *start(BYTE *at)
{
	static const WCHAR signature[] = L"PERF";
	WCHAR name[MAX_COMPUTERNAME_LENGTH + 1];
	DWORD n = MAX_COMPUTERNAME_LENGTH + 1, header;
	if (!GetComputerNameW(name, &n)) return at;
	header = (sizeof(PERF_DATA_BLOCK) + (n + 1) * sizeof(WCHAR) + 7) & ~7u;
	if (memcmp(at - header - sizeof(PERF_DATA_BLOCK), signature, 8) == 0) return at - sizeof(PERF_DATA_BLOCK);
	return at;
}

DWORD WINAPI Open(WCHAR *context) { return ERROR_SUCCESS; }
DWORD WINAPI Close(void) { return ERROR_SUCCESS; }

DWORD WINAPI Collect(WCHAR *query, void **data, DWORD *bytes, DWORD *types)
{
	struct object *o;
	if (*bytes < sizeof *o) {
		*bytes = *types = 0;
		return ERROR_MORE_DATA;
	}
	o = (struct object *)start(*data);
	ZeroMemory(o, sizeof *o);
	o->type.TotalByteLength = sizeof *o;
	o->type.DefinitionLength = offsetof(struct object, instances);
	o->type.HeaderLength = sizeof o->type;
	o->type.ObjectNameTitleIndex = 5000;
	o->type.ObjectHelpTitleIndex = 5001;
	o->type.DetailLevel = PERF_DETAIL_NOVICE;
	o->type.NumCounters = 1;
	o->type.NumInstances = 2;
	o->counter.ByteLength = sizeof o->counter;
	o->counter.CounterNameTitleIndex = 5002;
	o->counter.CounterHelpTitleIndex = 5003;
	o->counter.DetailLevel = PERF_DETAIL_NOVICE;
	o->counter.CounterType = PERF_COUNTER_RAWCOUNT;
	o->counter.CounterSize = sizeof(DWORD);
	o->counter.CounterOffset = sizeof(PERF_COUNTER_BLOCK);
	fill(&o->instances[0], L"orders", 17);
	fill(&o->instances[1], L"_Total", 17);
	*data = o + 1;
	*bytes = sizeof *o;
	*types = 1;
	return ERROR_SUCCESS;
}
