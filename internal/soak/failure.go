package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// failing returns the inputs that are kept beside the target, on which it failed once.
func (t *target) failing() []string {
	entries, _ := os.ReadDir(filepath.Join(t.dir, "testdata", "fuzz", t.test)) // it may have none
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// failure returns what there is to say of a turn that ended with err, nil if the target did
// not fail; before are the inputs that were kept before. An interrupt is no failure, nor is the
// end of the time, also where the engine takes it for one; but a target may have failed just
// before. The engine itself may then end with the input written and nothing said of it, or
// even with PASS.
func (t *target) failure(s *said, err error, interrupted bool, before []string) []string {
	fresh := slices.DeleteFunc(t.failing(), func(name string) bool { return slices.Contains(before, name) })
	if len(fresh) == 0 && (err == nil || s.late || interrupted && (!s.failed || s.torn)) {
		return nil
	}
	lines := slices.DeleteFunc(s.lines(), func(line string) bool { return line == "PASS" })
	for _, name := range fresh {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, name) }) {
			lines = append(lines, "Failing input written to "+path.Join("testdata", "fuzz", t.test, name))
			lines = append(lines, t.again(name)...)
		}
	}
	if len(lines) == 0 {
		return []string{err.Error()}
	}
	return lines
}

// again tries a kept input, and returns what the target says of it.
func (t *target) again(name string) []string {
	ctx, stop := context.WithTimeout(context.Background(), graceful)
	defer stop()
	cmd := exec.CommandContext(ctx, t.bin, "-test.run=^"+t.test+"$/^"+regexp.QuoteMeta(name)+"$")
	cmd.Dir = t.dir
	cmd.WaitDelay = graceful
	var s said
	switch err := listen(cmd, s.add); {
	case err == nil:
		return []string{"Tried again, it passes."}
	case s.failed:
		return s.lines()
	default: // it could not be started, was ended or panicked
		return append([]string{fmt.Sprintf("Tried again: %v", err)}, s.lines()...)
	}
}
