package fuzz_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// A subject is a block that is to be damaged, and what is known of it as it is.
type subject struct {
	name    string // processor
	group   string // what it is called in tables: its kind, and what is known beside the bytes
	kind    layout.Kind
	ctx     validate.Context
	model   builder.Model
	block   []byte
	scratch []byte // the same bytes, to be damaged
	fields  []layout.Part
	byPath  map[layout.Path]int // in fields
	said    map[validate.Finding]bool
	ruled   map[ruled]bool
}

// ruled is a rule and the place that it has something to say of.
type ruled struct {
	rule *validate.Rule
	path layout.Path
}

func newSubject(t *testing.T, v *validate.Validator, name, group string, kind layout.Kind, block []byte, ctx validate.Context) *subject {
	t.Helper()
	s := &subject{
		name: name, group: group, kind: kind, ctx: ctx, model: empty(t, kind), block: block, scratch: bytes.Clone(block),
		byPath: map[layout.Path]int{}, said: map[validate.Finding]bool{}, ruled: map[ruled]bool{},
	}
	if _, err := s.model.UnmarshalLossy(block); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for part := range layout.Walk(kind, block) {
		if part.Sort == layout.FieldPart {
			s.byPath[part.Path] = len(s.fields)
			s.fields = append(s.fields, part)
		}
	}
	result := v.Bytes(kind, block, ctx)
	if fatal(t, result.Unchecked); result.Truncated {
		t.Fatalf("%s has more findings than are listed", name)
	}
	for _, f := range result.Findings {
		s.said[f], s.ruled[ruled{f.Rule, f.Path}] = true, true
	}
	return s
}

// structural returns the fields that are damaged.
func (s *subject) structural() (list []layout.Part) {
	for _, part := range s.fields {
		if structural[part.Field.Role.Kind] {
			list = append(list, part)
		}
	}
	return list
}

// number returns a field by its path, and whether there is one.
func (s *subject) number(path layout.Path) (int64, bool) {
	i, ok := s.byPath[path]
	if !ok {
		return 0, false
	}
	return s.fields[i].Int()
}

// isNew reports whether a finding is of a rule that had nothing to say of that place, or
// says something else of the damaged field.
func (s *subject) isNew(part layout.Part, f validate.Finding) bool {
	return !s.ruled[ruled{f.Rule, f.Path}] || f.Path == part.Path && !s.said[f]
}

// worst returns the worst severity of what is new, and whether anything is.
func (s *subject) worst(part layout.Part, r validate.Result) (worst validate.Severity, found bool) {
	for _, f := range r.Findings {
		if s.isNew(part, f) {
			worst, found = max(worst, f.Severity), true
		}
	}
	return worst, found
}

// fixtureSubjects returns the fixtures that are not broken, or those alone that have one of
// the names.
func fixtureSubjects(t *testing.T, v *validate.Validator, names ...string) (list []*subject) {
	t.Helper()
	const dir = "../testdata/specs"
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "broken":
			return fs.SkipDir
		case e.IsDir() || names != nil && !slices.Contains(names, e.Name()):
			return nil
		}
		text, err := os.ReadFile(path)
		fatal(t, err)
		parsed, err := spec.Parse(path, text)
		fatal(t, err)
		block, err := parsed.Build()
		fatal(t, err)
		list = append(list, subjects(t, v, filepath.Base(path), parsed.Kind(), block)...)
		return nil
	})
	fatal(t, err)
	return list
}

// rareSubjects returns blocks that are generated now and then only.
func rareSubjects(t *testing.T, v *validate.Validator) (list []*subject) {
	t.Helper()
	for name, m := range map[string]builder.Model{
		"an entry that is a text where one fewer is counted": &builder.StringBuffer{FromEntries: true, Entries: []builder.StringCounter{
			{Text: "abc"}, {CounterId: 1, None: true}, {CounterId: 'e'<<16 | 'd', None: true},
		}},
		"a text that is an entry where one more is counted": &builder.StringBuffer{FromEntries: true, Entries: []builder.StringCounter{
			{Text: "ab\x02"}, {CounterId: 1, Text: "cdefgh"},
		}},
		"a base with the name of its counter, and another help text": &builder.DataBlock{Objects: []builder.Object{{NumInstances: layout.PERF_NO_INSTANCES, Counters: []builder.Counter{
			{CounterNameTitleIndex: 8, CounterHelpTitleIndex: 11, CounterType: layout.PERF_RAW_FRACTION},
			{CounterNameTitleIndex: 8, CounterHelpTitleIndex: 9, CounterType: layout.PERF_RAW_BASE},
		}, Values: []uint64{0, 0}}}},
		"a text of a type that there is not, a number with a bit less": &builder.DataBlock{Objects: []builder.Object{{
			NumInstances: layout.PERF_NO_INSTANCES, Values: []uint64{0, 0}, Texts: []string{"12345678"},
			Counters: []builder.Counter{{CounterNameTitleIndex: 6, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT}, {CounterNameTitleIndex: 8, CounterType: 0x300}},
		}}},
		"a value of 5 bytes, 4 with a bit less": &builder.QueryData{Results: []builder.Result{{
			Type: layout.PERF_SINGLE_COUNTER, Counters: []builder.QueryCounter{{Bytes: true}}, Values: []uint64{0}, Texts: []string{"1234\x00"},
		}}},
	} {
		block, err := m.MarshalBinary()
		fatal(t, err)
		list = append(list, subjects(t, v, name, m.Kind(), block)...)
	}
	return list
}

// generatedSubjects returns what a source makes of that kind.
func generatedSubjects(t *testing.T, v *validate.Validator, kind layout.Kind, s *fuzz.Source) []*subject {
	t.Helper()
	small := fuzz.Config{MaxObjects: 3, MaxCounters: 6, MaxInstances: 3, MaxText: 12}
	block, err := fuzz.Model(kind, s, small).MarshalBinary()
	fatal(t, err)
	return subjects(t, v, "generated", kind, block)
}

// subjects returns a block as it is judged by its bytes alone, and where more may be known
// of its kind as it is judged with that.
func subjects(t *testing.T, v *validate.Validator, name string, kind layout.Kind, block []byte) []*subject {
	t.Helper()
	alone := newSubject(t, v, name, kind.String(), kind, block, validate.Context{})
	list := []*subject{alone}
	with := func(what string, ctx validate.Context) {
		list = append(list, newSubject(t, v, name, kind.String()+what, kind, block, ctx))
	}
	switch m := alone.model.(type) {
	case *builder.QueryData:
		with(" with identifiers and registrations", asked(t, m))
	case *builder.Identifiers:
		with(" that were returned", validate.Context{Role: validate.ToldRole})
	}
	return list
}

// asked returns identifiers that query data answers, each of a set of its own, and what is
// registered of these.
func asked(t *testing.T, q *builder.QueryData) (ctx validate.Context) {
	t.Helper()
	var list builder.Identifiers
	for i, r := range q.Results {
		set := builder.CounterSetRegInfo{CounterSetGuid: layout.GUID{Data1: uint32(i)}}
		taken := map[uint32]bool{}
		for _, c := range r.Counters {
			if !taken[c.CounterId] {
				taken[c.CounterId] = true
				set.Counters = append(set.Counters, builder.CounterRegInfo{CounterId: c.CounterId, Type: widthType(c)})
			}
		}
		b, err := set.MarshalBinary()
		fatal(t, err)
		ctx.Registrations = append(ctx.Registrations, b)
		id := builder.CounterIdentifier{CounterSetGuid: set.CounterSetGuid, Index: uint32(i)}
		if r.Type&layout.PERF_MULTIPLE_COUNTERS != 0 {
			id.CounterId = layout.PERF_WILDCARD_COUNTER
		}
		if r.Type&layout.PERF_MULTIPLE_INSTANCES != 0 {
			id.Name = layout.PERF_WILDCARD_INSTANCE
		}
		list = append(list, id)
	}
	var err error
	ctx.Identifiers, err = list.MarshalBinary()
	fatal(t, err)
	return ctx
}

// widthType returns a type whose values are as those of the counter.
func widthType(c builder.QueryCounter) layout.CounterType {
	switch {
	case c.Bytes:
		return layout.PERF_COUNTER_TEXT
	case c.Size == 4:
		return layout.PERF_COUNTER_RAWCOUNT
	}
	return layout.PERF_COUNTER_LARGE_RAWCOUNT
}
