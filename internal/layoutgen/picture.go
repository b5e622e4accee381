package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A band is one stretch of the picture: a record or what follows one, how deep it
// is nested, and the fields whose lengths run to its end.
type band struct {
	depth int
	label string
	ends  string
}

// picture draws a block of one object with instances, top to bottom in the order
// of its bytes, and beside each stretch the lengths that end there.
func picture(b *bytes.Buffer) {
	size := func(r layout.Record) string { return fmt.Sprintf("%s, %d bytes", r.C, r.Size) }
	bands := []band{
		{0, size(layout.PERF_DATA_BLOCK), ""},
		{0, "system name, padding to 8", "HeaderLength of the block"},
		{1, size(layout.PERF_OBJECT_TYPE), "HeaderLength of the object"},
		{1, size(layout.PERF_COUNTER_DEFINITION), "ByteLength of the definition"},
		{1, "… NumCounters of them", "DefinitionLength of the object"},
		{2, size(layout.PERF_INSTANCE_DEFINITION), "NameOffset of the instance"},
		{2, "name, NUL, padding to 8", "ByteLength of the instance"},
		{2, size(layout.PERF_COUNTER_BLOCK), ""},
		{2, "values, padding to 8", "ByteLength of the counter block"},
		{1, "… NumInstances of them", "TotalByteLength of the object"},
		{0, "… NumObjectTypes of them", "TotalByteLength of the block"},
	}
	const width = 46
	b.WriteString("```text\n")
	for _, n := range bands {
		bars := strings.Repeat("│ ", n.depth)
		inner := width - 2*len([]rune(bars))
		fmt.Fprintf(b, "%s│ %-*s│%s\n", bars, inner, n.label, reverse(bars))
		rule := strings.Repeat("─", inner+1)
		if n.ends != "" {
			fmt.Fprintf(b, "%s├%s┤%s ← %s\n", bars, rule, reverse(bars), n.ends)
		}
	}
	b.WriteString("```\n")
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
