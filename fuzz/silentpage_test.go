package fuzz_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const silentPage = "../docs/silent-damage.md"

const silentHead = `# Which damage lint reports

How much of a block can be wrong without a finding of ` + "`perfblock lint`" + `? A test flips each bit of each structural field in the fixtures of
testdata/specs that are not broken, one bit at a time, and validates the block with the profile strict. Structural fields are those with the
role length, offset, count, title index, enumeration, flags or constant in the record table. Values, clocks, ids, references, names and reserved
fields are not damaged, because most of them may have any value. Damage is reported if a rule has a finding in a place where it had none, or if
the damaged field has another finding.

Of the %d bits, %s have an error, %s a warning and %s an info as the worst new finding. The other %d bits (%s) have no finding. Each of
them belongs to one of the classes below: the new value is as legal as the old one, and all records are still found where they were, except in
the class "ambiguous offsets". The test fails for a bit outside these classes, in the fixtures and in generated blocks of every kind. The
figures do not include the generated blocks.

If a block has no finding:

- No length and no count is wrong by one bit, except the length of a name that became 0 and the size of an obsolete text.
- No offset is wrong by one bit, unless it points to another value or text, or has no effect.
- One legal value may replace another: a title, a type of the same width, an attribute. The block alone does not show which was meant; two
  samples or the registration of the counter set may. Most wrong titles, versions and error codes give an info or a warning, so ` + "`--fail-on info`" + `
  reports more than the default.

Percentages are rounded down. ` + "`go generate ./validate`" + ` generates this page.

## Changes without a finding

| class | why it is legal | of all bits |
|---|---|--:|
`

const silentFields = `
A class without a percentage occurs in generated blocks only.

## By field

For each kind of block and its context: the number of flipped bits, the percentage with an error, a warning or an info as the worst new finding,
and the classes of the other bits. The kinds guids, reg-guid and reg-string have no structural fields.
`

// A tally counts flipped bits by group, field and outcome. A group is the kind of the block and its context, such as
// "identifiers that were returned".
type tally map[tallyKey]map[string]int

type tallyKey struct {
	group  string
	record *layout.Record
	field  *layout.Field
}

func (c tally) add(s *subject, part layout.Part, o outcome) {
	at := tallyKey{s.group, part.Record, part.Field}
	if c[at] == nil {
		c[at] = map[string]int{}
	}
	c[at][o.String()]++
}

// everyField checks that the tests damaged each structural field of all records.
func everyField(t *testing.T, counted ...tally) {
	t.Helper()
	fields := map[*layout.Field]bool{}
	for _, c := range counted {
		for at := range c {
			fields[at.field] = true
		}
	}
	for _, r := range allRecords() {
		for i := range r.Fields {
			// No kind of block contains a PERF_COUNTER_IDENTITY.
			if f := &r.Fields[i]; structural[f.Role.Kind] && !fields[f] && r != &layout.PERF_COUNTER_IDENTITY {
				t.Errorf("no block has %s.%s", r.C, f.Name)
			}
		}
	}
}

func allRecords() []*layout.Record { return slices.Concat(layout.Winperf, layout.Perflib) }

func (c tally) page() string {
	var b strings.Builder
	sums := map[string]int{}
	total, silent := 0, 0
	for _, outcomes := range c {
		for o, n := range outcomes {
			sums[o] += n
			total += n
			if !slices.Contains(severities, o) {
				silent += n
			}
		}
	}
	fmt.Fprintf(&b, silentHead, total, share(sums["error"], total), share(sums["warning"], total), share(sums["info"], total), silent, share(silent, total))
	for _, l := range legalChanges {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", l.name, l.reason, share(sums[l.name], total))
	}
	fmt.Fprint(&b, silentFields)
	for _, group := range groups(c) {
		fmt.Fprintf(&b, "\n**%s**\n\n| field | bits | error | warning | info | no finding |\n|---|--:|--:|--:|--:|---|\n", group)
		for _, r := range allRecords() {
			for i := range r.Fields {
				if outcomes := c[tallyKey{group, r, &r.Fields[i]}]; outcomes != nil {
					b.WriteString(row(r, &r.Fields[i], outcomes))
				}
			}
		}
	}
	return b.String()
}

// groups returns the names of the groups, sorted by kind.
func groups[V any](c map[tallyKey]V) (list []string) {
	for at := range c {
		if !slices.Contains(list, at.group) {
			list = append(list, at.group)
		}
	}
	slices.Sort(list)
	kindNumber := func(group string) int {
		name, _, _ := strings.Cut(group, " ")
		return slices.IndexFunc(layout.Kinds(), func(k layout.Kind) bool { return k.String() == name })
	}
	slices.SortStableFunc(list, func(a, b string) int { return kindNumber(a) - kindNumber(b) })
	return list
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
	if n := outcomes[outcome{}.String()]; n > 0 {
		silent = append(silent, outcome{}.String()+" "+share(n, total))
	}
	fmt.Fprintf(&line, " %s |\n", strings.Join(silent, ", "))
	return line.String()
}

// share returns n as a percentage of total, or "" if n is 0.
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
