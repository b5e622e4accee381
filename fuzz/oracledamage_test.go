//go:build !race

// Another program reads here, which the race detector does not see.

package fuzz_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
)

// A damaged buffer that C can follow is read by layout as C does: C judges the bounds of
// parts and nothing else.
func TestOracleAgreesOnDamage(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	const seeds = rounds / 3
	for _, kind := range layout.Kinds() {
		var blocks [][]byte
		for seed := range uint64(seeds) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			fatal(t, err)
			blocks = append(blocks, fuzz.Damage(fuzz.Seed(seed), b))
		}
		results, err := walker.WalkAll(t.Context(), kind.String(), blocks)
		fatal(t, err)
		followed := 0
		for i, r := range results {
			if r.Err != nil || refused(kind, blocks[i]) {
				continue
			}
			followed++
			for _, line := range oracle.Disagreements(kind, blocks[i], r.Entries) {
				t.Errorf("%v %d: %s", kind, i, line)
			}
		}
		if followed < seeds/4 || followed == seeds {
			t.Errorf("%v: C follows %d of %d damaged buffers: this tries little", kind, followed, seeds)
		}
	}
}

// refused reports whether layout refuses what C does not look at: a signature, and names
// and values that start inside the structure that they are to be behind.
func refused(kind layout.Kind, b []byte) bool {
	if kind == layout.DataBlockKind && !layout.HasSignature(b) {
		return true
	}
	for p := range layout.Walk(kind, b) {
		if e, ok := errors.AsType[*layout.Error](p.Err); ok && (strings.HasSuffix(e.Path.String(), "NameOffset") || strings.HasSuffix(e.Path.String(), "CounterOffset")) {
			return true
		}
	}
	return false
}
