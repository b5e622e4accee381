/*
 * The fields of the records of perflib.h. The fields are in the order of the documentation. Each list applies a
 * macro F(record, field) to every field of a record. The lists have only names: the compiler computes the offset, the size and the
 * sign of each field.
 */
#ifndef PERFBLOCK_PERFLIB_FIELDS_H
#define PERFBLOCK_PERFLIB_FIELDS_H

#define GUID_FIELDS(F) \
    F(GUID, Data1)     \
    F(GUID, Data2)     \
    F(GUID, Data3)     \
    F(GUID, Data4)

#define PERF_DATA_HEADER_FIELDS(F)       \
    F(PERF_DATA_HEADER, dwTotalSize)     \
    F(PERF_DATA_HEADER, dwNumCounters)   \
    F(PERF_DATA_HEADER, PerfTimeStamp)   \
    F(PERF_DATA_HEADER, PerfTime100NSec) \
    F(PERF_DATA_HEADER, PerfFreq)        \
    F(PERF_DATA_HEADER, SystemTime)

#define PERF_COUNTER_HEADER_FIELDS(F) \
    F(PERF_COUNTER_HEADER, dwStatus)  \
    F(PERF_COUNTER_HEADER, dwType)    \
    F(PERF_COUNTER_HEADER, dwSize)    \
    F(PERF_COUNTER_HEADER, Reserved)

#define PERF_MULTI_COUNTERS_FIELDS(F)  \
    F(PERF_MULTI_COUNTERS, dwSize)     \
    F(PERF_MULTI_COUNTERS, dwCounters)

#define PERF_MULTI_INSTANCES_FIELDS(F)   \
    F(PERF_MULTI_INSTANCES, dwTotalSize) \
    F(PERF_MULTI_INSTANCES, dwInstances)

#define PERF_INSTANCE_HEADER_FIELDS(F)  \
    F(PERF_INSTANCE_HEADER, Size)       \
    F(PERF_INSTANCE_HEADER, InstanceId)

#define PERF_COUNTER_DATA_FIELDS(F)  \
    F(PERF_COUNTER_DATA, dwDataSize) \
    F(PERF_COUNTER_DATA, dwSize)

#define PERF_COUNTER_IDENTIFIER_FIELDS(F)      \
    F(PERF_COUNTER_IDENTIFIER, CounterSetGuid) \
    F(PERF_COUNTER_IDENTIFIER, Status)         \
    F(PERF_COUNTER_IDENTIFIER, Size)           \
    F(PERF_COUNTER_IDENTIFIER, CounterId)      \
    F(PERF_COUNTER_IDENTIFIER, InstanceId)     \
    F(PERF_COUNTER_IDENTIFIER, Index)          \
    F(PERF_COUNTER_IDENTIFIER, Reserved)

#define PERF_COUNTERSET_REG_INFO_FIELDS(F)      \
    F(PERF_COUNTERSET_REG_INFO, CounterSetGuid) \
    F(PERF_COUNTERSET_REG_INFO, CounterSetType) \
    F(PERF_COUNTERSET_REG_INFO, DetailLevel)    \
    F(PERF_COUNTERSET_REG_INFO, NumCounters)    \
    F(PERF_COUNTERSET_REG_INFO, InstanceType)

#define PERF_COUNTER_REG_INFO_FIELDS(F)     \
    F(PERF_COUNTER_REG_INFO, CounterId)     \
    F(PERF_COUNTER_REG_INFO, Type)          \
    F(PERF_COUNTER_REG_INFO, Attrib)        \
    F(PERF_COUNTER_REG_INFO, DetailLevel)   \
    F(PERF_COUNTER_REG_INFO, DefaultScale)  \
    F(PERF_COUNTER_REG_INFO, BaseCounterId) \
    F(PERF_COUNTER_REG_INFO, PerfTimeId)    \
    F(PERF_COUNTER_REG_INFO, PerfFreqId)    \
    F(PERF_COUNTER_REG_INFO, MultiId)       \
    F(PERF_COUNTER_REG_INFO, AggregateFunc) \
    F(PERF_COUNTER_REG_INFO, Reserved)

#define PERF_STRING_BUFFER_HEADER_FIELDS(F)  \
    F(PERF_STRING_BUFFER_HEADER, dwSize)     \
    F(PERF_STRING_BUFFER_HEADER, dwCounters)

#define PERF_STRING_COUNTER_HEADER_FIELDS(F)   \
    F(PERF_STRING_COUNTER_HEADER, dwCounterId) \
    F(PERF_STRING_COUNTER_HEADER, dwOffset)

#define PERF_COUNTERSET_INFO_FIELDS(F)      \
    F(PERF_COUNTERSET_INFO, CounterSetGuid) \
    F(PERF_COUNTERSET_INFO, ProviderGuid)   \
    F(PERF_COUNTERSET_INFO, NumCounters)    \
    F(PERF_COUNTERSET_INFO, InstanceType)

#define PERF_COUNTER_INFO_FIELDS(F)   \
    F(PERF_COUNTER_INFO, CounterId)   \
    F(PERF_COUNTER_INFO, Type)        \
    F(PERF_COUNTER_INFO, Attrib)      \
    F(PERF_COUNTER_INFO, Size)        \
    F(PERF_COUNTER_INFO, DetailLevel) \
    F(PERF_COUNTER_INFO, Scale)       \
    F(PERF_COUNTER_INFO, Offset)

#define PERF_COUNTERSET_INSTANCE_FIELDS(F)          \
    F(PERF_COUNTERSET_INSTANCE, CounterSetGuid)     \
    F(PERF_COUNTERSET_INSTANCE, dwSize)             \
    F(PERF_COUNTERSET_INSTANCE, InstanceId)         \
    F(PERF_COUNTERSET_INSTANCE, InstanceNameOffset) \
    F(PERF_COUNTERSET_INSTANCE, InstanceNameSize)

#define PERF_COUNTER_IDENTITY_FIELDS(F)      \
    F(PERF_COUNTER_IDENTITY, CounterSetGuid) \
    F(PERF_COUNTER_IDENTITY, BufferSize)     \
    F(PERF_COUNTER_IDENTITY, CounterId)      \
    F(PERF_COUNTER_IDENTITY, InstanceId)     \
    F(PERF_COUNTER_IDENTITY, MachineOffset)  \
    F(PERF_COUNTER_IDENTITY, NameOffset)     \
    F(PERF_COUNTER_IDENTITY, Reserved)

#endif
