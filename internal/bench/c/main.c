//go:build ignore

/*
 *     twin INPUT
 *
 * reads what a block is made of, then commands, one a line:
 *
 *     fill N       makes the block N times, answers "NANOSECONDS BYTES"
 *     refresh N    writes all values of the block in the buffer again, N times, answers the same
 *     take N       takes the N bytes that follow for the block in the buffer
 *     bytes        answers with the block in the buffer
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "twin.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

enum { OK, UNUSABLE = 2 };

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void measure(size_t (*work)(const struct input *, unsigned char *), const struct input *in, unsigned char *buffer, uint64_t n)
{
    size_t length = 0;
    uint64_t start = now();
    for (uint64_t i = 0; i < n; i++)
        length = work(in, buffer);
    printf("%" PRIu64 " %zu\n", now() - start, length);
}

int main(int argc, char **argv)
{
    struct input in = {0};
    char line[64], word[16];
    uint64_t n, length = 0;
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    if (argc != 2) {
        fprintf(stderr, "usage: twin INPUT\n");
        return UNUSABLE;
    }
    read_input(&in, argv[1]);
    unsigned char *buffer = need(malloc(in.room));
    memset(buffer, 0xff, in.room); /* so that its pages are there, and a hole that is left shows */
    while (fgets(line, sizeof line, stdin) != NULL) {
        n = 0;
        if (sscanf(line, "%15s %" SCNu64, word, &n) < 1)
            return UNUSABLE;
        if (strcmp(word, "fill") == 0) {
            measure(in.query ? fill_query : fill, &in, buffer, n);
            length = in.room;
        } else if (strcmp(word, "refresh") == 0 && length == in.room) {
            measure(in.query ? refresh_query : refresh, &in, buffer, n);
        } else if (strcmp(word, "take") == 0 && n == in.room && fread(buffer, 1, n, stdin) == n) {
            length = n;
        } else if (strcmp(word, "bytes") == 0) {
            fwrite(buffer, 1, length, stdout);
        } else {
            fprintf(stderr, "twin: cannot do this: %s", line);
            return UNUSABLE;
        }
        if (fflush(stdout) != 0)
            return UNUSABLE;
    }
    return OK;
}
