/*
 * The walker reads with the structs of winperf.h and perflib.h only: the source repeats no offset, size or sign of a field. It checks
 * lengths and ignores the meaning of values. It reads integers as little-endian and ignores the field LittleEndian.
 */
#ifndef PERFBLOCK_READ_H
#define PERFBLOCK_READ_H

#include "perflib_fields.h"
#include "walk.h"
#include "winperf_fields.h"

enum kind { UNSIGNED, SIGNED, BYTES, TIME };

/* The address is used because an array of WCHAR would decay to a pointer, the type of titles in 32-bit Windows. */
#define KIND(record, field)                                                                         \
    _Generic(&((record *)0)->field, LONG *: SIGNED, LONGLONG *: SIGNED, LARGE_INTEGER *: SIGNED, \
             WCHAR(*)[4]: BYTES, SYSTEMTIME *: TIME, default: UNSIGNED)

_Noreturn void broken(struct walk *w, const char *format, ...);

/* Checks that n bytes at off are before end. Every range is checked here, so end is within the input. */
void need(struct walk *w, uint64_t off, uint64_t n, uint64_t end, const char *what);

void at_least(struct walk *w, uint64_t length, uint64_t least, uint64_t off, const char *what);

/* Copies a record into a variable of its type; the copy is aligned, the block need not be. */
#define LOAD(w, record, variable, off, end)      \
    record variable;                             \
    need(w, off, sizeof variable, end, #record); \
    memcpy(&variable, (w)->bytes + (off), sizeof variable)

/* Adds the cost of printing size bytes. Over the limit, the block counts as broken: several parts may share bytes. */
void spend(struct walk *w, uint64_t size);

/* Prints one entry. The caller has checked the range. The format makes the path. */
void emit(struct walk *w, uint64_t off, uint64_t size, enum kind kind, const char *format, ...);

/* The kind of a raw value of n bytes. */
#define VALUE_KIND(n) ((n) == 4 || (n) == 8 ? UNSIGNED : BYTES)

/* Prints the entry of a UTF-16 text that starts at off and ends with its first NUL, which must be before end. Returns the end. */
uint64_t emit_text(struct walk *w, uint64_t off, uint64_t end, const char *prefix, const char *name);

/* Prints the entry of a field, for use with the field lists. It uses the variables w, off and prefix of the calling function. */
#define EMIT(record, field)                                                                                     \
    emit(w, off + offsetof(record, field), sizeof(((record *)0)->field), KIND(record, field), "%s" #field, prefix);

/* Reports whether part ends without a fault. It prints nothing and adds no cost to w. */
typedef void walk_part(struct walk *w, const void *argument);
bool sound(const struct walk *w, walk_part *part, const void *argument);

#endif
