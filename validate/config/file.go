package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// fileNames are the names that Find accepts.
var fileNames = [...]string{FileName, ".perfblock.yml"}

// Find returns the path of the configuration file for a folder, or "" if there is no such file. The file is
// .perfblock.yaml or .perfblock.yml, in this folder or in the nearest parent folder with such a file. Find returns
// an error for a folder with both files, for a file that is not regular, and for a file that cannot be reached.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path, err := fileIn(dir)
		if path != "" || err != nil {
			return path, err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", nil
		}
		dir = above
	}
}

// fileIn returns the path of the configuration file in a folder, or "" if there is none.
func fileIn(dir string) (found string, err error) {
	for _, name := range fileNames {
		path := filepath.Join(dir, name)
		switch _, err := os.Lstat(path); { // Lstat also finds a link without a target
		case err == nil && found != "":
			return "", fmt.Errorf("%s has both %s and %s: remove one", dir, fileNames[0], fileNames[1])
		case err == nil:
			found = path
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	if found == "" {
		return "", nil
	}
	return found, checkRegular(found)
}

// checkRegular returns an error for a path that is not a regular file. Reading a pipe, for example, may never end.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return folderError(path)
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("it is not a regular file")}
	}
	return nil
}

// folderError returns the error for a path that is a folder but must be a file.
func folderError(path string) error {
	return &fs.PathError{Op: "read", Path: path, Err: errors.New("it is a folder, must be a file")}
}

// reader limits the size of a configuration. The limits are far above the size of a file that sets
// every rule.
var reader = yamltext.Reader{What: "a configuration", MaxBytes: 1 << 20, MaxMarks: 64 << 10, MaxDepth: 8}

// Parse reads the text of a configuration. The argument file is the name in errors; Parse does not open the file.
// An empty text has no settings. Parse returns an error for a text of more than 1 MiB, and for a text with more
// than 65,536 of these characters:
//
//	, : [ { ? - # & * !
//
// The error of Parse is an [*Error], or joins several values of this type.
func Parse(file string, text []byte) (Config, error) {
	var c Config
	root, err := reader.LoadOptional(file, text)
	if root != nil && err == nil {
		err = fileMapping.Read(root, &c)
	}
	if err != nil {
		return Config{}, yamltext.Report(err, func(f *yamltext.Fault) error { return &Error{file, f.Line, f.Column, f.Err} })
	}
	c.origins.place(file, 0)
	for i, o := range c.Overrides {
		o.origins.place(file, i+1)
	}
	return c, nil
}

// Read reads the file at path. It returns the error of opening or reading the file, or the error of
// [Parse].
func Read(path string) (Config, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return Config{}, folderError(path)
	}
	text, err := reader.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	return Parse(path, text)
}
