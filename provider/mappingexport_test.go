package provider

import "strconv"

// KillOffsets has offsets of fields in shared memory, for the command kill of testdata/bridge/consumer.c.
var KillOffsets = [3]string{
	strconv.Itoa(rootNumberAt), strconv.Itoa(generationBuffersAt + bufferSequenceAt), strconv.Itoa(generationBuffersAt + bufferHeaderSize + bufferSequenceAt),
}
