//go:build ignore

// The functions of the system on Windows, and the functions that Windows calls.
//
// A DLL serves one service. Several services use copies of the file: the name of the file without its extension is
// the name of the service. So the value Library of the service Shop is the path of Shop.dll.
#include "bridge.h"
#include "layout.h"

#define WIN32_LEAN_AND_MEAN
#define PSAPI_VERSION 2 // GetMappedFileName is in kernel32
#include <windows.h>
#include <psapi.h>

#define MOST_CHARACTERS 1024

// A text is a string that is built in parts. Characters that do not fit are dropped.
struct text {
	WCHAR characters[MOST_CHARACTERS];
	uint32_t length;
};

static void add(struct text *t, WCHAR c)
{
	if (t->length < MOST_CHARACTERS - 1)
		t->characters[t->length++] = c;
	t->characters[t->length] = 0;
}

static void add_text(struct text *t, const char *more)
{
	while (*more)
		add(t, (WCHAR)*more++);
}

static HINSTANCE self;                   // this DLL
static WCHAR path[MOST_CHARACTERS];      // of this DLL
static DWORD service_start, service_end; // the name of the service in path; "" if the path is too long

// find_service finds the name of the service. Only Open calls find_service, because it can wait for threads that load DLLs.
// All calls write the same values.
static void find_service(void)
{
	DWORD length = GetModuleFileNameW(self, path, MOST_CHARACTERS), start = 0, end = length;

	if (length == MOST_CHARACTERS)
		return;
	for (DWORD i = 0; i < length; i++) {
		if (path[i] == '\\' || path[i] == '/') {
			start = i + 1;
			end = length;
		} else if (path[i] == '.') {
			end = i;
		}
	}
	service_end = end;
	service_start = start;
}

// add_service adds the name of the service. If lower is true, it adds ASCII letters in lower case, because the case matters
// in names of mappings.
static void add_service(struct text *t, bool lower)
{
	for (DWORD i = service_start; i < service_end; i++)
		add(t, lower && path[i] >= 'A' && path[i] <= 'Z' ? (WCHAR)(path[i] - 'A' + 'a') : path[i]);
}

enum state system_map(uint32_t generation, struct mapping *m)
{
	struct text name;
	MEMORY_BASIC_INFORMATION region;
	WCHAR file[2];

	name.length = 0;
	add_text(&name, "Global\\perfblock-");
	add_service(&name, true);
	if (generation != 0) {
		add(&name, '-');
		for (int shift = 28; shift >= 0; shift -= 4)
			add(&name, (WCHAR)"0123456789abcdef"[generation >> shift & 15]);
	}
	m->handle = OpenFileMappingW(FILE_MAP_READ, FALSE, name.characters);
	if (!m->handle)
		return GetLastError() == ERROR_ACCESS_DENIED ? NO_RIGHTS : SILENT;
	m->bytes = MapViewOfFile(m->handle, FILE_MAP_READ, 0, 0, 0);
	m->size = 0;
	// Pages that are only reserved cannot be read. The memory of the publisher is no file. Reading a file can wait and fail.
	if (VirtualQuery(m->bytes, &region, sizeof region) == sizeof region && region.State == MEM_COMMIT &&
	    GetMappedFileNameW(GetCurrentProcess(), (void *)(uintptr_t)m->bytes, file, sizeof file / sizeof *file) == 0)
		m->size = region.RegionSize < UINT32_MAX ? (uint32_t)region.RegionSize : UINT32_MAX;
	return READY;
}

void system_unmap(struct mapping *m)
{
	UnmapViewOfFile(m->bytes);
	CloseHandle(m->handle);
}

static bool get_dword(HKEY key, const WCHAR *name, uint32_t *value)
{
	DWORD type, data, size = sizeof data;

	if (RegQueryValueExW(key, name, NULL, &type, (BYTE *)&data, &size) != ERROR_SUCCESS || type != REG_DWORD || size != sizeof data)
		return false;
	*value = data;
	return true;
}

enum state system_registration(struct registration *r)
{
	struct text name;
	HKEY key;
	uint32_t metadata = 0;

	name.length = 0;
	add_text(&name, "SYSTEM\\CurrentControlSet\\Services\\");
	add_service(&name, false);
	add_text(&name, "\\Performance");
	LSTATUS status = RegOpenKeyExW(HKEY_LOCAL_MACHINE, name.characters, 0, KEY_QUERY_VALUE, &key);
	if (status != ERROR_SUCCESS)
		return status == ERROR_ACCESS_DENIED ? NO_RIGHTS : UNREGISTERED;
	bool all = get_dword(key, L"First Counter", &r->first_counter) && get_dword(key, L"Last Counter", &r->last_counter) &&
		   get_dword(key, L"First Help", &r->first_help) && get_dword(key, L"Last Help", &r->last_help);
	r->metadata = get_dword(key, L"Collect Supports Metadata", &metadata) && metadata == 1;
	RegCloseKey(key);
	return all ? READY : UNREGISTERED;
}

uint32_t system_seconds(void)
{
	return (uint32_t)(GetTickCount64() / 1000);
}

void system_report(const char *text)
{
	struct text message;
	const WCHAR *strings[1] = {message.characters};
	HANDLE log = RegisterEventSourceW(NULL, L"perfblock");

	if (!log)
		return;
	message.length = 0;
	add_text(&message, "The performance counters of the service ");
	add_service(&message, false);
	add_text(&message, " are not available. ");
	add_text(&message, text);
	ReportEventW(log, EVENTLOG_ERROR_TYPE, 0, 1, NULL, 1, 0, strings, NULL);
	DeregisterEventSource(log);
}

void *system_allocate(uint32_t size)
{
	return HeapAlloc(GetProcessHeap(), 0, size);
}

void system_free(void *memory)
{
	HeapFree(GetProcessHeap(), 0, memory);
}

// The functions of a V1 provider. bridge.def exports them.
DWORD WINAPI OpenPerformanceData(LPWSTR context)
{
	(void)context;
	find_service();
	return bridge_open();
}

DWORD WINAPI CollectPerformanceData(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
	return bridge_collect((const uint16_t *)(const void *)query, data, (uint32_t *)(void *)bytes, (uint32_t *)(void *)objects);
}

DWORD WINAPI ClosePerformanceData(void)
{
	return ERROR_SUCCESS;
}

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, LPVOID reserved)
{
	(void)reason;
	(void)reserved;
	self = module;
	return TRUE;
}
