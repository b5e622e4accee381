package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
)

// show writes the sets and counters as a table.
func (c *defineCommand) show(w io.Writer, p *definition.Provider) error {
	titles := make(map[*definition.Text]string) // the cells for the number and the symbol of a title, by Title.Name
	if c.symbols {
		for _, t := range p.Titles() {
			titles[t.Name()] = fmt.Sprintf("%d\t%s\t", t.Number, terminal.Printable(t.Symbol))
		}
	}
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "provider %s, %s\n", terminal.Printable(p.Name), guidText(p.GUID.String(), p.ID().String()))
	for i := range p.CounterSets {
		s := &p.CounterSets[i]
		fmt.Fprintf(t, "\n%s, %s, %s, %s\n", terminal.Printable(s.Name.String()), s.InstancesWord(), quote.Count(len(s.Counters), "counter"), guidText(s.GUID.String(), p.SetID(s).String()))
		if c.symbols {
			fmt.Fprintf(t, "  \t%s\n", strings.TrimSuffix(titles[&s.Name], "\t"))
		}
		for j := range s.Counters {
			one := &s.Counters[j]
			title := titles[&one.Name]
			if c.symbols && title == "" { // a base counter without a title
				title = fmt.Sprintf("\t%s\t", terminal.Printable(s.CounterSymbol(one)))
			}
			fmt.Fprintf(t, "  %d\t%s%s\t%v%s\t%s\n", one.ID, title, terminal.Printable(one.Name.String()), one.Type, references(one), terminal.Printable(one.Help.String()))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for line := range bytes.Lines(b.Bytes()) { // a counter without a help text has spaces after its type
		if _, err := w.Write(append(bytes.TrimRight(line, " \n"), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// references returns the references of a counter in parentheses, such as " (base Lookups)".
func references(c *definition.Counter) string {
	var list []string
	for _, r := range []struct{ key, to string }{{"base", c.Base}, {"perfTime", c.PerfTime}, {"perfFreq", c.PerfFreq}, {"multi", c.Multi}} {
		if r.to != "" {
			list = append(list, r.key+" "+terminal.Printable(r.to))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// guidText returns the GUID `applied`. The argument `given` is the GUID in the definition. If the two GUIDs differ, the
// definition has no GUID, and guidText adds a note.
func guidText(given, applied string) string {
	if given == applied {
		return given
	}
	return applied + " (derived from the names)"
}
