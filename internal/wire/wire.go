// Package wire writes the records of winperf.h and perflib.h one at a time, and reads those of winperf.h.
// Its structs have the fields of the records in C; package layout has the views that read records in place.
package wire

import "encoding/binary"

var le = binary.LittleEndian
