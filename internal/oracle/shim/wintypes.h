/* The few Windows types that winperf.h needs, for compilers of other systems. What winperf.h itself says is left to it. */
#ifndef PERFBLOCK_WINTYPES_H
#define PERFBLOCK_WINTYPES_H

#include <stdint.h>

/* As in 64-bit Windows: titles are DWORDs there. The bytes are the same in 32-bit Windows, whose pointers are as wide. */
#ifndef _WIN64
#define _WIN64 1
#endif

#define WINAPI
#define __MSABI_LONG(x) x

typedef uint16_t WORD;
typedef uint32_t DWORD;
typedef int32_t LONG;
typedef uint16_t WCHAR;

typedef void *LPVOID;
typedef DWORD *LPDWORD;
typedef WCHAR *LPWSTR;

/* Windows aligns 64-bit integers to 8 bytes on every target; 32-bit System V does not unless told to. */
typedef union {
    struct {
        DWORD LowPart;
        LONG HighPart;
    } u;
    _Alignas(8) int64_t QuadPart;
} LARGE_INTEGER;

typedef struct {
    WORD wYear;
    WORD wMonth;
    WORD wDayOfWeek;
    WORD wDay;
    WORD wHour;
    WORD wMinute;
    WORD wSecond;
    WORD wMilliseconds;
} SYSTEMTIME;

#endif
