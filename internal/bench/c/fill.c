//go:build ignore

/*
 * What is timed: a block as a provider's author writes it by hand, in the table-driven way, and new values in a block that is there.
 * The buffer has room. It is a file of its own so that the compiler cannot see the loop that calls it and leave out what nobody reads.
 */
#include "put.h"

struct perf_data_block {
    uint16_t Signature[4];
    uint32_t LittleEndian, Version, Revision, TotalByteLength, HeaderLength, NumObjectTypes;
    int32_t DefaultObject;
    uint16_t SystemTime[8];
    uint32_t Padding;
    int64_t PerfTime, PerfFreq, PerfTime100nSec;
    uint32_t SystemNameLength, SystemNameOffset;
};

struct perf_object_type {
    uint32_t TotalByteLength, DefinitionLength, HeaderLength, ObjectNameTitleIndex, ObjectNameTitle, ObjectHelpTitleIndex,
        ObjectHelpTitle, DetailLevel, NumCounters;
    int32_t DefaultCounter, NumInstances;
    uint32_t CodePage;
    int64_t PerfTime, PerfFreq;
};

struct perf_instance_definition {
    uint32_t ByteLength, ParentObjectTitleIndex, ParentObjectInstance;
    int32_t UniqueID;
    uint32_t NameOffset, NameLength;
};

struct perf_counter_block {
    uint32_t ByteLength;
};

_Static_assert(sizeof(struct perf_data_block) == 88, "as in winperf.h");
_Static_assert(sizeof(struct perf_object_type) == 64, "as in winperf.h");
_Static_assert(sizeof(struct perf_instance_definition) == 24, "as in winperf.h");

static unsigned char *put_block(const struct object *o, unsigned char *p, const uint64_t *values)
{
    ((struct perf_counter_block *)p)->ByteLength = o->block_length;
    for (uint32_t i = 0; i < o->num_holes; i++)
        memset(p + o->holes[i].offset, 0, o->holes[i].size);
    put_values(o, p, values);
    return p + o->block_length;
}

static unsigned char *put_instance(unsigned char *p, const struct instance *in)
{
    struct perf_instance_definition *d = (struct perf_instance_definition *)p;
    d->ParentObjectTitleIndex = in->parent_title;
    d->ParentObjectInstance = in->parent_position;
    d->UniqueID = in->unique_id;
    d->ByteLength = sizeof *d;
    d->NameOffset = d->NameLength = 0;
    if (in->name_length != 0) {
        d->NameOffset = sizeof *d;
        d->ByteLength = put_name(p, sizeof *d, in->name, in->name_length, &d->NameLength);
    }
    return p + d->ByteLength;
}

static unsigned char *put_object(const struct object *o, unsigned char *start)
{
    struct perf_object_type *head = (struct perf_object_type *)start;
    unsigned char *p = start + o->definition_length;
    memcpy(start, o->definitions, o->definition_length);
    if (o->num_instances == PERF_NO_INSTANCES) {
        p = put_block(o, p, o->instances[0].values);
    } else {
        for (int32_t i = 0; i < o->num_instances; i++) {
            p = put_instance(p, &o->instances[i]);
            p = put_block(o, p, o->instances[i].values);
        }
    }
    head->TotalByteLength = (uint32_t)(p - start);
    head->NumInstances = o->num_instances;
    return p;
}

size_t fill(const struct input *in, unsigned char *buffer)
{
    struct perf_data_block *d = (struct perf_data_block *)buffer;
    memcpy(d, in->header, sizeof *d);
    d->HeaderLength = sizeof *d;
    if (in->system_name_length != 0) {
        d->SystemNameOffset = sizeof *d;
        d->HeaderLength = put_name(buffer, sizeof *d, in->system_name, in->system_name_length, &d->SystemNameLength);
    }
    unsigned char *p = buffer + d->HeaderLength;
    for (uint32_t i = 0; i < in->num_objects; i++)
        p = put_object(&in->objects[i], p);
    d->NumObjectTypes = in->num_objects;
    d->TotalByteLength = (uint32_t)(p - buffer);
    return d->TotalByteLength;
}

size_t refresh(const struct input *in, unsigned char *buffer)
{
    const struct perf_data_block *d = (const struct perf_data_block *)buffer;
    if (d->NumObjectTypes != in->num_objects)
        return 0;
    unsigned char *p = buffer + d->HeaderLength;
    for (uint32_t i = 0; i < in->num_objects; i++) {
        const struct object *o = &in->objects[i];
        const struct perf_object_type *head = (const struct perf_object_type *)p;
        unsigned char *at = p + head->DefinitionLength;
        if (head->NumInstances != o->num_instances || head->DefinitionLength != o->definition_length)
            return 0;
        if (o->num_instances == PERF_NO_INSTANCES)
            put_values(o, at, o->instances[0].values);
        for (int32_t j = 0; j < o->num_instances; j++) {
            at += ((const struct perf_instance_definition *)at)->ByteLength;
            put_values(o, at, o->instances[j].values);
            at += ((const struct perf_counter_block *)at)->ByteLength;
        }
        p += head->TotalByteLength;
    }
    return d->TotalByteLength;
}
