package fuzz_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// configured has the functions that use a Config, by name. The functions are Join, and Model for each kind.
var configured = func() map[string]func(*fuzz.Source, fuzz.Config) any {
	made := map[string]func(*fuzz.Source, fuzz.Config) any{
		"joined": func(s *fuzz.Source, c fuzz.Config) any { return new(fuzz.Join(s, c)) },
	}
	for _, kind := range layout.Kinds() {
		made[kind.String()] = func(s *fuzz.Source, c fuzz.Config) any { return fuzz.Model(kind, s, c) }
	}
	return made
}()

// A limitCase is a Config field that limits the length of a list or text.
type limitCase struct {
	name            string
	byDefault, most int
	config          func(n int) fuzz.Config
	data            func(n int) string // the bytes that make a list of n elements or a text of n characters
	length          func(*fuzz.Source, fuzz.Config) int
}

func maxObjects(n int) fuzz.Config   { return fuzz.Config{MaxObjects: n} }
func maxCounters(n int) fuzz.Config  { return fuzz.Config{MaxCounters: n} }
func maxInstances(n int) fuzz.Config { return fuzz.Config{MaxInstances: n} }

func objectParts(n int) string   { return strings.Repeat("\x1D", n) }
func counterParts(n int) string  { return "\x1D" + strings.Repeat("\x1E", n) }
func instanceParts(n int) string { return "\x1D" + strings.Repeat("\x1F", n) }

var limitCases = []limitCase{
	{"objects", 4, 10_000, maxObjects, objectParts, func(s *fuzz.Source, c fuzz.Config) int {
		return len(*fuzz.New[builder.Objects](s, c))
	}},
	{"counters", 10, 1000, maxCounters, counterParts, func(s *fuzz.Source, c fuzz.Config) int {
		return len((*fuzz.New[builder.Objects](s, c))[0].Counters)
	}},
	{"instances", 6, 10_000, maxInstances, instanceParts, func(s *fuzz.Source, c fuzz.Config) int {
		return len((*fuzz.New[builder.Objects](s, c))[0].Instances)
	}},
	{"characters of a text, without a limit", 24, 100_000,
		func(n int) fuzz.Config { return fuzz.Config{MaxText: n} },
		func(n int) string { return "\x00" + strings.Repeat("\xFF\x00", min(n, 100_000)) },
		func(s *fuzz.Source, c fuzz.Config) int { return len(*fuzz.New[builder.RegString](s, c)) }},
	{"results of Join", 4, 10_000, maxObjects, objectParts, func(s *fuzz.Source, c fuzz.Config) int {
		return len(fuzz.Join(s, c).Data.Results)
	}},
	{"objects of Break beside the broken one", 4, 100, maxObjects, objectParts, func(s *fuzz.Source, c fuzz.Config) int {
		broken, err := fuzz.Break("data-version", s, c)
		var d builder.DataBlock
		if err != nil || d.UnmarshalBinary(broken.Before) != nil {
			return -1
		}
		return len(d.Objects) - 1
	}},
}

// TestConfigBounds checks that each list or text is exactly as long as the limit of a Config if the source has enough
// bytes. Join must make a counter set with MaxCounters counters, and no larger counter set.
func TestConfigBounds(t *testing.T) {
	t.Parallel()
	for _, b := range limitCases {
		for _, n := range []int{-1, 0, 1, b.most, b.most + 1} {
			want := min(n, b.most)
			if n <= 0 {
				want = b.byDefault
			}
			if got := b.length(fuzz.FromBytes([]byte(b.data(b.most+10))), b.config(n)); got != want {
				t.Errorf("%s: a Config of %d makes %d, want %d", b.name, n, got, want)
			}
		}
	}
	for _, n := range []int{1, 2, 3} {
		most := 0
		for seed := range uint64(200) {
			for _, set := range fuzz.Join(fuzz.Seed(seed), maxCounters(n)).Sets {
				most = max(most, len(set.Counters))
			}
		}
		if most != n {
			t.Errorf("Join makes %d counters in a set for MaxCounters %d", most, n)
		}
	}
}

// TestConfigWithoutBounds checks that the generator makes valid models, and ends, if each bound in Config is the largest
// number.
func TestConfigWithoutBounds(t *testing.T) {
	t.Parallel()
	endless := fuzz.Config{MaxObjects: math.MaxInt, MaxCounters: math.MaxInt, MaxInstances: math.MaxInt, MaxText: math.MaxInt}
	for _, separator := range fuzz.Separators {
		data := []byte("\x1D" + strings.Repeat(string(separator), 20_000))
		for _, kind := range layout.Kinds() {
			// The first \x1D starts an object. data[1:] omits it, because many kinds have no objects.
			for _, data := range [][]byte{data, data[1:]} {
				m := fuzz.Model(kind, fuzz.FromBytes(data), endless)
				if _, err := m.MarshalBinary(); err != nil {
					t.Errorf("%v of many %q: %v", kind, separator, err)
				}
			}
		}
		if _, err := fuzz.Join(fuzz.FromBytes(data), endless).Context(); err != nil {
			t.Errorf("Join of many %q: %v", separator, err)
		}
	}
	// These bytes choose the same name for many instances. The generator must make the names differ.
	named := strings.Repeat("\x1F"+strings.Repeat("\x00", 12)+"\xFF\x00", 10_000)
	for _, o := range *fuzz.New[builder.Objects](fuzz.FromBytes([]byte(strings.Repeat("\x1D"+named, 3))), endless) {
		if last := o.Instances[len(o.Instances)-1].Name; last != "a#9999" {
			t.Errorf("the last of many instances with one name is %q", last)
		}
	}
}

// eachField calls `see` for each field of each struct in v, and for each list whose type has a name.
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

// overrides are the model fields that replace a computed value. If Config.Computed is set, the generator leaves them
// zero, so that the encoder computes the value.
var overrides = []string{
	"CounterInfo.Size", "DataBlock.PerfFreq", "QueryData.PerfFreq", "Object.PerfFreq", "Object.PerfTime",
	"DataBlock.SystemTime", "QueryData.SystemTime", "DataBlock.SystemNameOffset", "DataBlock.HeaderLength",
	"Object.ObjectHelpTitleIndex", "Object.NoHelp", "Object.DetailLevel", "Object.DefaultCounter", "Object.BlockLength",
	"Counter.CounterHelpTitleIndex", "Counter.NoHelp", "Counter.DetailLevel", "Counter.CounterSize", "Counter.CounterOffset",
	"Instance.NameOffset", "Instance.ByteLength", "Instance.BlockLength",
	"Result.ShortIDs", "QueryInstance.Size", "InstanceHeader.Size", "CounterIdentifier.Size", "StringBuffer.FromEntries",
}

// TestConfigLeavesOut checks that ASCII, Numbers and Computed leave out values that other models have.
func TestConfigLeavesOut(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  fuzz.Config
		leftOut func(owner, name string, v reflect.Value) bool
	}{
		"ASCII": {fuzz.Config{ASCII: true, Numbers: true}, func(_, name string, v reflect.Value) bool {
			return v.Kind() == reflect.String && strings.ContainsFunc(v.String(), notASCII) || name == "CodePage" && !v.IsZero()
		}},
		"Numbers": {fuzz.Config{Numbers: true}, func(owner, name string, v reflect.Value) bool {
			if owner+"."+name == "CounterInfo.Size" {
				return !slices.Contains([]uint64{0, 4, 8}, v.Uint())
			}
			t, ok := v.Interface().(layout.CounterType)
			n, fixed := t.Width()
			return ok && (!fixed || n == 0) || (name == "Texts" || name == "Bytes") && !v.IsZero()
		}},
		"Computed": {fuzz.Config{Computed: true}, func(owner, name string, v reflect.Value) bool {
			return slices.Contains(overrides, owner+"."+name) && !v.IsZero()
		}},
	} {
		some := false
		for what, made := range configured {
			for seed := range uint64(sampleSize / 3) {
				m := made(fuzz.Seed(seed), test.config)
				t.Run(fmt.Sprintf("%s: %s of seed %d", name, what, seed), func(t *testing.T) {
					switch m := m.(type) {
					case *fuzz.Joined:
						checkJoined(t, *m)
					case builder.Model:
						modelSurvives(t, m)
					}
					eachField(reflect.ValueOf(m).Elem(), func(owner, field string, v reflect.Value) {
						if test.leftOut(owner, field, v) {
							t.Errorf("it has %v in %s.%s", v, owner, field)
						}
					})
				})
				eachField(reflect.ValueOf(made(fuzz.Seed(seed), fuzz.Config{})).Elem(), func(owner, field string, v reflect.Value) {
					some = some || test.leftOut(owner, field, v)
				})
			}
		}
		if !some {
			t.Errorf("%s leaves out nothing", name)
		}
	}
}

func notASCII(r rune) bool { return r < ' ' || r > '~' }

// TestConfigASCIITexts checks that texts have only ASCII characters if Config.ASCII is set. Values that are bytes and
// not texts may have any bytes.
func TestConfigASCIITexts(t *testing.T) {
	t.Parallel()
	texts, others := 0, 0
	for seed := range uint64(2000) {
		for _, o := range *fuzz.New[builder.Objects](fuzz.Seed(seed), fuzz.Config{ASCII: true}) {
			var types []layout.CounterType
			for _, c := range o.Counters {
				if _, fixed := c.CounterType.Width(); !fixed {
					types = append(types, c.CounterType)
				}
			}
			for _, in := range append(slices.Clone(o.Instances), builder.Instance{Texts: o.Texts}) {
				for i, text := range in.Texts {
					switch other := strings.ContainsFunc(text, notASCII); {
					case other && types[i].IsText():
						t.Fatalf("seed %d: %q has type %v", seed, text, types[i])
					case other:
						others++
					case types[i].IsText() && text != "":
						texts++
					}
				}
			}
		}
	}
	if texts == 0 || others == 0 {
		t.Errorf("%d texts and %d other values were generated", texts, others)
	}
}

// TestInputKeepsToItsConfig checks Input with several Configs. The model from the bytes that Input returns must be
// equal to the model from the seed.
func TestInputKeepsToItsConfig(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		for _, n := range []int{-1, 0, 1, 10_001} {
			c := fuzz.Config{MaxObjects: n, MaxCounters: n, MaxInstances: n, MaxText: n}
			for seed := range uint64(20) {
				want := fuzz.Model(kind, fuzz.Seed(seed), c)
				if !reflect.DeepEqual(want, fuzz.Model(kind, fuzz.FromBytes(fuzz.Input(kind, seed, c)), c)) {
					t.Errorf("the input of seed %d makes another %v with bounds of %d", seed, kind, n)
				}
				if n <= 0 && !reflect.DeepEqual(want, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})) {
					t.Errorf("seed %d makes another %v with bounds of %d than by default", seed, kind, n)
				}
			}
		}
	}
}
