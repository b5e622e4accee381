package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is a file with one small damage.
type mutant struct {
	room       *room
	file       string // in the module
	source     []byte
	start, end int // what is replaced
	text       string

	line     int
	function *function // nil where there is none that can give way
	in       string    // the function it is in
	from, to string    // the lines of it
}

// name says which it is, whatever stands above it in the file.
func (m *mutant) name() string { return m.file + " " + m.in + ": " + m.from + " -> " + m.to }

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s -> %s", m.file, m.line, m.in, m.from, m.to)
}

// damaged returns the file as it is with the damage.
func (m *mutant) damaged() []byte {
	return slices.Concat(m.source[:m.start], []byte(m.text), m.source[m.end:])
}

// mutantsOf finds every place in the files of the package that are not generated.
func mutantsOf(r *room) ([]*mutant, error) {
	var list []*mutant
	for _, name := range r.GoFiles {
		path := filepath.Join(r.Dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(file) {
			continue
		}
		f := finder{file: set.File(file.FileStart), source: source}
		f.find(file)
		inModule, err := r.file(name)
		if err != nil {
			return nil, err
		}
		for _, m := range f.list {
			m.room, m.file, m.source = r, inModule, source
			m.describe()
			list = append(list, m)
		}
	}
	return list, nil
}

// mostText bounds the lines that are shown: a statement may be as long as a function.
const mostText = 160

// describe sets the lines of the damage, without it and with it.
func (m *mutant) describe() {
	start := strings.LastIndexByte(string(m.source[:m.start]), '\n') + 1
	end := len(m.source)
	if i := strings.IndexByte(string(m.source[m.end:]), '\n'); i >= 0 {
		end = m.end + i
	}
	before, after := string(m.source[start:m.start]), string(m.source[m.end:end])
	m.from = oneLine(before + string(m.source[m.start:m.end]) + after)
	m.to = oneLine(before + m.text + after)
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "":
		return "nothing"
	case len(text) > mostText:
		return text[:mostText/2] + "..." + text[len(text)-mostText/2:]
	}
	return text
}
