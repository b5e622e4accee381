package main

import (
	"bytes"

	"github.com/perfblock/perfblock/layout"
)

const winperfPreface = `# The layout of a V1 block

A block holds five C structures of ` + "`winperf.h`" + `, packed at 8. They are the same on 32- and 64-bit Windows.
Integers are little-endian. Offsets and sizes are in bytes. [V2](layout-v2.md) has a page of its own.

## The picture

`

const winperfNotes = `
A provider writes objects one after the other (kind ` + "`objects`" + `). A consumer gets them from ` + "`HKEY_PERFORMANCE_DATA`" + ` with
a header (kind ` + "`data-block`" + `).

| NumInstances | after the counter definitions |
|---|---|
| -1, PERF_NO_INSTANCES | one counter block |
| 0 | nothing |
| N, 1 or more | N times an instance definition with its name, and its counter block |
| -2, PERF_METADATA_MULTIPLE_INSTANCES | nothing: the object is the result of a metadata query |
| -3, PERF_METADATA_NO_INSTANCES | nothing |

The counter block has no types. The definition of a counter has the offset of its value from the start of the block, CounterOffset, and its
size, CounterSize.
`

// winperfPage returns docs/layout.md.
func winperfPage() []byte {
	var b bytes.Buffer
	b.WriteString(generated + winperfPreface)
	picture(&b,
		band{0, sized(layout.PERF_DATA_BLOCK), ""},
		band{0, "system name, padding to 8", "HeaderLength of the block"},
		band{1, sized(layout.PERF_OBJECT_TYPE), "HeaderLength of the object"},
		band{1, sized(layout.PERF_COUNTER_DEFINITION), "ByteLength of the definition"},
		band{1, "… NumCounters of them", "DefinitionLength of the object"},
		band{2, sized(layout.PERF_INSTANCE_DEFINITION), "NameOffset of the instance"},
		band{2, "name, NUL, padding to 8", "ByteLength of the instance"},
		band{2, sized(layout.PERF_COUNTER_BLOCK), ""},
		band{2, "values, padding to 8", "ByteLength of the counter block"},
		band{1, "… NumInstances of them", "TotalByteLength of the object"},
		band{0, "… NumObjectTypes of them", "TotalByteLength of the block"},
	)
	b.WriteString(winperfNotes)
	tables(&b, layout.Winperf)
	return b.Bytes()
}
