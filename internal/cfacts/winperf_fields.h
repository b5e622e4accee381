/*
 * The fields of the records of winperf.h. The fields are in the order of the header. Each list applies a
 * macro F(record, field) to every field of a record. The lists have only names: the compiler computes the offset, the size and the
 * sign of each field.
 */
#ifndef PERFBLOCK_WINPERF_FIELDS_H
#define PERFBLOCK_WINPERF_FIELDS_H

#define SYSTEMTIME_FIELDS(F)     \
    F(SYSTEMTIME, wYear)         \
    F(SYSTEMTIME, wMonth)        \
    F(SYSTEMTIME, wDayOfWeek)    \
    F(SYSTEMTIME, wDay)          \
    F(SYSTEMTIME, wHour)         \
    F(SYSTEMTIME, wMinute)       \
    F(SYSTEMTIME, wSecond)       \
    F(SYSTEMTIME, wMilliseconds)

#define PERF_DATA_BLOCK_FIELDS(F)        \
    F(PERF_DATA_BLOCK, Signature)        \
    F(PERF_DATA_BLOCK, LittleEndian)     \
    F(PERF_DATA_BLOCK, Version)          \
    F(PERF_DATA_BLOCK, Revision)         \
    F(PERF_DATA_BLOCK, TotalByteLength)  \
    F(PERF_DATA_BLOCK, HeaderLength)     \
    F(PERF_DATA_BLOCK, NumObjectTypes)   \
    F(PERF_DATA_BLOCK, DefaultObject)    \
    F(PERF_DATA_BLOCK, SystemTime)       \
    F(PERF_DATA_BLOCK, PerfTime)         \
    F(PERF_DATA_BLOCK, PerfFreq)         \
    F(PERF_DATA_BLOCK, PerfTime100nSec)  \
    F(PERF_DATA_BLOCK, SystemNameLength) \
    F(PERF_DATA_BLOCK, SystemNameOffset)

#define PERF_OBJECT_TYPE_FIELDS(F)            \
    F(PERF_OBJECT_TYPE, TotalByteLength)      \
    F(PERF_OBJECT_TYPE, DefinitionLength)     \
    F(PERF_OBJECT_TYPE, HeaderLength)         \
    F(PERF_OBJECT_TYPE, ObjectNameTitleIndex) \
    F(PERF_OBJECT_TYPE, ObjectNameTitle)      \
    F(PERF_OBJECT_TYPE, ObjectHelpTitleIndex) \
    F(PERF_OBJECT_TYPE, ObjectHelpTitle)      \
    F(PERF_OBJECT_TYPE, DetailLevel)          \
    F(PERF_OBJECT_TYPE, NumCounters)          \
    F(PERF_OBJECT_TYPE, DefaultCounter)       \
    F(PERF_OBJECT_TYPE, NumInstances)         \
    F(PERF_OBJECT_TYPE, CodePage)             \
    F(PERF_OBJECT_TYPE, PerfTime)             \
    F(PERF_OBJECT_TYPE, PerfFreq)

#define PERF_COUNTER_DEFINITION_FIELDS(F)             \
    F(PERF_COUNTER_DEFINITION, ByteLength)            \
    F(PERF_COUNTER_DEFINITION, CounterNameTitleIndex) \
    F(PERF_COUNTER_DEFINITION, CounterNameTitle)      \
    F(PERF_COUNTER_DEFINITION, CounterHelpTitleIndex) \
    F(PERF_COUNTER_DEFINITION, CounterHelpTitle)      \
    F(PERF_COUNTER_DEFINITION, DefaultScale)          \
    F(PERF_COUNTER_DEFINITION, DetailLevel)           \
    F(PERF_COUNTER_DEFINITION, CounterType)           \
    F(PERF_COUNTER_DEFINITION, CounterSize)           \
    F(PERF_COUNTER_DEFINITION, CounterOffset)

#define PERF_INSTANCE_DEFINITION_FIELDS(F)              \
    F(PERF_INSTANCE_DEFINITION, ByteLength)             \
    F(PERF_INSTANCE_DEFINITION, ParentObjectTitleIndex) \
    F(PERF_INSTANCE_DEFINITION, ParentObjectInstance)   \
    F(PERF_INSTANCE_DEFINITION, UniqueID)               \
    F(PERF_INSTANCE_DEFINITION, NameOffset)             \
    F(PERF_INSTANCE_DEFINITION, NameLength)

#define PERF_COUNTER_BLOCK_FIELDS(F) \
    F(PERF_COUNTER_BLOCK, ByteLength)

#endif
