//go:build ignore

// A host of the bridge for tests on systems other than Windows. It reads commands from standard input and writes
// answers to standard output. The mappings are files of a folder. With the argument "copy", the host gives
// the bridge a copy of a file with exactly its size, so that the sanitizers find an access outside of it. With
// "share", it maps the file, so that a process can write to the memory during a call.
#include "bridge.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder;
static bool share;

static struct {
	uint32_t registry, memory; // states
	uint32_t seconds;
	struct registration registration;
} facts;

static char report[4096];

enum state system_map(uint32_t generation, struct mapping *m)
{
	char path[4096];
	struct stat info;
	int file;

	if (facts.memory == NO_RIGHTS)
		return NO_RIGHTS;
	if (generation == 0)
		snprintf(path, sizeof path, "%s/root", folder);
	else
		snprintf(path, sizeof path, "%s/root-%08x", folder, generation);
	if ((file = open(path, O_RDONLY)) < 0 || fstat(file, &info) != 0)
		return SILENT;
	m->size = (uint32_t)info.st_size;
	m->handle = malloc(m->size);
	m->bytes = m->handle;
	if (share)
		m->bytes = mmap(NULL, m->size, PROT_READ, MAP_SHARED, file, 0);
	else if (read(file, m->handle, m->size) != (ssize_t)m->size)
		abort();
	close(file);
	if (facts.memory == INVALID_MEMORY)
		m->size = 0;
	return READY;
}

void system_unmap(struct mapping *m)
{
	if (share)
		munmap((void *)(uintptr_t)m->bytes, m->size);
	free(m->handle);
}

enum state system_registration(struct registration *r)
{
	*r = facts.registration;
	return facts.registry;
}

uint32_t system_seconds(void) { return facts.seconds; }

void system_report(const char *text) { snprintf(report, sizeof report, "%s", text); }

void *system_allocate(uint32_t size) { return malloc(size); }

void system_free(void *memory) { free(memory); }

static uint32_t number(void)
{
	uint32_t n;

	if (fread(&n, sizeof n, 1, stdin) != 1)
		exit(0);
	return n;
}

static void write_bytes(const void *bytes, uint32_t size)
{
	fwrite(&size, sizeof size, 1, stdout);
	fwrite(bytes, 1, size, stdout);
}

// collect calls Collect with a buffer of the given size, and writes the status, the number of objects, how far the
// pointer moved, whether bytes after the result changed, and the result.
static void collect(void)
{
	enum { UNUSED = 0xA5 };
	uint32_t room = number(), length = number(), bytes = room, objects = 0xDEAD, status, moved, changed = 0;
	uint16_t *query = malloc((length + 1) * sizeof *query);
	uint8_t *buffer = malloc(room);
	void *data = buffer;

	if (fread(query, sizeof *query, length, stdin) != length)
		exit(1);
	query[length] = 0;
	memset(buffer, UNUSED, room);
	status = bridge_collect(query, &data, &bytes, &objects);
	moved = (uint32_t)((uint8_t *)data - buffer);
	for (uint32_t i = bytes; i < room; i++)
		changed |= buffer[i] != UNUSED;
	fwrite(&status, sizeof status, 1, stdout);
	fwrite(&objects, sizeof objects, 1, stdout);
	fwrite(&moved, sizeof moved, 1, stdout);
	fwrite(&changed, sizeof changed, 1, stdout);
	write_bytes(buffer, bytes <= room ? bytes : 0);
	free(buffer);
	free(query);
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	folder = arguments[1];
	share = strcmp(arguments[2], "share") == 0;
	for (int command; (command = getchar()) != EOF; fflush(stdout)) {
		switch (command) {
		case 'f': // facts
			facts.registry = number();
			facts.memory = number();
			facts.registration.first_counter = number();
			facts.registration.last_counter = number();
			facts.registration.first_help = number();
			facts.registration.last_help = number();
			facts.registration.metadata = number();
			facts.seconds = number();
			break;
		case 'c':
			collect();
			break;
		case 'o':
			report[0] = 0;
			if (bridge_open() != STATUS_SUCCESS)
				return 3;
			write_bytes(report, (uint32_t)strlen(report));
			break;
		default:
			return 4;
		}
	}
	return 0;
}
