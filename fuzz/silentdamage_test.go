package fuzz_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// structural has the roles of the fields that the tests damage. It leaves out roles whose fields may have any value,
// and roles that no rule checks.
var structural = map[layout.RoleKind]bool{
	layout.Length: true, layout.Offset: true, layout.Count: true, layout.TitleIndex: true,
	layout.Enum: true, layout.Flags: true, layout.Constant: true,
}

// TestNoSilentDamage flips bits in structural fields. Each flip must cause a finding, decode to the same model, or be
// one of the legalChanges.
func TestNoSilentDamage(t *testing.T) {
	if raceEnabled {
		t.Skip("takes minutes under the race detector and has one goroutine")
	}
	t.Parallel()
	v, fixtures, generated := strict(t), tally{}, tally{}
	for _, s := range fixtureSubjects(t, v) {
		for _, part := range s.structural() {
			for bit := range 8 * part.Len() {
				fixtures.add(s, part, flipBit(t, v, s, part, bit))
			}
		}
	}
	for _, kind := range layout.Kinds() {
		for seed := range uint64(long.Count(8, 100)) {
			for _, s := range generatedSubjects(t, v, kind, fuzz.Seed(seed)) {
				for i, part := range s.structural() {
					from, to := 0, 8*part.Len()
					if seed >= uint64(long.Count(1, 15)) { // one bit of each field
						from = (5*i + 7*int(seed)) % to
						to = from + 1
					}
					for bit := from; bit < to; bit++ {
						generated.add(s, part, flipBit(t, v, s, part, bit))
					}
				}
			}
		}
	}
	everyField(t, fixtures, generated)
	if !t.Failed() {
		golden.File(t, silentPage, fixtures.page())
	}
}

func FuzzNoSilentDamage(f *testing.F) {
	for i := range layout.Kinds() {
		f.Add(uint8(i), uint16(1), uint8(3), []byte{})
		f.Add(uint8(i), uint16(17), uint8(0), []byte{1, 200, 3, 254, 5, 160, 7, 80, 9, 255, 11, 90, 200, 201, 202, 203, 255, 254})
	}
	v := strict(f)
	f.Fuzz(func(t *testing.T, i uint8, field uint16, bit uint8, data []byte) {
		for _, s := range generatedSubjects(t, v, kindOf(i), fuzz.FromBytes(data)) {
			if parts := s.structural(); len(parts) > 0 {
				part := parts[int(field)%len(parts)]
				flipBit(t, v, s, part, int(bit)%(8*part.Len()))
			}
		}
	})
}

// strict returns a validator with the default profile, which is strict.
func strict(t testing.TB) *validate.Validator {
	t.Helper()
	v, err := validate.New(validate.Options{})
	fatal(t, err)
	return v
}

// TestSilentDamageIsSeen checks that TestNoSilentDamage can fail. It switches off one rule at a time. At least one
// flipped bit must then be silent damage.
func TestSilentDamageIsSeen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, fixture, field string }{
		{"inst-length-bound", "peer.yaml", "PERF_INSTANCE_DEFINITION.ByteLength"},
		{"ctr-offset-range", "transfer.yaml", "PERF_COUNTER_DEFINITION.CounterOffset"},
		{"v2-counter-count-match", "answers.yaml", "PERF_DATA_HEADER.dwNumCounters"},
		{"v2-identifier-align", "identifiers.yaml", "PERF_COUNTER_IDENTIFIER.Size"},
		{"v2-strings-offset-range", "strings.yaml", "PERF_STRING_COUNTER_HEADER.dwOffset"},
		{"v2-template-attrib-combination", "template.yaml", "PERF_COUNTER_INFO.Attrib"},
	} {
		v, err := validate.New(validate.Options{Overrides: []validate.Override{{Rule: tt.rule, Severity: validate.Off}}})
		fatal(t, err)
		silent := 0
		for _, s := range fixtureSubjects(t, v, tt.fixture) {
			for _, part := range s.structural() {
				for bit := range 8 * part.Len() {
					if fieldOf(part) != tt.field {
						break
					}
					if o := s.flip(t, v, part, bit); o.silent != "" {
						silent++
					}
				}
			}
		}
		if silent == 0 {
			t.Errorf("without %s no damage of %s in %s is silent", tt.rule, tt.field, tt.fixture)
		}
	}
}

// flipBit damages a bit of a field and fails the test if the damage is silent.
func flipBit(t *testing.T, v *validate.Validator, s *subject, part layout.Part, bit int) outcome {
	t.Helper()
	o := s.flip(t, v, part, bit)
	if o.silent != "" {
		t.Errorf("%s: bit %d of %v: %s", s.name, bit, part.Path, o.silent)
	}
	return o
}

// An outcome is the effect of a flipped bit: a finding, a legal change, or neither.
type outcome struct {
	severity validate.Severity // of the worst new finding; AsRule if there is none
	legal    *legalChange      // nil if the change belongs to no class
	silent   string            // why the damage is silent; "" if it is not silent
}

// String returns the name of the legal change, "same model", or the severity.
func (o outcome) String() string {
	switch {
	case o.legal != nil:
		return o.legal.name
	case o.severity == validate.AsRule:
		return "same model"
	}
	return o.severity.String()
}

// A subject is a block whose bits the tests flip.
type subject struct {
	name     string // the file name of the fixture
	group    string // the heading in the page: the kind and the context
	kind     layout.Kind
	ctx      validate.Context
	model    builder.Model
	block    []byte
	damaged  []byte // a copy of block in which one bit is flipped at a time
	fields   []layout.Part
	places   []layout.Part       // the lengths, offsets and counts in fields; set by severalWrong
	byPath   map[layout.Path]int // positions in fields
	findings map[validate.Finding]bool
	reported map[findingKey]bool
}

// A findingKey identifies findings by their rule and path.
type findingKey struct {
	rule *validate.Rule
	path layout.Path
}

func newSubject(t *testing.T, v *validate.Validator, name, group string, kind layout.Kind, block []byte, ctx validate.Context) *subject {
	t.Helper()
	s := plainSubject(name, kind, block, ctx)
	s.group, s.model, s.damaged = group, empty(t, kind), bytes.Clone(block)
	s.byPath, s.findings, s.reported = map[layout.Path]int{}, map[validate.Finding]bool{}, map[findingKey]bool{}
	if _, err := s.model.UnmarshalLossy(block); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, part := range s.fields {
		s.byPath[part.Path] = i
	}
	result := v.Bytes(kind, block, ctx)
	if fatal(t, result.Unchecked); result.Truncated {
		t.Fatalf("%s has more findings than the validator lists", name)
	}
	for _, f := range result.Findings {
		s.findings[f], s.reported[findingKey{f.Rule, f.Path}] = true, true
	}
	return s
}

// plainSubject returns a subject that has only a block with its name, kind, context and fields.
func plainSubject(name string, kind layout.Kind, block []byte, ctx validate.Context) *subject {
	s := &subject{name: name, kind: kind, ctx: ctx, block: block}
	for part := range layout.Walk(kind, block) {
		if part.Sort == layout.FieldPart {
			s.fields = append(s.fields, part)
		}
	}
	return s
}

// structural returns the fields that have a structural role.
func (s *subject) structural() (list []layout.Part) {
	for _, part := range s.fields {
		if structural[part.Field.Role.Kind] {
			list = append(list, part)
		}
	}
	return list
}

// number returns the number in the field at a path, and false if there is no such field.
func (s *subject) number(path layout.Path) (int64, bool) {
	i, ok := s.byPath[path]
	if !ok {
		return 0, false
	}
	return s.fields[i].Int()
}

// flip flips a bit, validates and decodes the block, and flips the bit back.
func (s *subject) flip(t *testing.T, v *validate.Validator, part layout.Part, bit int) (o outcome) {
	t.Helper()
	at := part.Off() + int64(bit/8)
	s.damaged[at] ^= 1 << (bit % 8)
	defer func() { s.damaged[at] ^= 1 << (bit % 8) }()
	result := v.Bytes(s.kind, s.damaged, s.ctx)
	fatal(t, result.Unchecked)
	f := s.change(part)
	for _, g := range result.Findings {
		r := findingKey{g.Rule, g.Path}
		if !s.reported[r] || g.Path == part.Path && !s.findings[g] {
			o.severity = max(o.severity, g.Severity)
		}
		f.remains[r] = true
	}
	if o.severity != validate.AsRule {
		return o
	}
	now := empty(t, s.kind)
	_, err := now.UnmarshalLossy(s.damaged)
	moved := f.moved()
	o.legal = f.legal()
	switch {
	case o.legal != nil && moved && !o.legal.moves:
		o.silent = fmt.Sprintf("the change is %q, but other fields are read", o.legal.name)
	case o.legal != nil && err != nil && !errors.Is(err, builder.ErrConflict): // no model has a number and a text at one offset
		o.silent = fmt.Sprintf("the change is %q, but there is no model: %v", o.legal.name, err)
	case o.legal == nil && (err != nil || moved || !reflect.DeepEqual(s.model, now)):
		o.silent = fmt.Sprintf("0x%x instead of 0x%x is not a legal change, has no finding, and the model is another: %v", f.is, f.was, err)
	}
	return o
}

// fixtureSubjects returns the fixtures of testdata/specs that are not broken. If names are given, it returns only the
// fixtures with these file names.
func fixtureSubjects(t *testing.T, v *validate.Validator, names ...string) (list []*subject) {
	t.Helper()
	for _, x := range fixtures(t) {
		name := filepath.Base(x.Path)
		if strings.HasPrefix(filepath.ToSlash(x.Path), "../testdata/specs/") && !x.Broken() && (names == nil || slices.Contains(names, name)) {
			list = append(list, subjectsOf(t, v, name, x.Kind, x.Bytes)...)
		}
	}
	return list
}

// generatedSubjects returns the subjects of a generated block.
func generatedSubjects(t *testing.T, v *validate.Validator, kind layout.Kind, s *fuzz.Source) []*subject {
	t.Helper()
	block, err := fuzz.Model(kind, s, fuzz.Config{MaxObjects: 3, MaxCounters: 6, MaxInstances: 3, MaxText: 12}).MarshalBinary()
	fatal(t, err)
	return subjectsOf(t, v, "generated", kind, block)
}

// subjectsOf returns a subject that has the block with an empty validate.Context. For some kinds, it also returns a
// subject that has the same block with a filled Context.
func subjectsOf(t *testing.T, v *validate.Validator, name string, kind layout.Kind, block []byte) []*subject {
	t.Helper()
	plain := newSubject(t, v, name, kind.String(), kind, block, validate.Context{})
	switch m := plain.model.(type) {
	case *builder.QueryData:
		ctx, err := fuzz.QueryContext(*m)
		fatal(t, err)
		return []*subject{plain, newSubject(t, v, name, kind.String()+" with identifiers and registrations", kind, block, ctx)}
	case *builder.Identifiers:
		returned := kind.String() + " that were returned"
		return []*subject{
			plain,
			newSubject(t, v, name, returned, kind, block, validate.Context{Role: validate.ReturnedRole}),
			newSubject(t, v, name, returned+", with registrations", kind, block, validate.Context{Role: validate.ReturnedRole, Registrations: registrationsOf(t, *m)}),
		}
	}
	return []*subject{plain}
}

// registrationsOf returns a registration for each counter set of the identifiers. The set has instances if its first
// identifier has a name.
func registrationsOf(t *testing.T, list builder.Identifiers) (registrations [][]byte) {
	t.Helper()
	for i, id := range list {
		if slices.ContainsFunc(list[:i], func(other builder.CounterIdentifier) bool { return other.CounterSetGuid == id.CounterSetGuid }) {
			continue
		}
		set := builder.CounterSetRegInfo{CounterSetGuid: id.CounterSetGuid, InstanceType: layout.PERF_COUNTERSET_SINGLE_INSTANCE}
		if id.Name != "" {
			set.InstanceType = layout.PERF_COUNTERSET_MULTI_INSTANCES
		}
		b, err := set.MarshalBinary()
		fatal(t, err)
		registrations = append(registrations, b)
	}
	return registrations
}
