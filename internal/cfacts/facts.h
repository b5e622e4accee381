/*
 * Macros for a C program that states facts about a header. The program is never linked or run: each fact is an .ascii line with the
 * number in the compiler's assembly. This works for targets whose programs cannot run on the machine.
 */
#ifndef PERFBLOCK_FACTS_H
#define PERFBLOCK_FACTS_H

#include <stddef.h>

#define FACT(name, value) __asm__ volatile(".ascii \"@FACT " name " %c0\"" ::"i"((int)(value)));

/* 1 if a member is a signed number, otherwise 0. */
#define SIGN(member) _Generic((member), LONG: 1, LONGLONG: 1, LARGE_INTEGER: 1, default: 0)

#define FIELD(record, field)                                           \
    FACT("offsetof " #record "." #field, offsetof(record, field))      \
    FACT("sizeof " #record "." #field, sizeof(((record *)0)->field))   \
    FACT("signed " #record "." #field, SIGN(((record *)0)->field))

#define RECORD(record)                         \
    FACT("sizeof " #record, sizeof(record))    \
    FACT("alignof " #record, _Alignof(record)) \
    record##_FIELDS(FIELD)

/* A fact has 32 bits. A constant that needs more is an error; it is not truncated. */
#define CONSTANT(name)                                                                          \
    _Static_assert((long long)(name) >= -0x80000000LL && (long long)(name) <= 0xffffffffLL, ""); \
    FACT("const " #name, name)

#endif
