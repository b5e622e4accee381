package fuzz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// ErrNoBreaker is returned by [Break] for a rule that package fuzz cannot break. The fixture
// testdata/rules/NAME/broken.yaml of the repository breaks it.
var ErrNoBreaker = errors.New("package fuzz has no breaker for the rule")

// Broken is a block in which one rule was broken. Validated, Block has at least one finding of Rule that Before does
// not have.
type Broken struct {
	Rule    string   // the name of the rule
	Also    []string // the other rules that the same fault breaks
	Kind    layout.Kind
	Block   []byte
	Before  []byte           // the block without the fault; it may have findings, but no error
	Context validate.Context // the context that the rule requires, for Block and Before
}

// Break returns a generated block that breaks a rule, given by id or name, in a place and a way that the source chooses.
// New findings, those in Block that are not in Before, belong to the rule or to a rule in Also. The error is
// [ErrNoBreaker], or wraps [layout.ErrRange] if there is no such rule.
func Break(rule string, s *Source, c Config) (Broken, error) {
	r, err := validate.FindRule(rule)
	if err != nil {
		return Broken{}, err
	}
	i := slices.IndexFunc(breakers, func(b breaker) bool { return b.rule == r.Name })
	if i < 0 {
		return Broken{}, fmt.Errorf("%w %s; testdata/rules/%s/broken.yaml breaks it", ErrNoBreaker, r.Name, r.Name)
	}
	b, v := breakers[i], &victim{generator: *newGenerator(s, c.atMost(100))}
	b.damage(v)
	return Broken{r.Name, v.broken(b.may), v.kind, v.block, v.before, v.ctx}, nil
}

// A breaker breaks one rule. It follows the text of the rule and uses neither the roles in the record table nor the
// check of the rule.
type breaker struct {
	rule   string
	may    also
	damage func(*victim)
}

// also are the rules that a fault may break besides its own.
type also []string

var breakers = slices.Concat(anyKindBreakers,
	dataBlockBreakers, objectBreakers, objectTitleBreakers,
	counterBreakers, counterOffsetBreakers, counterBaseBreakers,
	instanceBreakers, instanceNameBreakers, counterBlockBreakers,
	queryDataBreakers, resultBreakers, multiCountersBreakers, multiInstancesBreakers, instanceHeaderBreakers, counterDataBreakers,
	identifierBreakers, regSetBreakers, regCounterBreakers, referenceBreakers,
	setInfoBreakers, setInstanceBreakers, stringBufferBreakers,
)

// A victim is a block to damage. A breaker makes a valid block with the records it needs, and changes it.
type victim struct {
	generator
	kind   layout.Kind
	block  []byte
	before []byte        // the block without the fault
	made   builder.Model // the model of the block
	ctx    validate.Context
	at     int // the position of the object or result that the breaker asked for

	followed   bool // another object must follow the object
	noMetadata bool // no other object has NumInstances -2 or -3
}

// model encodes a model as the block without the fault.
func (v *victim) model(m builder.Model) *victim {
	v.remodel(m)
	v.before = slices.Clone(v.block)
	return v
}

// remodel encodes a model with the fault.
func (v *victim) remodel(m builder.Model) *victim {
	v.kind, v.made, v.block = m.Kind(), m, bytesOf(m)
	return v
}

// bytesOf encodes a model that is valid.
func bytesOf(m builder.Model) []byte {
	b, err := m.MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("a breaker made a model that does not encode: %v", err))
	}
	return b
}

// settle makes the current block the block without the fault.
func (v *victim) settle() { v.before = slices.Clone(v.block) }

// with makes a data block with the object among others.
func (v *victim) with(o builder.Object) *victim { return v.under(v.header(), o) }

// under makes a data block with a header and with the object among others.
func (v *victim) under(d builder.DataBlock, o builder.Object) *victim {
	v.among(o)
	d.Objects = v.objects
	return v.model(&d)
}

// either makes a data block or objects, with the object among others.
func (v *victim) either(o builder.Object) *victim {
	if v.chance(128) {
		v.among(o)
		return v.model(new(builder.Objects(v.objects)))
	}
	return v.with(o)
}

// among generates objects and inserts o with a title that no object has and no instance refers to.
func (v *victim) among(o builder.Object) {
	v.makeObjects()
	if v.noMetadata {
		for i := range v.objects {
			if n := &v.objects[i].NumInstances; *n < layout.PERF_NO_INSTANCES {
				*n = 0
			}
		}
	}
	title := v.unknown(o.ObjectNameTitleIndex)
	for i := range o.Instances {
		if in := &o.Instances[i]; in.ParentObjectTitleIndex == o.ObjectNameTitleIndex {
			in.ParentObjectTitleIndex = title
		}
	}
	o.ObjectNameTitleIndex = title
	if v.followed && len(v.objects) == 0 {
		v.objects = append(v.objects, v.some())
	}
	places := len(v.objects) + 1
	if v.followed {
		places--
	}
	v.at = v.upTo(places)
	v.objects = slices.Insert(v.objects, v.at, o)
}

// unknown returns the title, or the next title that no object has and no instance refers to. It keeps the title odd or
// even.
func (v *victim) unknown(title uint32) uint32 {
	known := map[uint32]bool{}
	for _, o := range v.objects {
		known[o.ObjectNameTitleIndex] = true
		for _, in := range o.Instances {
			known[in.ParentObjectTitleIndex] = true
		}
	}
	for known[title] {
		title += 2
	}
	return title
}

// broken returns those of the rules that have new findings.
func (v *victim) broken(rules also) (list []string) {
	if len(rules) == 0 {
		return nil
	}
	before, fallen := map[string]bool{}, map[string]bool{}
	for _, f := range validate.Bytes(v.kind, v.before, v.ctx).Findings {
		before[f.Rule.Name+" "+f.Path.String()] = true
	}
	for _, f := range validate.Bytes(v.kind, v.block, v.ctx).Findings {
		if !before[f.Rule.Name+" "+f.Path.String()] {
			fallen[f.Rule.Name] = true
		}
	}
	for _, rule := range rules {
		if fallen[rule] {
			list = append(list, rule)
		}
	}
	return list
}

// change encodes the block again after f has changed the object.
func (v *victim) change(f func(*builder.Object)) {
	f(&v.objects[v.at])
	v.remodel(v.made)
}

// in returns a path in the object, or the path of the object.
func (v *victim) in(path string) string {
	if path == "" {
		return fmt.Sprintf("object[%d]", v.at)
	}
	return fmt.Sprintf("object[%d].%s", v.at, path)
}

// part returns the part of the current block at a path.
func (v *victim) part(path string) layout.Part {
	p, err := layout.ParsePath(path)
	if err == nil {
		var part layout.Part
		if part, err = layout.Find(v.kind, v.block, p); err == nil {
			return part
		}
	}
	panic(fmt.Sprintf("a breaker uses a path that the block does not have: %v", err))
}

// get returns the number in a field.
func (v *victim) get(path string) int64 {
	n, ok := v.part(path).Int()
	if !ok {
		panic(path + " is not a number")
	}
	return n
}

// set writes a number into a field of 2, 4 or 8 bytes. It drops the bits that do not fit.
func (v *victim) set(path string, n int64) {
	b := v.part(path).Bytes()
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

// add adds to the number in a field.
func (v *victim) add(path string, n int64) { v.set(path, v.get(path)+n) }

// size returns the length of the block.
func (v *victim) size() int64 { return int64(len(v.block)) }

// splice inserts bytes and adds their number to the 4-byte fields at the paths in counting.
func (v *victim) splice(off int64, b []byte, counting ...string) {
	v.count(int64(len(b)), counting)
	v.block = slices.Insert(v.block, int(off), b...)
}

// excise removes n bytes and subtracts n from the 4-byte fields at the paths in counting.
func (v *victim) excise(off, n int64, counting ...string) {
	v.count(-n, counting)
	v.block = slices.Delete(v.block, int(off), int(off+n))
}

// count adds n to fields of 4 bytes. It finds all of them before it changes one.
func (v *victim) count(n int64, paths []string) {
	var fields [][]byte
	for _, path := range paths {
		fields = append(fields, v.part(path).Bytes())
	}
	for _, f := range fields {
		binary.LittleEndian.PutUint32(f, binary.LittleEndian.Uint32(f)+uint32(n))
	}
}

// insert inserts bytes and adds their number to the TotalByteLength of the object and of the block.
func (v *victim) insert(off int64, b ...byte) {
	counting := []string{v.in("TotalByteLength")}
	if v.kind == layout.DataBlockKind {
		counting = append(counting, "TotalByteLength")
	}
	v.splice(off, b, counting...)
}

// bytes returns n arbitrary bytes.
func (v *victim) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = v.byte()
	}
	return b
}

// two returns two positions below n, the smaller one first.
func (v *victim) two(n int) (first, second int) {
	second = 1 + v.upTo(n-1)
	return v.upTo(second), second
}
