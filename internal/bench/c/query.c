//go:build ignore

/* What fill.c does, for query data of perflib.h: each value stands behind its own lengths, and instances are of varying length. */
#include "put.h"

struct perf_data_header {
    uint32_t dwTotalSize, dwNumCounters;
    int64_t PerfTimeStamp, PerfTime100NSec, PerfFreq;
    uint16_t SystemTime[8];
};

struct perf_counter_header {
    uint32_t dwStatus, dwType, dwSize, Reserved;
};

struct perf_multi_instances {
    uint32_t dwTotalSize, dwInstances;
};

struct perf_instance_header {
    uint32_t Size, InstanceId;
};

_Static_assert(sizeof(struct perf_data_header) == 48, "as in perflib.h");
_Static_assert(sizeof(struct perf_counter_header) == 16, "as in perflib.h");

static unsigned char *put_values_of(const struct object *o, unsigned char *p, const uint64_t *values)
{
    memcpy(p, o->blank, o->block_length);
    put_values(o, p, values);
    return p + o->block_length;
}

static unsigned char *put_answer(const struct object *o, unsigned char *start)
{
    struct perf_counter_header *head = (struct perf_counter_header *)start;
    struct perf_multi_instances *in = (struct perf_multi_instances *)(start + o->definition_length);
    unsigned char *p = start + o->definition_length;
    memcpy(start, o->definitions, o->definition_length);
    if (o->num_instances == PERF_NO_INSTANCES) {
        p = put_values_of(o, p, o->instances[0].values);
    } else {
        p += sizeof *in;
        for (int32_t i = 0; i < o->num_instances; i++) {
            struct perf_instance_header *h = (struct perf_instance_header *)p;
            uint32_t name_length;
            h->InstanceId = (uint32_t)o->instances[i].unique_id;
            h->Size = put_name(p, sizeof *h, o->instances[i].name, o->instances[i].name_length, &name_length);
            p = put_values_of(o, p + h->Size, o->instances[i].values);
        }
        in->dwTotalSize = (uint32_t)(p - (unsigned char *)in);
        in->dwInstances = (uint32_t)o->num_instances;
    }
    head->dwSize = (uint32_t)(p - start);
    return p;
}

size_t fill_query(const struct input *in, unsigned char *buffer)
{
    struct perf_data_header *d = (struct perf_data_header *)buffer;
    unsigned char *p = buffer + sizeof *d;
    memcpy(d, in->header, sizeof *d);
    for (uint32_t i = 0; i < in->num_objects; i++)
        p = put_answer(&in->objects[i], p);
    d->dwNumCounters = in->num_objects;
    d->dwTotalSize = (uint32_t)(p - buffer);
    return d->dwTotalSize;
}

size_t refresh_query(const struct input *in, unsigned char *buffer)
{
    struct perf_data_header *d = (struct perf_data_header *)buffer;
    unsigned char *p = buffer + sizeof *d;
    uint32_t total = d->dwTotalSize;
    if (d->dwNumCounters != in->num_objects)
        return 0;
    memcpy(d, in->header, sizeof *d);
    d->dwNumCounters = in->num_objects;
    d->dwTotalSize = total;
    for (uint32_t i = 0; i < in->num_objects; i++) {
        const struct object *o = &in->objects[i];
        const struct perf_multi_instances *list = (const struct perf_multi_instances *)(p + o->definition_length);
        unsigned char *at = p + o->definition_length;
        if (o->num_instances == PERF_NO_INSTANCES) {
            put_values(o, at, o->instances[0].values);
        } else if (list->dwInstances != (uint32_t)o->num_instances) {
            return 0;
        } else {
            at += sizeof *list;
        }
        for (int32_t j = 0; j < o->num_instances; j++) {
            at += ((const struct perf_instance_header *)at)->Size;
            put_values(o, at, o->instances[j].values);
            at += o->block_length;
        }
        p += ((const struct perf_counter_header *)p)->dwSize;
    }
    return total;
}
