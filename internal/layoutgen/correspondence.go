package main

import (
	"bytes"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

const correspondenceText = `
## V1 and V2

[V1](layout.md) has one block: a provider's Collect writes the block that the consumer reads, with definitions and values, each time. V2 has a buffer
for each request, and consumers do not read the buffers of providers. Each line of the picture has records that correspond, with the kind in brackets.
Arrows show the data that Windows copies from one side to the other.

`

const correspondenceNotes = `
The provider writes the template and the values of its instances. Windows writes the identity and allocates the place for the values. The consumer
writes the identifiers that it adds; Windows returns the other buffers of the last column. The counters are described twice: ctrpp writes the template
from the manifest, and lodctr registers the same manifest for consumers. A GUID identifies a set, and an id identifies a
counter in its set. V1 has title indexes instead.
`

// A row has the corresponding records of V1, of V2 providers and of V2 consumers. An empty row is drawn as a horizontal
// line.
type row [3]string

var rows = []row{
	{"V1, provider and consumer", "V2, provider", "V2, consumer"},
	{},
	{"value name, such as 238", layout.PERF_COUNTER_IDENTITY.C + " ◄──", layout.PERF_COUNTER_IDENTIFIER.C + " (identifiers)"},
	{},
	{layout.PERF_OBJECT_TYPE.C, layout.PERF_COUNTERSET_INFO.C + " (template)", layout.PERF_COUNTERSET_REG_INFO.C + " (reg-set)"},
	{"└ " + layout.PERF_COUNTER_DEFINITION.C, "└ " + layout.PERF_COUNTER_INFO.C, "└ " + layout.PERF_COUNTER_REG_INFO.C + " (and reg-counter)"},
	{"the registry's title indexes", "the manifest's GUIDs", "a GUID for each set (guids, reg-guid)"},
	{"the registry's titles", "the manifest's texts", layout.PERF_STRING_BUFFER_HEADER.C + " (strings; reg-string)"},
	{},
	{layout.PERF_DATA_BLOCK.C + ", by Windows", "", layout.PERF_DATA_HEADER.C + " (query-data)"},
	{"└ " + layout.PERF_OBJECT_TYPE.C, "", "└ " + layout.PERF_COUNTER_HEADER.C + ", " + layout.PERF_MULTI_COUNTERS.C},
	{"  └ " + layout.PERF_INSTANCE_DEFINITION.C, layout.PERF_COUNTERSET_INSTANCE.C + " ──►", "  └ " + layout.PERF_INSTANCE_HEADER.C + " (and instances)"},
	{"    └ " + layout.PERF_COUNTER_BLOCK.C, "└ 8 bytes for each counter ──►", "    └ " + layout.PERF_COUNTER_DATA.C},
}

// correspondence writes the section that compares the records of V1 and V2.
func correspondence(b *bytes.Buffer) {
	var widths [3]int
	for _, line := range rows {
		for i, cell := range line {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	b.WriteString(correspondenceText + "```text\n")
	for _, line := range rows {
		fill, bar, end := " ", " │ ", " │\n"
		if line == (row{}) {
			fill, bar, end = "─", "─┼─", "─┤\n"
		}
		for i, cell := range line {
			b.WriteString(cell + strings.Repeat(fill, widths[i]-len([]rune(cell))))
			if i < len(line)-1 {
				b.WriteString(bar)
			}
		}
		b.WriteString(end)
	}
	b.WriteString("```\n" + correspondenceNotes)
}
