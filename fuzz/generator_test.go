package fuzz_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// The tests in this file check guarantees in the package comment. builtvalid_test.go and coverage_test.go check the
// rest.

// FuzzGenerator checks the properties of TestSameBytesSameBlock and TestMoreBytesNeverMakeLess.
func FuzzGenerator(f *testing.F) {
	for i, kind := range layout.Kinds() {
		for seed := range uint64(4) {
			f.Add(uint8(i), fuzz.Input(kind, seed, fuzz.Config{}), uint16(7*seed))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte, n uint16) {
		sameBlock(t, kindOf(kind), data)
		neverLess(t, kindOf(kind), data, int(n)%(len(data)+1))
	})
}

// TestSameBytesSameBlock checks that a seed always makes the same model. The bytes that Input returns for the seed must
// make the same model too.
func TestSameBytesSameBlock(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		for seed := range uint64(sampleSize / 5) {
			made := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})
			if diff := unlike(made, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})); diff != "" {
				t.Fatalf("seed %d makes two different models of kind %v:\n%s", seed, kind, diff)
			}
			input := fuzz.Input(kind, seed, fuzz.Config{})
			sameBlock(t, kind, input)
			if diff := unlike(made, fuzz.Model(kind, fuzz.FromBytes(input), fuzz.Config{})); diff != "" {
				t.Fatalf("the input of seed %d makes another %v (-seed +input):\n%s", seed, kind, diff)
			}
		}
	}
	if fuzz.Input(layout.Kind(len(layout.Kinds())), 1, fuzz.Config{}) != nil {
		t.Error("an unknown kind has an input")
	}
}

// sameBlock makes a model from data twice and compares the models. Bytes after data in the same array must have no effect,
// and data must not change.
func sameBlock(t *testing.T, kind layout.Kind, data []byte) {
	t.Helper()
	roomy := append(bytes.Clone(data), fuzz.Separators+"\xFF\xFF\xFF\xFF"...)[:len(data)]
	first, again := fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}), fuzz.Model(kind, fuzz.FromBytes(roomy), fuzz.Config{})
	if diff := unlike(first, again); diff != "" {
		t.Fatalf("the same bytes make two different models of kind %v:\n%s", kind, diff)
	}
	if !bytes.Equal(data, roomy) {
		t.Fatal("the bytes of a source changed")
	}
}

// TestNoBytesMakeThePlainest checks that a source without bytes makes only zero values and empty lists.
func TestNoBytesMakeThePlainest(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		plain := fuzz.Model(kind, fuzz.FromBytes(nil), fuzz.Config{})
		for list, n := range records(plain) {
			if kind != layout.TemplateKind || n > 1 { // a template has at least one counter
				t.Errorf("a source without bytes makes a %v with %d records in %s", kind, n, list)
			}
		}
		for path, v := range leafValues(plain) {
			if !reflect.ValueOf(v).IsZero() && !strings.HasSuffix(path, ".len") {
				t.Errorf("a source without bytes makes a %v with %v in %s", kind, v, path)
			}
		}
		if m := fuzz.Model(kind, new(fuzz.Source), fuzz.Config{}); !reflect.DeepEqual(m, plain) {
			t.Errorf("the zero Source makes %#v", m)
		}
	}
}

// TestMoreBytesNeverMakeLess checks that no list becomes shorter if more bytes follow the bytes of a source.
func TestMoreBytesNeverMakeLess(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		most := 2 * sampleSize // bytes
		if kind == layout.RegSetKind {
			most *= 4 // a counter can add the counters to which it refers, so this kind needs the most bytes
		}
		for seed, tried := uint64(0), 0; tried < most && seed < 100; seed++ {
			input := fuzz.Input(kind, seed, fuzz.Config{})
			for n := range len(input) {
				neverLess(t, kind, input[:n+1], n)
			}
			tried += len(input)
		}
		var larger strings.Builder
		larger.WriteString("\x00\xFF\x00")          // letters of a name
		for _, b := range []byte(fuzz.Separators) { // two objects, two counters, two instances
			larger.WriteString(strings.Repeat(string([]byte{b})+strings.Repeat("\xFF\x00", 20), 2))
		}
		fixed := kind == layout.RegCounterKind || kind == layout.RegGUIDKind
		if none, some := encodedLen(t, kind, nil), encodedLen(t, kind, []byte(larger.String())); some > none == fixed {
			t.Errorf("a %v has %d bytes without input and %d bytes with input", kind, none, some)
		}
	}
}

func encodedLen(t *testing.T, kind layout.Kind, data []byte) int {
	t.Helper()
	n, err := fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}).EncodedLen()
	fatal(t, err)
	return n
}

// neverLess makes one model from all bytes of data, and another model from only the first n bytes. No list may be
// shorter in the model from all bytes.
func neverLess(t *testing.T, kind layout.Kind, data []byte, n int) {
	t.Helper()
	whole := records(fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}))
	for path, before := range records(fuzz.Model(kind, fuzz.FromBytes(data[:n]), fuzz.Config{})) {
		if whole[path] < before {
			t.Fatalf("%d bytes make a %v with %d records in %s, the %d bytes\n%q\nmake %d", n, kind, before, path, len(data), data, whole[path])
		}
	}
}

// TestEveryBlockEnds checks that 100,000 equal bytes of a source make a block of at most 20,000 bytes. It checks the
// same if separators replace some of the equal bytes.
func TestEveryBlockEnds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for b := 0; b < 256; b += long.Count(10, 1) {
		mixed := bytes.Repeat([]byte{byte(b)}, 100_000)
		for range 200 {
			mixed[r.IntN(len(mixed))] = fuzz.Separators[r.IntN(len(fuzz.Separators))]
		}
		for _, data := range [][]byte{bytes.Repeat([]byte{byte(b)}, 100_000), mixed} {
			for _, kind := range layout.Kinds() {
				if n := encodedLen(t, kind, data); n > 20_000 {
					t.Fatalf("bytes %#x make a %v of %d bytes", b, kind, n)
				}
			}
		}
	}
}

// TestSmallChangesStaySmall checks that a change of one byte of the source usually changes few values of the model.
func TestSmallChangesStaySmall(t *testing.T) {
	t.Parallel()
	c := fuzz.Config{MaxObjects: 10, MaxCounters: 20}
	for _, kind := range layout.Kinds() {
		if kind == layout.RegCounterKind || kind == layout.RegStringKind || kind == layout.RegGUIDKind {
			continue // the kind has only one record
		}
		r := rand.New(rand.NewPCG(1, uint64(kind)))
		var changed []float64 // for each change of a byte, the share of the values that change
		for seed := range uint64(40) {
			data := fuzz.Input(kind, seed, c)
			for range min(len(data), 10) {
				at, b := r.IntN(len(data)), byte(r.Uint32())
				if strings.IndexByte(fuzz.Separators, data[at]) >= 0 || strings.IndexByte(fuzz.Separators, b) >= 0 {
					continue // the change would add or remove a part
				}
				other := bytes.Clone(data)
				other[at] = b
				before, after := leafValues(fuzz.Model(kind, fuzz.FromBytes(data), c)), leafValues(fuzz.Model(kind, fuzz.FromBytes(other), c))
				changed = append(changed, float64(differing(before, after))/float64(len(before)))
			}
		}
		slices.Sort(changed)
		if half, most := changed[len(changed)/2], changed[len(changed)*9/10]; half > 0.1 || most > 0.33 {
			t.Errorf("%v: half of %d changes of a byte change %.1f %% of the model or less, 9 in 10 %.1f %%", kind, len(changed), 100*half, 100*most)
		}
	}
}

// records returns the lengths of the lists of records in a model, by path.
func records(m builder.Model) map[string]int {
	lists := map[string]int{}
	for path, v := range leafValues(m) {
		list, ok := strings.CutSuffix(path, ".len")
		if n, _ := v.(int); ok && n > 0 && !strings.HasSuffix(list, "Values") && !strings.HasSuffix(list, "Texts") {
			lists[list] = n
		}
	}
	return lists
}

// leafValues returns the numbers and texts in a model, and the length of each list. The key is the path.
func leafValues(model any) map[string]any {
	all := map[string]any{}
	addLeaves(all, "", reflect.ValueOf(model))
	return all
}

func addLeaves(all map[string]any, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			all[path] = 0
			return
		}
		addLeaves(all, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			addLeaves(all, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		all[path+".len"] = v.Len()
		for i := range v.Len() {
			addLeaves(all, path+"["+strconv.Itoa(i)+"]", v.Index(i))
		}
	default:
		all[path] = v.Interface()
	}
}

// differing returns the number of paths whose values differ.
func differing(a, b map[string]any) (n int) {
	for path, v := range a {
		if w, ok := b[path]; !ok || v != w {
			n++
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			n++
		}
	}
	return n
}

// TestSourceIsSpent checks that a second model from a source does not use the bytes of the first model.
func TestSourceIsSpent(t *testing.T) {
	t.Parallel()
	for _, first := range layout.Kinds() {
		for seed := range uint64(5) {
			input := fuzz.Input(first, seed, fuzz.Config{})
			for _, second := range layout.Kinds() {
				s := fuzz.FromBytes(input)
				fuzz.Model(first, s, fuzz.Config{})
				if next := fuzz.Model(second, s, fuzz.Config{}); !reflect.DeepEqual(next, fuzz.Model(second, fuzz.FromBytes(nil), fuzz.Config{})) {
					t.Errorf("after the %v of seed %d, the spent source makes %#v", first, seed, next)
				}
			}
		}
	}
}

// TestSourceHasPartsOnce makes a list of instances and then objects from one source. The objects must not use the parts
// that the list of instances has used.
func TestSourceHasPartsOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, data   string
		instances      int // in the list
		objects        int
		counters, left int // counters and instances of the first object
	}{
		{"parts before the objects leave the objects unchanged", "\x1F\x1E\x1D\x1E\x1E", 1, 1, 2, 0},
		{"the list takes the instances of an object and leaves its counters", "\x1D\x1E\x1F\x1F", 2, 1, 1, 0},
		{"the list leaves the instances above its limit", "\x1D\x1F\x1F\x1F\x1F\x1F\x1F\x1F\x1F", 6, 1, 0, 2},
		{"the list takes the instances of two objects", "\x1D\x1F\x1D\x1F\x1F", 3, 2, 0, 0},
		{"the list takes instances between counters", "\x1D\x00\x1F\x1E\x1F\x1F\x1F\x1F\x1F\x1F", 6, 1, 1, 1},
	} {
		s := fuzz.FromBytes([]byte(tt.data))
		list := *fuzz.New[builder.InstanceList](s, fuzz.Config{})
		objects := *fuzz.New[builder.Objects](s, fuzz.Config{})
		if len(list) != tt.instances || len(objects) != tt.objects || len(objects[0].Counters) != tt.counters || len(objects[0].Instances) != tt.left {
			t.Errorf("%s: %d instances, then %#v", tt.reason, len(list), objects)
		}
	}
}
