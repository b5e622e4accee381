package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
)

// conversion returns the output files for -o, whose names are the paths to write to. If -o is a folder, it returns the
// files of all formats. kept is true if the output is the source manifest with a new counters element.
func (c *defineCommand) conversion(f *definition.File, path string) (files []definition.Output, kept bool, err error) {
	into := func(name string) (*definition.File, error) {
		to := filepath.Join(c.folder(), name)
		if c.path == outfile.Stdout {
			to = outfile.Stdout
		}
		manifest, err := manifestAt(to, f)
		kept = manifest == f && !c.isFolder()
		return manifest, err
	}
	if info, err := os.Stat(filepath.Clean(c.path)); c.isFolder() && err == nil && !info.IsDir() {
		return nil, false, fmt.Errorf("-o %s: is a file, must be a folder; to write one file, give its name without a slash at the end", c.path)
	}
	switch {
	case c.path == outfile.Stdout:
		files, err = f.Provider.Output(stdinBase+"."+cmp.Or(c.format.value, "yaml"), into)
		if err == nil {
			files = files[:1] // the header of an .ini file is left out
			files[0].Name = outfile.Stdout
		}
	case c.isFolder():
		files, err = f.Provider.Outputs(into)
		// Do not write FILE, and do not convert a definition in YAML to YAML.
		files = slices.DeleteFunc(files, func(one definition.Output) bool {
			return f.Form == definition.YAML && filepath.Ext(one.Name) == ".yaml" || checkSame([]string{filepath.Join(c.path, one.Name)}, []string{path}) != nil
		})
	default:
		files, err = f.Provider.Output(filepath.Base(c.path), into)
	}
	if err != nil {
		if c.isFolder() && len(files) > 0 {
			err = errors.Join(err, fmt.Errorf("no file was written; to write one form, use -o NAME, such as -o %s", quoted(files[0].Name)))
		}
		return nil, false, fmt.Errorf("%s: %w", block.NameOf(path), err)
	}
	if c.path == outfile.Stdout {
		return files, kept, nil
	}
	var paths []string
	for i := range files {
		to := &files[i].Name
		*to = filepath.Join(c.folder(), *to)
		paths = append(paths, *to)
	}
	return files, kept, checkSame(paths, []string{path})
}

func (c *defineCommand) folder() string {
	if c.isFolder() {
		return c.path
	}
	return filepath.Dir(c.path)
}

// compare lists the files of a conversion that are missing or not current. If there are such files, it returns
// [errFaulty].
func (c *defineCommand) compare(w io.Writer, f *definition.File, path string) error {
	files, _, err := c.conversion(f, path)
	if err != nil {
		return err
	}
	var b strings.Builder
	stale := 0
	for _, one := range files {
		old, is, err := existingFile(one.Name)
		if err != nil {
			return err
		}
		text := one.Name + ": is missing"
		if is {
			text = difference(one.Name, old, one.Contents)
		}
		if text != "" {
			stale++
			fmt.Fprintf(&b, "%s\n", terminal.Printable(text))
		}
	}
	if stale == 0 {
		fmt.Fprintf(&b, "%s: all current\n", quote.Count(len(files), "file"))
	} else {
		fmt.Fprintf(&b, "not current: %d of %s; run the command without --check to write them\n", stale, quote.Count(len(files), "file"))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if stale > 0 {
		return errFaulty
	}
	return nil
}

// difference compares a file with its required contents. It returns "" if they are equal, and otherwise a text with the
// name and the first difference.
func difference(name string, got, want []byte) string {
	if bytes.Equal(got, want) {
		return ""
	}
	old, required := wholeLines(got), wholeLines(want)
	for i := range min(len(old), len(required)) {
		switch {
		case old[i] == required[i]:
		case strings.Contains(required[i], "\x00"): // an object file
			return name + ": differs"
		default:
			a, b := fromDifference(old[i], required[i])
			return fmt.Sprintf("%s:%d: is %s, must be %s", name, i+1, a, b)
		}
	}
	switch {
	case len(old) < len(required):
		return fmt.Sprintf("%s:%d: is the end of the file, must be %s", name, len(old)+1, quote.Short(required[len(old)]))
	case len(old) > len(required):
		return fmt.Sprintf("%s:%d: is %s, must be the end of the file", name, len(required)+1, quote.Short(old[len(required)]))
	}
	return name + ": differs only in its encoding or its line ends; with git, set the attribute -text for the file"
}

// wholeLines returns the lines of a text, without the empty line after the last line end.
func wholeLines(text []byte) []string {
	list := lines.Of(text)
	if last := len(list) - 1; list[last] == "" {
		list = list[:last]
	}
	return list
}

// fromDifference returns two lines in quotes, so that a reader sees the first difference. It leaves out most of a long
// common prefix.
func fromDifference(a, b string) (string, string) {
	const most = quote.Most / 2 // the number of bytes shown before the difference
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	skip := max(0, same-most)
	if skip == 0 {
		return quote.Short(a), quote.Short(b)
	}
	return "..." + quote.Short(strings.ToValidUTF8(a[skip:], "")), "..." + quote.Short(strings.ToValidUTF8(b[skip:], ""))
}
