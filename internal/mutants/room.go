package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A room is a package whose tests are run, and which may be damaged.
type room struct {
	ImportPath string
	Dir        string
	Name       string
	GoFiles    []string
	Deps       []string // of its tests too
	Module     struct{ Path, Dir string }
	ForTest    string
}

// name returns the path of the package in its module.
func (r *room) name() string { return strings.TrimPrefix(r.ImportPath, r.Module.Path+"/") }

// file returns the path of a file of the package in its module.
func (r *room) file(name string) (string, error) {
	rel, err := filepath.Rel(r.Module.Dir, filepath.Join(r.Dir, name))
	return filepath.ToSlash(rel), err
}

// loadRooms asks go of the packages.
func loadRooms(ctx context.Context, packages []string) ([]*room, error) {
	var list []*room
	for _, p := range packages {
		found, err := goList(ctx, p)
		if err != nil {
			return nil, err
		}
		r := found[0]
		tests, err := goList(ctx, "-test", p)
		if err != nil {
			return nil, err
		}
		for _, t := range tests {
			if t.ForTest != "" || strings.HasSuffix(t.ImportPath, ".test") {
				r.Deps = append(r.Deps, t.Deps...)
			}
		}
		list = append(list, r)
	}
	return list, nil
}

func goList(ctx context.Context, args ...string) ([]*room, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Name,GoFiles,Deps,Module,ForTest"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list %s: %w %s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	var list []*room
	for d := json.NewDecoder(&stdout); ; {
		r := new(room)
		err := d.Decode(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no package", strings.Join(args, " "))
	}
	return list, nil
}

// judgesOf returns the room itself and those of the others whose tests depend on it.
func judgesOf(r *room, others []*room) []*room {
	list := []*room{r}
	for _, o := range others {
		if o.ImportPath != r.ImportPath && slices.Contains(o.Deps, r.ImportPath) {
			list = append(list, o)
		}
	}
	return list
}
