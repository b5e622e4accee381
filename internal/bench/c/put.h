#ifndef PERFBLOCK_PUT_H
#define PERFBLOCK_PUT_H

/* What blocks of both generations are made of: names and values. */
#include "twin.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are stored as they lie");

#define ALIGN8(n) (((n) + 7) & ~(uint32_t)7)

/* The slow half of put_utf16. What is no UTF-8 becomes U+FFFD, a byte at a time. */
static inline uint16_t *put_wide(uint16_t *restrict out, const unsigned char *restrict s, const unsigned char *end)
{
    while (s < end) {
        uint32_t c = *s, least = 0;
        int more = 0;
        if (c >= 0xf0 && c < 0xf8)
            c &= 0x07, more = 3, least = 0x10000;
        else if (c >= 0xe0 && c < 0xf0)
            c &= 0x0f, more = 2, least = 0x800;
        else if (c >= 0xc0 && c < 0xe0)
            c &= 0x1f, more = 1, least = 0x80;
        else if (c >= 0x80)
            least = UINT32_MAX;
        int n = 1;
        for (; n <= more && s + n < end && (s[n] & 0xc0) == 0x80; n++)
            c = c << 6 | (s[n] & 0x3f);
        if (n <= more || c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
            *out++ = 0xfffd;
            s++;
            continue;
        }
        s += n;
        if (c >= 0x10000) {
            c -= 0x10000;
            *out++ = (uint16_t)(0xd800 | c >> 10);
            c = 0xdc00 | (c & 0x3ff);
        }
        *out++ = (uint16_t)c;
    }
    return out;
}

/* Returns the end of the text, which has no terminator yet. Names are ASCII most of the time. */
static inline uint16_t *put_utf16(uint16_t *restrict out, const unsigned char *restrict s, uint32_t length)
{
    const unsigned char *end = s + length;
    while (s < end && *s < 0x80)
        *out++ = *s++;
    return s < end ? put_wide(out, s, end) : out;
}

/* Writes a name with its NUL at `at` of the record, and zeros up to a multiple of 8. Returns that; the length goes to name_length. */
static inline uint32_t put_name(unsigned char *record, uint32_t at, const unsigned char *s, uint32_t length, uint32_t *name_length)
{
    unsigned char *end = (unsigned char *)put_utf16((uint16_t *)(record + at), s, length);
    uint32_t stop = (uint32_t)(end - record) + 2, padded = ALIGN8(stop);
    memset(end, 0, padded - stop + 2);
    *name_length = stop - at;
    return padded;
}

static inline void put_values(const struct object *o, unsigned char *restrict block, const uint64_t *restrict values)
{
    for (uint32_t i = 0; i < o->num_wide; i++)
        memcpy(block + o->wide[i].offset, &values[o->wide[i].counter], 8);
    for (uint32_t i = 0; i < o->num_narrow; i++) {
        uint32_t value = (uint32_t)values[o->narrow[i].counter];
        memcpy(block + o->narrow[i].offset, &value, 4);
    }
}

#endif
