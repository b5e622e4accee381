package provider

// This file is the layout of the shared memory between a [Publisher] and the bridge, a DLL in C. Offsets and sizes are
// in bytes.
//
// All fields are unsigned little-endian integers of 4 bytes, so a bridge of 32 bits can read the memory of a publisher
// of 64 bits. "go generate ./provider/bridge" writes the constants to bridge/layout.h.

// mappingVersion is the version of this layout. If the memory has another version, a bridge returns no data.
const mappingVersion = 1

// The root is the mapping Global\perfblock-SERVICE. It has the number of the current generation, which is the mapping
// with the objects.
const (
	rootMagic      = 0x52_42_46_50 // "PFBR"
	rootSize       = 16            // bytes of the root
	rootMagicAt    = 0             // rootMagic
	rootVersionAt  = 4             // mappingVersion
	rootNumberAt   = 8             // the number of the current generation; 0 if nothing is published
	rootAliveAt    = 12            // the seconds since Windows was started, which the publisher writes every second
	deadAfter      = 10            // seconds; after a longer time without a new rootAliveAt, the publisher is dead
	generationName = "-%08x"       // follows the name of the root, with the number of the generation
)

// A generation is a mapping with two buffers. The publisher writes to the buffer with the older objects, so the other
// buffer is always complete. A publisher makes a new generation when it starts, and when it needs larger buffers.
const (
	generationMagic     = 0x47_42_46_50 // "PFBG"
	generationMagicAt   = 0             // generationMagic
	generationVersionAt = 4             // mappingVersion
	generationNumberAt  = 8             // the number in the name
	generationSizeAt    = 12            // bytes of each buffer; a multiple of 8
	generationBuffersAt = 64            // the headers of the buffers
	bufferHeaderSize    = 64            // bytes of the header of a buffer: a cache line
	bufferCount         = 2             // buffers of a generation
	generationDataAt    = 192           // the first buffer; the second buffer follows it
)

// The header of a buffer.
const (
	bufferSequenceAt = 0 // the number of the Write, times 2; odd while the buffer is written; 0 before the first Write
	bufferLengthAt   = 4 // bytes of all objects; a multiple of 8
	bufferCostlyAt   = 8 // the offset of the first costly object; the length of all objects if no object is costly
)

// The title indexes in published objects start at these numbers. The bridge replaces the numbers with the First Counter
// and First Help of the service.
const (
	titleBase = 1_000_000_000 // of the index of a name
	helpBase  = 1_000_000_001 // of the index of a help text
)

// Limits of published objects.
const (
	mostObjects     = 512      // objects
	mostObjectBytes = 64 << 20 // bytes of all objects
	mostParents     = 4096     // instances whose parent is in another object than the parent of the instance before
)
