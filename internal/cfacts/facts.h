/*
 * How a C program says what it knows of a header. It is never linked and never run: the compiler's assembly is the answer. Each fact
 * is an .ascii line with the number in it, which works for targets whose programs cannot be started here.
 */
#ifndef PERFBLOCK_FACTS_H
#define PERFBLOCK_FACTS_H

#include <stddef.h>

#define FACT(name, value) __asm__ volatile(".ascii \"@FACT " name " %c0\"" ::"i"((int)(value)));

/* 1 if a member is a number with a sign, 0 if it is one without or no number. */
#define SIGN(member) _Generic((member), LONG: 1, LONGLONG: 1, LARGE_INTEGER: 1, default: 0)

#define FIELD(record, field)                                           \
    FACT("offsetof " #record "." #field, offsetof(record, field))      \
    FACT("sizeof " #record "." #field, sizeof(((record *)0)->field))   \
    FACT("signed " #record "." #field, SIGN(((record *)0)->field))

#define RECORD(record)                         \
    FACT("sizeof " #record, sizeof(record))    \
    FACT("alignof " #record, _Alignof(record)) \
    record##_FIELDS(FIELD)

/* A fact has 32 bits: a constant that needs more is refused, and not cut short. */
#define CONSTANT(name)                                                                          \
    _Static_assert((long long)(name) >= -0x80000000LL && (long long)(name) <= 0xffffffffLL, ""); \
    FACT("const " #name, name)

#endif
