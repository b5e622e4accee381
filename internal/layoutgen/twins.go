package main

import (
	"bytes"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

const twinsText = `
## V1 and V2

[V1](layout.md) has one block: a provider's Collect writes what the consumer reads, definitions and values together, each time. V2 has a buffer for each
question, and no consumer reads what a provider made. What stands in one line corresponds; in brackets is the kind. Arrows show what Windows carries
from one side to the other.

`

const twinsAfter = `
The provider makes the template and the values of its instances; the identity and the place for the values are made by Windows. The consumer makes the
identifiers that it adds; all else in the last column is Windows' answer. What can be counted is told twice: ctrpp writes the template from the
manifest, and lodctr registers the same manifest for consumers. A set is known by its GUID and a counter by its id, where V1 has title indexes.
`

// A twin is a line of the picture: what there is in V1, and on either side of V2. One
// with nothing in it parts what is above from what is below.
type twin [3]string

var twinLines = []twin{
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

// twins draws what of V2 stands for what of V1.
func twins(b *bytes.Buffer) {
	var widths [3]int
	for _, line := range twinLines {
		for i, cell := range line {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	b.WriteString(twinsText + "```text\n")
	for _, line := range twinLines {
		fill, bar, end := " ", " │ ", " │\n"
		if line == (twin{}) {
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
	b.WriteString("```\n" + twinsAfter)
}
