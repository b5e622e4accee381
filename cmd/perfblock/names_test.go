package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestBlockIsNoBundle checks that addBundle does not read a whole block. A block can be as large as a gigabyte.
func TestBlockIsNoBundle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bin")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	const size = 64 << 20
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	var f namesFlag
	runtime.ReadMemStats(&before)
	f.addBundle(path)
	runtime.ReadMemStats(&after)
	if read := after.TotalAlloc - before.TotalAlloc; read > size/2 || f.files != nil {
		t.Errorf("%d bytes were allocated for a block of %d bytes, and the titles come from %q", read, size, f.files)
	}
}
