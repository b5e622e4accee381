/* Writes what HKEY_PERFORMANCE_DATA returns for Global to the file in its first argument. */
#include <stdio.h>
#include <windows.h>

static BYTE buffer[1 << 20];

int main(int argc, char **argv)
{
	DWORD n = sizeof buffer;
	FILE *to;
	LSTATUS status = RegQueryValueExW(HKEY_PERFORMANCE_DATA, L"Global", NULL, NULL, buffer, &n);
	if (status != ERROR_SUCCESS) return printf("error %ld\n", (long)status), 1;
	to = argc == 2 ? fopen(argv[1], "wb") : NULL;
	if (!to || fwrite(buffer, 1, n, to) != n || fclose(to)) return printf("cannot write\n"), 1;
	return 0;
}
