package layout_test

import (
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// Whoever forgets the second value of a cursor gets a view of zeros with the fault,
// and no panic.
func TestViewsThatComeWithFaults(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	faults, times := 0, 20_000
	if testing.Short() {
		times = 2000
	}
	for range times {
		b := smallBytes(t)
		for range 1 + r.IntN(3) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		d, err := layout.ReadData(b)
		if err != nil {
			faults++
		}
		_, _, _ = d.Read(), d.SystemTime(), d.PerfTime100nSec()
		_, _ = d.SystemName()
		for o, err := range d.Objects() {
			faults += careless(o)
			if err != nil && o.Read() != (layout.ObjectType{}) {
				t.Fatalf("the view that comes with %v reads %+v", err, o.Read())
			}
		}
	}
	if faults < times/20 {
		t.Errorf("only %d faults", faults)
	}
}

// careless reads all there is of an object as if nothing could be wrong.
func careless(o layout.Object) (faults int) {
	_, _ = o.Read(), o.Path()
	_, _ = o.Body()
	block, err := o.Block()
	if err != nil {
		faults++
	}
	_, _ = block.Read(), block.Path()
	for c, err := range o.Counters() {
		if _, _ = c.Read(), c.Path(); err != nil {
			faults++
		}
		_, _ = block.Value(c)
	}
	for in, err := range o.Instances() {
		if _, _ = in.Read(), in.Path(); err != nil {
			faults++
		}
		name, _ := in.Name()
		_, _ = name.Text()
		_, _, _ = name.Terminated(), name.IndexNUL(), name.Unit()
		block, _ := in.Block()
		_ = block.Read()
		for c := range o.Counters() {
			_, _ = block.Value(c)
		}
	}
	return faults
}
