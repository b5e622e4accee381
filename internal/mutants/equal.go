package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed equal.txt
var equalFile string

// equals are the mutants that do what the code does, with the reason why, by their names.
type equals map[string]string

// readEquals reads paragraphs: the name of a mutant, and in the lines below it, indented, the reason. Lines that begin with # are notes.
func readEquals(text string) (equals, error) {
	e := make(equals)
	name := ""
	for i, line := range strings.Split(text, "\n") {
		reason, indented := strings.CutPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"):
		case indented && name == "":
			return nil, fmt.Errorf("equal.txt:%d: a reason of nothing", i+1)
		case indented:
			e[name] = strings.TrimSpace(e[name] + " " + reason)
		case name != "" && e[name] == "":
			return nil, fmt.Errorf("equal.txt:%d: no reason for the one before it", i+1)
		default:
			name = line
			if _, twice := e[name]; twice {
				return nil, fmt.Errorf("equal.txt:%d: there twice", i+1)
			}
			e[name] = ""
		}
	}
	if name != "" && e[name] == "" {
		return nil, fmt.Errorf("equal.txt: no reason for the last")
	}
	return e, nil
}

func (e equals) reason(m *mutant) string { return e[m.name()] }

// find reports those of the files of these mutants that are none of them: the code has changed.
func (e equals) find(all []*mutant) error {
	names, files := make(map[string]bool), make(map[string]bool)
	for _, m := range all {
		names[m.name()], files[m.room.name()] = true, true
	}
	var stale []string
	for name := range e {
		folder, _, _ := strings.Cut(name, " ")
		folder = folder[:max(0, strings.LastIndexByte(folder, '/'))]
		if files[folder] && !names[name] {
			stale = append(stale, name)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	slices.Sort(stale)
	return fmt.Errorf("equal.txt: no such place:\n%s", strings.Join(stale, "\n"))
}
