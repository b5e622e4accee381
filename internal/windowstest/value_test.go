// Package windowstest has only tests. TestProviders registers providers, and reads the values with programs of Windows.
// .github/workflows/windows.yml runs TestProviders.
//
// TestProviders has not been run yet. Wine has no lodctr, and its typeperf has no counters of providers.
package windowstest

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shortPath returns the path of a counter without the name of the computer, in small letters.
func shortPath(path string) string {
	if _, after, is := strings.Cut(strings.TrimPrefix(path, `\\`), `\`); is {
		path = after
	}
	return strings.ToLower(path)
}

// typeperfValues returns the last value of each counter in the output of typeperf, by its short path. A counter without
// a value is missing.
func typeperfValues(out string) (map[string]float64, error) {
	var table strings.Builder // without the messages of typeperf
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, `"`) {
			table.WriteString(line)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("typeperf has written no table, %v:\n%s", err, out)
	}
	values := make(map[string]float64)
	for _, row := range rows[1:] {
		for i, text := range row[1:] {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("typeperf: %w", err)
			}
			values[shortPath(rows[0][i+1])] = v
		}
	}
	return values, nil
}

// getCounterValues returns the last value of each counter in the output of testdata/counter.ps1, by its short path.
func getCounterValues(out string) (map[string]float64, error) {
	values := make(map[string]float64)
	for line := range strings.Lines(out) {
		path, text, is := strings.Cut(strings.TrimSpace(line), "=")
		if !is {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("Get-Counter: %w", err)
		}
		values[shortPath(path)] = v
	}
	return values, nil
}

// TestValues reads outputs in the form that the documentation of typeperf and Get-Counter shows.
func TestValues(t *testing.T) {
	t.Parallel()
	want := map[string]float64{`queues(orders)\depth`: 17, `bridge totals\size`: 99}
	typeperf := "\r\n" + `"(PDH-CSV 4.0)","\\HOST\Queues(orders)\Depth","\\HOST\Queues(orders)\Published","\\HOST\Bridge Totals\Size"` + "\r\n" +
		`"11/24/2026 04:00:00.000","16.000000"," ","99.000000"` + "\r\n" +
		`"11/24/2026 04:00:01.000","17.000000"," ","99.000000"` + "\r\nExiting, please wait...\r\nThe command completed successfully.\r\n"
	got, err := typeperfValues(typeperf)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("typeperf, %v (-want +got):\n%s", err, diff)
	}
	got, err = getCounterValues(`\\host\queues(orders)\depth=16` + "\r\n" + `\\host\bridge totals\size=99` + "\r\n" + `\\host\queues(orders)\depth=17` + "\r\n")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Get-Counter, %v (-want +got):\n%s", err, diff)
	}
	for _, out := range []string{"", "Error: No valid counters.\r\n", `"(PDH-CSV 4.0)","\\HOST\Queues(orders)\Depth"` + "\r\n" + `"11/24/2026","?"`} {
		if got, err := typeperfValues(out); err == nil {
			t.Errorf("%q: no error, and the values %v", out, got)
		}
	}
}
