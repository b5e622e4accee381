package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Entry is one value that the walker read.
type Entry struct {
	Path  string // object[0].counter[1].CounterOffset
	Off   int64  // from the start of the input
	Size  int    // in bytes
	Value string // an integer in decimal, or "hex:" and two digits for each byte
}

// A BrokenError has the reason why the walker refused a block.
type BrokenError struct{ Reason string }

func (e *BrokenError) Error() string { return "broken block: " + e.Reason }

// Walk reads one block in a new process. kind is the text of a [layout.Kind]. The error is a
// *[BrokenError] if the walker refuses the block.
func (w *Walker) Walk(ctx context.Context, kind string, block []byte) ([]Entry, error) {
	stdout, stderr, err := w.run(ctx, kind, bytes.NewReader(block))
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		reason, ours := strings.CutPrefix(strings.TrimSpace(stderr), "walk: ")
		if ours && stdout.Len() == 0 {
			return nil, &BrokenError{reason}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("walk %s: %w\n%s", kind, err, stderr)
	}
	return readOutput(stdout)
}

// Result is the result of [Walker.Walk] for one of several blocks.
type Result struct {
	Entries []Entry
	Err     error // nil or a *BrokenError
}

// WalkAll reads blocks of one kind in one process. The results are in the order of the blocks.
func (w *Walker) WalkAll(ctx context.Context, kind string, blocks [][]byte) ([]Result, error) {
	frames := make([]io.Reader, 0, 2*len(blocks))
	for _, block := range blocks {
		frames = append(frames, strings.NewReader(fmt.Sprintf("%s %d\n", kind, len(block))), bytes.NewReader(block))
	}
	stdout, stderr, err := w.run(ctx, "batch", io.MultiReader(frames...))
	if err != nil {
		return nil, fmt.Errorf("walk batch: %w\n%s", err, stderr)
	}
	results := make([]Result, len(blocks))
	for i := range results {
		r := &results[i]
		r.Entries, r.Err = readOutput(stdout)
		if _, broken := errors.AsType[*BrokenError](r.Err); r.Err != nil && !broken {
			return nil, fmt.Errorf("walk batch: block %d: %w", i, r.Err)
		}
	}
	return results, nil
}

func (w *Walker) run(ctx context.Context, mode string, input io.Reader) (stdout *bytes.Buffer, stderr string, err error) {
	var out, words bytes.Buffer
	cmd := exec.CommandContext(ctx, w.program, mode)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &words
	// The sanitizers exit with status 99, because the walker exits with status 1 for a broken block. The leak
	// detection is off, because it fails under debuggers and in some containers.
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=exitcode=99:detect_leaks=0", "UBSAN_OPTIONS=exitcode=99:print_stacktrace=1")
	err = cmd.Run()
	return &out, words.String(), err
}

// readOutput reads the walker's output for one block: a JSON array with one entry on each line, or a line "! reason".
func readOutput(r *bytes.Buffer) ([]Entry, error) {
	line, err := readLine(r)
	if err != nil {
		return nil, err
	}
	if reason, broken := strings.CutPrefix(line, "! "); broken {
		return nil, &BrokenError{reason}
	}
	if line != "[" {
		return nil, fmt.Errorf("the output for a block starts with %.100q, must start with a bracket or an exclamation mark", line)
	}
	entries := []Entry{}
	for {
		line, err := readLine(r)
		if err != nil {
			return nil, err
		}
		if line == "]" {
			return entries, nil
		}
		entry, err := parseEntry(strings.TrimSuffix(line, ","))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
}

func readLine(r *bytes.Buffer) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the output ends too early: %w", err)
	}
	return strings.TrimSuffix(line, "\n"), nil
}

func parseEntry(line string) (Entry, error) {
	var entry struct {
		Path  string
		Off   int64
		Size  int
		Value json.Number // keeps all digits of a number of 64 bits
		Hex   string
	}
	if err := json.Unmarshal([]byte(line), &entry); err != nil {
		return Entry{}, fmt.Errorf("%w: %.100q", err, line)
	}
	value := entry.Value.String()
	if value == "" {
		value = "hex:" + entry.Hex
	}
	return Entry{entry.Path, entry.Off, entry.Size, value}, nil
}
