package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// The smallest block is a header: no name, no objects.
func TestHeaderAlone(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x14, 88}, patch{0x18, 88}, patch{0x1C, 0}, patch{0x50, 0})[:88]
	if err := readAll(layout.DataBlockKind, b); err != nil {
		t.Error(err)
	}
	if got := unread(layout.DataBlockKind, b); got != nil {
		t.Errorf("unread: %q", got)
	}
	covered(t, layout.DataBlockKind, b)
}

// A negative count promises no instances, so nothing can be wrong with them.
func TestNoInstancesNoFault(t *testing.T) {
	t.Parallel()
	for _, n := range []uint32{0, most, most - 1, 0x80000000} {
		b := patched(t, patch{0x88, n}, patch{0x64, 161})
		d, err := layout.ReadDataBlock(b)
		if err != nil {
			t.Fatal(err)
		}
		for o := range d.Objects() {
			for in, err := range o.Instances() {
				if o.Index() == 0 {
					t.Errorf("NumInstances %d: %v, %v", int32(n), in.Path(), err)
				}
			}
		}
	}
}

// An index keeps the code page of an object's names.
func TestIndexKeepsTheCodePage(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x12C, 1252}, patch{0x1A4, 2})
	p, err := layout.Find(layout.DataBlockKind, b, parsePath(t, "object[1].instance[0].Name"))
	if text, textErr := p.Name().Text(); err != nil || textErr != nil || text != "A" || p.Page != 1252 {
		t.Errorf("%q in page %d, %v, %v", text, p.Page, err, textErr)
	}
}

// A bit named twice is set once.
func TestParseCounterTypeJoins(t *testing.T) {
	t.Parallel()
	got, err := layout.ParseCounterType("PERF_COUNTER_COUNTER | PERF_COUNTER_RATE | PERF_DELTA_COUNTER | 0x400")
	if err != nil || got != layout.PERF_COUNTER_COUNTER {
		t.Errorf("%v, %v", got, err)
	}
}
