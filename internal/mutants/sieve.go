package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A sieve is one binary of the tests of a package with many mutants in it, of which the environment names one: to build each on its own
// takes longer than its tests. What they kill in it is dead. What they do not, and what has no place in it, is tried on its own: a
// function that gives way to others is compiled in another way, which tests of what is allocated notice.
type sieve struct {
	*judge
	binary  string
	numbers map[*mutant]int // from 1 on
}

const (
	numberVariable = "PERFBLOCK_MUTANT="
	noMutant       = numberVariable + "0"
)

const numberFile = `package %s

import (
	"os"
	"strconv"
)

var mutantNumber, _ = strconv.Atoi(os.Getenv("PERFBLOCK_MUTANT"))
`

// newSieve returns nil if none can be made.
func (t *trial) newSieve(ctx context.Context, r *room, list []*mutant) (*sieve, error) {
	dir, err := os.MkdirTemp(t.dir, "sieve")
	if err != nil {
		return nil, err
	}
	s := &sieve{judge: &judge{room: r}, binary: filepath.Join(dir, "test.exe"), numbers: make(map[*mutant]int)}
	for i, m := range list {
		if m.function != nil {
			s.numbers[m] = i + 1
		}
	}
	overlay := filepath.Join(dir, "overlay.json")
	for len(s.numbers) > 0 {
		copies, err := s.write(dir, overlay)
		if err != nil {
			return nil, err
		}
		out, err := exec.CommandContext(ctx, "go", "build", "-gcflags=-e", "-overlay="+overlay, "-o", os.DevNull, r.ImportPath).CombinedOutput()
		if err == nil {
			break
		}
		if ctx.Err() != nil || !s.drop(out, copies) {
			return nil, ctx.Err()
		}
	}
	if len(s.numbers) == 0 {
		return nil, nil
	}
	if _, err := build(ctx, s.binary, overlay, r); err != nil {
		return nil, ctx.Err()
	}
	return s, s.measure(ctx, t, s.binary, true)
}

// A span is where the copy of a mutant stands in a file that is written.
type span struct {
	file        string
	first, last int // lines
	mutant      *mutant
}

// write writes the files with their mutants, and the overlay.
func (s *sieve) write(dir, overlay string) ([]span, error) {
	replaced := map[string]string{filepath.Join(s.Dir, "mutantnumber.go"): filepath.Join(dir, "number.go")}
	byFile := make(map[string][]*mutant)
	for m := range s.numbers {
		byFile[m.file] = append(byFile[m.file], m)
	}
	var copies []span
	for file, list := range byFile {
		slices.SortFunc(list, func(a, b *mutant) int { return s.numbers[a] - s.numbers[b] })
		ways := make(map[int]string) // by where they go
		for _, m := range list {
			ways[m.function.body] += m.function.way(s.numbers[m])
		}
		var b bytes.Buffer
		done := 0
		for _, at := range sortedKeys(ways) {
			b.Write(list[0].source[done:at])
			fmt.Fprintf(&b, " switch mutantNumber { %s}; ", ways[at])
			done = at
		}
		b.Write(list[0].source[done:])
		line := 1 + bytes.Count(b.Bytes(), []byte("\n"))
		for _, m := range list {
			text := "\n" + m.copyOf(s.numbers[m])
			n := strings.Count(text, "\n")
			copies = append(copies, span{"all_" + filepath.Base(file), line, line + n, m})
			line += n
			b.WriteString(text)
		}
		written := filepath.Join(dir, "all_"+filepath.Base(file))
		if err := os.WriteFile(written, b.Bytes(), 0o600); err != nil {
			return nil, err
		}
		replaced[filepath.Join(s.Dir, filepath.Base(file))] = written
	}
	if err := os.WriteFile(filepath.Join(dir, "number.go"), fmt.Appendf(nil, numberFile, s.Name), 0o600); err != nil {
		return nil, err
	}
	return copies, writeOverlay(overlay, replaced)
}

func sortedKeys(m map[int]string) (keys []int) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

var compileError = regexp.MustCompile(`(?m)([^/\\\s]+\.go):(\d+):\d+: `)

// drop drops the mutants in which errors are, and reports whether it has found one.
func (s *sieve) drop(out []byte, copies []span) bool {
	dropped := false
	for _, e := range compileError.FindAllSubmatch(out, -1) {
		line, err := strconv.Atoi(string(e[2]))
		if err != nil {
			continue
		}
		for _, c := range copies {
			if c.file == string(e[1]) && line >= c.first && line <= c.last {
				dropped = true
				delete(s.numbers, c.mutant)
			}
		}
	}
	return dropped
}

// try returns what the tests of the package make of the mutant; that it lives says nothing.
func (s *sieve) try(ctx context.Context, t *trial, m *mutant) (verdict, error) {
	number, ok := s.numbers[m]
	if !ok {
		return verdict{fate: lives}, nil
	}
	dir, err := os.MkdirTemp(t.dir, "mutant")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	for _, flags := range s.stages() {
		v, err := s.run(ctx, s.binary, dir, numberVariable+strconv.Itoa(number), flags)
		if v.fate == killedBy {
			v.fate = killed
		}
		if v.fate != lives || err != nil {
			return v, err
		}
	}
	return verdict{fate: lives}, nil
}
