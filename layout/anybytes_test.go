package layout_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

func TestTruncatedAtEveryLength(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for n := range len(b) {
		short := b[:n:n]
		err := readAll(layout.DataBlockKind, short)
		if err == nil {
			t.Errorf("%d bytes of %d were read without a fault", n, len(b))
		}
		inside(t, err, n)
		if want := n < 88; errors.Is(err, layout.ErrShort) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
		covered(t, layout.DataBlockKind, short)
		if n < 88 {
			continue
		}
		// Let the header know, so that the fault is met further in.
		short = patched(t, patch{0x14, uint32(n)})[:n:n]
		if err = readAll(layout.DataBlockKind, short); err == nil {
			t.Errorf("%d bytes of %d were read without a fault", n, len(b))
		}
		inside(t, err, n)
		covered(t, layout.DataBlockKind, short)
	}
	objects := b[smallObjects:]
	for n := range len(objects) {
		short := objects[:n:n]
		if err := readAll(layout.ObjectsKind, short); err == nil {
			if n != 0 && n != 160 {
				t.Errorf("%d bytes of objects were read without a fault", n)
			}
		} else {
			inside(t, err, n)
		}
		covered(t, layout.ObjectsKind, short)
	}
}

// covered holds Walk to its promise on any bytes: in order, without a gap, no
// more parts than bytes, but for the one that says that there are none.
func covered(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	end, parts := int64(0), 0
	var shown []layout.Part
	for p := range layout.Walk(kind, b) {
		if parts++; parts > len(b)+1 {
			t.Fatalf("more parts than the %d bytes", len(b))
		}
		if p.Off() < 0 || p.Off() > end || p.End() > int64(len(b)) {
			t.Fatalf("%v stands from %d to %d, what comes before ends at %d of %d", p.Path, p.Off(), p.End(), end, len(b))
		}
		end = max(end, p.End())
		if (p.Err != nil) && p.Sort != layout.UnreadPart {
			t.Fatalf("%v is %v and has %v", p.Path, p.Sort, p.Err)
		}
		if p.Err != nil {
			inside(t, p.Err, len(b))
		}
		if p.Len() == 0 && p.Err == nil {
			t.Fatalf("%v, %v, holds nothing", p.Path, p.Sort)
		}
		shown = append(shown, p)
	}
	if end != int64(len(b)) {
		t.Fatalf("the parts end at %d of %d bytes", end, len(b))
	}
	for i, q := range findAll(kind, b, shown) {
		if p := shown[i]; q.Err == nil && p.Sort != layout.UnreadPart && p.Sort != layout.PaddingPart && (q.Off() != p.Off() || q.Len() != p.Len()) {
			t.Fatalf("%v is %d bytes at %d, Find has %d at %d", p.Path, p.Len(), p.Off(), q.Len(), q.Off())
		}
	}
}

// findAll finds the parts by their paths.
func findAll(kind layout.Kind, b []byte, parts []layout.Part) []layout.Part {
	paths := make([]layout.Path, len(parts))
	for i, p := range parts {
		paths[i] = p.Path
	}
	return layout.FindAll(kind, b, paths)
}

func TestEveryByteChanged(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for at := 0; at < len(b); at += long.Count(5, 1) {
		was := b[at]
		for _, c := range []byte{0x00, 0x01, was + 1, was - 1, was ^ 0x80, 0x7F, 0xFF} {
			b[at] = c
			if err := readAll(layout.DataBlockKind, b); err != nil {
				inside(t, err, len(b))
			}
			covered(t, layout.DataBlockKind, b)
			if err := readAll(layout.ObjectsKind, b[smallObjects:]); err != nil {
				inside(t, err, len(b)-smallObjects)
			}
			covered(t, layout.ObjectsKind, b[smallObjects:])
		}
		b[at] = was
	}
}

func TestRandomDamage(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 8))
	edges := []uint32{0, 1, 4, 8, 16, 24, 39, 40, 64, 88, 96, 160, 248, 504, 0x7FFFFFFF, 0x80000000, most - 1, most}
	for range long.Count(300, 3_000) {
		b := smallBytes(t)
		for range 1 + rnd.IntN(5) {
			le.PutUint32(b[rnd.IntN(len(b)/4)*4:], edges[rnd.IntN(len(edges))])
		}
		le.PutUint64(b, 0x0046005200450050) // keep the signature
		for _, kind := range layout.V1Kinds() {
			in := b[int(kind)*smallObjects:]
			if err := readAll(kind, in); err != nil {
				inside(t, err, len(in))
			}
			covered(t, kind, in)
		}
	}
}

// An instance whose block is broken is still an instance: it comes, then the fault.
func TestInstanceBeforeItsBrokenBlock(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x1E8, 17})
	var got []string
	for o := range layout.ReadObjects(b[smallObjects:]) {
		for in, err := range o.Instances() {
			if err != nil {
				got = append(got, "fault "+err.Error())
				continue
			}
			got = append(got, in.Path().String())
		}
	}
	want := []string{"object[1].instance[0]", "object[1].instance[1]",
		"fault object[1].instance[1].block.ByteLength at 0x188: 17 bytes from 0x0 do not fit into 16 bytes"}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %q, want %q", got, want)
	}
}
