//go:build ignore

#include "read.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are copied without swapping bytes");

/*
 * Counters of winperf.h and strings of perflib.h may share bytes, so the output can be much longer than the block. The limit allows a
 * block of 10 MB with DWORD values that share no bytes.
 */
#define MAX_COST (1u << 22)

_Noreturn void broken(struct walk *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->why, sizeof w->why, format, args);
    va_end(args);
    longjmp(*w->stop, 1);
}

bool sound(const struct walk *w, walk_part *part, const void *argument)
{
    struct walk dry = *w;
    jmp_buf stop;
    dry.stop = &stop;
    dry.print = false;
    if (setjmp(stop) != 0)
        return false;
    part(&dry, argument);
    return true;
}

void need(struct walk *w, uint64_t off, uint64_t n, uint64_t end, const char *what)
{
    if (off > end || n > end - off)
        broken(w, "%s: %" PRIu64 " bytes at %" PRIu64 " do not fit before %" PRIu64, what, n, off, end);
}

void at_least(struct walk *w, uint64_t length, uint64_t least, uint64_t off, const char *what)
{
    if (length < least)
        broken(w, "%s at %" PRIu64 ": length %" PRIu64 " is less than %" PRIu64, what, off, length, least);
}

void spend(struct walk *w, uint64_t size)
{
    w->cost += 1 + size / 16;
    if (w->cost > MAX_COST)
        broken(w, "the output would be too long");
}

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
    if (kind == SIGNED && (value & sign) != 0) /* printed as a minus sign and the magnitude */
        printf("\"value\":-%" PRIu64, sign - (value & (sign - 1)));
    else
        printf("\"value\":%" PRIu64, value);
}

static void emit_time(struct walk *w, const char *path, uint64_t off)
{
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%.120s.", path);
    SYSTEMTIME_FIELDS(EMIT)
}

void emit(struct walk *w, uint64_t off, uint64_t size, enum kind kind, const char *format, ...)
{
    char path[128] = "";
    if (w->print) {
        va_list args;
        va_start(args, format);
        vsnprintf(path, sizeof path, format, args);
        va_end(args);
    }
    if (kind == TIME) {
        emit_time(w, path, off);
        return;
    }
    spend(w, size);
    if (!w->print)
        return;
    printf("%s\n{\"path\":\"%s\",\"off\":%" PRIu64 ",\"size\":%" PRIu64 ",", w->printed++ ? "," : "", path, off, size);
    print_value(w, off, size, kind);
    printf("}");
}

uint64_t emit_text(struct walk *w, uint64_t off, uint64_t end, const char *prefix, const char *name)
{
    WCHAR c;
    for (uint64_t at = off; at <= end && end - at >= sizeof c; at += sizeof c) {
        memcpy(&c, w->bytes + at, sizeof c);
        if (c != 0)
            continue;
        emit(w, off, at + sizeof c - off, BYTES, "%s%s", prefix, name);
        return at + sizeof c;
    }
    broken(w, "%s%s: no NUL from %" PRIu64 " to %" PRIu64, prefix, name, off, end);
}
