package fuzz_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestBuiltIsValid checks that a generated block has no error, and has the findings that predict computes.
func TestBuiltIsValid(t *testing.T) {
	t.Parallel()
	reported := map[string]int{}
	for _, kind := range layout.Kinds() {
		for seed := range uint64(3 * sampleSize) {
			for _, f := range builtIsValid(t, kind, fuzz.Seed(seed)) {
				reported[f.rule]++
			}
		}
	}
	for _, rule := range predicted {
		if reported[rule] == 0 {
			t.Errorf("no generated block breaks %s, so its prediction tests nothing", rule)
		}
	}
}

func FuzzBuiltIsValid(f *testing.F) {
	addChoices(f)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) { builtIsValid(t, kindOf(kind), fuzz.FromBytes(data)) })
}

// builtIsValid checks the properties of TestBuiltIsValid for one model. It returns the findings of the rules in
// `predicted`.
func builtIsValid(t *testing.T, kind layout.Kind, s *fuzz.Source) []namedFinding {
	t.Helper()
	m := fuzz.Model(kind, s, fuzz.Config{})
	b, err := m.MarshalBinary()
	fatal(t, err)
	result := validate.Bytes(kind, b, validate.Context{})
	if err := result.Err(validate.Error); err != nil {
		t.Fatalf("a built block has errors: %v\n% x", err, b)
	}
	var got []namedFinding
	for _, f := range result.Findings {
		if slices.Contains(predicted, f.Rule.Name) {
			got = append(got, namedFinding{f.Rule.Name, f.Path.String()})
		}
	}
	want := predict(m)
	for _, list := range [][]namedFinding{got, want} {
		slices.SortFunc(list, func(a, b namedFinding) int { return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.path, b.path)) })
	}
	if !slices.Equal(want, got) {
		t.Fatalf("findings in a %v (-predicted +reported):\n%s\n% x", kind, unlike(want, got), b)
	}
	return got
}

type namedFinding struct{ rule, path string }

// predicted lists the rules whose findings the tests compute from a model.
var predicted = []string{
	"obj-name-index", "obj-help-none", "obj-help-index", "obj-help-follows-name",
	"ctr-name-index", "ctr-help-none", "ctr-help-index", "ctr-help-follows-name", "ctr-name-duplicate",
	"data-object-duplicate", "inst-unique-id-duplicate", "inst-unnamed", "inst-parent-missing", "inst-parent-stray",
	"obj-no-counters", "v2-no-counters", "v2-reginfo-no-counters", "v2-multi-counters-empty", "v2-multi-instances-empty",
	"v2-guid-list-duplicate", "v2-strings-duplicate-id", "v2-multi-counters-duplicate-id",
	"v2-status-with-data", "v2-error-return-status-zero",
}

// A prediction lists the findings that package validate must report in the block of a model. It is computed from the
// model and not from the block.
type prediction []namedFinding

func (p *prediction) add(condition bool, rule string, path layout.Path) {
	if condition {
		*p = append(*p, namedFinding{rule, path.String()})
	}
}

// predict returns the findings that the validator must report in the block of a model. The findings are those of the
// rules in `predicted`.
func predict(m builder.Model) (p prediction) {
	top := layout.Path{}
	switch m := m.(type) {
	case *builder.DataBlock:
		p.addObjects(m.Objects, true)
	case *builder.Objects:
		p.addObjects(*m, false)
	case *builder.QueryData:
		p.add(len(m.Results) == 0, "v2-no-counters", top.Field("dwNumCounters"))
		for i := range m.Results {
			p.addResult(top.At("result", i), &m.Results[i])
		}
	case *builder.CounterSetRegInfo:
		p.add(len(m.Counters) == 0, "v2-reginfo-no-counters", top.Field("NumCounters"))
	case *builder.GUIDs:
		for i, id := range *m {
			p.add(slices.Contains((*m)[:i], id), "v2-guid-list-duplicate", top.At("guid", i))
		}
	case *builder.StringBuffer:
		seen := map[uint32]bool{}
		for i, e := range m.Entries {
			p.add(seen[e.CounterId], "v2-strings-duplicate-id", top.At("entry", i).Field("dwCounterId"))
			seen[e.CounterId] = true
		}
	}
	return p
}

// addObjects adds the predicted findings of objects. In a whole data block, the object that contains the parent of an
// instance must exist. In the list of one provider, this object may be missing.
func (p *prediction) addObjects(objects []builder.Object, wholeBlock bool) {
	titles := map[uint32]bool{}
	for _, o := range objects {
		titles[o.ObjectNameTitleIndex] = true
	}
	seen := map[uint32]bool{}
	for i := range objects {
		o, at := &objects[i], layout.Path{}.At("object", i)
		title := o.ObjectNameTitleIndex
		p.addTitles("obj", at, "Object", title, helpOf(title, o.ObjectHelpTitleIndex, o.NoHelp))
		p.add(title != 0 && seen[title], "data-object-duplicate", at.Field("ObjectNameTitleIndex"))
		seen[title] = true
		p.add(len(o.Counters) == 0, "obj-no-counters", at.Field("NumCounters"))
		names := map[uint32]bool{}
		for j, c := range o.Counters {
			if c.CounterType.IsBase() {
				continue
			}
			at, title := at.At("counter", j), c.CounterNameTitleIndex
			p.addTitles("ctr", at, "Counter", title, helpOf(title, c.CounterHelpTitleIndex, c.NoHelp))
			p.add(title != 0 && names[title], "ctr-name-duplicate", at.Field("CounterNameTitleIndex"))
			names[title] = true
		}
		ids := map[int32]bool{}
		for j, in := range o.Instances {
			at := at.At("instance", j)
			p.add(in.Name == "" && in.UniqueID == nil, "inst-unnamed", at.Field("NameLength"))
			if in.UniqueID != nil {
				p.add(ids[*in.UniqueID], "inst-unique-id-duplicate", at.Field("UniqueID"))
				ids[*in.UniqueID] = true
			}
			parent := in.ParentObjectTitleIndex
			p.add(parent == 0 && in.ParentObjectInstance != 0, "inst-parent-stray", at.Field("ParentObjectInstance"))
			p.add(parent != 0 && wholeBlock && !titles[parent], "inst-parent-missing", at.Field("ParentObjectTitleIndex"))
		}
	}
}

// addTitles adds the predicted findings about the title indexes of a name and of its help text.
func (p *prediction) addTitles(family string, at layout.Path, field string, name, help uint32) {
	named := name != 0 && name%2 == 0
	p.add(!named, family+"-name-index", at.Field(field+"NameTitleIndex"))
	path := at.Field(field + "HelpTitleIndex")
	p.add(help == 0, family+"-help-none", path)
	p.add(help != 0 && help%2 == 0, family+"-help-index", path)
	p.add(help%2 == 1 && named && help != name+1, family+"-help-follows-name", path)
}

// helpOf returns the help title index that the builder writes for a name title.
func helpOf(title, help uint32, none bool) uint32 {
	if help == 0 && !none && title != 0 {
		return title + 1
	}
	return help
}

// addResult predicts the findings in one result of query data.
func (p *prediction) addResult(at layout.Path, r *builder.Result) {
	isError := r.Type == layout.PERF_ERROR_RETURN
	p.add(!isError && r.Status != 0, "v2-status-with-data", at.Field("dwStatus"))
	p.add(isError && r.Status == 0, "v2-error-return-status-zero", at.Field("dwStatus"))
	if r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET {
		p.add(len(r.Counters) == 0, "v2-multi-counters-empty", at.Field("ids").Field("dwCounters"))
		seen := map[uint32]bool{}
		for i, c := range r.Counters {
			p.add(seen[c.CounterId], "v2-multi-counters-duplicate-id", at.Field("ids").At("id", i))
			seen[c.CounterId] = true
		}
	}
	if r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET {
		p.add(len(r.Instances) == 0, "v2-multi-instances-empty", at.Field("instances").Field("dwInstances"))
	}
}

// TestJoined validates the query data of fuzz.Join without and with the context of Join. The findings must be equal.
func TestJoined(t *testing.T) {
	t.Parallel()
	several, failed, sets := 0, 0, 0
	for seed := range uint64(3 * sampleSize) {
		j := fuzz.Join(fuzz.Seed(seed), fuzz.Config{})
		checkJoined(t, j)
		if len(j.Data.Results) > 1 {
			several++
		}
		if slices.ContainsFunc(j.Data.Results, func(r builder.Result) bool { return r.Type == layout.PERF_ERROR_RETURN }) {
			failed++
		}
		if n := len(j.Sets); n > 0 && n < len(j.Data.Results) {
			sets++
		}
	}
	if several < sampleSize || failed < sampleSize/4 || sets < sampleSize/20 {
		t.Errorf("of %d generated queries %d have several results, %d an error and %d two results of one set", 3*sampleSize, several, failed, sets)
	}
	ctx, err := fuzz.Join(fuzz.FromBytes(nil), fuzz.Config{}).Context()
	fatal(t, err)
	if ctx.Identifiers == nil || len(ctx.Identifiers) > 0 || len(ctx.Registrations) > 0 {
		t.Errorf("the context of a query without results is %+v", ctx)
	}
}

func FuzzJoined(f *testing.F) {
	for seed := range uint64(32) {
		f.Add(fuzz.Input(layout.QueryDataKind, seed, fuzz.Config{}))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkJoined(t, fuzz.Join(fuzz.FromBytes(data), fuzz.Config{})) })
}

func checkJoined(t *testing.T, j fuzz.Joined) {
	t.Helper()
	ctx, err := j.Context()
	fatal(t, err)
	if len(j.Identifiers) != len(j.Data.Results) {
		t.Fatalf("%d identifiers for %d results", len(j.Identifiers), len(j.Data.Results))
	}
	sameFindings(t, &j.Data, ctx)
	sameFindings(t, &j.Identifiers, validate.Context{Registrations: ctx.Registrations})
	for i := range j.Sets {
		if err := validate.Bytes(layout.RegSetKind, ctx.Registrations[i], validate.Context{}).Err(validate.Error); err != nil {
			t.Fatalf("a registration has errors: %v", err)
		}
	}
}

// sameFindings checks that a model has the same findings with and without the context.
func sameFindings(t *testing.T, m builder.Model, ctx validate.Context) {
	t.Helper()
	b, err := m.MarshalBinary()
	fatal(t, err)
	alone, joined := validate.Bytes(m.Kind(), b, validate.Context{}), validate.Bytes(m.Kind(), b, ctx)
	if diff := unlike(alone.Findings, joined.Findings); diff != "" || joined.Counts.Error > 0 {
		t.Fatalf("findings in a %v with context (-alone +with context):\n%s", m.Kind(), diff)
	}
}
