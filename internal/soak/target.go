package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
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
	failed []string // what it said when it failed, nil as long as it did not
}

var fuzzName = regexp.MustCompile(`^Fuzz\w*$`)

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
		names, err := fuzzFunctions(p.Dir, append(p.TestGoFiles, p.XTestGoFiles...))
		if err != nil {
			return nil, err
		}
		var some []*target
		for _, name := range names {
			t := &target{name: p.Name + "." + name, test: name, dir: p.Dir}
			if match.MatchString(t.name) {
				t.bin = filepath.Join(bin, strconv.Itoa(len(targets))+".test")
				t.cache = filepath.Join(strings.TrimSpace(string(cache)), "fuzz", filepath.FromSlash(p.ImportPath))
				some = append(some, t)
			}
		}
		if len(some) == 0 {
			continue
		}
		for _, t := range some {
			t.bin = some[0].bin
		}
		if _, err := goTool(ctx, bin, "test", "-c", "-fuzz=.", "-o", some[0].bin, p.ImportPath); err != nil {
			return nil, err
		}
		targets = append(targets, some...)
	}
}

// fuzzFunctions returns the names of the fuzz targets in files, in their order.
func fuzzFunctions(dir string, files []string) ([]string, error) {
	var names []string
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && fuzzName.MatchString(f.Name.Name) {
				names = append(names, f.Name.Name)
			}
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
