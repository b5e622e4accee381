// Package wire writes single records of winperf.h and perflib.h. It can also read the records of winperf.h. Its
// structs have the fields of the records in C. Package layout has views that read records in place.
package wire

import "encoding/binary"

var le = binary.LittleEndian
