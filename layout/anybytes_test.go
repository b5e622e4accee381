package layout_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/walktest"
	"github.com/perfblock/perfblock/layout"
)

// The tests in this file pass arbitrary bytes to the readers. Each reader must return, and must not read outside the
// input.

// anyBytes reads b as the given kind and returns the first error. It also checks the parts that Walk yields for b.
func anyBytes(t testing.TB, kind layout.Kind, b []byte) (err error) {
	t.Helper()
	before := slices.Clone(b)
	if kind.V1() {
		if err = readAll(kind, b); err != nil {
			walktest.Inside(t, err, len(b))
		}
	} else {
		v := &visit{t: t, b: b}
		readerOf(t, kind)(v)
		err = v.err
	}
	walktest.Check(t, kind, b)
	if !slices.Equal(before, b) {
		t.Fatal("reading changed the input")
	}
	return err
}

func readerOf(t testing.TB, kind layout.Kind) func(*visit) {
	t.Helper()
	if kind == layout.RegGUIDKind {
		kind = layout.GUIDsKind // a buffer of one GUID is read as a list of GUIDs
	}
	i := slices.IndexFunc(perflibReaders, func(r perflibReader) bool {
		k, ok := fixture.WorkedKinds[r.name]
		return ok && k == kind
	})
	if i < 0 {
		t.Fatalf("no reader of a %v", kind)
	}
	return perflibReaders[i].read
}

// An example is a block of testdata with its kind.
type example struct {
	kind  layout.Kind
	bytes []byte
}

// examples returns the blocks of testdata/small.txt and testdata/perflib.txt.
func examples(t testing.TB) []example {
	t.Helper()
	b := smallBytes(t)
	list := []example{{layout.DataBlockKind, b}, {layout.ObjectsKind, slices.Clone(b[smallObjects:])}}
	for _, block := range perflibBlocks(t) {
		list = append(list, example{block.kind(), block.bytes})
	}
	return list
}

func TestEveryByteChanged(t *testing.T) {
	t.Parallel()
	for _, x := range examples(t) {
		for at := 0; at < len(x.bytes); at += long.Count(13, 1) {
			was := x.bytes[at]
			for _, c := range []byte{0, 1, was + 1, was - 1, was + 8, was ^ 0x80, 0x7F, 0xFF} {
				x.bytes[at] = c
				_ = anyBytes(t, x.kind, x.bytes)
			}
			x.bytes[at] = was
		}
	}
}

// TestCutAnywhere truncates each example at many lengths and reads the remaining bytes as every kind. The readers may
// return errors, but must not read outside the bytes.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, x := range examples(t) {
		for _, kind := range layout.Kinds() {
			for n := 0; n <= len(x.bytes); n += long.Count(13, 1) {
				_ = anyBytes(t, kind, x.bytes[:n:n])
			}
		}
	}
}

// TestRandomDamage damages the examples at random and reads them. The readers may return errors, but must not read
// outside the bytes.
func TestRandomDamage(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 8))
	list := examples(t)
	for i, x := range list {
		well, faults := 0, 0
		for range long.Count(100, 2_000) {
			if anyBytes(t, x.kind, damagedCopy(rnd, x.bytes)) == nil {
				well++
			} else {
				faults++
			}
			other := list[rnd.IntN(len(list))]
			_ = anyBytes(t, x.kind, damagedCopy(rnd, other.bytes))
		}
		if well == 0 || faults == 0 && x.kind != layout.RegCounterKind {
			t.Errorf("example %d, %v: %d read without a fault, %d with one: the damage is too strong or too weak", i, x.kind, well, faults)
		}
	}
}

// edges are values of lengths, offsets and counts that are likely to cause a fault.
var edges = []uint32{0, 1, 2, 3, 4, 6, 7, 8, 12, 16, 20, 24, 32, 39, 40, 48, 56, 64, 88, 96, 160, 248, 504, 0x1FFFFFFF, 0x20000000, 0x40000000, 0x7FFFFFFF, 0x80000000, most - 7, most - 3, most - 1, most}

// damagedCopy returns a copy of b with up to three changes.
func damagedCopy(rnd *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range rnd.IntN(4) {
		switch at := rnd.IntN(len(b)); rnd.IntN(5) {
		case 0:
			b[at] = byte(rnd.Uint32())
		case 1:
			if at > 0 {
				b = b[:at]
			}
		case 2:
			b = slices.Insert(b, at, b[rnd.IntN(len(b)):]...)
		default:
			if len(b) >= 4 {
				le.PutUint32(b[at/4*4%(len(b)-3):], edges[rnd.IntN(len(edges))])
			}
		}
	}
	return slices.Clip(b)
}

func FuzzWalk(f *testing.F) {
	for _, x := range examples(f) {
		f.Add(uint8(x.kind), x.bytes)
	}
	for _, b := range fixtures(f) {
		f.Add(uint8(b.Kind), b.Bytes)
	}
	f.Fuzz(func(t *testing.T, k uint8, b []byte) {
		_ = anyBytes(t, layout.Kinds()[int(k)%len(layout.Kinds())], b)
	})
}

// fixtures returns the valid and broken blocks in testdata.
func fixtures(t testing.TB) []fixture.Block {
	t.Helper()
	blocks, err := fixture.Blocks("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}
