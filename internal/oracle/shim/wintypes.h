/* The few Windows types that winperf.h and perflib.h need, for compilers of other systems. What those say themselves is left to them. */
#ifndef PERFBLOCK_WINTYPES_H
#define PERFBLOCK_WINTYPES_H

#include <stddef.h>
#include <stdint.h>

/* As in 64-bit Windows: titles are DWORDs there. The bytes are the same in 32-bit Windows, whose pointers are as wide. */
#ifndef _WIN64
#define _WIN64 1
#endif

#define WINAPI
#define CALLBACK
#define __MSABI_LONG(x) x

typedef uint16_t WORD;
typedef uint32_t DWORD;
typedef int32_t LONG;
typedef uint32_t ULONG;
typedef uint16_t WCHAR;
typedef size_t SIZE_T;

typedef void *LPVOID;
typedef void *PVOID;
typedef void *HANDLE;
typedef DWORD *LPDWORD;
typedef WCHAR *LPWSTR;
typedef const WCHAR *LPCWSTR;

/* Windows aligns 64-bit integers to 8 bytes on every target; 32-bit System V does not unless told to. */
typedef int64_t LONGLONG __attribute__((aligned(8)));
typedef uint64_t ULONGLONG __attribute__((aligned(8)));

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

typedef struct {
    ULONG Data1;
    WORD Data2;
    WORD Data3;
    uint8_t Data4[8];
} GUID;

typedef GUID *LPGUID;
typedef const GUID *LPCGUID;

#endif
