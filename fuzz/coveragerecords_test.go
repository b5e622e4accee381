package fuzz_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
)

// named yields the named values of a field and their names.
func named(f *layout.Field) iter.Seq2[uint64, string] {
	switch {
	case f.Go == "CounterType":
		return texts(layout.CounterTypes())
	case f.Go == "DetailLevel":
		return texts(numbered[layout.DetailLevel])
	case f.Go == "PerfCounterDataType":
		return texts(numbered[layout.PerfCounterDataType])
	case f.Go == "InstanceType":
		return texts(numbered[layout.InstanceType])
	case f.Go == "AggregateFunc":
		return texts(numbered[layout.AggregateFunc])
	case f.Go == "Attrib":
		return texts(flags)
	case f.Name == "dwStatus", f.Name == "Status":
		return func(yield func(uint64, string) bool) {
			for _, s := range cname.Statuses {
				if !yield(uint64(s.Value), s.Name) {
					return
				}
			}
		}
	case f.Name == "NumInstances":
		return func(yield func(uint64, string) bool) {
			for n := int32(-1); cname.Instances(n) != ""; n-- {
				if !yield(uint64(int64(n)), cname.Instances(n)) {
					return
				}
			}
		}
	}
	return func(func(uint64, string) bool) {}
}

func texts[T interface {
	~uint32 | ~uint64
	fmt.Stringer
}](values iter.Seq[T]) iter.Seq2[uint64, string] {
	return func(yield func(uint64, string) bool) {
		for v := range values {
			if !yield(uint64(v), v.String()) {
				return
			}
		}
	}
}

// numbered yields the valid values of an enumeration. All valid values are less than 1024.
func numbered[T interface {
	~uint32
	Valid() bool
}](yield func(T) bool) {
	for v := range T(1024) {
		if v.Valid() && !yield(v) {
			return
		}
	}
}

// flags yields the single bits of Attrib.
func flags(yield func(layout.Attrib) bool) {
	for v := layout.Attrib(1); v.Valid(); v <<= 1 {
		if !yield(v) {
			return
		}
	}
}

// fieldRows has the row numbers of a field. A number is -1 if there is no such row.
type fieldRows struct {
	any, zero, other, one, more, unnamed int
	named                                []namedRow
	flags                                bool
}

type namedRow struct {
	value uint64
	row   int
}

func (c *coverage) declareRecords() {
	c.section("Records, their fields and the values that have names")
	c.fields = map[*layout.Field]*fieldRows{}
	for _, r := range slices.Concat(layout.Winperf, layout.Perflib) {
		c.declare(r.C, "made")
		for i := range r.Fields {
			// A field of type SYSTEMTIME has no rows of its own: the fields of the record SYSTEMTIME have rows.
			if f := &r.Fields[i]; f.Type != layout.Time && r != &layout.PERF_COUNTER_IDENTITY {
				c.fields[f] = c.declareField(r.C, f)
			}
		}
	}
}

func (c *coverage) declareField(record string, f *layout.Field) *fieldRows {
	rows := &fieldRows{one: -1, more: -1, unnamed: -1, flags: f.Go == "Attrib"}
	rows.any = c.declare(record, f.Name)
	rows.zero = c.declare(record, f.Name+" = 0")
	rows.other = c.declare(record, f.Name+" other than 0")
	if f.Role.Kind == layout.Count {
		rows.one = c.declare(record, f.Name+" = 1")
		rows.more = c.declare(record, f.Name+" above 1")
	}
	for value, name := range named(f) {
		rows.named = append(rows.named, namedRow{value, c.declare(record, f.Name+" = "+name)})
	}
	if len(rows.named) > 0 && !rows.flags {
		rows.unnamed = c.declare(record, f.Name+" without a name")
	}
	switch role := f.Role; {
	case role.Kind == layout.Reserved || role.Kind == layout.Padding:
		c.never[c.rows[rows.other]] = "the field is reserved"
	case role.Kind == layout.Constant:
		c.never[c.rows[rows.zero]] = "the field is a constant"
	case role.Kind == layout.Length && role.From == layout.RecordStart:
		c.never[c.rows[rows.zero]] = "the length includes its own record"
	case f.Go == "DetailLevel" && record != layout.PERF_COUNTER_DEFINITION.C: // 0 is the level of a base counter
		c.never[c.rows[rows.zero]] = "0 in a model means PERF_DETAIL_NOVICE"
	}
	if f.Go == "PerfCounterDataType" || f.Go == "InstanceType" || f.Go == "AggregateFunc" {
		c.never[c.rows[rows.unnamed]] = "the model refuses other values"
	}
	return rows
}

// records counts the records of a block and their fields.
func (c *coverage) records(kind layout.Kind, b []byte) {
	for part := range layout.Walk(kind, b) {
		if part.Sort != layout.FieldPart {
			continue
		}
		if part.Field.At == 0 && c.fields[part.Field] != nil {
			c.times[c.declare(part.Record.C, "made")]++
		}
		c.field(part.Field, part.Bytes())
		if part.Field.Type == layout.UUID {
			c.times[c.declare(layout.GUIDRecord.C, "made")]++
			for i := range layout.GUIDRecord.Fields {
				f := &layout.GUIDRecord.Fields[i]
				c.field(f, part.Bytes()[f.At:][:f.Type.Size()])
			}
		}
	}
}

// field counts the value b of a field. A field without rows, such as an element of a list of ids, is ignored.
func (c *coverage) field(f *layout.Field, b []byte) {
	rows := c.fields[f]
	if rows == nil {
		return
	}
	c.value(rows.any, string(b))
	n := uint64(0)
	for i, one := range b[:min(8, len(b))] {
		n |= uint64(one) << (8 * i)
	}
	if f.Type == layout.I32 {
		n = uint64(int64(int32(n)))
	}
	c.count(rows.zero, bytes.Count(b, []byte{0}) == len(b))
	c.count(rows.other, bytes.Count(b, []byte{0}) != len(b))
	c.count(rows.one, n == 1)
	c.count(rows.more, int64(n) > 1)
	unnamed := true
	for _, name := range rows.named {
		is := n == name.value || rows.flags && n&name.value != 0
		c.count(name.row, is)
		unnamed = unnamed && !is
	}
	c.count(rows.unnamed, unnamed)
}

// places has the paths of names, values, ids and padding. It also has the paths of records in lists without a count
// field.
var places = map[layout.Kind][]string{
	layout.DataBlockKind: {"SystemName", "padding", "gap",
		"object.block.value", "object.block.hole", "object.block.padding",
		"object.instance.Name", "object.instance.gap", "object.instance.padding",
		"object.instance.block.value", "object.instance.block.hole", "object.instance.block.padding"},
	layout.ObjectsKind: {"object",
		"object.block.value", "object.block.hole", "object.block.padding",
		"object.instance.Name", "object.instance.gap", "object.instance.padding",
		"object.instance.block.value", "object.instance.block.hole", "object.instance.block.padding"},
	layout.QueryDataKind: {"result.ids.id", "result.ids.padding", "result.data.value", "result.data.padding",
		"result.instance.Name", "result.instance.padding", "result.instance.data.value", "result.instance.data.padding"},
	layout.InstancesKind:     {"instance", "instance.Name", "instance.padding"},
	layout.IdentifiersKind:   {"identifier", "identifier.Name", "identifier.padding"},
	layout.RegStringKind:     {"Text"},
	layout.StringsKind:       {"entry.Text", "padding"},
	layout.GUIDsKind:         {"guid"},
	layout.InstanceBlockKind: {"slot", "Name", "padding"},
}

func (c *coverage) declarePlaces() {
	c.section("Names, values, padding and lists")
	for _, kind := range layout.Kinds() {
		for _, path := range places[kind] {
			of := kind.String()
			switch name := path[strings.LastIndexByte(path, '.')+1:]; name {
			case "Name", "SystemName", "Text":
				for _, what := range []string{": none", " without letters", " of one letter", " of more"} {
					c.declare(of, path+what)
				}
			case "value", "slot":
				for _, what := range []string{": none", " of 4 bytes", " of 8", " of others"} {
					c.declare(of, path+what)
				}
			case "padding", "gap", "hole":
				c.declare(of, path+": none")
				c.declare(of, path+": some")
			default:
				c.declare(of, path+": none")
				c.declare(of, path+": one")
				c.declare(of, path+": more")
			}
		}
	}
}

// withoutNumbers returns a path without its indexes.
func withoutNumbers(path string) string {
	var b strings.Builder
	for rest := path; ; {
		name, after, more := strings.Cut(rest, "[")
		b.WriteString(name)
		if !more {
			return b.String()
		}
		_, rest, _ = strings.Cut(after, "]")
	}
}

// countParts counts the parts of a block whose paths are in the map `places`.
func (c *coverage) countParts(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	known := len(c.rows)
	of := kind.String()
	// An example is the part object[0].instance[1].Name. in["object.instance.Name"] has the key
	// "object[0].instance[1].Name". there["object.instance.Name\x00object[0].instance[1]"] is the number of names in
	// object[0].instance[1].
	there, in := map[string]int{}, map[string]map[string]int{"": {"": 0}}
	for part := range layout.Walk(kind, b) {
		if part.Sort == layout.FieldPart && part.Field.At > 0 {
			continue
		}
		full := part.Path.String()
		record := full[:max(strings.LastIndexByte(full, '.'), 0)]
		path := withoutNumbers(full)
		what := ""
		switch part.Sort {
		case layout.FieldPart:
			if c.fields[part.Field] != nil { // count the record instead of its first field
				full = record
			}
			path = withoutNumbers(full)
		case layout.NamePart:
			unit := 2
			if part.Page != 0 {
				unit = 1
			}
			what = [...]string{" without letters", " of one letter", " of more"}[min(part.Len()/unit-1, 2)]
		case layout.ValuePart:
			what = map[int]string{4: " of 4 bytes", 8: " of 8"}[part.Len()]
			if what == "" {
				what = " of others"
			}
		case layout.PaddingPart:
			what = ": some"
		}
		parent := full[:max(strings.LastIndexByte(full, '.'), 0)]
		if in[path] == nil {
			in[path] = map[string]int{}
		}
		in[path][full]++
		there[path+"\x00"+parent]++
		if what != "" {
			c.countIf(of, path+what, true)
		}
	}
	for _, path := range places[kind] {
		parents := in[path[:max(strings.LastIndexByte(path, '.'), 0)]]
		for parent := range parents {
			n := there[path+"\x00"+parent]
			c.countIf(of, path+": none", n == 0)
			if i, ok := c.index[coverageCase{of, path + ": one"}]; ok {
				c.count(i, n == 1)
				c.countIf(of, path+": more", n > 1)
			}
		}
	}
	for _, r := range c.rows[known:] {
		t.Fatalf("%s has %s, a part that the map places does not list", r.of, r.what)
	}
}

// neverMade has the rows whose count must be 0. The values are the reasons. declareField adds more of these rows, such
// as the rows of all reserved fields.
var neverMade = map[coverageCase]string{
	{"builder.Object", "Name given"}:                       "a block does not have the name of its object",
	{"builder.Counter", "Name given"}:                      "a block does not have the names of its counters",
	{"PERF_DATA_BLOCK", "LittleEndian = 0"}:                "big-endian blocks are not supported",
	{"PERF_DATA_BLOCK", "PerfFreq = 0"}:                    "0 in a model means 10,000,000",
	{"PERF_DATA_HEADER", "PerfFreq = 0"}:                   "0 in a model means 10,000,000",
	{"PERF_DATA_BLOCK", "PerfTime100nSec = 0"}:             "0 in a model means SystemTime",
	{"PERF_DATA_HEADER", "PerfTime100NSec = 0"}:            "0 in a model means SystemTime",
	{"SYSTEMTIME", "wYear = 0"}:                            "years start at 1601",
	{"SYSTEMTIME", "wMonth = 0"}:                           "the field starts at 1",
	{"SYSTEMTIME", "wDay = 0"}:                             "the field starts at 1",
	{"PERF_OBJECT_TYPE", "DefinitionLength = 0"}:           "the length includes the object",
	{"PERF_OBJECT_TYPE", "HeaderLength = 0"}:               "the length includes its own record",
	{"PERF_OBJECT_TYPE", "DetailLevel without a name"}:     "the model refuses other values",
	{"PERF_COUNTER_DEFINITION", "CounterOffset = 0"}:       "the counter block starts with its length",
	{"PERF_COUNTERSET_INFO", "NumCounters = 0"}:            "a template has at least one counter",
	{"PERF_COUNTERSET_INSTANCE", "InstanceNameOffset = 0"}: "the name follows the record",
	{"PERF_COUNTERSET_INSTANCE", "InstanceNameSize = 0"}:   "the name ends in a NUL",
	{"PERF_COUNTER_IDENTITY", "made"}:                      "a callback receives it; no block contains it",

	{"data-block", "SystemName without letters"}:           "an empty name is absent",
	{"data-block", "object.instance.Name without letters"}: "an empty name is absent",
	{"objects", "object.instance.Name without letters"}:    "an empty name is absent",
	{"query-data", "result.instance.Name: none"}:           "the name ends in a NUL",
	{"instances", "instance.Name: none"}:                   "the name ends in a NUL",
	{"reg-string", "Text: none"}:                           "the name ends in a NUL",
	{"instance-block", "Name: none"}:                       "the name ends in a NUL",
	{"instance-block", "slot of 4 bytes"}:                  "each slot has 8 bytes",
	{"instance-block", "slot of others"}:                   "each slot has 8 bytes",

	{"builder.CounterSetInfo", "Counters: none"}: "a template has at least one counter",
}
