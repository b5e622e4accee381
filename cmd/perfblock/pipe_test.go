package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestPipe runs lint in several processes, as Spark does: each process reads some of the paths from standard input.
// The merged report must equal the report of a single run.
func TestPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := captures(t, dir)
	one := lintPaths(t, dir, paths)
	for _, record := range []string{"file", "finding", "unjudged", "skipped"} {
		if !slices.ContainsFunc(one, func(line string) bool { return strings.Contains(line, `"record":"`+record+`"`) }) {
			t.Errorf("the run has no record %q, so the test does not check it", record)
		}
	}

	r := rand.New(rand.NewPCG(22, 6))
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	type attempt struct {
		paths []string
		lost  bool // the end of the output is lost
	}
	var attempts []attempt
	for partition := range slices.Chunk(paths, 9) {
		switch len(attempts) % 3 {
		case 1: // the scheduler ran the partition twice
			attempts = append(attempts, attempt{partition, false})
		case 2: // the first worker was stopped
			attempts = append(attempts, attempt{partition, true})
		}
		attempts = append(attempts, attempt{partition, false})
	}
	outputs := make([][]string, len(attempts))
	var workers sync.WaitGroup
	for i, a := range attempts {
		workers.Go(func() { outputs[i] = lintPaths(t, dir, a.paths) })
	}
	workers.Wait()
	var records []string
	for i, a := range attempts {
		if a.lost {
			outputs[i] = outputs[i][:r.IntN(len(outputs[i]))]
		}
		records = append(records, outputs[i]...)
	}
	r.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })

	for _, format := range []string{"jsonl", "sarif"} {
		want := pipe(t, dir, strings.Join(one, ""), "merge", "-", "--exit-zero", "--format", format)
		got := pipe(t, dir, strings.Join(records, ""), "merge", "-", "--exit-zero", "--format", format)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-one run +partitions)\n%s", format, diff)
		}
	}
}

// captures writes valid blocks, broken blocks, text dumps and other files into a folder. It returns their paths,
// paths of missing files, and the path of a subfolder.
func captures(t *testing.T, dir string) (paths []string) {
	t.Helper()
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		object := builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).Instance(fmt.Sprintf("cpu %d", i), 1)
		data := builder.DataBlock{SystemName: fmt.Sprintf("HOST%d", i)}
		block, err := data.Add(object).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		broken := slices.Clone(block)
		broken[layout.PERF_DATA_BLOCK.Field("Version").At] = 9
		broken[len(broken)-1-i] ^= 0xff
		write(fmt.Sprintf("valid%d.bin", i), block)
		write(fmt.Sprintf("broken %d.bin", i), broken)
		write(fmt.Sprintf("dump%d.hex", i), []byte(hex.EncodeToString(broken[:len(broken)-i])))
		write(fmt.Sprintf("note%d.txt", i), fmt.Appendf(nil, "note %d is not a block", i))
		paths = append(paths, fmt.Sprintf("valid%d.bin", i), fmt.Sprintf("broken %d.bin", i), fmt.Sprintf("dump%d.hex", i),
			fmt.Sprintf("note%d.txt", i), fmt.Sprintf("gone%d.bin", i))
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	write("folder/picture.png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x01"))
	return append(paths, "folder")
}

// lintPaths runs lint with paths on standard input, and returns the lines of the report. Lint must exit with 0, even if
// files are faulty or missing.
func lintPaths(t *testing.T, dir string, paths []string) []string {
	t.Helper()
	out := pipe(t, dir, strings.Join(paths, "\n"), "lint", "--files-from", "-", "--format", "jsonl", "--exit-zero")
	return slices.Collect(strings.Lines(out))
}

// pipe runs the command with a text as standard input, and returns its standard output. Several goroutines may call
// pipe.
func pipe(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "perfblock", args...)
	var out, problems bytes.Buffer
	c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, strings.NewReader(stdin), &out, &problems
	if err := c.Run(); err != nil {
		t.Errorf("perfblock %s: %v\n%s", strings.Join(args, " "), err, &problems)
	}
	return out.String()
}
