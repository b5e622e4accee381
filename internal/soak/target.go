package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A target is a fuzz function, and what it has done so far.
type target struct {
	name  string // fuzz.FuzzAnyBytes
	test  string // FuzzAnyBytes
	dir   string // of its package
	bin   string // the package's tests, compiled for fuzzing
	cache string // where the engine keeps what is new to the coverage

	turns  int
	execs  int64
	fresh  int64 // inputs that were new to the coverage
	corpus int64 // inputs that the engine keeps
	begun  bool  // one was not there before
	wall   time.Duration
	cpu    time.Duration
	ended  bool     // it ended by itself before its turn was over
	failed []string // what it said when it failed, nil as long as it did not
}

// goesOn reports whether it is worth another turn.
func (t *target) goesOn() bool { return t.failed == nil && !t.ended }

// canKeep tries to write where the engine puts what the target fails on, or makes the folder
// for it. It would tell of neither the input nor the failure where it can't.
func (t *target) canKeep() error {
	dir := filepath.Join(t.dir, "testdata", "fuzz", t.test)
	for dir != t.dir {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".soak-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// mayBe finds the names that may be those of targets in a source file. Which of them are, the
// compiled tests know.
var mayBe = regexp.MustCompile(`func\s+(Fuzz[\pL\p{Nd}_]*)`)

// find compiles the tests of the module's packages into bin and returns the fuzz targets
// among them whose names match.
func find(ctx context.Context, bin string, match *regexp.Regexp) ([]*target, error) {
	list, err := goTool(ctx, bin, "list", "-json=ImportPath,Name,Dir,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, err
	}
	cache, err := goTool(ctx, bin, "env", "GOCACHE")
	if err != nil {
		return nil, err
	}
	var targets []*target
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var p struct {
			ImportPath, Name, Dir     string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return targets, nil
		} else if err != nil {
			return nil, err
		}
		wanted := func(name string) bool { return match.MatchString(p.Name + "." + name) }
		some, err := mentions(p.Dir, append(p.TestGoFiles, p.XTestGoFiles...), wanted)
		switch {
		case err != nil:
			return nil, err
		case !some:
			continue
		}
		tests := filepath.Join(bin, strconv.Itoa(len(targets))+".test")
		if _, err := goTool(ctx, bin, "test", "-c", "-fuzz=.", "-o", tests, p.ImportPath); err != nil {
			return nil, err
		}
		names, err := fuzzTargets(ctx, p.Dir, tests)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if wanted(name) {
				targets = append(targets, &target{
					name: p.Name + "." + name, test: name, dir: p.Dir, bin: tests,
					cache: filepath.Join(strings.TrimSpace(string(cache)), "fuzz", filepath.FromSlash(p.ImportPath)),
				})
			}
		}
	}
}

// mentions reports whether a file has a name that is wanted and may be a target's.
func mentions(dir string, files []string, wanted func(string) bool) (bool, error) {
	for _, file := range files {
		source, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return false, err
		}
		for _, m := range mayBe.FindAllSubmatch(source, -1) {
			if wanted(string(m[1])) {
				return true, nil
			}
		}
	}
	return false, nil
}

// fuzzTargets returns the names of the fuzz targets of compiled tests, in their order.
func fuzzTargets(ctx context.Context, dir, tests string) ([]string, error) {
	cmd := exec.CommandContext(ctx, tests, "-test.list=^Fuzz")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the tests of %s do not list themselves: %w\n%s", dir, err, out)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Fuzz") && token.IsIdentifier(name) { // tests may print while they begin
			names = append(names, name)
		}
	}
	return names, nil
}

// goTool runs the go command, and returns what it printed. What it makes while it works lies
// in dir, from where it is removed also if the command is stopped.
func goTool(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+dir)
	out, err := cmd.Output()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, e.Stderr)
	}
	return out, err
}
