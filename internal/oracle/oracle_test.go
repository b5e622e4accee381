package oracle_test

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
)

// walker builds the walker that the tests share.
var walker func() (*oracle.Walker, error)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		panic(err)
	}
	walker = sync.OnceValues(func() (*oracle.Walker, error) { return oracle.Build(dir) })
	status := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// need returns the shared walker, or skips or fails the test: see [oracle.Usable].
func need(t *testing.T) *oracle.Walker {
	t.Helper()
	w, err := walker()
	return oracle.Usable(t, w, err)
}

func TestWalk(t *testing.T) {
	t.Parallel()
	w := need(t)
	if !w.Sanitized() {
		if cfacts.Required() && runtime.GOOS == "linux" {
			t.Error("the walker is built without sanitizers")
		}
		t.Log("the walker is built without sanitizers: a read outside the block may go unseen")
	}
	for _, f := range fixtures(t) {
		got, err := w.Walk(t.Context(), f.kind, f.block)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		compare(t, f.name, got, f.entries)
		kind, err := layout.ParseKind(f.kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range oracle.Disagreements(kind, f.block, got) {
			t.Errorf("%s: %s", f.name, line)
		}
	}
}

// compare compares entries. It sorts `got` by offset, because the fixtures list their entries in this order.
func compare(t *testing.T, name string, got, want []oracle.Entry) {
	t.Helper()
	got = slices.SortedStableFunc(slices.Values(got), func(a, b oracle.Entry) int { return cmp.Compare(a.Off, b.Off) })
	at := func(entries []oracle.Entry, i int) any {
		if i < len(entries) {
			return entries[i]
		}
		return "nothing"
	}
	for i := range max(len(got), len(want)) {
		if g, w := at(got, i), at(want, i); g != w {
			t.Errorf("%s: entry %d: got %v, want %v", name, i, g, w)
			return // later differences are often only shifted
		}
	}
}

// TestWalkOrder checks that the walker returns values in the order of the counter definitions,
// not of their offsets.
func TestWalkOrder(t *testing.T) {
	t.Parallel()
	f := load(t, "roomy.txt")
	entries, err := need(t).Walk(t.Context(), f.kind, f.block)
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) int { return slices.Index(entries, f.entry(t, path)) }
	order := []string{
		"object[0].TotalByteLength", "object[0].PerfFreq", "object[0].counter[0].ByteLength", "object[0].counter[1].CounterOffset",
		"object[0].instance[0].ByteLength", "object[0].instance[0].Name", "object[0].instance[0].block.ByteLength",
		"object[0].instance[0].block.value[0]", "object[0].instance[0].block.value[1]", "object[0].instance[1].ByteLength",
		"object[1].TotalByteLength",
	}
	for i := 1; i < len(order); i++ {
		if at(order[i-1]) < 0 || at(order[i-1]) >= at(order[i]) {
			t.Errorf("%s does not come before %s", order[i-1], order[i])
		}
	}
}

func TestWalkAll(t *testing.T) {
	t.Parallel()
	w := need(t)
	f := load(t, "sample.txt")
	results, err := w.WalkAll(t.Context(), f.kind, [][]byte{f.block, f.block[:100], nil, f.block})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "first", results[0].Entries, f.entries)
	if _, broken := errors.AsType[*oracle.BrokenError](results[1].Err); !broken {
		t.Errorf("second: got %v, want a BrokenError", results[1].Err)
	}
	if results[2].Err != nil || len(results[2].Entries) != 0 {
		t.Errorf("third: got %v, want no entries", results[2])
	}
	compare(t, "fourth", results[3].Entries, f.entries)
	if _, err := w.WalkAll(t.Context(), "no-such-kind", [][]byte{nil}); err == nil {
		t.Error("an unknown kind: no error")
	}
}

// TestMetadataOnly checks that an object with 0, -2 or -3 in NumInstances has only definitions.
func TestMetadataOnly(t *testing.T) {
	t.Parallel()
	w := need(t)
	f := load(t, "roomy.txt")
	for _, n := range []int32{0, -2, -3} {
		got, err := w.Walk(t.Context(), f.kind, f.withField(t, "object[1].NumInstances", uint64(uint32(n))))
		if err != nil || len(got) != len(f.entries) {
			t.Errorf("NumInstances %d: %d entries and error %v, want %d", n, len(got), err, len(f.entries))
		}
	}
}

// TestBuildsForWindows compiles the walker for Windows, with the headers of the cross compiler and
// without the headers in shim. By default one of the cross compilers only checks the source code.
func TestBuildsForWindows(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("compiling for Windows takes seconds; set PERFBLOCK_LONG=1")
	}
	if len(cfacts.Compilers()) == 0 {
		cfacts.Absent(t, "no cross compiler is installed")
	}
	programs, err := filepath.Glob("*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, cc := range cfacts.Compilers() {
		args := []string{"-std=c11", "-Wall", "-Wextra", "-Werror", "-I", "../cfacts", "-o", filepath.Join(t.TempDir(), "walk.exe")}
		cmd := exec.Command(cc, append(args, programs...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", cc, err, out)
		}
	}
}

func TestBuildUnavailable(t *testing.T) {
	header := filepath.Join(t.TempDir(), "winperf.h")
	t.Setenv(oracle.HeaderVariable, header)
	for _, lacks := range []string{"winperf.h", "perflib.h"} {
		if _, err := oracle.Build(t.TempDir()); !errors.Is(err, oracle.ErrUnavailable) || !strings.Contains(err.Error(), lacks) {
			t.Errorf("no %s: got %v, want ErrUnavailable", lacks, err)
		}
		if err := os.WriteFile(header, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := oracle.Build(t.TempDir()); !errors.Is(err, oracle.ErrUnavailable) {
		t.Errorf("no compiler: got %v, want ErrUnavailable", err)
	}
}
