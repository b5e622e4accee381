package oracle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
)

// Entry is one value that the walker read.
type Entry struct {
	Path  string // object[0].counter[1].CounterOffset
	Off   int64  // from the start of the input
	Size  int    // in bytes
	Value string // an integer in decimal, or "hex:" and two digits for each byte
}

// readOutput reads the walker's output for one block: a JSON array with one entry on each line, or a line "! reason".
func readOutput(r *bufio.Reader) ([]Entry, error) {
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

func readLine(r *bufio.Reader) (string, error) {
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
