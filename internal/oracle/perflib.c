//go:build ignore

/* The other buffers of perflib.h: identifiers, registration information, and the blocks of a provider. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read.h"

/* Windows reserves this number of bytes for each counter of an instance and ignores the Size of its PERF_COUNTER_INFO. */
enum { SLOT = 8 };

static const DWORD NO_STRING = (DWORD)-1;

static void exactly(struct walk *w, uint64_t size, const char *what)
{
    if (w->length != size)
        broken(w, "%s: %" PRIu64 " bytes are not %" PRIu64, what, w->length, size);
}

static uint64_t identifier(struct walk *w, uint64_t off, const char *prefix)
{
    LOAD(w, PERF_COUNTER_IDENTIFIER, id, off, w->length);
    at_least(w, id.Size, sizeof id, off, "identifier");
    need(w, off, id.Size, w->length, "identifier");
    PERF_COUNTER_IDENTIFIER_FIELDS(EMIT)
    if (id.Size > sizeof id)
        emit_text(w, off + sizeof id, off + id.Size, prefix, "Name");
    return off + id.Size;
}

void walk_identifiers(struct walk *w)
{
    char prefix[96];
    uint64_t off = 0;
    for (uint64_t i = 0; off < w->length; i++) {
        snprintf(prefix, sizeof prefix, "identifier[%" PRIu64 "].", i);
        off = identifier(w, off, prefix);
    }
}

static uint64_t registered(struct walk *w, uint64_t off, uint64_t index)
{
    char prefix[96];
    need(w, off, sizeof(PERF_COUNTER_REG_INFO), w->length, "PERF_COUNTER_REG_INFO");
    snprintf(prefix, sizeof prefix, "counter[%" PRIu64 "].", index);
    PERF_COUNTER_REG_INFO_FIELDS(EMIT)
    return off + sizeof(PERF_COUNTER_REG_INFO);
}

void walk_reg_set(struct walk *w)
{
    uint64_t off = 0;
    const char *prefix = "";
    LOAD(w, PERF_COUNTERSET_REG_INFO, set, off, w->length);
    exactly(w, sizeof set + (uint64_t)set.NumCounters * sizeof(PERF_COUNTER_REG_INFO), "registration");
    PERF_COUNTERSET_REG_INFO_FIELDS(EMIT)
    off = sizeof set;
    for (DWORD i = 0; i < set.NumCounters; i++)
        off = registered(w, off, i);
}

void walk_reg_counter(struct walk *w)
{
    exactly(w, sizeof(PERF_COUNTER_REG_INFO), "registration of a counter");
    registered(w, 0, 0);
}

void walk_reg_string(struct walk *w)
{
    WCHAR last = 1;
    if (w->length >= sizeof last && w->length % sizeof last == 0)
        memcpy(&last, w->bytes + w->length - sizeof last, sizeof last);
    if (last != 0)
        broken(w, "text: no NUL ends the %" PRIu64 " bytes", w->length);
    emit(w, 0, w->length, BYTES, "Text");
}

void walk_guids(struct walk *w)
{
    for (uint64_t off = 0; off < w->length; off += sizeof(GUID)) {
        need(w, off, sizeof(GUID), w->length, "GUID");
        emit(w, off, sizeof(GUID), BYTES, "guid[%" PRIu64 "]", off / sizeof(GUID));
    }
}

void walk_reg_guid(struct walk *w)
{
    exactly(w, sizeof(GUID), "GUID");
    walk_guids(w);
}

/*
 * The documents disagree about the base of the offsets. It is the start of the buffer, unless all offsets are valid only from the
 * end of the entries.
 */
static uint64_t strings_base(struct walk *w, uint64_t first, DWORD count, uint64_t end)
{
    bool from_start = true, from_entries = true;
    uint64_t off = sizeof(PERF_STRING_BUFFER_HEADER);
    for (DWORD i = 0; i < count; i++, off += sizeof(PERF_STRING_COUNTER_HEADER)) {
        LOAD(w, PERF_STRING_COUNTER_HEADER, entry, off, first);
        if (entry.dwOffset == NO_STRING)
            continue;
        from_start = from_start && entry.dwOffset >= first && entry.dwOffset < end;
        from_entries = from_entries && entry.dwOffset < end - first;
    }
    if (!from_start && !from_entries)
        broken(w, "strings: their offsets point out of the buffer or into the entries");
    return from_start ? 0 : first;
}

void walk_strings(struct walk *w)
{
    uint64_t off = 0;
    char prefix[96] = "";
    LOAD(w, PERF_STRING_BUFFER_HEADER, head, off, w->length);
    at_least(w, head.dwSize, sizeof head, off, "strings");
    need(w, off, head.dwSize, w->length, "strings");
    uint64_t rows = (uint64_t)head.dwCounters * sizeof(PERF_STRING_COUNTER_HEADER);
    need(w, sizeof head, rows, head.dwSize, "entries");
    PERF_STRING_BUFFER_HEADER_FIELDS(EMIT)

    uint64_t first = sizeof head + rows, base = strings_base(w, first, head.dwCounters, head.dwSize);
    off = sizeof head;
    for (DWORD i = 0; i < head.dwCounters; i++) {
        snprintf(prefix, sizeof prefix, "entry[%lu].", (unsigned long)i);
        LOAD(w, PERF_STRING_COUNTER_HEADER, entry, off, first);
        PERF_STRING_COUNTER_HEADER_FIELDS(EMIT)
        if (entry.dwOffset != NO_STRING)
            emit_text(w, base + entry.dwOffset, head.dwSize, prefix, "Text");
        off += sizeof entry;
    }
}

/* Trailing bytes after the counters are allowed. */
void walk_template(struct walk *w)
{
    uint64_t off = 0;
    char prefix[96] = "";
    LOAD(w, PERF_COUNTERSET_INFO, set, off, w->length);
    PERF_COUNTERSET_INFO_FIELDS(EMIT)
    off = sizeof set;
    for (DWORD i = 0; i < set.NumCounters; i++) {
        snprintf(prefix, sizeof prefix, "counter[%lu].", (unsigned long)i);
        need(w, off, sizeof(PERF_COUNTER_INFO), w->length, "PERF_COUNTER_INFO");
        PERF_COUNTER_INFO_FIELDS(EMIT)
        off += sizeof(PERF_COUNTER_INFO);
    }
}

void walk_instance_block(struct walk *w)
{
    uint64_t off = 0;
    const char *prefix = "";
    LOAD(w, PERF_COUNTERSET_INSTANCE, inst, off, w->length);
    at_least(w, inst.dwSize, sizeof inst, off, "instance");
    need(w, off, inst.dwSize, w->length, "instance");
    at_least(w, inst.InstanceNameOffset, sizeof inst, off, "bytes before the name");
    need(w, inst.InstanceNameOffset, inst.InstanceNameSize, inst.dwSize, "name in its instance");
    PERF_COUNTERSET_INSTANCE_FIELDS(EMIT)
    for (uint64_t at = sizeof inst; at + SLOT <= inst.InstanceNameOffset; at += SLOT)
        emit(w, at, SLOT, UNSIGNED, "slot[%" PRIu64 "]", (at - sizeof inst) / SLOT);
    if (inst.InstanceNameSize != 0)
        emit(w, inst.InstanceNameOffset, inst.InstanceNameSize, BYTES, "Name");
}
