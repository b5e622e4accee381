package oracle_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/oracle"
)

// fixture is a block and what a walk over it must give, both typed in: see testdata.
type fixture struct {
	kind    string
	block   []byte
	entries []oracle.Entry // by offset
}

func (f fixture) entry(t *testing.T, path string) oracle.Entry {
	t.Helper()
	i := slices.IndexFunc(f.entries, func(e oracle.Entry) bool { return e.Path == path })
	if i < 0 {
		t.Fatalf("no %s in the fixture", path)
	}
	return f.entries[i]
}

// with returns the block with the little-endian field at path set to value.
func (f fixture) with(t *testing.T, path string, value uint64) []byte {
	t.Helper()
	e := f.entry(t, path)
	block := bytes.Clone(f.block)
	for i := range e.Size {
		block[int(e.Off)+i] = byte(value >> (8 * i))
	}
	return block
}

func load(t *testing.T, name string) fixture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n") {
		if i == 0 {
			f.kind = strings.TrimPrefix(line, "# ")
		}
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		if err := f.add(line); err != nil {
			t.Fatalf("%s:%d: %v", name, i+1, err)
		}
	}
	return f
}

// add reads a line `offset | bytes | path = value`; padding has no path.
func (f *fixture) add(line string) error {
	part := strings.Split(line, "|")
	if len(part) != 3 {
		return fmt.Errorf("%d parts", len(part))
	}
	off, err := strconv.ParseInt(strings.TrimSpace(part[0]), 16, 64)
	if err != nil {
		return err
	}
	if off != int64(len(f.block)) {
		return fmt.Errorf("says %#x, lies at %#x", off, len(f.block))
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(part[1], " ", ""))
	if err != nil {
		return err
	}
	f.block = append(f.block, raw...)
	if path, value, ok := strings.Cut(strings.TrimSpace(part[2]), " = "); ok {
		f.entries = append(f.entries, oracle.Entry{Path: path, Off: off, Size: len(raw), Value: value})
	}
	return nil
}
