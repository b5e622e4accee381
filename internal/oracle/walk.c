//go:build ignore

/*
 * Walks a block with the structs of winperf.h and nothing else: no offset, size or sign is typed here. It judges lengths, not
 * meaning; it reads integers as little-endian, whatever LittleEndian says.
 *
 *     walk data-block | objects    one block on stdin; JSON on stdout; exit 1 and a line on stderr if the block is broken
 *     walk batch                   see main.c
 */
#include "walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "winperf_fields.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are copied as they lie");

/*
 * Counters may share bytes, so the answer can be far longer than the block: what is visited and printed is bounded as well. 10 MB
 * of DWORD values are within it.
 */
#define MAX_COST (1u << 22)

enum kind { UNSIGNED, SIGNED, BYTES, TIME };

/* By address, because an array of WCHAR would decay to a pointer, which is what titles are in 32-bit Windows. */
#define KIND(record, field)                                        \
    _Generic(&((record *)0)->field, LONG *: SIGNED, LARGE_INTEGER *: SIGNED, \
             WCHAR(*)[4]: BYTES, SYSTEMTIME *: TIME, default: UNSIGNED)

static _Noreturn void broken(struct walk *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->why, sizeof w->why, format, args);
    va_end(args);
    longjmp(w->stop, 1);
}

/* Every range is checked here: n bytes at off lie before end, and end, by induction, within the input. */
static void need(struct walk *w, uint64_t off, uint64_t n, uint64_t end, const char *what)
{
    if (off > end || n > end - off)
        broken(w, "%s: %" PRIu64 " bytes at %" PRIu64 " do not fit before %" PRIu64, what, n, off, end);
}

static void at_least(struct walk *w, uint64_t length, uint64_t least, uint64_t off, const char *what)
{
    if (length < least)
        broken(w, "%s at %" PRIu64 ": length %" PRIu64 " is less than %" PRIu64, what, off, length, least);
}

/* Copies a record into a variable of its type; the copy is aligned, the block need not be. */
#define LOAD(w, record, variable, off, end)           \
    record variable;                                  \
    need(w, off, sizeof variable, end, #record);      \
    memcpy(&variable, (w)->bytes + (off), sizeof variable)

static void spend(struct walk *w, uint64_t size)
{
    w->cost += 1 + size / 16;
    if (w->cost > MAX_COST)
        broken(w, "the answer would be too long");
}

static void emit_time(struct walk *w, const char *path, uint64_t off);

static void print_value(struct walk *w, uint64_t off, uint64_t size, enum kind kind)
{
    uint64_t value = 0;
    if (kind == BYTES || (size != 1 && size != 2 && size != 4 && size != 8)) {
        printf("\"hex\":\"");
        for (uint64_t i = 0; i < size; i++)
            printf("%02x", w->bytes[off + i]);
        printf("\"");
        return;
    }
    memcpy(&value, w->bytes + off, size);
    uint64_t sign = (uint64_t)1 << (size * 8 - 1);
    if (kind == SIGNED && (value & sign) != 0) /* printed as a minus and the magnitude */
        printf("\"value\":-%" PRIu64, sign - (value & (sign - 1)));
    else
        printf("\"value\":%" PRIu64, value);
}

/* One entry of the answer. The range has been checked by then. The format makes its path. */
static void emit(struct walk *w, uint64_t off, uint64_t size, enum kind kind, const char *format, ...)
{
    char path[128];
    va_list args;
    spend(w, size);
    if (!w->print)
        return;
    va_start(args, format);
    vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (kind == TIME) {
        emit_time(w, path, off);
        return;
    }
    printf("%s\n{\"path\":\"%s\",\"off\":%" PRIu64 ",\"size\":%" PRIu64 ",", w->printed++ ? "," : "", path, off, size);
    print_value(w, off, size, kind);
    printf("}");
}

/* For the field lists: uses w, off and prefix of the function it stands in. */
#define EMIT(record, field)                                                                              \
    emit(w, off + offsetof(record, field), sizeof(((record *)0)->field), KIND(record, field), "%s" #field, \
         prefix);

static void emit_time(struct walk *w, const char *path, uint64_t off)
{
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%.120s.", path);
    SYSTEMTIME_FIELDS(EMIT)
}

/* The definitions of an object, which have been walked once before any block is read with them. */
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
        emit(w, off + def.CounterOffset, def.CounterSize, def.CounterSize == 4 || def.CounterSize == 8 ? UNSIGNED : BYTES,
             "%svalue[%lu]", prefix, (unsigned long)j);
    }
    return off + block.ByteLength;
}

/* Returns where the instance's counter block starts. */
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

/* Returns where the next object starts. */
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
    } else if (object.NumInstances < -3) { /* -2 and -3, metadata only, are later than this header */
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
