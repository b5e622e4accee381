package diff_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/diff"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// check checks properties of any two blocks: for example, they have differences if and only if their bytes differ.
func check(t *testing.T, kind layout.Kind, a, b []byte) {
	t.Helper()
	r := diff.Compare(kind, a, b, diff.Options{Max: -1})
	if same := r.Counts.Total() == 0; same != bytes.Equal(a, b) {
		t.Fatalf("%v: equal bytes: %t, no differences: %t", kind, bytes.Equal(a, b), same)
	}
	if len(r.Differences) != r.Counts.Total() {
		t.Fatalf("%v: %d of %d differences are listed", kind, len(r.Differences), r.Counts.Total())
	}
	for _, d := range r.Differences {
		inside(t, a, d.A, d.Change != diff.Added)
		inside(t, b, d.B, d.Change != diff.Removed)
		if d.Change == diff.Changed && bytes.Equal(d.A.Bytes(), d.B.Bytes()) {
			t.Errorf("%v: %v has the same bytes in both blocks", kind, d.A.Path)
		}
	}
	text := write(t, "text", r, diff.WriteOptions{})
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("%v: %q at %d of\n%s", kind, text[i:min(len(text), i+4)], i, text)
	}
	if lines := strings.Count(text, "\n"); lines != 1+len(r.Differences) {
		t.Errorf("%v: %d lines for %d differences:\n%s", kind, lines, len(r.Differences), text)
	}
	mirrored := diff.Compare(kind, b, a, diff.Options{Max: -1})
	if want, got := keys(r, false), keys(mirrored, true); !slices.Equal(want, got) { // cmp.Diff is slow, even for equal lists
		t.Errorf("%v: the mirrored differences are others (-want +got)\n%s", kind, cmp.Diff(want, got))
	}
}

func inside(t *testing.T, b []byte, p layout.Part, present bool) {
	t.Helper()
	if !present {
		if p.Len() != 0 || p.Path != (layout.Path{}) {
			t.Errorf("a part that is not in the block is %v", p.Path)
		}
		return
	}
	if p.Off() < 0 || p.End() > int64(len(b)) || !bytes.Equal(p.Bytes(), b[p.Off():p.End()]) {
		t.Errorf("%v is not in the block", p.Path)
	}
}

// keys returns a text for each difference, sorted. If mirrored is true, keys swaps the sides of each difference
// first.
func keys(r diff.Result, mirrored bool) []string {
	var list []string
	for _, d := range r.Differences {
		change, a, b := d.Change, d.A, d.B
		if mirrored {
			a, b = b, a
			switch change {
			case diff.Added:
				change = diff.Removed
			case diff.Removed:
				change = diff.Added
			}
		}
		list = append(list, fmt.Sprintf("%v %v %x %v %x %v", d.Sort, change, a.Off(), a.Path, b.Off(), b.Path))
	}
	slices.Sort(list)
	return list
}

// TestProperties compares generated blocks of each kind: each block with itself, with damaged copies, and with another
// block.
func TestProperties(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(long.Seeds(50, 100)) {
				a := generated(t, kind, seed)
				check(t, kind, a, a)
				check(t, kind, a, generated(t, kind, seed+1))
				damaged := a
				for n := range uint64(3) {
					damaged = fuzz.Damage(fuzz.Seed(4*seed+n), damaged)
					check(t, kind, a, damaged)
				}
			}
		})
	}
}

func generated(t testing.TB, kind layout.Kind, seed uint64) []byte {
	t.Helper()
	b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FuzzCompare runs check on any two blocks of one kind.
func FuzzCompare(f *testing.F) {
	for _, kind := range layout.Kinds() {
		for seed := range uint64(4) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{MaxObjects: 2, MaxCounters: 3, MaxInstances: 3}).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(kind), b, fuzz.Damage(fuzz.Seed(seed), b))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, a, b []byte) {
		check(t, layout.Kinds()[int(kind)%len(layout.Kinds())], a, b)
	})
}
