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
	"time"
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
// even with PASS, and the target is asked.
func (t *target) failure(s *said, err error, interrupted bool, before []string) []string {
	if err == nil {
		return nil
	}
	fresh := slices.DeleteFunc(t.failing(), func(name string) bool { return slices.Contains(before, name) })
	if len(fresh) == 0 && (s.late || interrupted && (!s.failed || s.torn)) {
		return nil
	}
	lines := slices.DeleteFunc(s.lines(), func(line string) bool { return line == "PASS" })
	for _, name := range fresh {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, name) }) {
			lines = append(lines, "Failing input written to "+path.Join("testdata", "fuzz", t.test, name))
			lines = append(lines, t.again(name, onceMore)...)
		}
	}
	if len(lines) == 0 {
		return []string{err.Error()}
	}
	return lines
}

// onceMore is how long the target may take for an input that it is asked for again: who
// has pressed Ctrl-C waits for it.
const onceMore = 5 * time.Second

// again tries a kept input, and returns what the target says of it. The interrupt that the
// engine was ended by does not end this too.
func (t *target) again(name string, most time.Duration) []string {
	ctx, stop := context.WithTimeout(context.Background(), most)
	defer stop()
	cmd := exec.CommandContext(ctx, t.bin, "-test.run=^"+t.test+"$/^"+regexp.QuoteMeta(name)+"$", "-test.paniconexit0")
	cmd.Dir = t.dir
	cmd.WaitDelay = time.Second
	var s said
	switch err := listen(cmd, s.add); {
	case err == nil:
		return []string{"Tried again, it does not fail."}
	case s.failed:
		return s.lines()
	case ctx.Err() != nil:
		return append([]string{fmt.Sprintf("Tried again, it does not end in %v.", most)}, s.lines()...)
	default: // it could not be started, or ended the tests
		return append([]string{fmt.Sprintf("Tried again: %v", err)}, s.lines()...)
	}
}
