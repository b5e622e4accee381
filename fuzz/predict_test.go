package fuzz_test

import (
	"cmp"
	"iter"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A said is a finding as a prediction has it.
type said struct{ rule, path string }

// A prediction is what a validator must say of a block that the builder made of a
// model: no error, and for all that the documentation advises against, or that is
// unusual, a warning or an info. It is derived from the model, in the model's terms,
// and from the places that the builder chose for the values; package validate, which
// goes by the bytes, has no part in it.
type prediction struct {
	kind    layout.Kind
	objects []builder.Object
	list    []said
}

func (p *prediction) add(rule string, path layout.Path) {
	p.list = append(p.list, said{rule, path.String()})
}

// predict returns what is to be said of the model, whose block is b.
func predict(t *testing.T, m builder.Model, b []byte) []said {
	t.Helper()
	p := &prediction{kind: m.Kind()}
	switch m := m.(type) {
	case *builder.DataBlock:
		p.header(m)
		data, err := layout.ReadDataBlock(b)
		fatal(t, err)
		p.provided(t, m.Objects, data.Objects())
	case *builder.Objects:
		p.provided(t, *m, layout.ReadObjects(b))
	case *builder.QueryData:
		p.queryData(m)
	case *builder.InstanceList:
		p.named(layout.Path{}, *m)
	case *builder.Identifiers:
		p.identifiers(*m)
	case *builder.StringBuffer:
		p.strings(m)
	case *builder.GUIDs:
		p.guids(*m)
	case *builder.CounterSetRegInfo:
		p.regSet(m)
	case *builder.CounterRegInfo:
		p.regCounter(0, m, nil)
	case *builder.CounterSetInfo:
		p.template(m)
	case *builder.RegString, *builder.RegGUID, *builder.CounterSetInstance: // whatever they are, it is as advised
	default:
		t.Fatalf("no one predicts what is said of a %v", m.Kind())
	}
	sortSaid(p.list)
	return p.list
}

// provided judges objects, with or without a header before them.
func (p *prediction) provided(t *testing.T, objects []builder.Object, views iter.Seq2[layout.Object, error]) {
	t.Helper()
	p.objects = objects
	for view, err := range views {
		fatal(t, err)
		p.object(t, view, &objects[view.Index()])
	}
}

func sortSaid(list []said) {
	slices.SortFunc(list, func(a, b said) int { return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.path, b.path)) })
}

func (p *prediction) header(d *builder.DataBlock) {
	if d.SystemName != "" && d.SystemNameOffset%2 != 0 {
		p.add("data-system-name-even", layout.Path{}.Field("SystemNameOffset"))
	}
	if _, err := d.SystemTime.Time(); d.SystemTime.WMonth == 2 && d.SystemTime.WDay == 30 && err != nil {
		p.add("data-systemtime", layout.Path{}.Field("SystemTime").Field("wDay"))
	}
}

func (p *prediction) object(t *testing.T, view layout.Object, o *builder.Object) {
	t.Helper()
	at := view.Path()
	title := o.ObjectNameTitleIndex
	if title != 0 && p.first(title) != view.Index() {
		p.add("data-object-duplicate", at.Field("ObjectNameTitleIndex"))
	}
	p.titles("obj", at, "Object", title, helpOf(title, o.ObjectHelpTitleIndex, o.NoHelp))
	if len(o.Counters) == 0 {
		p.add("obj-no-counters", at.Field("NumCounters"))
	}
	if lowest := lowestLevel(o.Counters); lowest != 0 && o.DetailLevel != 0 && o.DetailLevel != lowest {
		p.add("obj-detail-level-min", at.Field("DetailLevel"))
	}
	if o.CodePage != 0 {
		p.add("obj-codepage-unicode", at.Field("CodePage"))
		if slices.ContainsFunc(o.Instances, func(in builder.Instance) bool { return in.Name != "" }) {
			p.add("inst-name-codepage", at.Field("CodePage"))
		}
	}
	places := p.counters(t, view, o)
	p.instances(o, at, places)
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		block, err := view.Block()
		if err != nil {
			t.Fatal(err)
		}
		if need := blockNeeds(places); uint32(block.Len()) != need {
			p.add("blk-slack", block.Path().Field("ByteLength"))
		}
		return
	}
	p.blocks(t, view, places)
}

// first returns the position of the first object of that title, -1 if there is none.
func (p *prediction) first(title uint32) int {
	return slices.IndexFunc(p.objects, func(o builder.Object) bool { return o.ObjectNameTitleIndex == title })
}

// helpOf returns the help index that the builder writes.
func helpOf(title, help uint32, none bool) uint32 {
	switch {
	case help != 0:
		return help
	case none || title == 0:
		return 0
	}
	return title + 1
}

// titles judges a pair of title indexes: names are even and not 0, helps odd and one more.
func (p *prediction) titles(family string, at layout.Path, field string, name, help uint32) {
	named := name != 0 && name%2 == 0
	if !named {
		p.add(family+"-name-index", at.Field(field+"NameTitleIndex"))
	}
	path := at.Field(field + "HelpTitleIndex")
	switch {
	case help == 0:
		p.add(family+"-help-none", path)
	case help%2 == 0:
		p.add(family+"-help-index", path)
	case named && help != name+1:
		p.add(family+"-help-follows-name", path)
	}
}

// lowestLevel returns the lowest level of the counters that are no bases, 0 if all are.
func lowestLevel(counters []builder.Counter) layout.DetailLevel {
	lowest := layout.DetailLevel(0)
	for _, c := range counters {
		level := cmp.Or(c.DetailLevel, layout.PERF_DETAIL_NOVICE)
		if !c.CounterType.IsBase() && (lowest == 0 || level < lowest) {
			lowest = level
		}
	}
	return lowest
}

// blocks judges how long the blocks of instances are.
func (p *prediction) blocks(t *testing.T, view layout.Object, places []interval) {
	t.Helper()
	first := 0
	for in, err := range view.Instances() {
		if err != nil {
			t.Fatal(err)
		}
		block, err := in.Block()
		if err != nil {
			t.Fatal(err)
		}
		if first == 0 {
			first = block.Len()
		}
		if block.Len() != first {
			p.add("blk-length-uniform", block.Path().Field("ByteLength"))
		}
		if uint32(block.Len()) != blockNeeds(places) {
			p.add("blk-slack", block.Path().Field("ByteLength"))
		}
	}
}
