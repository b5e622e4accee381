// Package wire writes single records of winperf.h and perflib.h, and reads the records that package builder overwrites.
// Package layout has views that read records in place.
package wire

import "encoding/binary"

var le = binary.LittleEndian
