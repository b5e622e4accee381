package main

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

const perflibPreface = `# The layout of V2 buffers

V2 is what the functions of ` + "`perflib.h`" + ` take and return. No buffer says what it is: that is known from the function. The structures
are the same, byte for byte, on 32- and 64-bit Windows. Integers are little-endian; names are UTF-16LE and end in a NUL. Offsets and
sizes are in bytes. Whatever has a length of its own starts at a multiple of 8, and padding to the next is in that length.

| buffer | function | kind |
|---|---|---|
| [query data](#query-data) | PerfQueryCounterData | ` + "`query-data`" + ` |
| [instances](#instances) | PerfEnumerateCounterSetInstances | ` + "`instances`" + ` |
| [identifiers](#identifiers) | PerfAddCounters, PerfDeleteCounters, PerfQueryCounterInfo | ` + "`identifiers`" + ` |
| [registration](#registration) | PerfQueryCounterSetRegistrationInfo | ` + "`reg-set`" + `, ` + "`reg-counter`" + `, ` + "`reg-string`" + `, ` + "`reg-guid`" + `, by what is asked for |
| [strings](#strings) | the same | ` + "`strings`" + ` |
| GUIDs, one after the other | PerfEnumerateCounterSet | ` + "`guids`" + ` |
| [template](#template) | PerfSetCounterSetInfo, by the provider | ` + "`template`" + ` |
| [instance block](#instance-block) | PerfCreateInstance, by the provider | ` + "`instance-block`" + ` |
| [identity](#identity) | the provider's callback | none: it stands in a larger buffer |

The kind is what ` + "`perfblock dump --kind`" + ` and package layout call the buffer.
`

// A section is a buffer, with a picture for each form it has.
type section struct {
	title string
	text  string
	forms []form
	after string
}

type form struct {
	text  string
	bands []band
}

// perflibPage returns docs/layout-v2.md.
func perflibPage() []byte {
	var b bytes.Buffer
	b.WriteString(generated + perflibPreface)
	twins(&b)
	for _, s := range perflibSections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.title, s.text)
		for _, f := range s.forms {
			if f.text != "" {
				fmt.Fprintf(&b, "\n%s\n", f.text)
			}
			b.WriteString("\n")
			picture(&b, f.bands...)
		}
		if s.after != "" {
			fmt.Fprintf(&b, "\n%s\n", s.after)
		}
	}
	b.WriteString("\n## The records\n\nTypes have one name each here: DWORD is what the pages of `perflib.h` mostly call ULONG, LARGE_INTEGER what they call LONGLONG.\n")
	tables(&b, layout.Perflib)
	return b.Bytes()
}
