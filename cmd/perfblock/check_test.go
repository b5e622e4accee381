package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/layout"
)

// TestCheckerIsConcurrent checks that many goroutines with one checker get the same results as one goroutine. With the
// race detector, the test also finds data races.
func TestCheckerIsConcurrent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".perfblock.yaml":       "profile: windows\noverrides: [{paths: [old/], rules: {'*': off}}]\nexclude: [old/]\n",
		"other/.perfblock.yaml": "profile: nt4\n",
		"wrong/.perfblock.yaml": "profil: nt4\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	captured, err := fuzz.Model(layout.DataBlockKind, fuzz.Seed(7), fuzz.Config{}).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	captured[12] = 9 // Version
	describe := func(c *checker, i int) string {
		folder := []string{"", "old", "other", "wrong"}[i%4]
		path := filepath.Join(dir, folder, "a.bin")
		v, err := c.block(block.Source{Path: path, File: path, Bytes: captured}, layout.DataBlockKind)
		excluded, _, _ := c.exclusion(path)
		kind, _, _ := c.kindOf(block.Source{Path: path, File: path, Bytes: captured}, "")
		return fmt.Sprint(v.Counts, err, excluded, kind)
	}
	var want []string
	for i := range 4 {
		want = append(want, describe(new(checker), i))
	}
	if want[0] == want[1] || want[3] == want[0] {
		t.Fatalf("the configurations do not differ: %q", want)
	}
	var shared checker
	var running sync.WaitGroup
	for i := range 64 {
		running.Go(func() {
			if got := describe(&shared, i); got != want[i%4] {
				t.Errorf("block %d: got %s, want %s", i, got, want[i%4])
			}
		})
	}
	running.Wait()
	if n := len(shared.policies); n != 3 {
		t.Errorf("%d configurations were read, want 3", n)
	}
}
