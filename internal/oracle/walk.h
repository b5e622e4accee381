#ifndef PERFBLOCK_WALK_H
#define PERFBLOCK_WALK_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0600 /* perflib.h is empty for Windows versions before Vista */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN /* without the headers of networks, COM and the shell, which take half the time */
#include <windows.h>
#else
#include "wintypes.h"
#endif

/*
 * The headers by their full paths, or the compiler's own headers. An include directory of Windows headers would hide the headers of
 * the C library outside Windows.
 */
#ifdef WINPERF_H
#include WINPERF_H
#include PERFLIB_H
#else
#include <winperf.h>
#include <perflib.h>
#endif

/* The records of consumers are in the perflib.h of the Windows SDK, not in that of mingw-w64. */
#ifndef PERF_WILDCARD_COUNTER
#include "perflib_consumer.h"
#endif

/* A walk over one block. It runs twice: the first run only checks, because nothing may be printed for a broken block. */
struct walk {
    const unsigned char *bytes;
    uint64_t length;
    bool print;
    uint64_t cost, printed;
    jmp_buf *stop;
    char why[160];
};

void walk_data_block(struct walk *w);
void walk_objects(struct walk *w);

void walk_query_data(struct walk *w);
void walk_instances(struct walk *w);
void walk_identifiers(struct walk *w);
void walk_reg_set(struct walk *w);
void walk_reg_counter(struct walk *w);
void walk_reg_string(struct walk *w);
void walk_reg_guid(struct walk *w);
void walk_strings(struct walk *w);
void walk_guids(struct walk *w);
void walk_template(struct walk *w);
void walk_instance_block(struct walk *w);

#endif
