package kaitai

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/builder"
)

// The readers are not made to judge blocks: a damaged one stops them with an error, or is read as far as lengths lead. But
// each has an answer, so nothing runs on without end, and where the damage has made another whole block, this is read as
// any other.
func TestDamageHasAnAnswer(t *testing.T) {
	t.Parallel()
	need(t)
	blocks := made(t, 200)
	r := rand.New(rand.NewPCG(0, 0))
	for i, b := range blocks {
		if len(b.bytes) > 0 {
			blocks[i].bytes = bytes.Clone(b.bytes)
			blocks[i].bytes[r.IntN(len(b.bytes))] ^= 1 << r.IntN(8)
		}
	}
	answers, _ := walk(t, blocks)
	refused, whole := 0, 0
	for i, a := range answers {
		m, err := builder.NewModel(blocks[i].kind)
		if err != nil {
			t.Fatal(err)
		}
		if a.Error != "" {
			refused++
		}
		if m.UnmarshalBinary(blocks[i].bytes) != nil {
			continue
		}
		whole++
		for _, line := range disagreements(blocks[i], a) {
			t.Errorf("damaged %s: %s", blocks[i].name, line)
		}
	}
	if n := len(blocks); refused < n/20 || refused > n/2 || whole < n/3 {
		t.Errorf("of %d damaged blocks %d are refused, %d are whole: this tries little", n, refused, whole)
	}
}
