package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Find returns the path of the file that holds for what is in a folder: the first
// one from there upwards to the root, "" if there is none. One that is there and is
// no file, or that cannot be reached, is an error and is not passed over: it was put there
// to be minded.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, FileName)
		switch _, err := os.Lstat(path); { // a link to nothing is there as well
		case err == nil:
			return path, checkRegular(path)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", nil
		}
		dir = above
	}
}

// checkRegular refuses what was found and is no file, such as a pipe that would
// never end.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return folder(path)
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no file")}
	}
	return nil
}

// folder is the error of a folder where a file should be.
func folder(path string) error {
	return &fs.PathError{Op: "read", Path: path, Err: errors.New("it is a folder, not a file")}
}
