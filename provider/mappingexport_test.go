package provider

import "strconv"

// KillOffsets has the offsets that testdata/bridge/consumer.c requires: of the number of the generation in the root, and
// of the sequences of the two buffers.
var KillOffsets = [3]string{
	strconv.Itoa(rootNumberAt), strconv.Itoa(generationBuffersAt + bufferSequenceAt), strconv.Itoa(generationBuffersAt + bufferHeaderSize + bufferSequenceAt),
}
