package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A toldFile is a block that lint has to be told of, and the flag that does it.
type toldFile struct {
	flag, path string
	b          []byte
}

// toldFiles returns what lint has to be told of beside the block at a path: for
// folder/cpu.query-data.bin folder/cpu.identifiers.bin and folder/cpu.1.reg-set.bin,
// folder/cpu.2.reg-set.bin and so on.
func toldFiles(b fuzz.Broken, to string) []toldFile {
	base := strings.TrimSuffix(to, filepath.Ext(to))
	base = strings.TrimSuffix(base, "."+b.Kind.String())
	var files []toldFile
	if b.Context.Identifiers != nil {
		files = append(files, toldFile{"--identifiers", fmt.Sprintf("%s.%v.bin", base, layout.IdentifiersKind), b.Context.Identifiers})
	}
	for i, set := range b.Context.Registrations {
		files = append(files, toldFile{"--reginfo", fmt.Sprintf("%s.%d.%v.bin", base, i+1, layout.RegSetKind), set})
	}
	return files
}

// lintFlags returns the flags without which lint cannot see what is broken in the block
// at a path.
func lintFlags(b fuzz.Broken, to string) []string {
	var flags []string
	if kind, err := kindOf(source{path: to, b: b.Block}, ""); err != nil || kind != b.Kind {
		flags = append(flags, "--kind "+b.Kind.String())
	}
	if b.Context.Query != nil {
		flags = append(flags, "--query "+strconv.Quote(*b.Context.Query))
	}
	if first, last := b.Context.FirstCounter, b.Context.LastCounter; first != 0 || last != 0 {
		flags = append(flags, fmt.Sprintf("--first-counter %d", first), fmt.Sprintf("--last-counter %d", last))
	}
	for _, f := range toldFiles(b, to) {
		flags = append(flags, f.flag+" "+word(f.path))
	}
	switch b.Context.Role {
	case validate.GivenRole:
		flags = append(flags, "--role given")
	case validate.ToldRole:
		flags = append(flags, "--role told")
	}
	if n := b.Context.Counters; n != 0 {
		flags = append(flags, fmt.Sprintf("--counters %d", n))
	}
	return flags
}

// word returns a path, in quotes where a shell would take it apart.
func word(path string) string {
	plain := func(r rune) bool { return r > ' ' && !strings.ContainsRune("\"'`$&|;<>()*?[]{}!#~", r) }
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return strconv.Quote(path)
}
