package fuzz_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A Config bounds how much is made, and its bounds are reached.
func TestConfigBounds(t *testing.T) {
	t.Parallel()
	c := fuzz.Config{MaxObjects: 7, MaxCounters: 3, MaxInstances: 30, MaxText: 2}
	most := map[string]int{
		"Objects": 7, "Results": 7, "Identifiers": 7, "GUIDs": 7,
		"Object.Counters": 2 * 3, "RegSet.Counters": 5 * 3, "Counters": 3, "Entries": 3, "SetInstance.Values": 3,
		"Instances": 30, "InstanceList": 30,
	}
	reached := map[string]int{}
	for _, kind := range layout.Kinds() {
		for seed := range uint64(400) {
			see := func(owner, name string, v reflect.Value) {
				of := owner + "." + name
				if _, ok := most[of]; !ok {
					of = name
				}
				switch bound, ok := most[of]; {
				case v.Kind() == reflect.String && owner != "Instance" && name != "Texts" && len([]rune(v.String())) > 2 && !strings.HasSuffix(v.String(), "*") && v.String() != "_Total":
					t.Fatalf("%s %q", of, v.String())
				case v.Kind() == reflect.Slice && ok:
					if reached[of] = max(reached[of], v.Len()); v.Len() > bound {
						t.Fatalf("%d %s", v.Len(), of)
					}
				}
			}
			eachField(reflect.ValueOf(fuzz.Model(kind, fuzz.Seed(seed), c)).Elem(), see)
		}
	}
	for of, bound := range most {
		switch of {
		case "Object.Counters", "RegSet.Counters": // which are more than the bound by what is referred to
			bound = 4
		case "Instances", "InstanceList":
			bound = 20 // so many are rare
		}
		if reached[of] < bound {
			t.Errorf("%s: %d at the most of %d", of, reached[of], bound)
		}
	}
}

// eachField calls see with each field and list in v.
func eachField(v reflect.Value, see func(owner, name string, v reflect.Value)) {
	t := v.Type()
	switch v.Kind() {
	case reflect.Slice:
		if t.Name() != "" {
			see("", t.Name(), v)
		}
		for i := range v.Len() {
			eachField(v.Index(i), see)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			see(t.Name(), t.Field(i).Name, v.Field(i))
			eachField(v.Field(i), see)
		}
	}
}

// A Config leaves out what its author does not read.
func TestConfigShapes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		config fuzz.Config
		out    func(owner, name string, v reflect.Value) bool // what is to be left out
	}{
		"ASCII": {fuzz.Config{ASCII: true, Numbers: true}, func(_, name string, v reflect.Value) bool {
			return v.Kind() == reflect.String && strings.Trim(v.String(), asciiLetters) != "" || name == "CodePage" && !v.IsZero()
		}},
		"Numbers": {fuzz.Config{Numbers: true}, func(_, name string, v reflect.Value) bool {
			t, ok := v.Interface().(layout.CounterType)
			n, fixed := t.Width()
			return ok && (!fixed || n == 0) || (name == "Texts" || name == "Bytes") && !v.IsZero()
		}},
		"Computed": {fuzz.Config{Computed: true}, func(owner, name string, v reflect.Value) bool {
			switch owner + "." + name {
			case "TemplateCounter.Size", "DataBlock.PerfFreq", "QueryData.PerfFreq", "Object.PerfFreq", "Object.PerfTime",
				"DataBlock.SystemTime", "QueryData.SystemTime", "DataBlock.SystemNameOffset", "DataBlock.HeaderLength",
				"Object.ObjectHelpTitleIndex", "Object.NoHelp", "Object.DetailLevel", "Object.DefaultCounter", "Object.BlockLength",
				"Counter.CounterHelpTitleIndex", "Counter.NoHelp", "Counter.DetailLevel", "Counter.CounterSize", "Counter.CounterOffset",
				"Instance.NameOffset", "Instance.ByteLength", "Instance.BlockLength",
				"Result.ShortIDs", "QueryInstance.Size", "ListedInstance.Size", "Identifier.Size", "Strings.FromEntries":
				return !v.IsZero()
			}
			return false
		}},
	}
	for name, test := range tests {
		left := map[string]bool{}
		for _, kind := range layout.Kinds() {
			for seed := range uint64(400) {
				m := fuzz.Model(kind, fuzz.Seed(seed), test.config)
				b, err := m.MarshalBinary()
				fatal(t, err)
				back, err := builder.NewModel(kind)
				fatal(t, err)
				fatal(t, back.UnmarshalBinary(b))
				if !reflect.DeepEqual(m, back) {
					t.Fatalf("%s: %v of seed %d does not decode to what it was", name, kind, seed)
				}
				eachField(reflect.ValueOf(m).Elem(), func(owner, field string, v reflect.Value) {
					if test.out(owner, field, v) {
						t.Errorf("%s: %v of seed %d has %v in %s.%s", name, kind, seed, v, owner, field)
					}
				})
				eachField(reflect.ValueOf(fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})).Elem(), func(owner, field string, v reflect.Value) {
					left[owner+"."+field] = left[owner+"."+field] || test.out(owner, field, v)
				})
			}
		}
		if len(left) == 0 {
			t.Errorf("%s leaves out nothing", name)
		}
	}
}

const asciiLetters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
