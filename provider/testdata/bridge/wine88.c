/* A provider without objects that corrects a fault of Wine: Wine adds the size of PERF_DATA_BLOCK twice, so that the
 * first object is 88 bytes after the place that HeaderLength gives. Wine calls providers in the order of the names of
 * their services. This provider comes first, and moves the pointer back if the header is where the fault places it.
 */
#include <string.h>
#include <windows.h>
#include <winperf.h>

__declspec(dllexport) DWORD WINAPI Open(LPWSTR context)
{
	(void)context;
	return ERROR_SUCCESS;
}

__declspec(dllexport) DWORD WINAPI Collect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
	static const WCHAR signature[4] = {'P', 'E', 'R', 'F'};
	(void)query;
	*bytes = *objects = 0;
	for (DWORD length = sizeof(PERF_DATA_BLOCK); length < 1024; length += 8) {
		BYTE *at = (BYTE *)*data - length - sizeof(PERF_DATA_BLOCK);
		if (memcmp(at, signature, sizeof signature) == 0 && ((PERF_DATA_BLOCK *)at)->HeaderLength == length) {
			*data = (BYTE *)*data - sizeof(PERF_DATA_BLOCK);
			break;
		}
	}
	return ERROR_SUCCESS;
}

__declspec(dllexport) DWORD WINAPI Close(void)
{
	return ERROR_SUCCESS;
}
