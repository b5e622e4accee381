/*
 * How a walk reads: with the structs of winperf.h and perflib.h and nothing else, so that no offset, size or sign of a field is typed
 * anywhere here. It judges lengths, not meaning; it reads integers as little-endian, whatever a block says of itself.
 */
#ifndef PERFBLOCK_READ_H
#define PERFBLOCK_READ_H

#include "perflib_fields.h"
#include "walk.h"
#include "winperf_fields.h"

enum kind { UNSIGNED, SIGNED, BYTES, TIME };

/* By address, because an array of WCHAR would decay to a pointer, which is what titles are in 32-bit Windows. */
#define KIND(record, field)                                                                         \
    _Generic(&((record *)0)->field, LONG *: SIGNED, LONGLONG *: SIGNED, LARGE_INTEGER *: SIGNED, \
             WCHAR(*)[4]: BYTES, SYSTEMTIME *: TIME, default: UNSIGNED)

_Noreturn void broken(struct walk *w, const char *format, ...);

/* Every range is checked here: n bytes at off lie before end, and end, by induction, within the input. */
void need(struct walk *w, uint64_t off, uint64_t n, uint64_t end, const char *what);

void at_least(struct walk *w, uint64_t length, uint64_t least, uint64_t off, const char *what);

/* Copies a record into a variable of its type; the copy is aligned, the block need not be. */
#define LOAD(w, record, variable, off, end)      \
    record variable;                             \
    need(w, off, sizeof variable, end, #record); \
    memcpy(&variable, (w)->bytes + (off), sizeof variable)

/* What is visited and printed is bounded: several parts may share their bytes. */
void spend(struct walk *w, uint64_t size);

/* One entry of the answer. The range has been checked by then. The format makes its path. */
void emit(struct walk *w, uint64_t off, uint64_t size, enum kind kind, const char *format, ...);

/* The same for the n bytes of a raw value. */
#define VALUE_KIND(n) ((n) == 4 || (n) == 8 ? UNSIGNED : BYTES)

/* The entry of a text in UTF-16 that starts at off and ends with its first NUL, which must come before end. Returns where it ends. */
uint64_t emit_text(struct walk *w, uint64_t off, uint64_t end, const char *prefix, const char *name);

/* For the field lists: uses w, off and prefix of the function it stands in. */
#define EMIT(record, field)                                                                                     \
    emit(w, off + offsetof(record, field), sizeof(((record *)0)->field), KIND(record, field), "%s" #field, prefix);

/* Reports whether a walk of part ends without a fault. Nothing is printed of it, and it costs nothing. */
typedef void walk_part(struct walk *w, const void *argument);
bool sound(const struct walk *w, walk_part *part, const void *argument);

#endif
