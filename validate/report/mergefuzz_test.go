package report_test

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/validate/report"
)

// mergeLines merges lines of JSON Lines reports. It returns the merged report in the given format, or the first error.
func mergeLines(format string, lines []string) (string, error) {
	var r report.Records
	if err := r.Read(strings.NewReader(strings.Join(lines, ""))); err != nil {
		return "", err
	}
	if err := r.Compare(func(f report.File) (report.File, error) { return f, nil }); err != nil {
		return "", err
	}
	var out bytes.Buffer
	f, err := report.FormatNamed(format)
	if err != nil {
		return "", err
	}
	w := f.NewWriter(&out, report.Options{})
	if _, _, err := r.Write(w); err != nil {
		return "", err
	}
	err = w.Close(report.End{})
	return out.String(), err
}

// changedLines returns the lines and some changed copies of lines, in a random order.
func changedLines(lines []string, r *rand.Rand) []string {
	var values []any
	var collect func(v any)
	collect = func(v any) {
		values = append(values, v)
		if m, is := v.(map[string]any); is {
			for _, key := range slices.Sorted(maps.Keys(m)) {
				collect(m[key])
			}
		}
	}
	var change func(v any) any
	change = func(v any) any {
		m, is := v.(map[string]any)
		if !is || len(m) == 0 || r.IntN(4) == 0 {
			odd := []any{nil, -1, 0, 1, int64(1 << 53), "", "a!/b", true, []any{}, map[string]any{}, "\x1b"}
			if r.IntN(2) == 0 {
				odd = values
			}
			return odd[r.IntN(len(odd))]
		}
		keys := slices.Sorted(maps.Keys(m))
		key := keys[r.IntN(len(keys))]
		if r.IntN(8) == 0 {
			delete(m, key)
		} else {
			m[key] = change(m[key])
		}
		return m
	}
	all := slices.Clone(lines)
	for _, line := range lines {
		var v any
		if json.Unmarshal([]byte(line), &v) == nil {
			collect(v)
		}
	}
	for range 1 + r.IntN(4) {
		var v any
		if json.Unmarshal([]byte(lines[r.IntN(len(lines))]), &v) == nil {
			if changed, err := json.Marshal(change(v)); err == nil {
				all = append(all, string(changed)+"\n")
			}
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// FuzzRecords checks that the report does not depend on the order of the records, and that a merge of the report
// gives the same report.
func FuzzRecords(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		f.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		for seed := range uint64(20) {
			f.Add(golden.Read(f, path), seed)
		}
	}
	for seed := range uint64(200) {
		f.Add(testCase{files: []report.File{compared()}, unchecked: []report.Unchecked{faulty}}.write(f, "jsonl", report.Options{}), seed)
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		lines := strings.SplitAfter(text+"\n", "\n")
		if seed > 0 {
			lines = changedLines(lines, rand.New(rand.NewPCG(seed, 0)))
		}
		whole, err := mergeLines("jsonl", lines)
		if err != nil {
			return
		}
		for _, format := range report.Formats() {
			if format.Name == "sarif" && crc32.ChecksumIEEE([]byte(text))%256 != 1 { // a log lists all rules, which takes long
				continue
			}
			if _, err := mergeLines(format.Name, lines); err != nil {
				t.Errorf("%s: %v\n%s", format.Name, err, lines)
			}
		}
		slices.Reverse(lines)
		if turned, err := mergeLines("jsonl", lines); err != nil || turned != whole {
			t.Errorf("in another order: %v\n%s\nwant\n%s\nlines\n%s", err, turned, whole, lines)
		}
		if again, err := mergeLines("jsonl", []string{whole}); err != nil || again != whole {
			t.Errorf("merged again: %v\n%s\nwant\n%s\nlines\n%s", err, again, whole, lines)
		}
	})
}
