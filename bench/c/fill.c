/* Writes a data block from tables, as a C programmer writes it by hand, or overwrites the values of an encoded block. The buffer must be large enough. */
#include "fill.h"

#include <string.h>

#define PERF_NO_INSTANCES (-1)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are stored in the byte order of the machine");

/* The starts of PERF_DATA_BLOCK and PERF_OBJECT_TYPE. */
struct perf_data_block {
    uint16_t Signature[4];
    uint32_t LittleEndian, Version, Revision, TotalByteLength, HeaderLength, NumObjectTypes;
};

struct perf_object_type {
    uint32_t TotalByteLength, DefinitionLength, HeaderLength, ObjectNameTitleIndex, ObjectNameTitle, ObjectHelpTitleIndex,
        ObjectHelpTitle, DetailLevel, NumCounters;
    int32_t DefaultCounter, NumInstances;
};

struct perf_instance_definition {
    uint32_t ByteLength, ParentObjectTitleIndex, ParentObjectInstance;
    int32_t UniqueID;
    uint32_t NameOffset, NameLength;
};

/* Converts valid UTF-8 to UTF-16. */
static uint16_t *put_wide(uint16_t *restrict out, const unsigned char *restrict s, const unsigned char *end)
{
    while (s < end) {
        uint32_t c = *s++;
        if (c >= 0xf0)
            c = (c & 7) << 18 | (s[0] & 0x3fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu), s += 3;
        else if (c >= 0xe0)
            c = (c & 15) << 12 | (s[0] & 0x3fu) << 6 | (s[1] & 0x3fu), s += 2;
        else if (c >= 0x80)
            c = (c & 31) << 6 | (s[0] & 0x3fu), s += 1;
        if (c >= 0x10000) {
            *out++ = (uint16_t)(0xd7c0 + (c >> 10));
            c = 0xdc00 | (c & 0x3ff);
        }
        *out++ = (uint16_t)c;
    }
    return out;
}

/* Writes the name after the definition, with its NUL and zeros up to a multiple of 8. */
static inline void put_name(struct perf_instance_definition *d, const unsigned char *restrict s, uint32_t length)
{
    const unsigned char *end = s + length;
    uint16_t *restrict out = (uint16_t *)(d + 1);
    while (s < end && *s < 0x80)
        *out++ = *s++;
    if (s < end)
        out = put_wide(out, s, end);
    d->NameOffset = sizeof *d;
    d->NameLength = (uint32_t)((unsigned char *)(out + 1) - (unsigned char *)(d + 1));
    d->ByteLength = (d->NameOffset + d->NameLength + 7) & ~(uint32_t)7;
    memset(out, 0, 2 + d->ByteLength - d->NameOffset - d->NameLength);
}

static inline void put_values(const struct object *o, const struct place *restrict places, const uint64_t *restrict values, unsigned char *restrict block)
{
    for (uint32_t i = 0; i < o->num_counters; i++) {
        if (places[i].size == 8)
            memcpy(block + places[i].offset, &values[i], 8);
        else if (places[i].size == 4)
            memcpy(block + places[i].offset, &values[i], 4);
    }
}

static inline unsigned char *put_block(const struct object *o, const struct input *in, unsigned char *p)
{
    memset(p, 0, o->block_length); /* the gaps between values */
    *(uint32_t *)p = o->block_length; /* PERF_COUNTER_BLOCK.ByteLength */
    put_values(o, in->places, in->values, p);
    return p + o->block_length;
}

static inline unsigned char *put_instance(const struct instance *in, const unsigned char *name, unsigned char *p)
{
    struct perf_instance_definition *d = (struct perf_instance_definition *)p;
    *d = (struct perf_instance_definition){sizeof *d, in->parent_title, in->parent_position, in->unique_id, 0, 0};
    if (in->name_length != 0)
        put_name(d, name, in->name_length);
    return p + d->ByteLength;
}

/* Writes an object and moves the pointers in *in to the data of the next object. */
static unsigned char *put_object(struct input *in, unsigned char *start)
{
    const struct object *o = in->objects++;
    unsigned char *p = start + o->definition_length;
    memcpy(start, in->definitions, o->definition_length);
    if (o->num_instances == PERF_NO_INSTANCES) {
        p = put_block(o, in, p);
        in->values += o->num_counters;
    }
    for (int32_t i = 0; i < o->num_instances; i++) {
        p = put_instance(in->instances, in->names, p);
        p = put_block(o, in, p);
        in->names += in->instances++->name_length;
        in->values += o->num_counters;
    }
    in->definitions += o->definition_length;
    in->places += o->num_counters;
    struct perf_object_type *head = (struct perf_object_type *)start;
    head->TotalByteLength = (uint32_t)(p - start);
    head->NumInstances = o->num_instances;
    return p;
}

static size_t fill_once(struct input in, unsigned char *buffer)
{
    struct perf_data_block *d = (struct perf_data_block *)buffer;
    memcpy(d, in.header, in.header_length);
    unsigned char *p = buffer + in.header_length;
    for (uint32_t i = 0; i < in.num_objects; i++)
        p = put_object(&in, p);
    d->NumObjectTypes = in.num_objects;
    d->TotalByteLength = (uint32_t)(p - buffer);
    return d->TotalByteLength;
}

static size_t refresh_once(struct input in, unsigned char *buffer)
{
    const struct perf_data_block *d = (const struct perf_data_block *)buffer;
    if (d->NumObjectTypes != in.num_objects)
        return 0;
    unsigned char *p = buffer + d->HeaderLength;
    for (uint32_t i = 0; i < in.num_objects; i++) {
        const struct object *o = &in.objects[i];
        const struct perf_object_type *head = (const struct perf_object_type *)p;
        unsigned char *block = p + head->DefinitionLength;
        if (head->NumInstances != o->num_instances || head->DefinitionLength != o->definition_length)
            return 0;
        if (o->num_instances == PERF_NO_INSTANCES) {
            put_values(o, in.places, in.values, block);
            in.values += o->num_counters;
        }
        for (int32_t j = 0; j < o->num_instances; j++) {
            block += ((const struct perf_instance_definition *)block)->ByteLength;
            put_values(o, in.places, in.values, block);
            block += o->block_length;
            in.values += o->num_counters;
        }
        in.places += o->num_counters;
        p += head->TotalByteLength;
    }
    return d->TotalByteLength;
}

size_t fill(struct input in, unsigned char *buffer, uint64_t n, int values_only)
{
    size_t length = 0;
    while (n-- > 0)
        length = values_only ? refresh_once(in, buffer) : fill_once(in, buffer);
    return length;
}
