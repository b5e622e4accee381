//go:build ignore

/* What PerfQueryCounterData and PerfEnumerateCounterSetInstances return. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read.h"

/* An odd number of ids may have padding after it: see ids. */
enum { ALIGNMENT = 8 };

/* One result: the range that is not read yet, its type and the number of values. */
struct result {
    uint64_t index;
    uint64_t at, end;
    PerfCounterDataType type;
    DWORD values; /* number of values of each instance or of the result: the number of ids, or 1 without ids */
};

/* This function and the following functions return the offset of the next record. */
static uint64_t counter_data(struct walk *w, uint64_t off, uint64_t end, const char *prefix)
{
    LOAD(w, PERF_COUNTER_DATA, data, off, end);
    at_least(w, data.dwSize, sizeof data, off, "counter data");
    need(w, off, data.dwSize, end, "counter data");
    need(w, sizeof data, data.dwDataSize, data.dwSize, "value in its counter data");
    PERF_COUNTER_DATA_FIELDS(EMIT)
    if (data.dwDataSize != 0)
        emit(w, off + sizeof data, data.dwDataSize, VALUE_KIND(data.dwDataSize), "%svalue", prefix);
    return off + data.dwSize;
}

static uint64_t row(struct walk *w, uint64_t off, uint64_t end, DWORD values, const char *owner)
{
    char prefix[128];
    for (DWORD j = 0; j < values; j++) {
        snprintf(prefix, sizeof prefix, "%sdata[%lu].", owner, (unsigned long)j);
        off = counter_data(w, off, end, prefix);
    }
    return off;
}

/* Size does not include the values of an instance. */
static uint64_t instance(struct walk *w, uint64_t off, uint64_t end, const char *prefix)
{
    LOAD(w, PERF_INSTANCE_HEADER, inst, off, end);
    at_least(w, inst.Size, sizeof inst, off, "instance");
    need(w, off, inst.Size, end, "instance");
    PERF_INSTANCE_HEADER_FIELDS(EMIT)
    emit_text(w, off + sizeof inst, off + inst.Size, prefix, "Name");
    return off + inst.Size;
}

static uint64_t multi_instances(struct walk *w, uint64_t off, uint64_t end, const struct result *a)
{
    char prefix[96];
    LOAD(w, PERF_MULTI_INSTANCES, multi, off, end);
    at_least(w, multi.dwTotalSize, sizeof multi, off, "instances");
    need(w, off, multi.dwTotalSize, end, "instances");
    end = off + multi.dwTotalSize;
    snprintf(prefix, sizeof prefix, "result[%" PRIu64 "].instances.", a->index);
    PERF_MULTI_INSTANCES_FIELDS(EMIT)

    uint64_t at = off + sizeof multi;
    for (DWORD k = 0; k < multi.dwInstances; k++) {
        snprintf(prefix, sizeof prefix, "result[%" PRIu64 "].instance[%lu].", a->index, (unsigned long)k);
        at = instance(w, at, end, prefix);
        at = row(w, at, end, a->values, prefix);
    }
    return end;
}

/* Reads the records after the header and the ids. */
static uint64_t body(struct walk *w, const struct result *a)
{
    char prefix[96];
    if (a->type == PERF_MULTIPLE_INSTANCES || a->type == PERF_COUNTERSET)
        return multi_instances(w, a->at, a->end, a);
    snprintf(prefix, sizeof prefix, "result[%" PRIu64 "].", a->index);
    return row(w, a->at, a->end, a->values, prefix);
}

static void any_body(struct walk *w, const void *argument) { body(w, argument); }

static void whole_body(struct walk *w, const void *argument)
{
    const struct result *a = argument;
    if (body(w, a) != a->end)
        broken(w, "the records end before the end of the result");
}

/*
 * According to the documentation every record starts at a multiple of 8, and dwSize covers the record and its ids. With an odd number
 * of ids both cannot be true. If dwSize includes the padding, or none is needed, the next record starts at its end. Otherwise the
 * records start directly after the ids if they then fill the result. If not, they start after the padding, provided that the padding
 * is zeros or that the records after it can be read.
 */
static void ids(struct walk *w, struct result *a)
{
    char prefix[96];
    uint64_t off = a->at;
    LOAD(w, PERF_MULTI_COUNTERS, multi, off, a->end);
    at_least(w, multi.dwSize, sizeof multi, off, "ids");
    need(w, off, multi.dwSize, a->end, "ids");
    uint64_t length = (uint64_t)multi.dwCounters * sizeof(ULONG);
    need(w, sizeof multi, length, multi.dwSize, "ids in their record");
    snprintf(prefix, sizeof prefix, "result[%" PRIu64 "].ids.", a->index);
    PERF_MULTI_COUNTERS_FIELDS(EMIT)
    for (DWORD j = 0; j < multi.dwCounters; j++)
        emit(w, off + sizeof multi + j * sizeof(ULONG), sizeof(ULONG), UNSIGNED, "%sid[%lu]", prefix, (unsigned long)j);

    a->values = multi.dwCounters;
    a->at = off + multi.dwSize;
    if (multi.dwSize != sizeof multi + length || multi.dwSize % ALIGNMENT == 0)
        return;
    struct result padded = *a;
    padded.at += ALIGNMENT - multi.dwSize % ALIGNMENT;
    if (sound(w, whole_body, a))
        return;
    LOAD(w, ULONG, between, a->at, a->end);
    if (between == 0 || sound(w, any_body, &padded))
        *a = padded;
}

static uint64_t result(struct walk *w, uint64_t off, uint64_t end, uint64_t index)
{
    char prefix[96];
    LOAD(w, PERF_COUNTER_HEADER, header, off, end);
    at_least(w, header.dwSize, sizeof header, off, "result");
    need(w, off, header.dwSize, end, "result");
    snprintf(prefix, sizeof prefix, "result[%" PRIu64 "].", index);
    PERF_COUNTER_HEADER_FIELDS(EMIT)

    struct result a = {index, off + sizeof header, off + header.dwSize, header.dwType, 1};
    switch (a.type) {
    case PERF_ERROR_RETURN:
        return a.end;
    case PERF_SINGLE_COUNTER:
    case PERF_MULTIPLE_INSTANCES:
        break;
    case PERF_MULTIPLE_COUNTERS:
    case PERF_COUNTERSET:
        ids(w, &a);
        break;
    default:
        broken(w, "result at %" PRIu64 ": no type %ld", off, (long)a.type);
    }
    body(w, &a);
    return a.end;
}

void walk_query_data(struct walk *w)
{
    uint64_t off = 0;
    const char *prefix = "";
    LOAD(w, PERF_DATA_HEADER, data, off, w->length);
    at_least(w, data.dwTotalSize, sizeof data, off, "query data");
    need(w, off, data.dwTotalSize, w->length, "query data");
    PERF_DATA_HEADER_FIELDS(EMIT)
    off = sizeof data;
    for (DWORD i = 0; i < data.dwNumCounters; i++)
        off = result(w, off, data.dwTotalSize, i);
}

void walk_instances(struct walk *w)
{
    char prefix[96];
    uint64_t off = 0;
    for (uint64_t i = 0; off < w->length; i++) {
        snprintf(prefix, sizeof prefix, "instance[%" PRIu64 "].", i);
        off = instance(w, off, w->length, prefix);
    }
}
