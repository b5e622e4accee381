package fuzz_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var update = flag.Bool("update", false, "rewrite docs/silent-damage.md and docs/fuzz-coverage.md")

const silentPage = "../docs/silent-damage.md"

// A tally counts what comes of flips, by the field and what its block is.
type tally map[tallied]map[string]int

type tallied struct {
	group  string
	record *layout.Record
	field  *layout.Field
}

func (c tally) add(s *subject, part layout.Part, o outcome) {
	at := tallied{s.group, part.Record, part.Field}
	if c[at] == nil {
		c[at] = map[string]int{}
	}
	c[at][o.String()]++
}

// sums counts what comes of flips of any field.
func (c tally) sums() map[string]int {
	sums := map[string]int{}
	for _, outcomes := range c {
		for o, n := range outcomes {
			sums[o] += n
		}
	}
	return sums
}

// everyFieldAndChange fails the test unless every structural field was damaged and every
// legal change was met.
func everyFieldAndChange(t *testing.T, counted ...tally) {
	t.Helper()
	fields, outcomes := map[*layout.Field]bool{}, map[string]int{}
	for _, c := range counted {
		for at := range c {
			fields[at.field] = true
		}
		for o, n := range c.sums() {
			outcomes[o] += n
		}
	}
	for _, r := range allRecords() {
		for i := range r.Fields {
			if f := &r.Fields[i]; structural[f.Role.Kind] && !fields[f] && r != &layout.PERF_COUNTER_IDENTITY { // of which there is no kind
				t.Errorf("%s.%s is in no block", r.C, f.Name)
			}
		}
	}
	for _, c := range legalChanges {
		if outcomes[c.name] == 0 {
			t.Errorf("no damage is %q", c.name)
		}
	}
}

func allRecords() []*layout.Record { return slices.Concat(layout.Winperf, layout.Perflib) }

// page writes the page, or compares it with the one that there is.
func (c tally) page(t *testing.T) {
	t.Helper()
	var b bytes.Buffer
	sums := c.sums()
	total, silent := 0, 0
	for o, n := range sums {
		total += n
		if !slices.Contains(severities, o) {
			silent += n
		}
	}
	fmt.Fprintf(&b, pageHead, total, share(sums["error"], total), share(sums["warning"], total), share(sums["info"], total), silent, share(silent, total))
	for _, l := range legalChanges {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", l.name, l.reason, share(sums[l.name], total))
	}
	fmt.Fprint(&b, pageFields)
	for _, group := range c.groups() {
		fmt.Fprintf(&b, "\n**%s**\n\n| field | bits | error | warning | info | no finding |\n|---|--:|--:|--:|--:|---|\n", group)
		for _, r := range allRecords() {
			for i := range r.Fields {
				if outcomes := c[tallied{group, r, &r.Fields[i]}]; outcomes != nil {
					b.WriteString(row(r, &r.Fields[i], outcomes))
				}
			}
		}
	}
	golden(t, silentPage, b.Bytes())
}

// groups returns what blocks are called, in the order of their kinds.
func (c tally) groups() (list []string) {
	for at := range c {
		if !slices.Contains(list, at.group) {
			list = append(list, at.group)
		}
	}
	slices.Sort(list)
	slices.SortStableFunc(list, func(a, b string) int { return placeOf(a) - placeOf(b) })
	return list
}

// placeOf returns the position of the kind whose name a group's starts with.
func placeOf(group string) int {
	name, _, _ := strings.Cut(group, " ")
	return slices.IndexFunc(layout.Kinds(), func(k layout.Kind) bool { return k.String() == name })
}

var severities = []string{validate.Error.String(), validate.Warning.String(), validate.Info.String()}

func row(r *layout.Record, f *layout.Field, outcomes map[string]int) string {
	total := 0
	for _, n := range outcomes {
		total += n
	}
	var line strings.Builder
	fmt.Fprintf(&line, "| %s.%s | %d |", r.C, f.Name, total)
	for _, s := range severities {
		fmt.Fprintf(&line, " %s |", share(outcomes[s], total))
	}
	var silent []string
	for _, l := range legalChanges {
		if n := outcomes[l.name]; n > 0 {
			silent = append(silent, l.name+" "+share(n, total))
		}
	}
	if n := outcomes[theSame]; n > 0 {
		silent = append(silent, theSame+" "+share(n, total))
	}
	fmt.Fprintf(&line, " %s |\n", strings.Join(silent, ", "))
	return line.String()
}

// share returns n of a total as a percentage, of which 0 alone is none.
func share(n, total int) string {
	switch permille := 1000 * n / max(total, 1); {
	case n == 0:
		return ""
	case permille == 0:
		return "< 0.1 %"
	default:
		return fmt.Sprintf("%d.%d %%", permille/10, permille%10)
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		fatal(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	fatal(t, err)
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), string(got)); diff != "" {
		t.Errorf("%s is not what the fixtures and rules make (-have +made); go test ./fuzz -run NoSilentDamage -update:\n%s", file, diff)
	}
}
