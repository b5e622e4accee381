// Prepare changes a copy of the module so that each of its fuzz targets can be
// compiled for libFuzzer, and lists the targets: the name of each, its function and the
// package to compile, with tabs between. It is given the folder of the copy, in which
// nothing stays as it was, and refuses a checkout.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	tool := flag.String("tool", "", "the package whose type F is given an input")
	flag.Parse()
	if flag.NArg() != 1 || *tool == "" {
		fmt.Fprintln(os.Stderr, "usage: prepare -tool PACKAGE FOLDER")
		os.Exit(2)
	}
	if err := prepare(flag.Arg(0), *tool, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prepare:", err)
		os.Exit(1)
	}
}

// A goPackage is what "go list" says of one.
type goPackage struct {
	ImportPath, Dir           string
	Module                    struct{ Path, Dir string }
	TestGoFiles, XTestGoFiles []string
	TestEmbedPatterns         []string
	XTestEmbedPatterns        []string
}

func (p *goPackage) folder() string {
	return filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(p.Dir, p.Module.Dir), string(filepath.Separator)))
}

func list(root string) (all []*goPackage, err error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Module,TestGoFiles,XTestGoFiles,TestEmbedPatterns,XTestEmbedPatterns", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for d := json.NewDecoder(out); ; {
		p := new(goPackage)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, cmd.Wait()
		} else if err != nil {
			return nil, errors.Join(err, cmd.Wait())
		}
		all = append(all, p)
	}
}

func prepare(root, tool string, w io.Writer) error {
	all, err := list(root)
	if err != nil {
		return err
	}
	for _, p := range all {
		if _, err := os.Lstat(filepath.Join(p.Module.Dir, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is a checkout, and not a copy of one", p.Module.Dir)
		}
	}
	for _, p := range all {
		targets, err := rewrite(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		if len(targets) == 0 {
			continue
		}
		if err := writeSeeds(p, targets); err != nil {
			return err
		}
		for _, t := range targets {
			at, err := writeTarget(p, t, tool)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", t.name(p), t.function, at); err != nil {
				return err
			}
		}
	}
	return nil
}
