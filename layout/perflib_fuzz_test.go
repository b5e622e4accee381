package layout_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// The tests in this file read any bytes. A reader must stop after at most as many records as
// fit into the bytes. Its views and faults must be inside the input. [visit] checks both.

func FuzzPerflib(f *testing.F) {
	for _, b := range perflibBlocks(f) {
		name, _, _ := strings.Cut(b.title, ":")
		for i, r := range perflibReaders {
			if r.name == name {
				f.Add(uint8(i), b.bytes)
			}
		}
	}
	for _, b := range fixtures(f) {
		if !b.Kind.V1() {
			f.Add(uint8(readerOf(f, b.Kind)), b.Bytes)
		}
	}
	f.Fuzz(func(t *testing.T, reader uint8, b []byte) {
		perflibReaders[int(reader)%len(perflibReaders)].anyBytes(t, b)
	})
}

// readerOf returns the index in perflibReaders of the reader of a kind.
func readerOf(t testing.TB, kind layout.Kind) int {
	t.Helper()
	if kind == layout.RegGUIDKind {
		kind = layout.GUIDsKind // one GUID is a list of one
	}
	i := slices.IndexFunc(perflibReaders, func(r perflibReader) bool { return perflibKinds[r.name] == kind })
	if i < 0 {
		t.Fatalf("no reader of a %v", kind)
	}
	return i
}

// anyBytes reads all of b and returns the first fault.
func (r perflibReader) anyBytes(t *testing.T, b []byte) error {
	t.Helper()
	before := slices.Clone(b)
	v := &visit{t: t, b: b}
	r.read(v)
	if !slices.Equal(before, b) {
		t.Fatal("reading changed the input")
	}
	return v.err
}

// TestPerflibAnyBytes damages each block at random and reads it with every reader, including
// the readers of other kinds.
func TestPerflibAnyBytes(t *testing.T) {
	t.Parallel()
	blocks := perflibBlocks(t)
	for i, r := range perflibReaders {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(11, uint64(i)))
			well, faults := 0, 0
			for range long.Count(400, 4_000) {
				b := damagedPerflib(rnd, blocks)
				if err := r.anyBytes(t, b); err != nil {
					faults++
				} else {
					well++
				}
			}
			if well == 0 || faults == 0 {
				t.Errorf("%d read without a fault, %d with one: the damage is too strong or too weak", well, faults)
			}
		})
	}
}

var perflibEdges = []uint32{0, 1, 2, 3, 4, 6, 7, 8, 12, 16, 20, 24, 32, 39, 40, 48, 56, 0x1FFFFFFF, 0x20000000, 0x40000000, 0x7FFFFFFF, 0x80000000, most - 7, most - 3, most - 1, most}

func damagedPerflib(rnd *rand.Rand, blocks []block) []byte {
	b := slices.Clone(blocks[rnd.IntN(len(blocks))].bytes)
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
				le.PutUint32(b[at/4*4%(len(b)-3):], perflibEdges[rnd.IntN(len(perflibEdges))])
			}
		}
	}
	return slices.Clip(b)
}

// TestPerflibEveryByte truncates every block to each length, and changes each byte in turn.
func TestPerflibEveryByte(t *testing.T) {
	t.Parallel()
	for _, block := range perflibBlocks(t) {
		b, fills := block.bytes, map[int]bool{}
		switch block.title { // blocks without a length of their own may end after any record
		case "instances":
			fills = map[int]bool{0: true, 16: true, 40: true}
		case "identifiers":
			fills = map[int]bool{0: true, 48: true, 88: true}
		case "GUIDs":
			fills = map[int]bool{0: true, 16: true}
		case "registered text":
			fills = map[int]bool{0: true}
		}
		for n := range len(b) {
			err := follow(t, block.title, b[:n:n]).err
			if (err == nil) != fills[n] {
				t.Errorf("%s: %d bytes of %d: %v", block.title, n, len(b), err)
			}
		}
		for at := range b {
			was := b[at]
			for _, c := range []byte{0, 1, was + 1, was - 1, was ^ 0x80, 0x7F, 0xFF} {
				b[at] = c
				follow(t, block.title, b)
			}
			b[at] = was
		}
	}
}

// TestPerflibTooShort checks that a block shorter than its structure has the fault ErrShort,
// which covers all bytes of the block.
func TestPerflibTooShort(t *testing.T) {
	t.Parallel()
	for _, block := range perflibBlocks(t) {
		name, _, _ := strings.Cut(block.title, ":")
		size := map[string]int{
			"query": 48, "instances": 8, "identifiers": 40, "strings": 8, "registered set": 32, "registered counter": 48,
			"GUIDs": 16, "template": 40, "set instance": 32, "identity": 40,
		}[name]
		path := map[string]string{"instances": "instance[0]", "identifiers": "identifier[0]", "registered counter": "counter[0]", "GUIDs": "guid[0]"}[name]
		for n := 1; n < size; n++ {
			err := follow(t, block.title, block.bytes[:n:n]).err
			want := fmt.Sprintf("%d bytes are less than the %d bytes of a ", n, size)
			if n == 1 {
				want = fmt.Sprintf("1 byte is less than the %d bytes of a ", size)
			}
			e, ok := errors.AsType[*layout.Error](err)
			if !ok || !errors.Is(err, layout.ErrShort) || e.Off != 0 || e.Len != n || e.Path.String() != path || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %d bytes: %v", block.title, n, err)
			}
		}
	}
}
