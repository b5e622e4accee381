package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// A cookedFile is the JSON of cook.
type cookedFile struct {
	Schema int
	Pairs  []struct {
		Older, Newer, Kind string
		Values             []map[string]any
		Errors             []string
	}
}

func readCooked(t *testing.T, path string) (f cookedFile) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// runCommand runs a command of perfblock.
func runCommand(t *testing.T, args ...string) {
	t.Helper()
	root := newRoot()
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatalf("perfblock %q: %v", args, err)
	}
}

// TestSeriesExpected checks that cook computes the values in expected.json from the blocks of a series.
func TestSeriesExpected(t *testing.T) {
	t.Parallel()
	const shop = "../../testdata/definitions/shop.yaml"
	for _, row := range []struct {
		reason string
		gen    []string
		cook   []string // the arguments of cook; the test replaces {} by the folder of the series
		blocks string
		pairs  int
		values int
	}{
		{"instances", []string{"--workload", "cpu", "--series", "11"}, nil, "??.bin", 10, 1300},
		{"no instances, and an interval that is not a second", []string{"--workload", "tiny", "--series", "3", "--interval", "2500ms"}, nil, "?.bin", 2, 34},
		{"one block", []string{"--workload", "tiny", "--series", "1"}, nil, "?.bin", 1, 17},
		{"repeated names", []string{"--workload", "process-300", "--series", "4", "--seed", "2"}, nil, "?.bin", 3, 25_000},
		{"objects without a header", []string{"--workload", "cpu", "--kind", "objects", "--series", "3"}, nil, "?.objects.bin", 2, 260},
		{"a spec", []string{"../../testdata/specs/system.yaml", "--series", "3"}, nil, "?.bin", 2, 10},
		{"a definition in V1", []string{shop, "--series", "5"}, []string{"--titles", shop, "--first-title", "20000"}, "?.bin", 4, 45},
		{"a definition in V2", []string{shop, "--kind", "query-data", "--series", "5"},
			[]string{"--definition", shop, "--identifiers", "{}/query.identifiers.bin"}, "?.query-data.bin", 4, 36},
		{"a workload of V2", []string{"--workload", "v2-gpu", "--series", "2"},
			[]string{"--reginfo", "{}/query.1.reg-set.bin", "--identifiers", "{}/query.identifiers.bin"}, "?.query-data.bin", 1, 9000},
	} {
		t.Run(row.reason, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			runCommand(t, slices.Concat([]string{"gen", "-o", folder}, row.gen)...)
			blocks, err := filepath.Glob(filepath.Join(folder, row.blocks))
			if err != nil || len(blocks) < row.pairs {
				t.Fatalf("the blocks are %q, %v", blocks, err)
			}
			cooked := filepath.Join(t.TempDir(), "cooked.json")
			args := slices.Concat([]string{"cook", "--format", "json", "-o", cooked}, row.cook, blocks)
			for i, arg := range args {
				if name, is := cutFolder(arg); is {
					args[i] = filepath.Join(folder, name)
				}
			}
			runCommand(t, args...)
			got, want := readCooked(t, cooked), readCooked(t, filepath.Join(folder, expectedFile))
			if values := compareCooked(t, got, want); len(want.Pairs) != row.pairs || values < row.values {
				t.Errorf("%d pairs with %d values, want %d with at least %d", len(want.Pairs), values, row.pairs, row.values)
			}
		})
	}
}

func cutFolder(arg string) (string, bool) {
	if len(arg) > 3 && arg[:3] == "{}/" {
		return arg[3:], true
	}
	return arg, false
}

// compareCooked compares the values of cook with the expected values. It returns the number of values.
func compareCooked(t *testing.T, got, want cookedFile) (n int) {
	t.Helper()
	if got.Schema != want.Schema || len(got.Pairs) != len(want.Pairs) {
		t.Fatalf("schema %d and %d pairs, want %d and %d", got.Schema, len(got.Pairs), want.Schema, len(want.Pairs))
	}
	for i, w := range want.Pairs {
		g := got.Pairs[i]
		older := filepath.Base(g.Older)
		if g.Older == "" {
			older = ""
		}
		if older != w.Older || filepath.Base(g.Newer) != w.Newer || g.Kind != w.Kind || len(g.Values) != len(w.Values) || g.Errors != nil {
			t.Fatalf("pair %d is %s, %s, %s with %d values and errors %q, want %s, %s, %s with %d",
				i, g.Older, g.Newer, g.Kind, len(g.Values), g.Errors, w.Older, w.Newer, w.Kind, len(w.Values))
		}
		for j := range w.Values {
			n++
			if problem := unlikeCooked(g.Values[j], w.Values[j]); problem != "" {
				t.Fatalf("pair %d: %v, want %v: %s", i, g.Values[j], w.Values[j], problem)
			}
		}
	}
	return n
}

// unlikeCooked describes the differences between two values. It ignores differences in the last digits of numbers.
func unlikeCooked(got, want map[string]any) string {
	a, isA := got["value"].(float64)
	b, isB := want["value"].(float64)
	if isA != isB || math.Abs(a-b) > 1e-12*math.Abs(b) {
		return fmt.Sprintf("the values are %v and %v", a, b)
	}
	delete(got, "value")
	delete(want, "value")
	if !reflect.DeepEqual(got, want) {
		return "the members differ"
	}
	return ""
}
