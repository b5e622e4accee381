package fuzz_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// configured are what is made as a Config says: each kind, and query data with what belongs to it.
var configured = func() map[string]func(*fuzz.Source, fuzz.Config) any {
	made := map[string]func(*fuzz.Source, fuzz.Config) any{
		joinedName: func(s *fuzz.Source, c fuzz.Config) any { return new(fuzz.Join(s, c)) },
	}
	for _, kind := range layout.Kinds() {
		made[kind.String()] = func(s *fuzz.Source, c fuzz.Config) any { return fuzz.Model(kind, s, c) }
	}
	return made
}()

const joinedName = "joined"

// A Config bounds how much is made, and its bounds are reached.
func TestConfigBounds(t *testing.T) {
	t.Parallel()
	c := fuzz.Config{MaxObjects: 7, MaxCounters: 3, MaxInstances: 30, MaxText: 2}
	most := map[string]int{
		"Objects": 7, "Results": 7, "Identifiers": 7, "GUIDs": 7, "Joined.Sets": 7,
		"Object.Counters": 2 * 3, "RegSet.Counters": 5 * 3, "joined RegSet.Counters": 3, "Counters": 3, "Entries": 3, "SetInstance.Values": 3,
		"Instances": 30, "InstanceList": 30,
	}
	reached := map[string]int{}
	for what, made := range configured {
		for seed := range uint64(400) {
			eachField(reflect.ValueOf(made(fuzz.Seed(seed), c)).Elem(), func(owner, name string, v reflect.Value) {
				of := name
				for _, closer := range []string{owner + "." + name, what + " " + owner + "." + name} {
					if _, ok := most[closer]; ok {
						of = closer
					}
				}
				switch bound, ok := most[of]; {
				case v.Kind() == reflect.String && owner != "Instance" && name != "Texts" && len([]rune(v.String())) > 2 && !strings.HasSuffix(v.String(), "*") && v.String() != "_Total":
					t.Fatalf("%s %q", of, v.String())
				case v.Kind() == reflect.Slice && ok:
					if reached[of] = max(reached[of], v.Len()); v.Len() > bound {
						t.Fatalf("%s: %d %s", what, v.Len(), of)
					}
				}
			})
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
		"Numbers": {fuzz.Config{Numbers: true}, func(owner, name string, v reflect.Value) bool {
			if owner+"."+name == "TemplateCounter.Size" {
				return !slices.Contains([]uint64{0, 4, 8}, v.Uint())
			}
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
		left := false
		for what, made := range configured {
			for seed := range uint64(400) {
				m := made(fuzz.Seed(seed), test.config)
				if err := kept(m); err != nil {
					t.Fatalf("%s: %s of seed %d: %v", name, what, seed, err)
				}
				eachField(reflect.ValueOf(m).Elem(), func(owner, field string, v reflect.Value) {
					if test.out(owner, field, v) {
						t.Errorf("%s: %s of seed %d has %v in %s.%s", name, what, seed, v, owner, field)
					}
				})
				eachField(reflect.ValueOf(made(fuzz.Seed(seed), fuzz.Config{})).Elem(), func(owner, field string, v reflect.Value) {
					left = left || test.out(owner, field, v)
				})
			}
		}
		if !left {
			t.Errorf("%s leaves out nothing", name)
		}
	}
}

// kept returns what is wrong with what was made: it does not decode to what it was, or does
// not go with what belongs to it.
func kept(made any) error {
	if j, ok := made.(*fuzz.Joined); ok {
		ctx, err := j.Context()
		if err != nil {
			return err
		}
		b, err := j.Data.MarshalBinary()
		if err != nil {
			return err
		}
		return validate.Bytes(layout.QueryDataKind, b, ctx).Err(validate.Error)
	}
	m := made.(builder.Model)
	b, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	back, err := builder.NewModel(m.Kind())
	if err == nil {
		err = back.UnmarshalBinary(b)
	}
	if err == nil && !reflect.DeepEqual(m, back) {
		err = errors.New("it does not decode to what it was")
	}
	return err
}

const asciiLetters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
