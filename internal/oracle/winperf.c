//go:build ignore

/* The blocks of winperf.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read.h"

/* The definitions of an object. They are walked before a counter block is read with them. */
struct definitions {
    uint64_t off, end;
    DWORD count;
};

static uint64_t counter_block(struct walk *w, uint64_t off, uint64_t end, struct definitions defs, const char *owner)
{
    char prefix[96];
    LOAD(w, PERF_COUNTER_BLOCK, block, off, end);
    at_least(w, block.ByteLength, sizeof block, off, "counter block");
    need(w, off, block.ByteLength, end, "counter block");
    snprintf(prefix, sizeof prefix, "%sblock.", owner);
    PERF_COUNTER_BLOCK_FIELDS(EMIT)
    for (DWORD j = 0; j < defs.count; j++) {
        LOAD(w, PERF_COUNTER_DEFINITION, def, defs.off, defs.end);
        defs.off += def.ByteLength;
        if (def.CounterSize == 0) {
            spend(w, 0);
            continue;
        }
        need(w, def.CounterOffset, def.CounterSize, block.ByteLength, "value in its counter block");
        emit(w, off + def.CounterOffset, def.CounterSize, VALUE_KIND(def.CounterSize), "%svalue[%lu]", prefix, (unsigned long)j);
    }
    return off + block.ByteLength;
}

/* Returns the offset of the instance's counter block. */
static uint64_t instance(struct walk *w, uint64_t off, uint64_t end, const char *prefix)
{
    LOAD(w, PERF_INSTANCE_DEFINITION, inst, off, end);
    at_least(w, inst.ByteLength, sizeof inst, off, "instance");
    need(w, off, inst.ByteLength, end, "instance");
    PERF_INSTANCE_DEFINITION_FIELDS(EMIT)
    if (inst.NameLength != 0) {
        need(w, inst.NameOffset, inst.NameLength, inst.ByteLength, "name in its instance");
        emit(w, off + inst.NameOffset, inst.NameLength, BYTES, "%sName", prefix);
    }
    return off + inst.ByteLength;
}

static uint64_t definition(struct walk *w, uint64_t off, uint64_t end, const char *prefix)
{
    LOAD(w, PERF_COUNTER_DEFINITION, def, off, end);
    at_least(w, def.ByteLength, sizeof def, off, "counter definition");
    need(w, off, def.ByteLength, end, "counter definition");
    PERF_COUNTER_DEFINITION_FIELDS(EMIT)
    return off + def.ByteLength;
}

/* Returns the offset of the next object. */
static uint64_t object(struct walk *w, uint64_t off, uint64_t end, uint64_t index)
{
    char prefix[96];
    LOAD(w, PERF_OBJECT_TYPE, object, off, end);
    at_least(w, object.HeaderLength, sizeof object, off, "object header");
    at_least(w, object.DefinitionLength, object.HeaderLength, off, "object definition");
    at_least(w, object.TotalByteLength, object.DefinitionLength, off, "object");
    need(w, off, object.TotalByteLength, end, "object");
    end = off + object.TotalByteLength;

    snprintf(prefix, sizeof prefix, "object[%" PRIu64 "].", index);
    PERF_OBJECT_TYPE_FIELDS(EMIT)

    struct definitions defs = {off + object.HeaderLength, off + object.DefinitionLength, object.NumCounters};
    uint64_t at = defs.off;
    for (DWORD j = 0; j < object.NumCounters; j++) {
        snprintf(prefix, sizeof prefix, "object[%" PRIu64 "].counter[%lu].", index, (unsigned long)j);
        at = definition(w, at, defs.end, prefix);
    }

    at = defs.end;
    if (object.NumInstances == PERF_NO_INSTANCES) {
        snprintf(prefix, sizeof prefix, "object[%" PRIu64 "].", index);
        counter_block(w, at, end, defs, prefix);
    } else if (object.NumInstances < -3) { /* this header has no names for -2 and -3 (metadata only) */
        broken(w, "object at %" PRIu64 ": %ld instances", off, (long)object.NumInstances);
    }
    for (LONG k = 0; k < object.NumInstances; k++) {
        snprintf(prefix, sizeof prefix, "object[%" PRIu64 "].instance[%ld].", index, (long)k);
        at = instance(w, at, end, prefix);
        at = counter_block(w, at, end, defs, prefix);
    }
    return end;
}

void walk_data_block(struct walk *w)
{
    uint64_t off = 0;
    const char *prefix = "";
    LOAD(w, PERF_DATA_BLOCK, data, off, w->length);
    at_least(w, data.HeaderLength, sizeof data, off, "data block header");
    at_least(w, data.TotalByteLength, data.HeaderLength, off, "data block");
    need(w, off, data.TotalByteLength, w->length, "data block");
    PERF_DATA_BLOCK_FIELDS(EMIT)
    if (data.SystemNameLength != 0) {
        need(w, data.SystemNameOffset, data.SystemNameLength, data.HeaderLength, "system name in the header");
        emit(w, data.SystemNameOffset, data.SystemNameLength, BYTES, "SystemName");
    }
    off = data.HeaderLength;
    for (DWORD i = 0; i < data.NumObjectTypes; i++)
        off = object(w, off, data.TotalByteLength, i);
}

void walk_objects(struct walk *w)
{
    uint64_t off = 0;
    for (uint64_t i = 0; off < w->length; i++)
        off = object(w, off, w->length, i);
}
