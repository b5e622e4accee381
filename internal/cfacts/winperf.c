//go:build ignore

/*
 * Never linked and never run: the compiler's assembly is the answer. Each fact is an .ascii line with the number in it, which works
 * for targets whose programs cannot be started here.
 *
 * CONSTANTS(F), the list of the header's PERF_ macros, is given on the command line. It is read from the header, so that no constant
 * can be forgotten.
 */
#include <stddef.h>
#include <windows.h>
#include <winperf.h>

#include "fields.h"

#define FACT(name, value) __asm__ volatile(".ascii \"@FACT " name " %c0\"" ::"i"((int)(value)));

#define FIELD(record, field)                                      \
    FACT("offsetof " #record "." #field, offsetof(record, field)) \
    FACT("sizeof " #record "." #field, sizeof(((record *)0)->field))

#define RECORD(record)                          \
    FACT("sizeof " #record, sizeof(record))     \
    FACT("alignof " #record, _Alignof(record))  \
    record##_FIELDS(FIELD)

#define CONSTANT(name) FACT("const " #name, name)

void facts(void)
{
    RECORD(SYSTEMTIME)
    RECORD(PERF_DATA_BLOCK)
    RECORD(PERF_OBJECT_TYPE)
    RECORD(PERF_COUNTER_DEFINITION)
    RECORD(PERF_INSTANCE_DEFINITION)
    RECORD(PERF_COUNTER_BLOCK)
    CONSTANTS(CONSTANT)
}
