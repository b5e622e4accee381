package definition

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// ErrFirstCounter is the error of [Provider.Compare] for a data block if First Counter is not known.
var ErrFirstCounter = errors.New("the block has the objects of all providers: give the First Counter of the provider, as firstCounter in the definition or with --first-counter")

// ErrV1Only is the error of [Provider.Compare] for a block of V2 if the definition was read from an .ini file, which
// has no GUIDs and no ids.
var ErrV1Only = errors.New("an .ini file has no GUIDs and no ids of counters, so it cannot be compared with a block of V2: give the definition in YAML, or the manifest")

// ErrUnreadable is the error of [Provider.Compare] for a block whose header cannot be read, such as an empty block.
// Package validate reports what is wrong.
var ErrUnreadable = errors.New("the header of the block cannot be read, so the block cannot be compared")

// ComparedKinds returns the kinds of blocks that [Provider.Compare] compares.
func ComparedKinds() []layout.Kind {
	return []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.RegSetKind, layout.TemplateKind, layout.IdentifiersKind, layout.QueryDataKind, layout.InstanceBlockKind}
}

// Compare reports how a block differs from the definition: unknown sets and counters, missing counters, and different
// types and instances. It compares blocks of V1, registrations, templates, identifiers, query data and instance blocks.
// It reports nothing for blocks of other kinds, and skips damaged parts of a block, which package validate reports. If the
// header of the block is damaged, Compare returns an error that wraps [ErrUnreadable]. Objects and identifiers have no
// header.
//
// Compare uses the fields FirstCounter and Identifiers of ctx. FirstCounter is the First Counter of the provider. If
// ctx.FirstCounter is 0, Compare uses p.FirstCounter. If p.FirstCounter is nil or 0 too, the First Counter is not
// known. Compare then returns [ErrFirstCounter] for a data block. For a block of kind objects, Compare uses 0: the
// title indexes in the block must be the title numbers of the definition. See [Provider.Titles].
//
// Identifiers are the identifiers of the query that returned the query data. A definition with one set does not require
// them. With several sets or none, Compare returns [ErrIdentifiers] for query data without Identifiers.
//
// A definition that was read from an .ini file has only names and numbers. Compare then does not compare types, sizes,
// offsets and instances, and returns [ErrV1Only] for a block of V2.
func (p *Provider) Compare(v *validate.Validator, kind layout.Kind, b []byte, ctx validate.Context) (validate.Result, error) {
	first := ctx.FirstCounter
	if first == 0 && p.FirstCounter != nil {
		first = *p.FirstCounter
	}
	c := comparison{p: p, first: first, namesOnly: p.from.form == INI}
	if c.namesOnly && !kind.V1() && slices.Contains(ComparedKinds(), kind) {
		return validate.Result{}, ErrV1Only
	}
	var err error
	// Many objects of one set can each lack all counters of the set, so the differences are not stored in a list.
	result := v.CollectSeq(func(yield func(*validate.Rule, func() validate.Finding) bool) {
		c.yield = yield
		err = c.block(kind, b, ctx.Identifiers)
	})
	if err != nil {
		return validate.Result{}, err
	}
	return result, nil
}

// block compares a block with the definition.
func (c *comparison) block(kind layout.Kind, b, identifiers []byte) error {
	var unreadable error
	switch kind {
	case layout.DataBlockKind:
		var block layout.DataBlock
		if block, unreadable = layout.ReadDataBlock(b); unreadable != nil {
			break
		}
		if c.first == 0 {
			return ErrFirstCounter
		}
		c.others = true
		c.objects(block.Objects())
	case layout.ObjectsKind:
		c.objects(layout.ReadObjects(b))
	case layout.RegSetKind:
		var s layout.CounterSetRegInfo
		if s, unreadable = layout.ReadCounterSetRegInfo(b); unreadable == nil {
			compareSet(c, &layout.PERF_COUNTERSET_REG_INFO, s.CounterSetGuid(), s.InstanceType(), &layout.PERF_COUNTER_REG_INFO, s.Counters())
		}
	case layout.TemplateKind:
		var s layout.CounterSetInfo
		if s, unreadable = layout.ReadCounterSetInfo(b); unreadable == nil {
			compareSet(c, &layout.PERF_COUNTERSET_INFO, s.CounterSetGuid(), s.InstanceType(), &layout.PERF_COUNTER_INFO, s.Counters())
		}
	case layout.IdentifiersKind:
		for id, err := range layout.ReadCounterIdentifiers(b) {
			if err == nil {
				c.identifier(id)
			}
		}
	case layout.QueryDataKind:
		var data layout.QueryData
		if data, unreadable = layout.ReadQueryData(b); unreadable == nil {
			return c.query(data, identifiers)
		}
	case layout.InstanceBlockKind:
		var in layout.CounterSetInstance
		if in, unreadable = layout.ReadCounterSetInstance(b); unreadable == nil {
			c.instanceBlock(in)
		}
	}
	if unreadable != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, unreadable)
	}
	return nil
}

// A comparison finds the differences between a block and a definition.
type comparison struct {
	p      *Provider
	first  uint32
	others bool // the block has objects of other providers too
	yield  func(*validate.Rule, func() validate.Finding) bool

	// namesOnly means that types, instances and bases are not compared, because an .ini file does not contain them.
	namesOnly bool

	titles map[uint32]Title    // titles by their numbers
	most   uint32              // the largest title number
	bases  map[*Counter]*value // for each counter, the base that follows the counter in V1

	sets map[layout.GUID]index // see [comparison.find]
}

// Rules that [Provider.Compare] reports.
var (
	unknownRule = &rule{Rule: validate.Rule{
		ID: "PERF4501", Name: "def-block-unknown", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each set and counter in a block is in the definition of the provider",
		Why:     "An index or an id that is not in the definition has no name, so consumers cannot show the counter.",
		Fix:     "Check First Counter: in V1, the index of a set or counter is First Counter plus its number in the header (.h). Then correct the index or id in the block, or add the set or counter to the definition.",
		Sources: []validate.Source{iniPage, counterPage},
	}}
	typeRule = &rule{Rule: validate.Rule{
		ID: "PERF4502", Name: "def-block-type", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the type, size and offset of a counter in a block agree with the definition",
		Why:     "Consumers compute the value with the type in the block. Tools that read the definition use the type in the definition, and compute another value.",
		Fix:     "Correct the type in the code or in the definition. perfblock define writes code with the right types.",
		Sources: []validate.Source{counterPage},
	}}
	missingRule = &rule{Rule: validate.Rule{
		ID: "PERF4503", Name: "def-block-missing", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "a set in a block has all counters of the definition",
		Why:     "Consumers list the name of the missing counter, but never show a value.",
		Fix:     "Add the counter to the block, or remove it from the definition.",
		Sources: []validate.Source{iniPage, counterPage},
	}}
	instancesRule = &rule{Rule: validate.Rule{
		ID: "PERF4504", Name: "def-block-instances", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "the instances of a set in a block agree with the definition",
		Why:     "A counter path has an instance name for a set with instances, and none for a set without instances. If the block and the definition disagree, a path that is made from the definition finds no counter.",
		Fix:     "Correct NumInstances or InstanceType in the block, or correct the value of instances in the definition, such as multiple.",
		Sources: []validate.Source{setPage},
	}}
	compareRules = []*rule{unknownRule, typeRule, missingRule, instancesRule}
)

func init() {
	for _, r := range compareRules {
		r.Needs = "the definition of the provider"
		for _, kind := range ComparedKinds() {
			r.Forms = append(r.Forms, kind.String())
		}
	}
}

// A record has a path and an offset in a block.
type record interface {
	Path() layout.Path
	Off() int64
}

// report reports a difference in a field of a record, or in the record if the field is "".
func (c *comparison) report(r *rule, of *layout.Record, at record, field, got, want string) {
	c.yield(&r.Rule, func() validate.Finding { return difference(r, of, at, field, got, want) })
}

func difference(r *rule, of *layout.Record, at record, field, got, want string) validate.Finding {
	f := validate.Finding{Rule: &r.Rule, Path: at.Path(), Off: at.Off(), Len: int(of.Size), Got: got, Want: want}
	if field != "" {
		d := of.Field(field)
		f.Path, f.Off, f.Len = f.Path.Field(field), f.Off+int64(d.At), int(d.Type.Size())
	}
	return f
}

// readTitles sets c.titles, c.most and c.bases from the definition.
func (c *comparison) readTitles() {
	c.titles, c.bases = make(map[uint32]Title), make(map[*Counter]*value)
	for _, t := range c.p.Titles() {
		c.titles[t.Number] = t
		c.most = max(c.most, t.Number)
	}
	objects, _ := c.p.objects("V1 object")
	for i := range objects {
		for j := range objects[i].values {
			if v := &objects[i].values[j]; v.of != nil {
				c.bases[v.of] = v
			}
		}
	}
}

// title returns the title with the given title index, which is First Counter plus the number of the title.
func (c *comparison) title(index uint32) (t Title, is bool) {
	t, is = c.titles[index-c.first]
	return t, is && index >= c.first
}

// objects compares V1 objects with the definition. It skips objects with an error.
func (c *comparison) objects(all iter.Seq2[layout.Object, error]) {
	c.readTitles()
	for o, err := range all {
		if err == nil {
			c.object(o)
		}
	}
}

func (c *comparison) object(o layout.Object) {
	index := o.ObjectNameTitleIndex()
	title, is := c.title(index)
	if !is || title.Counter != nil {
		if own := index >= c.first && index-c.first <= c.most; own || !c.others {
			want := "must be the index of a set in the definition"
			if c.first == 0 {
				want += "; First Counter is taken as 0: give --first-counter, or firstCounter in the definition"
			}
			c.report(unknownRule, &layout.PERF_OBJECT_TYPE, o, "ObjectNameTitleIndex", fmt.Sprintf("ObjectNameTitleIndex is %d", index), want)
		}
		return
	}
	set := title.Set
	name := quoted(set.Name.String())
	if single := set.Instances == layout.PERF_COUNTERSET_SINGLE_INSTANCE; !c.namesOnly && single != (o.NumInstances() == layout.PERF_NO_INSTANCES) && o.NumInstances() >= layout.PERF_NO_INSTANCES {
		c.report(instancesRule, &layout.PERF_OBJECT_TYPE, o, "NumInstances", fmt.Sprintf("NumInstances is %d", o.NumInstances()), fmt.Sprintf("must agree with the definition, where the instances of %s are %s", name, set.InstancesWord()))
	}
	seen := make(map[*Counter]bool)
	var before *Counter // the preceding counter; nil if it is a base, or not a counter of the set
	for d, err := range o.Counters() {
		if err != nil {
			return
		}
		if d.CounterType().IsBase() { // most bases have no title: the preceding counter identifies the base
			if v := c.bases[before]; v != nil {
				c.counter(d, v.typ, v.placed, "the base of "+called(before.Name))
			}
			// An .ini file does not show which counters are bases. The check for missing counters below therefore
			// requires each counter of the set, so this base counts as seen.
			if t, is := c.title(d.CounterNameTitleIndex()); is && c.namesOnly {
				seen[t.Counter] = true
			}
			before = nil
			continue
		}
		before = nil
		t, is := c.title(d.CounterNameTitleIndex())
		if !is || t.Set != set || t.Counter == nil {
			c.report(unknownRule, &layout.PERF_COUNTER_DEFINITION, d, "CounterNameTitleIndex", fmt.Sprintf("CounterNameTitleIndex is %d", d.CounterNameTitleIndex()), "must be the index of a counter of "+name)
			continue
		}
		before, seen[t.Counter] = t.Counter, true
		if !c.namesOnly {
			c.counter(d, t.Counter.Type, t.Counter.Offset, called(t.Counter.Name))
		}
	}
	for i := range set.Counters {
		if counter := &set.Counters[i]; !seen[counter] && !counter.Type.IsBase() {
			c.yield(&missingRule.Rule, func() validate.Finding {
				return difference(missingRule, &layout.PERF_OBJECT_TYPE, o, "", "the object has no "+called(counter.Name), "must have all counters of "+name)
			})
		}
	}
}

// counter checks the type and the size of a counter definition. If offset is not nil, it checks the offset too.
func (c *comparison) counter(d layout.Counter, typ layout.CounterType, offset *uint32, nameInMessage string) {
	width, fixed := typ.Width()
	wide := typ == layout.PERF_AVERAGE_TIMER // Windows writes 8 bytes for this type
	report := func(field, got, want string, args ...any) {
		c.report(typeRule, &layout.PERF_COUNTER_DEFINITION, d, field, field+" is "+got, fmt.Sprintf(want, args...))
	}
	switch {
	case d.CounterType() != typ:
		report("CounterType", d.CounterType().String(), "must be %v, the type of %s", typ, nameInMessage)
	case fixed && d.CounterSize() != width && !(wide && d.CounterSize() == 8):
		report("CounterSize", decimal(d.CounterSize()), "must be %d, the size of a %v", width, typ)
	case offset != nil && d.CounterOffset() != *offset:
		report("CounterOffset", decimal(d.CounterOffset()), "must be %d, the offset of %s", *offset, nameInMessage)
	}
}

// findOrReport returns the result of find. If no set has the GUID, findOrReport reports a finding about r.
func (c *comparison) findOrReport(typ *layout.Record, r record, id layout.GUID) index {
	x := c.find(id)
	if x.set == nil {
		c.report(unknownRule, typ, r, "CounterSetGuid", fmt.Sprintf("CounterSetGuid is %v", id), "must be the GUID of a set in the definition")
	}
	return x
}

// find returns the index of the first set with a GUID. If no set has the GUID, it returns the zero value. The index of a
// set is made only once, because many identifiers and results can belong to one set.
func (c *comparison) find(id layout.GUID) index {
	if c.sets == nil {
		c.sets = make(map[layout.GUID]index)
		for _, s := range c.p.sets() {
			if id := c.p.SetID(s); c.sets[id].set == nil {
				c.sets[id] = index{set: s}
			}
		}
	}
	x := c.sets[id]
	if x.set != nil && x.ids == nil {
		x = x.set.index()
		c.sets[id] = x
	}
	return x
}

// A counterRecord is the record of a counter in a registration or a template.
type counterRecord interface {
	record
	CounterId() uint32
	Type() layout.CounterType
}

// whole is the record at the start of a block. Its path is empty, and its offset is 0.
type whole struct{}

func (whole) Path() layout.Path { return layout.Path{} }
func (whole) Off() int64        { return 0 }

// compareSet compares a registration or a template with the definition. It skips counters with an error. setType and
// counterType are the types of the set record and the counter records.
func compareSet[T counterRecord](c *comparison, setType *layout.Record, id layout.GUID, instances layout.InstanceType, counterType *layout.Record, counters iter.Seq2[T, error]) {
	x := c.findOrReport(setType, whole{}, id)
	set := x.set
	if set == nil {
		return
	}
	name := quoted(set.Name.String())
	if instances != set.Instances {
		c.report(instancesRule, setType, whole{}, "InstanceType", fmt.Sprintf("InstanceType is %v", instances), fmt.Sprintf("must be %v, the InstanceType of %s in the definition", set.Instances, name))
	}
	seen := make(map[int]bool)
	for d, err := range counters {
		if err != nil {
			continue
		}
		i, is := x.ids[d.CounterId()]
		if !is {
			c.report(unknownRule, counterType, d, "CounterId", fmt.Sprintf("CounterId is %d", d.CounterId()), "must be the id of a counter of "+name)
			continue
		}
		seen[i] = true
		if counter := &set.Counters[i]; d.Type() != counter.Type {
			c.report(typeRule, counterType, d, "Type", fmt.Sprintf("Type is %v", d.Type()), fmt.Sprintf("must be %v, the type of %s", counter.Type, called(counter.Name)))
		}
	}
	for i := range set.Counters {
		if counter := &set.Counters[i]; !seen[i] {
			c.report(missingRule, setType, whole{}, "", fmt.Sprintf("the set has no %s", called(counter.Name)), "must have all counters of "+name)
		}
	}
}
