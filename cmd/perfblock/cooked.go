package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// A cookedWriter writes the displayed values of pairs of samples.
type cookedWriter interface {
	begin(samplePair)                 // starts a pair
	writeValue(*samples.Value, error) // writes a value of the pair, or the error of a value
	end() error                       // ends a pair
	close() error                     // ends the output
}

// setNames maps the GUID of a counter set to the names of the set and of its counters.
type setNames map[layout.GUID]struct {
	set      string
	counters map[uint32]string // by id
}

func namesOfSets(p *definition.Provider) setNames {
	sets := make(setNames)
	for i := range p.CounterSets {
		set := &p.CounterSets[i]
		names := sets[p.SetID(set)]
		names.set, names.counters = set.Name.String(), make(map[uint32]string)
		for _, c := range slices.Backward(set.Counters) { // of counters with the same id, the first has the name
			names.counters[c.ID] = c.Name.String()
		}
		sets[p.SetID(set)] = names
	}
	return sets
}

func registrationsOf(p *definition.Provider) (list [][]byte, err error) {
	for _, info := range setsOf(p) {
		b, err := info.MarshalBinary()
		if err != nil {
			return nil, fmt.Errorf("the counter set %v of the definition: %w", info.CounterSetGuid, err)
		}
		list = append(list, b)
	}
	return list, nil
}

// setsOf returns the counter sets of a definition as models of registrations.
func setsOf(p *definition.Provider) (list []builder.CounterSetRegInfo) {
	for i := range p.CounterSets {
		set := &p.CounterSets[i]
		info := builder.NewCounterSetRegInfo(p.SetID(set), set.Instances)
		id := counterIDs(set)
		for j := range set.Counters {
			c := &set.Counters[j]
			info.Define(builder.CounterRegInfo{
				CounterId: c.ID, Type: c.Type, Attrib: p.Attributes(c), DetailLevel: c.Level(), DefaultScale: c.Scale, AggregateFunc: c.Aggregate,
				BaseCounterId: id(c.Base), PerfTimeId: id(c.PerfTime), PerfFreqId: id(c.PerfFreq), MultiId: id(c.Multi),
			})
		}
		list = append(list, *info)
	}
	return list
}

// counterIDs returns a function that finds the id of a counter as [definition.CounterSet.Find] does. It returns nil for
// an unknown reference. Unlike Find, the function takes constant time.
func counterIDs(set *definition.CounterSet) func(ref string) *uint32 {
	names, ids := make(map[string]uint32), make(map[uint32]bool)
	for _, c := range slices.Backward(set.Counters) { // of counters with the same name, Find returns the first
		names[c.Name.String()], ids[c.ID] = c.ID, true
	}
	delete(names, "")
	return func(ref string) *uint32 {
		if digits, is := strings.CutPrefix(ref, "#"); is {
			if id, err := strconv.ParseUint(digits, 10, 32); err == nil && ids[uint32(id)] {
				return new(uint32(id))
			}
		}
		if id, is := names[ref]; is {
			return &id
		}
		return nil
	}
}

// formulaText returns the formula of a value, and the numbers for its variables, such as "dN / dB: N1 = 3, N0 = 1".
func formulaText(v *samples.Value) string {
	f := v.Formula()
	if f == nil {
		return ""
	}
	var words []string
	for name, number := range v.Operands() {
		words = append(words, name+" = "+number)
	}
	return strings.TrimSuffix(f.Text+": "+strings.Join(words, ", "), ": ")
}

// A cookedOutput has the fields that cookedText and cookedJSON share.
type cookedOutput struct {
	w       *stickyWriter               // keeps the first error, so the methods check errors only at the end of a pair
	names   func(uint32) (string, bool) // returns the name for a title index
	sets    setNames
	explain bool // show formulas and their inputs

	pairs int  // the number of pairs that were begun
	one   bool // the current pair has no older sample
}

// counterName returns the name of a counter of an instance, or "" if the name is unknown.
func (c *cookedOutput) counterName(in *samples.Instance, id uint32) (name string, builtIn bool) {
	if in.Object == 0 {
		return c.sets[in.Set].counters[id], false
	}
	return c.names(id)
}

// A cookedText writes a table for each object.
type cookedText struct {
	cookedOutput
	table   *tabwriter.Writer
	rows    int // of the current pair
	group   string
	missing map[samples.Missing]int // for each reason, how many values could not be computed
}

// tableRows is the number of rows that cookedText keeps in memory. After tableRows rows, cookedText writes them and
// computes new column widths.
const tableRows = 2000

func (t *cookedText) begin(p samplePair) {
	t.missing, t.group, t.rows = make(map[samples.Missing]int), "", 0
	t.table = tabwriter.NewWriter(t.w, 0, 0, 3, ' ', 0)
	if t.pairs++; t.pairs > 1 {
		fmt.Fprintln(t.w)
	}
	name := p.newer.Name
	if t.one = p.older.Bytes == nil; !t.one {
		name = p.older.Name + " and " + name
	}
	fmt.Fprintln(t.w, terminal.Printable(name))
}

func (t *cookedText) writeValue(v *samples.Value, err error) {
	if err != nil || t.w.err != nil {
		return
	}
	group := t.groupOf(v.Instance)
	if group != t.group || t.rows%tableRows == 0 {
		t.table.Flush()
	}
	if group != t.group {
		t.group = group
		fmt.Fprintln(t.w, group)
	}
	t.rows++
	if v.Missing != samples.Present {
		t.missing[v.Missing]++
	}
	cells := []string{"  " + t.instance(v.Instance), t.counter(v), v.String()}
	if t.explain {
		cells = append(cells, formulaText(v))
	}
	fmt.Fprintln(t.table, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

func (t *cookedText) groupOf(in *samples.Instance) string {
	switch {
	case in.Object != 0:
		name, builtIn := t.names(in.Object)
		return titleOf("object", name, in.Object, builtIn)
	case in.Set == layout.GUID{}:
		return "results of an unknown counter set"
	}
	if name := t.sets[in.Set].set; name != "" {
		return fmt.Sprintf("%s %v", quote.Short(name), in.Set)
	}
	return fmt.Sprintf("counter set %v", in.Set)
}

// titleOf returns the name and the index. Without a name, it returns the word and the index, such as "object 238".
func titleOf(word, name string, index uint32, builtIn bool) string {
	if name == "" {
		return fmt.Sprintf("%s %d", word, index)
	}
	return string(quote.AppendTitle(nil, name, index, builtIn))
}

func (t *cookedText) instance(in *samples.Instance) string {
	text := "-"
	if !in.Single {
		text = quote.Short(in.Name)
		if in.Parent != "" {
			text = quote.Short(in.Parent) + " / " + text
		}
		if in.ID >= 0 {
			text += fmt.Sprintf(" (id %d)", in.ID)
		}
	}
	if in.State != samples.Both && !t.one {
		text += " (" + in.State.String() + ")"
	}
	return text
}

func (t *cookedText) counter(v *samples.Value) string {
	if v.Counter == nil {
		return "-"
	}
	name, builtIn := t.counterName(v.Instance, v.Counter.ID)
	return titleOf("counter", name, v.Counter.ID, builtIn)
}

func (t *cookedText) end() error {
	t.table.Flush()
	for _, m := range slices.Sorted(maps.Keys(t.missing)) {
		hint := ""
		if m == samples.NoType {
			hint = "; use --identifiers with --reginfo, or --definition"
		}
		fmt.Fprintf(t.w, "%s: %s: %s%s\n", quote.Count(t.missing[m], "value"), m, m.Reason(), hint)
	}
	if t.rows == 0 {
		fmt.Fprintln(t.w, "no values")
	}
	return t.w.err
}

func (t *cookedText) close() error { return t.w.err }

// A cookedJSON writes one JSON object, with each counter value on a line of its own.
type cookedJSON struct {
	cookedOutput
	values int // of the current pair
	errors []string
}

// A cookedValue is a value in the JSON.
type cookedValue struct {
	Object      uint32                 `json:"object,omitempty"`
	ObjectName  string                 `json:"objectName,omitempty"`
	Set         string                 `json:"set,omitempty"`
	Instance    *string                `json:"instance,omitempty"`
	Parent      string                 `json:"parent,omitempty"`
	ID          *int64                 `json:"id,omitempty"`
	State       string                 `json:"state,omitempty"`
	Counter     *uint32                `json:"counter,omitempty"`
	CounterName string                 `json:"counterName,omitempty"`
	Type        string                 `json:"type,omitempty"`
	Value       json.RawMessage        `json:"value,omitempty"`
	Unit        string                 `json:"unit,omitempty"`
	Missing     string                 `json:"missing,omitempty"`
	Scale       int32                  `json:"scale,omitempty"`
	Formula     string                 `json:"formula,omitempty"`
	Operands    map[string]json.Number `json:"operands,omitempty"` // integers of up to 64 bits
}

func (j *cookedJSON) begin(p samplePair) {
	start := `{"schema":1,"pairs":[`
	if j.pairs > 0 {
		start = ","
	}
	j.pairs, j.values, j.errors = j.pairs+1, 0, nil
	fmt.Fprintf(j.w, "%s\n{", start)
	if j.one = p.older.Bytes == nil; !j.one {
		fmt.Fprintf(j.w, `"older":%s,`, terminal.JSON(p.older.Name, ""))
	}
	fmt.Fprintf(j.w, `"newer":%s,"kind":%q,"values":[`, terminal.JSON(p.newer.Name, ""), p.newer.Kind)
}

func (j *cookedJSON) writeValue(v *samples.Value, err error) {
	if err != nil {
		j.errors = append(j.errors, err.Error())
		return
	}
	j.line(j.of(v))
}

func (j *cookedJSON) line(v cookedValue) {
	separator := "\n"
	if j.values > 0 {
		separator = ",\n"
	}
	j.values++
	fmt.Fprintf(j.w, "%s%s", separator, terminal.JSON(v, ""))
}

// instance returns a cookedValue with the fields that identify an instance and its object or counter set. The other
// fields are not set.
func (j *cookedJSON) instance(in *samples.Instance) cookedValue {
	c := cookedValue{Object: in.Object}
	switch {
	case in.Object != 0:
		c.ObjectName, _ = j.names(in.Object)
	case in.Set != layout.GUID{}:
		c.Set, c.ObjectName = in.Set.String(), j.sets[in.Set].set
	}
	if !in.Single {
		c.Instance, c.Parent, c.ID = &in.Name, in.Parent, &in.ID
	}
	return c
}

func (j *cookedJSON) of(v *samples.Value) cookedValue {
	in := v.Instance
	c := j.instance(in)
	c.Missing = v.Missing.String()
	if in.State != samples.Both && !j.one {
		c.State = in.State.String()
	}
	if v.Counter == nil {
		return c
	}
	c.Counter, c.Scale = &v.Counter.ID, v.Counter.Scale
	c.CounterName, _ = j.counterName(in, v.Counter.ID)
	if v.Missing != samples.NoType {
		c.Type = v.Counter.Type.String()
	}
	if v.Missing == samples.Present {
		c.Value, c.Unit = terminal.JSON(v.Number, ""), v.Counter.Unit()
		if n, exact := v.Integer(); exact {
			c.Value = terminal.JSON(n, "")
		}
	}
	if f := v.Formula(); f != nil && j.explain {
		c.Formula, c.Operands = f.Text, make(map[string]json.Number)
		for name, n := range v.Operands() {
			c.Operands[name] = json.Number(n)
		}
	}
	return c
}

func (j *cookedJSON) end() error {
	fmt.Fprint(j.w, "]")
	if len(j.errors) > 0 {
		fmt.Fprintf(j.w, `,"errors":%s`, terminal.JSON(j.errors, ""))
	}
	fmt.Fprint(j.w, "}")
	return j.w.err
}

func (j *cookedJSON) close() error {
	fmt.Fprint(j.w, "\n]}\n")
	return j.w.err
}
