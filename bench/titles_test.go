package bench_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/definition/titles"
)

// TestNameTable writes names as a REG_MULTI_SZ with package titles. It checks that perflib_exporter and package titles
// read the same names back.
func TestNameTable(t *testing.T) {
	dir := t.TempDir()
	program, file := filepath.Join(dir, "reader"), filepath.Join(dir, "Counter 009")
	if err := buildPerflib(dir, program, "block.go"); errors.Is(err, errors.ErrUnsupported) && os.Getenv("PERFBLOCK_ORACLE") != "require" {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	table := titles.Table{Pairs: []titles.Pair{{Key: "1", Name: "9000"}}}
	for index, name := range titles.BuiltIns() {
		table.Pairs = append(table.Pairs, titles.Pair{Key: fmt.Sprint(index), Name: name})
	}
	for i := range uint32(3000) { // with a gap of 2 between indexes
		name := []string{"Depth", "% Größe", "日本/sec", "𝄞", " ", "No name"}[i%6]
		table.Pairs = append(table.Pairs, titles.Pair{Key: fmt.Sprint(2000 + 4*i), Name: name})
	}
	b, err := table.AppendMultiSZ(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := run(program, file, "names")
	if err != nil {
		t.Fatal(err)
	}
	d, err := titles.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	names := d.Names("009")
	names[1] = "9000" // the highest index, which perflib_exporter reads as a name
	var want strings.Builder
	for _, index := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&want, "%d %q\n", index, names[index])
	}
	if got != want.String() {
		t.Errorf("perflib_exporter reads %d bytes of names, want %d:\n%.200s", len(got), want.Len(), got)
	}
	if len(names) != len(table.Pairs) {
		t.Errorf("%d names of %d pairs", len(names), len(table.Pairs))
	}
}
