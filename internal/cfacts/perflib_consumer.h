/*
 * The records of consumers and the constants, which mingw-w64's perflib.h does not have. They are copied from Microsoft's pages,
 * with the same members and types, so that the compiler computes the offsets. A comment names the page of each under
 *
 *     https://learn.microsoft.com/windows/win32/api/perflib/
 *
 * The numbers of constants are on the pages of MS-PCQ, the protocol that transfers the same records, under
 *
 *     https://learn.microsoft.com/openspecs/windows_protocols/ms-pcq/
 *
 * or, for constants that MS-PCQ does not mention, on the pages of Microsoft's bindings for Rust, under
 *
 *     https://microsoft.github.io/windows-docs-rs/doc/windows/Win32/System/Performance/
 *
 * PERF_WILDCARD_INSTANCE and PERF_AGGREGATE_INSTANCE are omitted, because a fact is a number and they are strings.
 */
#ifndef PERFBLOCK_PERFLIB_CONSUMER_H
#define PERFBLOCK_PERFLIB_CONSUMER_H

/* ne-perflib-perfcounterdatatype. The page has no value for the last; C would make it 5. MS-PCQ 2.2.4.8 defines it as 6. */
typedef enum _PerfCounterDataType {
    PERF_ERROR_RETURN = 0,
    PERF_SINGLE_COUNTER = 1,
    PERF_MULTIPLE_COUNTERS = 2,
    PERF_MULTIPLE_INSTANCES = 4,
    PERF_COUNTERSET = 6
} PerfCounterDataType;

/* ne-perflib-perfreginfotype */
typedef enum _PerfRegInfoType {
    PERF_REG_COUNTERSET_STRUCT = 1,
    PERF_REG_COUNTER_STRUCT,
    PERF_REG_COUNTERSET_NAME_STRING,
    PERF_REG_COUNTERSET_HELP_STRING,
    PERF_REG_COUNTER_NAME_STRINGS,
    PERF_REG_COUNTER_HELP_STRINGS,
    PERF_REG_PROVIDER_NAME,
    PERF_REG_PROVIDER_GUID,
    PERF_REG_COUNTERSET_ENGLISH_NAME,
    PERF_REG_COUNTER_ENGLISH_NAMES
} PerfRegInfoType;

/* ns-perflib-perf_data_header */
typedef struct _PERF_DATA_HEADER {
    ULONG dwTotalSize;
    ULONG dwNumCounters;
    LONGLONG PerfTimeStamp;
    LONGLONG PerfTime100NSec;
    LONGLONG PerfFreq;
    SYSTEMTIME SystemTime;
} PERF_DATA_HEADER;

/* ns-perflib-perf_counter_header */
typedef struct _PERF_COUNTER_HEADER {
    ULONG dwStatus;
    PerfCounterDataType dwType;
    ULONG dwSize;
    ULONG Reserved;
} PERF_COUNTER_HEADER;

/* ns-perflib-perf_multi_counters */
typedef struct _PERF_MULTI_COUNTERS {
    ULONG dwSize;
    ULONG dwCounters;
} PERF_MULTI_COUNTERS;

/* ns-perflib-perf_multi_instances */
typedef struct _PERF_MULTI_INSTANCES {
    ULONG dwTotalSize;
    ULONG dwInstances;
} PERF_MULTI_INSTANCES;

/* ns-perflib-perf_instance_header */
typedef struct _PERF_INSTANCE_HEADER {
    ULONG Size;
    ULONG InstanceId;
} PERF_INSTANCE_HEADER;

/* ns-perflib-perf_counter_data */
typedef struct _PERF_COUNTER_DATA {
    ULONG dwDataSize;
    ULONG dwSize;
} PERF_COUNTER_DATA;

/* ns-perflib-perf_counter_identifier */
typedef struct _PERF_COUNTER_IDENTIFIER {
    GUID CounterSetGuid;
    ULONG Status;
    ULONG Size;
    ULONG CounterId;
    ULONG InstanceId;
    ULONG Index;
    ULONG Reserved;
} PERF_COUNTER_IDENTIFIER;

/* ns-perflib-perf_counterset_reg_info */
typedef struct _PERF_COUNTERSET_REG_INFO {
    GUID CounterSetGuid;
    ULONG CounterSetType;
    ULONG DetailLevel;
    ULONG NumCounters;
    ULONG InstanceType;
} PERF_COUNTERSET_REG_INFO;

/* ns-perflib-perf_counter_reg_info */
typedef struct _PERF_COUNTER_REG_INFO {
    ULONG CounterId;
    ULONG Type;
    ULONGLONG Attrib;
    ULONG DetailLevel;
    LONG DefaultScale;
    ULONG BaseCounterId;
    ULONG PerfTimeId;
    ULONG PerfFreqId;
    ULONG MultiId;
    ULONG AggregateFunc;
    ULONG Reserved;
} PERF_COUNTER_REG_INFO;

/* ns-perflib-perf_string_buffer_header */
typedef struct _STRING_BUFFER_HEADER {
    DWORD dwSize;
    DWORD dwCounters;
} PERF_STRING_BUFFER_HEADER;

/* ns-perflib-perf_string_counter_header */
typedef struct _STRING_COUNTER_HEADER {
    DWORD dwCounterId;
    DWORD dwOffset;
} PERF_STRING_COUNTER_HEADER;

/* Names: ns-perflib-perf_counterset_info. Numbers: MS-PCQ 2.2.4.1, _PERF_COUNTERSET_REG_INFO. */
#define PERF_COUNTERSET_SINGLE_INSTANCE 0x00000000
#define PERF_COUNTERSET_MULTI_INSTANCES 0x00000002
#define PERF_COUNTERSET_SINGLE_AGGREGATE 0x00000004
#define PERF_COUNTERSET_MULTI_AGGREGATE 0x00000006
#define PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY 0x0000000C
#define PERF_COUNTERSET_INSTANCE_AGGREGATE 0x00000016

/* constant.PERF_COUNTERSET_FLAG_MULTIPLE and so on, of the Rust bindings */
#define PERF_COUNTERSET_FLAG_MULTIPLE 2
#define PERF_COUNTERSET_FLAG_AGGREGATE 4
#define PERF_COUNTERSET_FLAG_HISTORY 8
#define PERF_COUNTERSET_FLAG_INSTANCE 16

/* Names: ns-perflib-perf_counter_reg_info. Numbers: MS-PCQ 2.2.4.2, a89712bd-4ba1-4dab-8dbb-dea712c237ba. */
#define PERF_AGGREGATE_UNDEFINED 0x00000000
#define PERF_AGGREGATE_TOTAL 0x00000001
#define PERF_AGGREGATE_AVG 0x00000002
#define PERF_AGGREGATE_MIN 0x00000003
#define PERF_AGGREGATE_MAX 0x00000004

/* Names: ns-perflib-perf_counter_info. Numbers: MS-PCQ 2.2.4.2, as above. */
#define PERF_ATTRIB_BY_REFERENCE 0x0000000000000001ULL
#define PERF_ATTRIB_NO_DISPLAYABLE 0x0000000000000002ULL
#define PERF_ATTRIB_NO_GROUP_SEPARATOR 0x0000000000000004ULL
#define PERF_ATTRIB_DISPLAY_AS_REAL 0x0000000000000008ULL
#define PERF_ATTRIB_DISPLAY_AS_HEX 0x0000000000000010ULL

/* constant.PERF_WILDCARD_COUNTER and constant.PERF_MAX_INSTANCE_NAME of the Rust bindings */
#define PERF_WILDCARD_COUNTER 4294967295u
#define PERF_MAX_INSTANCE_NAME 1024

#endif
