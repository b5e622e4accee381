package bench_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPerflibExporter runs the consumer perflib_exporter against a perftest.Registry. docs/consumers.md describes the
// faults of perflib_exporter.
func TestPerflibExporter(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "consumer")
	if err := buildPerflib(dir, program, "registry.go"); errors.Is(err, errors.ErrUnsupported) && os.Getenv("PERFBLOCK_ORACLE") != "require" {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	got, err := run(program)
	if err != nil {
		t.Fatal(err)
	}
	const whole = `Processor, % Processor Time, 5000 rows, "4999", 17`
	var want strings.Builder
	for _, row := range []struct{ script, reads, reason string }{
		{"values", `Processor, % Processor Time, 2 rows, "1", 20`, "names come from Counter 009, values from the block"},
		{"size unchanged", whole, "the consumer ignores the size that a call returns"},
		{"size zero", whole, "the consumer ignores the size that a call returns"},
		{"size too small", whole, "the consumer ignores the size that a call returns"},
		{"size too large", whole, "the consumer ignores the size that a call returns"},
		{"data that grows", whole, "the buffer grows until the data fits"},
		{"busy once", "error 170", "the consumer does not try again"},
		{"the provider fails", "nothing", "the block does not have the object"},
		{"no instances now", `Processor, % Processor Time, 1 rows, "", 0`, "the consumer reads a row that does not exist"},
		{"a value above 2^63", `Processor, % Processor Time, 1 rows, "0", -9223372036854775808`, "the consumer reads signed values"},
		{"an average", `Processor, % Processor Time, 1 rows, "", 30, second 3, 3`, "the second value is the base, because the base follows the value"},
		{"longer definitions", `Processor, % Processor Time, 1 rows, "", 7, 0`, "the consumer reads the second definition 8 bytes too early, and 0 instead of the value 9"},
		{"a cut block", `Processor, , 1 rows, "", 0`, "the consumer reads a row that does not exist, and has no error"},
		{"an empty answer", "an error: EOF", "the header is missing"},
	} {
		want.WriteString(row.script + ": " + row.reads + "\n")
	}
	if diff := cmp.Diff(want.String(), got); diff != "" {
		t.Errorf("perflib_exporter (-want +got):\n%s", diff)
	}
}
