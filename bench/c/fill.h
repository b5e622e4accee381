/* The input for writing a data block: arrays whose elements have no pointers, so that Go can pass its slices. */
#include <stddef.h>
#include <stdint.h>

struct object {
    uint32_t definition_length; /* bytes of PERF_OBJECT_TYPE and the counter definitions */
    uint32_t block_length;      /* ByteLength of each counter block */
    uint32_t num_counters;
    int32_t num_instances; /* or PERF_NO_INSTANCES */
};

struct place {
    uint32_t offset, size; /* in the counter block; size 8, 4, or 0 for a counter without a value */
};

struct instance {
    uint32_t name_length, parent_title, parent_position;
    int32_t unique_id;
};

struct input {
    const unsigned char *header; /* encoded, with the system name */
    uint32_t header_length, num_objects;
    const struct object *objects;
    /* The parts of all objects, in order. */
    const unsigned char *definitions; /* encoded */
    const struct place *places;       /* one for each counter */
    const struct instance *instances;
    const unsigned char *names; /* UTF-8, not terminated */
    const uint64_t *values;     /* num_counters for each counter block */
};

/*
 * Writes the block n times, or overwrites the values of the block in the buffer n times.
 * Returns the length of the block, or 0 if the block in the buffer has other objects or instances.
 */
size_t fill(struct input in, unsigned char *buffer, uint64_t n, int values_only);
