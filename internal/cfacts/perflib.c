//go:build ignore

/*
 * The records of providers are from the compiler's perflib.h. The records of consumers and the constants are from
 * perflib_consumer.h. CONSTANTS(F) lists the constants of that file; the list is generated from it.
 */
#define _WIN32_WINNT 0x0600 /* perflib.h is empty for Windows versions before Vista */
#define WIN32_LEAN_AND_MEAN /* without the headers of networks, COM and the shell, which take half the time */
#include <windows.h>
#include <perflib.h>

#include "facts.h"
#include "perflib_consumer.h"
#include "perflib_fields.h"

void facts(void)
{
    RECORD(GUID)
    RECORD(PERF_DATA_HEADER)
    RECORD(PERF_COUNTER_HEADER)
    RECORD(PERF_MULTI_COUNTERS)
    RECORD(PERF_MULTI_INSTANCES)
    RECORD(PERF_INSTANCE_HEADER)
    RECORD(PERF_COUNTER_DATA)
    RECORD(PERF_COUNTER_IDENTIFIER)
    RECORD(PERF_COUNTERSET_REG_INFO)
    RECORD(PERF_COUNTER_REG_INFO)
    RECORD(PERF_STRING_BUFFER_HEADER)
    RECORD(PERF_STRING_COUNTER_HEADER)
    RECORD(PERF_COUNTERSET_INFO)
    RECORD(PERF_COUNTER_INFO)
    RECORD(PERF_COUNTERSET_INSTANCE)
    RECORD(PERF_COUNTER_IDENTITY)
    CONSTANTS(CONSTANT)
}
