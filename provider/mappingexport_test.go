package provider

import "strconv"

// KillOffsets has three arguments for the command kill of testdata/bridge/consumer.c. They are offsets of fields in
// shared memory: rootNumberAt in the root, and bufferSequenceAt in the headers of both buffers of a generation. See
// mappinglayout.go.
var KillOffsets = [3]string{
	strconv.Itoa(rootNumberAt), strconv.Itoa(generationBuffersAt + bufferSequenceAt), strconv.Itoa(generationBuffersAt + bufferHeaderSize + bufferSequenceAt),
}
