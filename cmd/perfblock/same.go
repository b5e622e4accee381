package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/perfblock/perfblock/internal/outfile"
)

// checkSame refuses outputs that are also inputs of the same call, and outputs that
// are each other, by any names and links: the first would be lost before anyone had a
// copy. What is not there yet can be neither.
func checkSame(outputs, inputs []string) error {
	type file struct {
		path string
		info fs.FileInfo
	}
	var read, written []file
	for _, path := range inputs {
		if info, err := statInput(path); err == nil {
			read = append(read, file{path, info})
		}
	}
	for _, path := range outputs {
		info, err := outfile.Stat(path)
		if err != nil {
			continue
		}
		for _, in := range read {
			if outfile.Overwrites(info, in.info) {
				return fmt.Errorf("%s and %s are one file, which would be lost: name another with -o", the("output", path), the("input", in.path))
			}
		}
		for _, other := range written {
			if outfile.Overwrites(info, other.info) {
				return fmt.Errorf("%s and %s are one file, and one block would be lost", the("output", other.path), the("output", path))
			}
		}
		written = append(written, file{path, info})
	}
	return nil
}

func statInput(path string) (fs.FileInfo, error) {
	if path == stdinPath {
		return os.Stdin.Stat()
	}
	return os.Stat(path)
}

// the is what messages call the input or output at path. Both write - for a standard one.
func the(which, path string) string {
	if path == stdinPath {
		return "standard " + which
	}
	return "the " + which + " " + path
}
