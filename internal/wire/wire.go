// Package wire writes single records of winperf.h and perflib.h, and reads records of winperf.h. Package layout has
// views that read records in place.
package wire

import "encoding/binary"

var le = binary.LittleEndian
