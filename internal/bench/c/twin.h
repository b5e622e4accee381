#ifndef PERFBLOCK_TWIN_H
#define PERFBLOCK_TWIN_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a provider has before it writes a block. It is what the Go side's fill is given too: definitions that are encoded already,
 * the place of each value, names in UTF-8, values of 64 bits.
 */
struct slot {
    uint32_t offset, size; /* size 8 or 4, or 0 for a counter without a value */
};

struct instance {
    const unsigned char *name; /* UTF-8, not terminated */
    uint32_t name_length;
    uint32_t parent_title, parent_position;
    int32_t unique_id;
    const uint64_t *values; /* one for each counter */
};

/* The table again, as it is used: values of one width together, so that the loop over them has no branch. */
struct place {
    uint32_t counter, offset;
};

struct hole {
    uint32_t offset, size;
};

/* An object, or an answer of query data. */
struct object {
    const unsigned char *definitions; /* all that stands before the instances: PERF_OBJECT_TYPE and the counter definitions */
    uint32_t definition_length;
    uint32_t counters;
    uint32_t block_length;
    int32_t num_instances; /* or PERF_NO_INSTANCES */
    const struct slot *slots;
    struct place *wide, *narrow; /* of 8 and of 4 bytes */
    uint32_t num_wide, num_narrow;
    struct hole *holes; /* the bytes of a counter block that no value takes */
    uint32_t num_holes;
    const unsigned char *blank; /* of query data: a block whose values are zero */
    struct instance *instances; /* for PERF_NO_INSTANCES one, of which only the values count */
};

struct input {
    uint64_t query; /* it is query data, and no data block */
    const unsigned char *header; /* PERF_DATA_BLOCK or PERF_DATA_HEADER, with its lengths and the count of what follows 0 */
    const unsigned char *system_name;
    uint32_t system_name_length;
    uint32_t num_objects;
    struct object *objects;
    uint64_t room; /* bytes that the block takes */
};

/* fill.c, and query.c for query data. They return the length of the block; a refresh returns 0 if the block is not of this shape. */
size_t fill(const struct input *in, unsigned char *buffer);
size_t refresh(const struct input *in, unsigned char *buffer);
size_t fill_query(const struct input *in, unsigned char *buffer);
size_t refresh_query(const struct input *in, unsigned char *buffer);

#define PERF_NO_INSTANCES (-1)

/* input.c. It ends the program if the file cannot be read. */
void read_input(struct input *in, const char *path);
void *need(void *p);

#endif
