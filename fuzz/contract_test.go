package fuzz_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// What the generator promises, a test for each clause. That what it makes is valid, the
// properties of models and judges hold; how far a change of a byte reaches,
// locality_test.go; that every case comes up, coverage_test.go.

// FuzzGenerator holds the clauses on any bytes.
func FuzzGenerator(f *testing.F) {
	for i, kind := range layout.Kinds() {
		for seed := range uint64(4) {
			f.Add(uint8(i), fuzz.Input(kind, seed, fuzz.Config{}), uint16(7*seed), byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte, at uint16, b byte) {
		kind := layout.Kinds()[int(i)%len(layout.Kinds())]
		sameBlock(t, kind, data)
		neverLess(t, kind, data, int(at)%(len(data)+1))
		if len(data) > 0 {
			local(t, kind, data, int(at)%len(data), b)
		}
	})
}

func TestSameBytesSameBlock(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		for seed := range uint64(seeds / 30) {
			made := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})
			if diff := unlike(made, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})); diff != "" {
				t.Fatalf("the seed %d makes two of %v:\n%s", seed, kind, diff)
			}
			input := fuzz.Input(kind, seed, fuzz.Config{})
			sameBlock(t, kind, input)
			if diff := unlike(made, fuzz.Model(kind, fuzz.FromBytes(input), fuzz.Config{})); diff != "" {
				t.Fatalf("the input of the seed %d makes another %v (-seed +input):\n%s", seed, kind, diff)
			}
		}
	}
	if fuzz.Input(layout.Kind(len(layout.Kinds())), 1, fuzz.Config{}) != nil {
		t.Error("there is an input of no kind")
	}
}

// sameBlock makes a block of data twice. What is behind data in its array must not show,
// and data stays as it is.
func sameBlock(t *testing.T, kind layout.Kind, data []byte) {
	t.Helper()
	roomy := append(bytes.Clone(data), fuzz.Separators+"\xFF\xFF\xFF\xFF"...)[:len(data)]
	first, again := fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}), fuzz.Model(kind, fuzz.FromBytes(roomy), fuzz.Config{})
	if diff := unlike(first, again); diff != "" {
		t.Fatalf("the same bytes make two of %v:\n%s", kind, diff)
	}
	if !bytes.Equal(data, roomy) {
		t.Fatal("the bytes of a source were changed")
	}
}

// A spent source makes the plainest choice: there is nothing but what must be.
func TestNothingMakesThePlainest(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		plain := fuzz.Model(kind, fuzz.FromBytes(nil), fuzz.Config{})
		for list, n := range records(plain) {
			if kind != layout.TemplateKind || n > 1 { // which has a counter
				t.Errorf("no bytes make a %v with %d in %s", kind, n, list)
			}
		}
		for path, v := range leaves(plain) {
			if !reflect.ValueOf(v).IsZero() && !strings.HasSuffix(path, ".len") {
				t.Errorf("no bytes make a %v with %v in %s", kind, v, path)
			}
		}
	}
}

// More bytes never make fewer records. A list of theirs is as long as it was, or longer.
func TestMoreBytesNeverMakeLess(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		most := 2 * rounds / 3 // bytes
		if kind == layout.RegSetKind {
			most = 3 * rounds // as counters there are more or less by what others refer to
		}
		for seed, tried := uint64(0), 0; tried < most && seed < 100; seed++ {
			input := fuzz.Input(kind, seed, fuzz.Config{})
			for n := range len(input) {
				neverLess(t, kind, input[:n+1], n)
			}
			tried += len(input)
		}
		// A letter, or two parts of every sort, make what has no fixed length larger.
		var larger strings.Builder
		larger.WriteString("\x00\xFF\x00")
		for _, b := range []byte(fuzz.Separators) {
			larger.WriteString(strings.Repeat(string([]byte{b})+strings.Repeat("\xFF\x00", 20), 2))
		}
		fixed := kind == layout.RegCounterKind || kind == layout.RegGUIDKind
		if none, some := encoded(t, kind, nil), encoded(t, kind, []byte(larger.String())); some > none == fixed {
			t.Errorf("no bytes make a %v of %d, some one of %d", kind, none, some)
		}
	}
}

func encoded(t *testing.T, kind layout.Kind, data []byte) int {
	t.Helper()
	n, err := fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}).EncodedLen()
	fatal(t, err)
	return n
}

// neverLess compares what the first n bytes make with what all do.
func neverLess(t *testing.T, kind layout.Kind, data []byte, n int) {
	t.Helper()
	whole := records(fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}))
	for path, before := range records(fuzz.Model(kind, fuzz.FromBytes(data[:n]), fuzz.Config{})) {
		if whole[path] < before {
			t.Fatalf("%d bytes make %d of %v in %s, and the %d of\n%q\n%d", n, before, kind, path, len(data), data, whole[path])
		}
	}
}

// records returns how long the model's lists of records are.
func records(m builder.Model) map[string]int {
	lists := map[string]int{}
	for path, v := range leaves(m) {
		list, ok := strings.CutSuffix(path, ".len")
		if n, _ := v.(int); ok && n > 0 && !strings.HasSuffix(list, "Values") && !strings.HasSuffix(list, "Texts") {
			lists[list] = n
		}
	}
	return lists
}

// Every block ends, whatever the bytes are, and however many.
func TestEveryBlockEnds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for b := 0; b < 256; b += 3000 / rounds {
		mixed := bytes.Repeat([]byte{byte(b)}, 100_000)
		for range 200 {
			mixed[r.IntN(len(mixed))] = separator(r)
		}
		for _, data := range [][]byte{bytes.Repeat([]byte{byte(b)}, 100_000), mixed} {
			for _, kind := range layout.Kinds() {
				if n := encoded(t, kind, data); n > 20_000 {
					t.Fatalf("bytes %#x make a %v of %d", b, kind, n)
				}
			}
		}
	}
}

// separator returns any of them.
func separator(r *rand.Rand) byte { return fuzz.Separators[r.IntN(len(fuzz.Separators))] }
