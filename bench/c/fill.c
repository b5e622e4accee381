/* Writes a data block, as a C programmer writes it by hand, or overwrites the counter blocks of an encoded block. The buffer must be large enough. */
#include "fill.h"

#include <string.h>

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

/* Writes the next instance without its counter block, or passes it in an encoded block. Returns the place of the counter block. */
static inline unsigned char *put_instance(struct input *in, unsigned char *p, int values_only)
{
    struct perf_instance_definition *d = (struct perf_instance_definition *)p;
    if (!values_only) {
        const struct instance *i = in->instances++;
        *d = (struct perf_instance_definition){sizeof *d, i->parent_title, i->parent_position, i->unique_id, 0, 0};
        if (i->name_length != 0)
            put_name(d, in->names, i->name_length);
        in->names += i->name_length;
    }
    return p + d->ByteLength;
}

/* Writes the instances of an object, with counter blocks from an array in *in. Moves the pointers in *in to the data of the next object. */
#define PUT_INSTANCES(type, array)                  \
    for (int32_t i = 0; i < o->num_instances; i++) { \
        p = put_instance(in, p, values_only);        \
        *(struct type *)p = *in->array++;            \
        p += sizeof(struct type);                    \
    }

/* Writes an object. Returns its end, or NULL if the object in the encoded block is another one. */
static inline unsigned char *put_object(struct input *in, unsigned char *start, int values_only)
{
    const struct object *o = in->objects++;
    struct perf_object_type *head = (struct perf_object_type *)start;
    if (!values_only)
        memcpy(start, in->definitions, o->definition_length);
    else if (head->NumInstances != o->num_instances || head->DefinitionLength != o->definition_length)
        return NULL;
    in->definitions += o->definition_length;
    unsigned char *p = start + o->definition_length;
    if (o->title == PROCESS) {
        PUT_INSTANCES(process, processes)
    } else {
        PUT_INSTANCES(thread, threads)
    }
    head->NumInstances = o->num_instances;
    head->TotalByteLength = (uint32_t)(p - start);
    return p;
}

/* Inlined, so that the compiler makes a function for each value of values_only. */
static inline __attribute__((always_inline)) size_t put_block(struct input in, unsigned char *buffer, int values_only)
{
    struct perf_data_block *d = (struct perf_data_block *)buffer;
    if (!values_only)
        memcpy(d, in.header, in.header_length);
    else if (d->NumObjectTypes != in.num_objects)
        return 0;
    unsigned char *p = buffer + d->HeaderLength;
    for (uint32_t i = 0; i < in.num_objects && p != NULL; i++)
        p = put_object(&in, p, values_only);
    if (p == NULL)
        return 0;
    d->NumObjectTypes = in.num_objects;
    d->TotalByteLength = (uint32_t)(p - buffer);
    return d->TotalByteLength;
}

size_t fill(struct input in, unsigned char *buffer, uint64_t n, int values_only)
{
    size_t length = 0;
    while (n-- > 0)
        length = values_only ? put_block(in, buffer, 1) : put_block(in, buffer, 0);
    return length;
}
