package validate_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// instances returns the instances of all objects of a data block.
func instances(t *testing.T, b []byte) []layout.Instance {
	t.Helper()
	data, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	var list []layout.Instance
	for o, err := range data.Objects() {
		if err != nil {
			t.Fatal(err)
		}
		for in, err := range o.Instances() {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, in)
		}
	}
	return list
}

// TestScanChecksDamage requires the same findings with and without the scan for random changes to
// valid instances.
func TestScanChecksDamage(t *testing.T) {
	t.Parallel()
	sound := blockOfInstances(t, 12, 5)
	var starts []int64
	for _, in := range instances(t, sound) {
		starts = append(starts, in.Off())
	}
	size, times := int(starts[1]-starts[0]), long.Count(1000, 4000)
	if testing.Short() {
		times = 400
	}
	for _, profile := range validate.Profiles() {
		p := newComparison(t, validate.Options{Profile: profile})
		r := rand.New(rand.NewPCG(uint64(profile), 1))
		clean := 0
		for range times {
			b := slices.Clone(sound)
			for range 1 + r.IntN(2) {
				at := starts[r.IntN(len(starts))] + int64(r.IntN(size))
				switch r.IntN(4) {
				case 0:
					b[at] = byte(r.Uint32())
				case 1:
					b[at] ^= 1 << r.IntN(8)
				case 2:
					binary.LittleEndian.PutUint32(b[at&^3:], uint32(r.IntN(size+8)))
				case 3:
					binary.LittleEndian.PutUint32(b[at&^3:], []uint32{0, 1, 1 << 31, 1<<32 - 1, 1<<32 - 8, 4000}[r.IntN(6)])
				}
			}
			if len(p.requireSame(layout.DataBlockKind, b, validate.Context{}).Findings) == 0 {
				clean++
			}
		}
		if t.Logf("%v: %d instances plain, %d not; %d blocks without findings", profile, p.skipped(), p.checked[0], clean); clean == 0 || p.skipped() == 0 {
			t.Error("the damaged blocks must include some with findings and some without")
		}
	}
}

// TestScanChecksGeneratedBlocks requires the same findings with and without the scan in generated
// blocks: valid blocks, damaged blocks, and for each rule blocks that break the rule.
func TestScanChecksGeneratedBlocks(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	blocks, broken := uint64(long.Count(60, 200)), uint64(long.Count(2, 3))
	if testing.Short() {
		blocks, broken = 90, 1
	}
	for seed := range blocks {
		kind := scanned[seed%uint64(len(scanned))]
		p.checkModel(kind, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{MaxObjects: 3, MaxCounters: 4, MaxInstances: 20}), seed)
	}
	for _, r := range validate.Rules() {
		for seed := range broken {
			b, err := fuzz.Break(r.ID, fuzz.Seed(seed), fuzz.Config{MaxInstances: 20})
			if errors.Is(err, fuzz.ErrNoBreaker) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			p.requireSame(b.Kind, b.Block, b.Context)
		}
	}
	if t.Logf("%d instances plain, %d not", p.skipped(), p.checked[0]); p.skipped() == 0 {
		t.Error("no instance is plain")
	}
}

// scanned has the kinds whose instances the scan reads.
var scanned = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind}

// checkModel encodes a model, and requires the same findings with and without the scan. It then
// changes up to 8 random bytes, and compares the findings after each change.
func (p *comparison) checkModel(kind layout.Kind, m builder.Model, seed uint64) {
	p.t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		p.t.Fatal(err)
	}
	p.requireSame(kind, b, validate.Context{})
	r := rand.New(rand.NewPCG(seed, 2))
	for range min(8, len(b)) {
		b[r.IntN(len(b))] = byte(r.Uint32())
		p.requireSame(kind, b, validate.Context{})
	}
}

// FuzzScan validates any bytes with and without the scan, and requires the same findings.
func FuzzScan(f *testing.F) {
	for letters := range 20 {
		f.Add(blockOfInstances(f, 5, 1+letters))
	}
	f.Add(appendObject(nil, object4000, oneCounter, instanceList(40, func(i int) testInstance { return withParent(string(rune('a'+i%26)), 4000, uint32(i)) })))
	f.Add(appendObject(nil, object4000, oneCounter, instanceList(40, func(i int) testInstance { return withID(string(rune('a'+i%26)), int32(i)) })))
	f.Add(appendObject(nil, object4000, oneCounter, instanceList(40, func(i int) testInstance { return namedInstance(caseVariant(i)) })))
	f.Add(appendObject(nil, object4000, countersWithBases, instanceList(20, func(i int) testInstance { return testInstance{id: int32(i), block: 32} })))
	for letters := range 20 {
		f.Add(counterSet(f, 5, 1+letters))
	}
	blocks, err := fixture.Blocks("../testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, b := range blocks {
		if slices.Contains(scanned, b.Kind) {
			f.Add(b.Bytes)
		}
	}
	p := newComparison(f, validate.Options{})
	f.Fuzz(func(t *testing.T, b []byte) {
		p.t = t
		for _, kind := range scanned {
			p.requireSame(kind, b, validate.Context{})
			p.requireSame(kind, b, validate.Context{FirstCounter: 4002, LastCounter: 4004})
		}
	})
}
