/* The input for writing a data block with the objects Process and Thread: arrays without pointers in their elements, so that Go can pass its slices. */
#include <stddef.h>
#include <stdint.h>

/* The counter blocks: a PERF_COUNTER_BLOCK, which the compiler pads to 8 bytes, and the counters. */
struct process {
    uint32_t ByteLength;
    uint64_t ProcessorTime, UserTime, PrivilegedTime;
    uint64_t VirtualBytesPeak, VirtualBytes;
    uint32_t PageFaults;
    uint64_t WorkingSetPeak, WorkingSet, PageFileBytesPeak, PageFileBytes, Private;
    uint32_t ThreadCount, BasePriority;
    uint64_t ElapsedTime;
    uint32_t ID, CreatingID, PoolPaged, PoolNonpaged, HandleCount;
    uint64_t Reads, Writes, Data, Others, ReadBytes, WriteBytes, DataBytes, OtherBytes;
    uint64_t WorkingSetPrivate;
};

struct thread {
    uint32_t ByteLength;
    uint64_t ProcessorTime, UserTime, PrivilegedTime;
    uint32_t ContextSwitches;
    uint64_t ElapsedTime;
    uint32_t Start, Priority, BasePriority, State, WaitReason;
    uint32_t ProcessID, ThreadID;
};

enum { PROCESS = 230, THREAD = 232 }; /* title indexes */

struct object {
    uint32_t title, definition_length; /* the bytes of PERF_OBJECT_TYPE and the counter definitions */
    int32_t num_instances;
};

struct instance {
    uint32_t name_length, parent_title, parent_position;
    int32_t unique_id;
};

struct input {
    const unsigned char *header; /* encoded, with the system name */
    uint32_t header_length, num_objects;
    const struct object *objects;
    /* The parts of all objects, in order. */
    const unsigned char *definitions; /* encoded */
    const struct instance *instances;
    const unsigned char *names; /* UTF-8, not terminated */
    const struct process *processes;
    const struct thread *threads;
};

/*
 * Writes the block n times, or overwrites the counter blocks of the block in the buffer n times.
 * Returns the length of the block, or 0 if the block in the buffer has other objects or instances.
 */
size_t fill(struct input in, unsigned char *buffer, uint64_t n, int values_only);
