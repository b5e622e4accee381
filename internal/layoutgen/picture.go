package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A band is a line of a picture. It has a nesting depth and a label, such as the name of a record.
type band struct {
	depth    int
	label    string // "" for a band that only shows the end of the bands above
	endField string // the field that gives the end of the band; "" if no field does
}

// picture draws the bands from top to bottom, in the order of their bytes.
func picture(b *bytes.Buffer, bands ...band) {
	const width = 46
	b.WriteString("```text\n")
	for _, n := range bands {
		bars, closing := strings.Repeat("│ ", n.depth), strings.Repeat(" │", n.depth)
		inner := width - 4*n.depth
		if n.label != "" {
			fmt.Fprintf(b, "%s│ %-*s│%s\n", bars, inner, n.label, closing)
		}
		if n.endField != "" {
			fmt.Fprintf(b, "%s├%s┤%s ← %s\n", bars, strings.Repeat("─", inner+1), closing, n.endField)
		}
	}
	b.WriteString("```\n")
}

// sized returns the label of a record, with its size.
func sized(r layout.Record) string { return fmt.Sprintf("%s, %d bytes", r.C, r.Size) }
