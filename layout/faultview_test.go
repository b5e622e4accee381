package layout_test

import (
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// Whoever forgets the second value of a cursor gets a view of zeros with the fault,
// and no panic.
func TestViewsThatComeWithFaults(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	faults, times := 0, long.Count(2_000, 20_000)
	for range times {
		b := smallBytes(t)
		for range 1 + r.IntN(3) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		d, err := layout.ReadDataBlock(b)
		if err != nil {
			faults++
		}
		_, _, _ = wire.GetDataBlock(d.Bytes()), d.SystemTime(), d.PerfTime100nSec()
		_, _ = d.SystemName()
		for o, err := range d.Objects() {
			faults += careless(o)
			if err != nil && wire.GetObjectType(o.Bytes()) != (wire.ObjectType{}) {
				t.Fatalf("the view that comes with %v reads %+v", err, wire.GetObjectType(o.Bytes()))
			}
		}
	}
	if faults < times/20 {
		t.Errorf("only %d faults", faults)
	}
}

// careless reads all there is of an object as if nothing could be wrong.
func careless(o layout.Object) (faults int) {
	_, _ = wire.GetObjectType(o.Bytes()), o.Path()
	_, _ = o.Body()
	block, err := o.Block()
	if err != nil {
		faults++
	}
	_, _ = wire.GetCounterBlock(block.Bytes()), block.Path()
	for c, err := range o.Counters() {
		if _, _ = wire.GetCounterDefinition(c.Bytes()), c.Path(); err != nil {
			faults++
		}
		_, _ = block.Value(c)
	}
	for in, err := range o.Instances() {
		if _, _ = wire.GetInstanceDefinition(in.Bytes()), in.Path(); err != nil {
			faults++
		}
		name, _ := in.Name()
		_, _ = name.Text()
		_, _, _ = name.Terminated(), name.IndexNUL(), name.Unit()
		block, _ := in.Block()
		_ = wire.GetCounterBlock(block.Bytes())
		for c := range o.Counters() {
			_, _ = block.Value(c)
		}
	}
	return faults
}
