//go:build ignore

/*
 * The records of providers are the compiler's own, those of consumers and the constants are from perflib_consumer.h. CONSTANTS(F) is
 * the list of what that file defines, read from it.
 */
#define _WIN32_WINNT 0x0600 /* for a Windows before Vista the compiler's perflib.h is empty */
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
