#ifndef PERFBLOCK_WALK_H
#define PERFBLOCK_WALK_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#include <windows.h>
#else
#include "wintypes.h"
#endif

/* The header by its full path, or the compiler's own: on other systems a whole folder of Windows headers would hide libc's. */
#ifdef WINPERF_H
#include WINPERF_H
#else
#include <winperf.h>
#endif

/* A walk over one block, done twice: a broken block must print nothing, so the first time only checks. */
struct walk {
    const unsigned char *bytes;
    uint64_t length;
    bool print;
    uint64_t cost, printed;
    jmp_buf stop;
    char why[160];
};

void walk_data_block(struct walk *w);
void walk_objects(struct walk *w);

#endif
