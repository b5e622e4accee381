package fuzz_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var endless = fuzz.Config{MaxObjects: math.MaxInt, MaxCounters: math.MaxInt, MaxInstances: math.MaxInt, MaxText: math.MaxInt}

// What is made is valid and made in time, however much a Config allows.
func TestConfigWithoutBounds(t *testing.T) {
	t.Parallel()
	for _, separator := range fuzz.Separators {
		data := []byte("\x1D" + strings.Repeat(string(separator), 70_000))
		for _, kind := range layout.Kinds() {
			// Registered counters have their parts in no object.
			for _, data := range [][]byte{data, data[1:]} {
				m := fuzz.Model(kind, fuzz.FromBytes(data), endless)
				if _, err := m.MarshalBinary(); err != nil {
					t.Errorf("%v of many %q: %v", kind, separator, err)
				}
			}
		}
		j := fuzz.Join(fuzz.FromBytes(data), endless)
		if _, err := j.Context(); err != nil {
			t.Errorf("joined, of many %q: %v", separator, err)
		}
	}
	// Instances of one name, each of which is to differ from all the others.
	named := strings.Repeat("\x1F"+strings.Repeat("\x00", 12)+"\xFF\x00", 10_000)
	objects := fuzz.Objects(fuzz.FromBytes([]byte(strings.Repeat("\x1D"+named, 20))), endless)
	for _, o := range objects {
		if last := o.Instances[len(o.Instances)-1].Name; last != "a#9999" {
			t.Errorf("of many instances of one name the last is %q", last)
		}
	}
}

// A breaker makes no longer lists than can be.
func TestBreakWithoutBounds(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		if _, err := fuzz.Break(r.Name, fuzz.Seed(1), endless); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// ASCII holds for the texts that are values too, and not for bytes that are no text.
func TestConfigASCIITexts(t *testing.T) {
	t.Parallel()
	texts, others := 0, 0
	for seed := range uint64(2000) {
		for _, o := range fuzz.Objects(fuzz.Seed(seed), fuzz.Config{ASCII: true}) {
			var types []layout.CounterType
			for _, c := range o.Counters {
				if _, fixed := c.CounterType.Width(); !fixed {
					types = append(types, c.CounterType)
				}
			}
			for _, in := range append(slices.Clone(o.Instances), builder.Instance{Texts: o.Texts}) {
				for i, text := range in.Texts {
					if other := strings.Trim(text, asciiLetters) != ""; other && types[i].IsText() {
						t.Fatalf("seed %d: %q of type %v", seed, text, types[i])
					} else if other {
						others++
					}
					if types[i] == layout.PERF_SIZE_VARIABLE_LEN|layout.PERF_TYPE_TEXT|layout.PERF_TEXT_ASCII && text != "" {
						texts++
					}
				}
			}
		}
	}
	if texts == 0 || others == 0 {
		t.Errorf("%d texts and %d others came up", texts, others)
	}
}
