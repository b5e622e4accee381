package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestDamage checks that Damage changes a few bytes of a copy, in the same way for the same seed, and sometimes truncates
// the copy.
func TestDamage(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		cut, large, tried := 0, 0, 0
		for seed := range uint64(sampleSize) {
			block := valid(t, fuzz.Seed(seed), kind)
			before := bytes.Clone(block)
			b := fuzz.Damage(fuzz.Seed(seed), block)
			switch again := fuzz.Damage(fuzz.Seed(seed), block); {
			case !bytes.Equal(block, before):
				t.Fatal("Damage changed the block")
			case !bytes.Equal(b, again):
				t.Fatal("one seed damages a block in two ways")
			case len(block) == 0:
				continue
			case bytes.Equal(b, block), len(b) > len(block):
				t.Fatalf("damage of %[2]x is %[1]x", b, block)
			}
			tried++
			if len(b) < len(block) {
				cut++
			}
			changes := 0
			for i := range b {
				if b[i] != block[i] {
					changes++
				}
			}
			if changes > 16 {
				t.Fatalf("%d bytes of %d changed", changes, len(b))
			}
			for at := 0; at+4 <= len(b); at += 4 {
				if full := []byte("\xFF\xFF\xFF\xFF"); bytes.Equal(b[at:at+4], full) && !bytes.Equal(block[at:at+4], full) {
					large++
				}
			}
		}
		if cut < tried/20 || cut > tried/5 || large < tried/10 {
			t.Errorf("of %d blocks %d are truncated, and %d fields have their maximum", tried, cut, large)
		}
	})
	for _, block := range [][]byte{nil, {}, {0}, {0, 0}} {
		for _, s := range []*fuzz.Source{fuzz.FromBytes(nil), fuzz.Seed(1), fuzz.FromBytes(bytes.Repeat([]byte{0xFF}, 30))} {
			if b := fuzz.Damage(s, block); bytes.Equal(b, block) != (len(block) == 0) {
				t.Errorf("%x becomes %x", block, b)
			}
		}
	}
}
