// The functions of the bridge that are the same on all systems (bridge.c), and those of the system (windows.c).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STATUS_SUCCESS 0u    // ERROR_SUCCESS
#define STATUS_MORE_DATA 234u // ERROR_MORE_DATA

// bridge_open reports why there are no counters, if the reason is a fault that an administrator can correct.
uint32_t bridge_open(void);

// bridge_collect answers a query. query is in UTF-16 and ends with NUL. *data is the buffer of the caller, *bytes its
// size and then the number of bytes written, and *objects the number of objects written.
uint32_t bridge_collect(const uint16_t *query, void **data, uint32_t *bytes, uint32_t *objects);

// A mapping is shared memory that another process can write to at any time.
struct mapping {
	const uint8_t *bytes;
	uint32_t size; // at most UINT32_MAX
	void *handle;
};

// A registration has the values of the key Performance of the service.
struct registration {
	uint32_t first_counter, last_counter, first_help, last_help;
	bool metadata; // Collect Supports Metadata is 1
};

// A state is READY if there are objects, and otherwise the reason why there are no objects.
enum state { READY, SILENT, CHANGING, UNREGISTERED, NO_RIGHTS, OTHER_VERSION, INVALID_MEMORY, INVALID_OBJECTS, UNKNOWN_TITLE, STATES };

// system_map maps a generation, or the root if generation is 0. It returns SILENT if the mapping does not exist, or
// NO_RIGHTS. The size of the mapping is 0 if reading the memory could fail.
enum state system_map(uint32_t generation, struct mapping *m);
void system_unmap(struct mapping *m);

// system_registration returns UNREGISTERED if the key or one of its values is missing, or NO_RIGHTS.
enum state system_registration(struct registration *r);

// system_seconds returns the seconds since the system was started.
uint32_t system_seconds(void);

// system_report writes a text to the event log.
void system_report(const char *text);

void *system_allocate(uint32_t size); // NULL if there is no memory
void system_free(void *memory); // memory can be NULL
