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
	name    string
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

// fixtures returns the files of testdata and the worked examples of perflib.h.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	var list []fixture
	for _, name := range []string{"sample.txt", "extremes.txt", "roomy.txt", "shortids.txt", "regcounter.txt", "regguid.txt"} {
		list = append(list, load(t, name))
	}
	return append(list, worked(t)...)
}

func load(t *testing.T, name string) fixture {
	t.Helper()
	if i := slices.IndexFunc(worked(t), func(f fixture) bool { return f.name == name }); i >= 0 {
		return worked(t)[i]
	}
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{name: name}
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

// add reads a line `offset | bytes | path = value`, and of the worked examples a remark behind it; padding has no path.
func (f *fixture) add(line string) error {
	part := strings.Split(line, "|")
	if len(part) < 3 {
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
		f.entries = append(f.entries, asWalked(oracle.Entry{Path: path, Off: off, Size: len(raw), Value: value}, raw)...)
	}
	return nil
}

// ends returns the lengths at which the block, if it is a list, ends with an element.
func (f fixture) ends() map[int]bool {
	ends := map[int]bool{}
	if !slices.Contains([]string{"objects", "instances", "identifiers", "guids"}, f.kind) {
		return ends
	}
	element := "none"
	for _, e := range f.entries {
		if top, _, _ := strings.Cut(e.Path, "."); top != element {
			element, ends[int(e.Off)] = top, true
		}
	}
	return ends
}
