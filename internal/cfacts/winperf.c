//go:build ignore

/*
 * CONSTANTS(F), the list of the header's PERF_ macros, is given on the command line. It is read from the header, so that no constant
 * can be forgotten.
 */
#define WIN32_LEAN_AND_MEAN /* without the headers of networks, COM and the shell, which take half the time */
#include <windows.h>
#include <winperf.h>

#include "facts.h"
#include "winperf_fields.h"

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
