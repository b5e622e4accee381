package main

import (
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// A genBase is the block that gen starts with. It comes from a workload, a spec or a definition.
type genBase struct {
	name  string // for the names of files
	model builder.Model

	// The identifiers and the sets of query data, if they are known.
	identifiers builder.Identifiers
	sets        []builder.CounterSetRegInfo

	names    *titles.Database // nil has only the built-in names
	setNames setNames
}

// firstTitle is the first title index for a definition without firstCounter.
const firstTitle = 20_000

// base returns the block of --workload or of FILE. kindGiven reports whether the user has given --kind.
func (c *genCommand) base(path string, kindGiven bool) (*genBase, error) {
	if c.workload.value != "" {
		w, err := fuzz.FindWorkload(c.workload.value)
		if err != nil {
			return nil, err
		}
		b := &genBase{name: w.Name, model: w.Block()}
		b.identifiers, b.sets = w.Sets()
		return b, c.convert(b, kindGiven)
	}
	text, err := readInput(path)
	switch {
	case err != nil:
		return nil, err
	case len(text) == 0:
		return nil, block.Empty(path)
	}
	if _, is := definition.Detect(path, text); is {
		return c.defined(path, text)
	}
	s, err := spec.Parse(block.NameOf(path), text)
	switch {
	case err != nil && isBlock(path, text):
		return nil, fmt.Errorf("%s: is a block, must be a spec or a definition; make a spec with perfblock dump --format yaml", block.NameOf(path))
	case err != nil:
		return nil, err
	case len(s.Patches) > 0:
		return nil, fmt.Errorf("%s: has patches, must be a spec without faults", block.NameOf(path))
	}
	if _, err := s.Build(); err != nil { // the error has the line
		return nil, err
	}
	b := &genBase{name: baseOf(path), model: s.Model, names: namesOf(s.Model)}
	return b, c.convert(b, kindGiven)
}

// convert makes objects of a data block if --kind requires that. It returns an error for any other kind.
func (c *genCommand) convert(b *genBase, kindGiven bool) error {
	kind := b.model.Kind()
	if !kindGiven || kind.String() == c.kind.value {
		return nil
	}
	if d, ok := b.model.(*builder.DataBlock); ok && c.kind.value == layout.ObjectsKind.String() {
		b.model = new(builder.Objects(d.Objects))
		return nil
	}
	what := b.name
	if c.workload.value != "" {
		what = "the workload " + what
	}
	return fmt.Errorf("%s has the kind %v, not %s", what, kind, c.kind.value)
}

// defined returns the block of a definition. Its instances are invented, and its values are 0.
func (c *genCommand) defined(path string, text []byte) (*genBase, error) {
	f, err := readDefinition(path, text)
	if err != nil {
		return nil, err
	}
	p := f.Provider
	b := &genBase{name: baseOf(path), setNames: namesOfSets(p)}
	switch c.kind.value {
	case layout.QueryDataKind.String():
		q := fuzz.Query(setsOf(p)...)
		b.model, b.identifiers, b.sets = &q.Data, q.Identifiers, q.Sets
		return b, nil
	case layout.DataBlockKind.String(), layout.ObjectsKind.String():
	default:
		return nil, fmt.Errorf("%s: a definition has no block of kind %s, only %s", block.NameOf(path), c.kind.value, kindList(cookedKinds, "and"))
	}
	first := uint32(firstTitle)
	if p.FirstCounter != nil {
		first = *p.FirstCounter
	}
	objects, losses := p.V1(first)
	for _, l := range losses {
		complain(fmt.Errorf("%s: left out: %v", block.NameOf(path), l))
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s: V1 can hold none of its counter sets; use --kind %v", block.NameOf(path), layout.QueryDataKind)
	}
	for i := range objects {
		o := &objects[i]
		if o.NumInstances != 0 {
			continue
		}
		for n := range 3 {
			o.Instance("instance "+strconv.Itoa(n), make([]uint64, len(o.Counters))...)
		}
		o.Instance("_Total", make([]uint64, len(o.Counters))...)
	}
	b.model = &builder.DataBlock{SystemName: "HOST", Objects: objects}
	if c.kind.value == layout.ObjectsKind.String() {
		b.model = new(builder.Objects(objects))
	}
	b.names = namesOf(b.model)
	if p.FirstCounter == nil {
		complain(fmt.Errorf("%s: has no firstCounter, so its first title index is %d; cook shows the names with --titles %s --first-title %d", block.NameOf(path), first, quoted(path), first))
	}
	return b, nil
}
