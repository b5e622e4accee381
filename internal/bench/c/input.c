//go:build ignore

/* Reads the file that the Go side wrote, whole, and sets pointers into it: nothing of this is timed. */
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNUSABLE = 2, DATA_BLOCK = 88, DATA_HEADER = 48 };

struct reader {
    const unsigned char *at, *end;
};

static _Noreturn void unusable(const char *why)
{
    fprintf(stderr, "twin: %s\n", why);
    exit(UNUSABLE);
}

void *need(void *p)
{
    if (p == NULL)
        unusable("out of memory");
    return p;
}

/* Each part of the file starts on a multiple of 8. */
static const void *take(struct reader *r, uint64_t n)
{
    const unsigned char *p = r->at;
    uint64_t padded = (n + 7) & ~(uint64_t)7;
    if (padded > (uint64_t)(r->end - r->at))
        unusable("the input ends too early");
    r->at += padded;
    return p;
}

static uint64_t number(struct reader *r) { return *(const uint64_t *)take(r, 8); }

/* The bytes of a counter block that no value takes, its ByteLength aside: gaps between values, and the padding. */
static void find_holes(struct object *o)
{
    unsigned char *taken = need(calloc(o->block_length + 1, 1));
    memset(taken, 1, 4);
    taken[o->block_length] = 1;
    for (uint32_t i = 0; i < o->counters; i++) {
        if ((uint64_t)o->slots[i].offset + o->slots[i].size > o->block_length)
            unusable("a value outside its counter block");
        memset(taken + o->slots[i].offset, 1, o->slots[i].size);
    }
    o->holes = need(calloc(o->block_length + (size_t)1, sizeof *o->holes));
    for (uint32_t at = 0; at < o->block_length; at++) {
        if (taken[at])
            continue;
        struct hole *h = &o->holes[o->num_holes++];
        for (h->offset = at; !taken[at]; at++)
            h->size++;
    }
    free(taken);
}

static void sort_by_width(struct object *o)
{
    o->wide = need(calloc(o->counters + (size_t)1, sizeof *o->wide));
    o->narrow = need(calloc(o->counters + (size_t)1, sizeof *o->narrow));
    for (uint32_t i = 0; i < o->counters; i++) {
        struct place p = {i, o->slots[i].offset};
        if (o->slots[i].size == 8)
            o->wide[o->num_wide++] = p;
        else if (o->slots[i].size == 4)
            o->narrow[o->num_narrow++] = p;
        else if (o->slots[i].size != 0)
            unusable("a value that is no number");
    }
}

/* As the file has an instance: a row of 5 numbers of 32 bits, and 4 bytes of nothing. */
struct row {
    uint32_t name_length, parent_title, parent_position;
    int32_t unique_id;
    uint32_t none[2];
};

static void read_object(struct reader *r, uint64_t query, struct object *o)
{
    o->definition_length = (uint32_t)number(r);
    o->counters = (uint32_t)number(r);
    o->block_length = (uint32_t)number(r);
    o->num_instances = (int32_t)number(r);
    uint64_t names = number(r);
    o->definitions = take(r, o->definition_length);
    o->slots = take(r, o->counters * (uint64_t)sizeof *o->slots);
    if (query)
        o->blank = take(r, o->block_length);
    else
        find_holes(o);
    sort_by_width(o);

    uint32_t rows = o->num_instances < 0 ? 1 : (uint32_t)o->num_instances;
    const struct row *row = take(r, rows * (uint64_t)sizeof *row);
    const unsigned char *name = take(r, names);
    const uint64_t *values = take(r, (uint64_t)rows * o->counters * sizeof *values);
    o->instances = need(calloc(rows + 1, sizeof *o->instances));
    for (uint32_t i = 0; i < rows; i++) {
        if (row[i].name_length > names)
            unusable("names are longer than they say");
        o->instances[i] = (struct instance){name, row[i].name_length, row[i].parent_title, row[i].parent_position, row[i].unique_id, values};
        name += row[i].name_length;
        names -= row[i].name_length;
        values += o->counters;
    }
}

void read_input(struct input *in, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        unusable("cannot open the input");
    long size = ftell(f);
    rewind(f);
    unsigned char *bytes = need(malloc(size > 0 ? (size_t)size : 1));
    if (size < 0 || fread(bytes, 1, (size_t)size, f) != (size_t)size)
        unusable("cannot read the input");
    fclose(f);

    struct reader r = {bytes, bytes + size};
    in->query = number(&r);
    in->room = number(&r);
    in->num_objects = (uint32_t)number(&r);
    in->system_name_length = (uint32_t)number(&r);
    in->header = take(&r, in->query ? DATA_HEADER : DATA_BLOCK);
    in->system_name = take(&r, in->system_name_length);
    in->objects = need(calloc(in->num_objects + (size_t)1, sizeof *in->objects));
    for (uint32_t i = 0; i < in->num_objects; i++)
        read_object(&r, in->query, &in->objects[i]);
}
