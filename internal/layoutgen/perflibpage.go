package main

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

const perflibPreface = `# The layout of V2 buffers

V2 is the buffers that the functions of ` + "`perflib.h`" + ` take and return. A buffer does not declare its kind; the function determines it. The
structures are the same on 32- and 64-bit Windows. Integers are little-endian; names are UTF-16LE and end in a NUL. Offsets and sizes are in
bytes. A record with a length field starts at a multiple of 8, and its length includes the padding to the next multiple of 8.

| buffer | function | kind |
|---|---|---|
| [query data](#query-data) | PerfQueryCounterData | ` + "`query-data`" + ` |
| [instances](#instances) | PerfEnumerateCounterSetInstances | ` + "`instances`" + ` |
| [identifiers](#identifiers) | PerfAddCounters, PerfDeleteCounters, PerfQueryCounterInfo | ` + "`identifiers`" + ` |
| [registration](#registration) | PerfQueryCounterSetRegistrationInfo | ` + "`reg-set`" + `, ` + "`reg-counter`" + `, ` + "`reg-string`" + `, ` + "`reg-guid`" + `, by the request code |
| [strings](#strings) | the same | ` + "`strings`" + ` |
| GUIDs, one after the other | PerfEnumerateCounterSet | ` + "`guids`" + ` |
| [template](#template) | PerfSetCounterSetInfo, by the provider | ` + "`template`" + ` |
| [instance block](#instance-block) | PerfCreateInstance, by the provider | ` + "`instance-block`" + ` |
| [identity](#identity) | the provider's callback | none: it is part of a larger buffer |

The kind is the name of the buffer in ` + "`perfblock dump --kind`" + ` and package layout.
`

// A section describes a kind of buffer, with a picture for each format of the buffer.
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
	correspondence(&b)
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
	b.WriteString("\n## The records\n\nDWORD is mostly called ULONG in the reference pages of `perflib.h`, and LARGE_INTEGER is called LONGLONG.\n")
	tables(&b, layout.Perflib)
	return b.Bytes()
}
