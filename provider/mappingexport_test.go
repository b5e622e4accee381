package provider

import "strconv"

// KillOffsets has offsets for testdata/bridge/consumer.c: first the offset of the generation number in the root, then
// the offsets of the two buffer sequences in a generation.
var KillOffsets = [3]string{
	strconv.Itoa(rootNumberAt), strconv.Itoa(generationBuffersAt + bufferSequenceAt), strconv.Itoa(generationBuffersAt + bufferHeaderSize + bufferSequenceAt),
}
