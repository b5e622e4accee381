package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// ErrNoBreaker is returned by [Break] for a rule without a breaker, such as a rule about two samples.
var ErrNoBreaker = errors.New("package fuzz has no breaker for the rule")

// Broken is a block with a fault that breaks one rule. The fault adds at least one finding of this rule. [Base.Break]
// checks the findings with the validator. The function [Break] does not check the findings.
type Broken struct {
	Rule    string   // the name of the rule
	Also    []string // the other rules that the same fault breaks
	Kind    layout.Kind
	Block   []byte
	Before  []byte           // the block without the fault; it may have findings, but no error
	Context validate.Context // the context that the rule requires, for Block and Before
}

// Break returns a generated block that breaks a rule. The rule is given by id or name. The bytes of the source choose
// the place and the kind of the fault. All findings that the fault adds belong to the rules in the fields Rule and
// Also. Break does not check these findings; the tests of the package check them.
//
// The error wraps [layout.ErrRange] if the rule is unknown, and [ErrNoBreaker] if package fuzz cannot break the rule.
func Break(rule string, s *Source, c Config) (Broken, error) {
	_, b, err := findBreaker(rule)
	if err != nil {
		return Broken{}, err
	}
	f := newFaultyBlock(s, c)
	b.damage(f)
	return Broken{b.rule, f.brokenAmong(b.may), f.kind, f.block, f.before, f.ctx}, nil
}

// findBreaker returns a rule, given by id or name, and its breaker.
func findBreaker(rule string) (*validate.Rule, *breaker, error) {
	r, err := validate.FindRule(rule)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(breakers, func(b breaker) bool { return b.rule == r.Name })
	switch {
	case len(r.Forms) > 0:
		return nil, nil, fmt.Errorf("%w %s, which does not check blocks", ErrNoBreaker, r.Name)
	case i < 0:
		return nil, nil, fmt.Errorf("%w %s; testdata/rules/%s/broken.yaml breaks it", ErrNoBreaker, r.Name, r.Name)
	}
	return r, &breakers[i], nil
}

func newFaultyBlock(s *Source, c Config) *faultyBlock {
	return &faultyBlock{generator: *newGenerator(s, c.atMost(100)), chosen: map[string]int{}}
}

// A breaker makes a block that breaks one rule. Breakers test package validate, so they must not use its code or the
// field roles of package layout.
type breaker struct {
	rule   string
	may    also
	damage func(*faultyBlock)
}

// also is a list of rules that a fault may break besides its own rule.
type also []string

var breakers = slices.Concat(anyKindBreakers,
	dataBlockBreakers, objectBreakers, objectTitleBreakers,
	counterBreakers, counterOffsetBreakers, counterBaseBreakers,
	instanceBreakers, instanceNameBreakers, counterBlockBreakers,
	queryDataBreakers, resultBreakers, multiCountersBreakers, multiInstancesBreakers, instanceHeaderBreakers, counterDataBreakers,
	identifierBreakers, regSetBreakers, regCounterBreakers, referenceBreakers,
	setInfoBreakers, setInstanceBreakers, stringBufferBreakers,
)

// A faultyBlock is the block that a breaker makes. Its methods make a valid block with the records that the breaker
// needs. The breaker then changes this block.
//
// With a [Base], methods such as inBlock copy the block of the Base and choose records in it. A breaker must call them
// before it changes a record. Otherwise, its change is lost, or the attempt to break the rule ends.
type faultyBlock struct {
	generator
	kind   layout.Kind
	block  []byte
	before []byte        // the block without the fault
	made   builder.Model // the model of the block
	ctx    validate.Context

	// chosen has the positions of the chosen records. For example, "instance": 2 means instance[2].
	chosen map[string]int

	base *Base // nil if the breaker makes its own block
}

// setField returns a damage function. This function calls `valid` to make a valid block, and then sets the field at a
// path to the number that `to` chooses.
func setField(valid func(*faultyBlock) *faultyBlock, path string, to number) func(*faultyBlock) {
	return func(f *faultyBlock) { valid(f).set(path, to(f)) }
}

// encodeValid encodes a model that has no fault. The encoded bytes become the current block, f.block, and f.before
// becomes a copy of them.
func (f *faultyBlock) encodeValid(m builder.Model) *faultyBlock {
	f.encodeFaulty(m)
	f.keepAsValid()
	return f
}

// encodeFaulty encodes a model that contains the fault. With a Base, it calls endAttempt if the model cannot be
// encoded.
func (f *faultyBlock) encodeFaulty(m builder.Model) {
	if _, err := m.EncodedLen(); err != nil && f.base != nil {
		f.endAttempt("a place for the change: %v", err)
	}
	f.kind, f.made, f.block = m.Kind(), m, bytesOf(m)
}

// bytesOf returns the bytes of a model. It panics if the model cannot be encoded.
func bytesOf(m builder.Model) []byte {
	b, err := m.MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("a breaker made a model that does not encode: %v", err))
	}
	return b
}

// keepAsValid stores a copy of the current block in f.before. With a Base, the current block must still be equal to the
// block of the Base. If it is not, keepAsValid calls endAttempt.
func (f *faultyBlock) keepAsValid() {
	if f.base != nil && !bytes.Equal(f.block, f.base.block) {
		f.endAttempt("the block that this change requires")
	}
	f.before = slices.Clone(f.block)
}

// brokenAmong returns the given rules that have a new finding. A finding is new if f.before has no finding of the rule
// at the same path.
func (f *faultyBlock) brokenAmong(rules also) []string {
	if len(rules) == 0 {
		return nil
	}
	broken := f.newFindings(findingsOf(f.kind, f.before, f.ctx))
	return slices.DeleteFunc(slices.Clone(rules), func(rule string) bool { return !slices.Contains(broken, rule) })
}

// A finding is a rule and the path of the place that breaks it.
type finding struct{ rule, path string }

func findingsOf(kind layout.Kind, b []byte, ctx validate.Context) map[finding]bool {
	v, err := validate.New(validate.Options{MaxFindings: mostFindings})
	if err != nil {
		panic(err) // validate.New refuses only a wrong profile or override, and these options have neither
	}
	all := map[finding]bool{}
	for _, g := range v.Bytes(kind, b, ctx).Findings {
		all[finding{g.Rule.Name, g.Path.String()}] = true
	}
	return all
}

// newFindings validates the current block and compares the findings with the map `old`. It returns the names of the
// rules with new findings.
func (f *faultyBlock) newFindings(old map[finding]bool) (rules []string) {
	for g := range findingsOf(f.kind, f.block, f.ctx) {
		if !old[g] && !slices.Contains(rules, g.rule) {
			rules = append(rules, g.rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// mostFindings is the largest number of findings of each severity that findingsOf returns. A block of the workload
// process-2775 has thousands of findings.
const mostFindings = 20_000

// part returns the part of the current block at a path. In "object.TotalByteLength", object means the chosen object.
func (f *faultyBlock) part(path string) layout.Part {
	steps := strings.Split(path, ".")
	for i, step := range steps {
		if n, ok := f.chosen[step]; ok {
			steps[i] = fmt.Sprintf("%s[%d]", step, n)
		}
	}
	p, err := layout.ParsePath(strings.Join(steps, "."))
	if err == nil {
		var part layout.Part
		if part, err = layout.Find(f.kind, f.block, p); err == nil {
			return part
		}
	}
	if f.base != nil {
		f.endAttempt("%s", path)
	}
	panic(fmt.Sprintf("a breaker uses a path that the block does not have: %v", err))
}

// get returns the number in the field at a path.
func (f *faultyBlock) get(path string) int64 {
	n, ok := f.part(path).Int()
	if !ok {
		panic(path + " is not a number")
	}
	return n
}

// set writes a number into a field of 2, 4 or 8 bytes. It drops the bits that do not fit.
func (f *faultyBlock) set(path string, n int64) {
	b := f.part(path).Bytes()
	switch len(b) {
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(n))
	case 8:
		binary.LittleEndian.PutUint64(b, uint64(n))
	default:
		panic(path + " is not a number")
	}
}

func (f *faultyBlock) add(path string, n int64) { f.set(path, f.get(path)+n) }

func (f *faultyBlock) size() int64 { return int64(len(f.block)) }

// distance returns the number of bytes from the start of the part at the path `first` to the end of the part at the
// path `last`. If `last` is "", it counts to the end of the block.
func (f *faultyBlock) distance(first, last string) int64 {
	end := f.size()
	if last != "" {
		end = f.part(last).End()
	}
	return end - f.part(first).Off()
}

// insertBytes inserts bytes at an offset. It adds the number of these bytes to the length fields at the paths `lengths`.
// A length field has 4 bytes.
func (f *faultyBlock) insertBytes(off int64, b []byte, lengths ...string) {
	f.addToFields(int64(len(b)), lengths)
	f.block = slices.Insert(f.block, int(off), b...)
}

// removeBytes removes n bytes at an offset. It subtracts n from the length fields at the paths `lengths`. A length field
// has 4 bytes.
func (f *faultyBlock) removeBytes(off, n int64, lengths ...string) {
	f.addToFields(-n, lengths)
	f.block = slices.Delete(f.block, int(off), int(off+n))
}

// addToFields adds n to fields of 4 bytes. It finds all fields before it changes the first field, because the path of a
// field may not exist after a length has changed.
func (f *faultyBlock) addToFields(n int64, paths []string) {
	var fields [][]byte
	for _, path := range paths {
		fields = append(fields, f.part(path).Bytes())
	}
	for _, b := range fields {
		binary.LittleEndian.PutUint32(b, binary.LittleEndian.Uint32(b)+uint32(n))
	}
}

// appendBytes appends 1 to n random bytes to the block. The lengths in the block do not include these bytes.
func (f *faultyBlock) appendBytes(n int) {
	f.block = append(f.block, f.bytes(1+f.upTo(n))...)
}

// truncate shortens the block to a length from 1 to size-1 bytes.
func (f *faultyBlock) truncate(size int64) { f.block = f.block[:1+f.upTo(int(size)-1)] }
