//go:build ignore

/*
 * The walker as a program.
 *
 *     walk KIND     one block on stdin; JSON on stdout; exit 1 and a line on stderr if the block is broken
 *     walk batch    any number of blocks, each after a line "KIND length": for each the same JSON, or one line "! reason"
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "walk.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

enum { OK, BROKEN, UNUSABLE };

typedef void walk_kind(struct walk *w);

static const struct {
    const char *name;
    walk_kind *walk;
} kinds[] = {
    {"data-block", walk_data_block},   {"objects", walk_objects},
    {"query-data", walk_query_data},   {"instances", walk_instances},
    {"identifiers", walk_identifiers}, {"reg-set", walk_reg_set},
    {"reg-counter", walk_reg_counter}, {"reg-string", walk_reg_string},
    {"reg-guid", walk_reg_guid},       {"strings", walk_strings},
    {"guids", walk_guids},             {"template", walk_template},
    {"instance-block", walk_instance_block},
};

static walk_kind *kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return kinds[i].walk;
    return NULL;
}

/* Prints the entries, or stores the reason in w->why. */
static bool walk(struct walk *w, walk_kind *kind)
{
    jmp_buf stop;
    w->stop = &stop;
    if (setjmp(stop) != 0)
        return false;
    kind(w);
    w->print = true;
    w->cost = 0;
    printf("[");
    kind(w);
    printf("\n]\n");
    return true;
}

static void *resize(void *old, size_t size)
{
    void *p = realloc(old, size != 0 ? size : 1);
    if (p == NULL) {
        fprintf(stderr, "walk: out of memory\n");
        exit(UNUSABLE);
    }
    return p;
}

static int one(walk_kind *kind)
{
    unsigned char *bytes = NULL;
    size_t length = 0, room = 0, n;
    do {
        if (room == length)
            bytes = resize(bytes, room = room != 0 ? room * 2 : 1 << 16);
        n = fread(bytes + length, 1, room - length, stdin);
        length += n;
    } while (n != 0);
    bytes = resize(bytes, length); /* exact size, so that a sanitizer detects a read after the end */

    struct walk w = {.bytes = bytes, .length = length};
    bool fine = walk(&w, kind);
    if (!fine)
        fprintf(stderr, "walk: %s\n", w.why);
    free(bytes);
    return fine ? OK : BROKEN;
}

static int batch(void)
{
    char line[64], name[16];
    uint64_t length;
    while (fgets(line, sizeof line, stdin) != NULL) {
        walk_kind *kind;
        if (sscanf(line, "%15s %" SCNu64, name, &length) != 2 || (kind = kind_named(name)) == NULL || length > SIZE_MAX) {
            fprintf(stderr, "walk: not a kind and a length: %s\n", line);
            return UNUSABLE;
        }
        unsigned char *bytes = resize(NULL, length);
        if (fread(bytes, 1, length, stdin) != length) {
            fprintf(stderr, "walk: the input ends within a block\n");
            return UNUSABLE;
        }
        struct walk w = {.bytes = bytes, .length = length};
        if (!walk(&w, kind))
            printf("! %s\n", w.why);
        free(bytes);
    }
    return OK;
}

int main(int argc, char **argv)
{
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    int status = UNUSABLE;
    walk_kind *kind = argc == 2 ? kind_named(argv[1]) : NULL;
    if (kind != NULL)
        status = one(kind);
    else if (argc == 2 && strcmp(argv[1], "batch") == 0)
        status = batch();
    else
        fprintf(stderr, "usage: walk KIND|batch\n");
    if (fflush(stdout) != 0 || ferror(stdout) || ferror(stdin))
        status = UNUSABLE;
    return status;
}
