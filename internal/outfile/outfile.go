// Package outfile writes a file completely or not at all.
//
// [Write] writes to a temporary file in the same folder and renames it when all bytes
// are on the disk: a reader sees the old file or the new one. An error or a signal
// leaves the old file and no temporary file.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Stdout is the path that means standard output.
const Stdout = "-"

// Write replaces the contents of the file at path by what fill writes. An existing file
// keeps its permissions, and a link keeps its target. Standard output, by any name, and
// everything that is not a regular file, such as a pipe or a device, is written directly.
//
// The error is the error of fill, or an error that names the file.
func Write(path string, fill func(io.Writer) error) error {
	if path == Stdout {
		return fill(os.Stdout)
	}
	old, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		target, err := follow(path)
		if err != nil {
			return err
		}
		return replace(target, nil, fill)
	case err != nil:
		return err
	case old.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	}
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if open, err := f.Stat(); err == nil && os.SameFile(open, old) {
			return fill(f)
		}
	}
	if !old.Mode().IsRegular() {
		return direct(path, fill)
	}
	target, err := follow(path)
	if err != nil {
		return err
	}
	return replace(target, old, fill)
}

// Stat describes the file that [Write] would write to. It follows links. The error is
// the error of os.Stat if there is no such file.
func Stat(path string) (fs.FileInfo, error) {
	if path == Stdout {
		return os.Stdout.Stat()
	}
	return os.Stat(path)
}

// Overwrites reports whether writing out destroys in: both are the same file. A terminal,
// a pipe or a socket may be both, because its input is not what was written to it.
func Overwrites(out, in fs.FileInfo) bool {
	const passing = fs.ModeCharDevice | fs.ModeNamedPipe | fs.ModeSocket
	return out.Mode()&passing == 0 && os.SameFile(out, in)
}

func direct(path string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(fill(f), f.Close())
}

// follow returns the target of the link at path, which may not exist yet, or path itself
// if it is not a link.
func follow(path string) (string, error) {
	for range 100 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or missing: the next step reports errors
		}
		if !filepath.IsAbs(to) {
			// The folder may be a link too: .. means the parent of its target.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "follow", Path: path, Err: errors.New("too many links")}
}

// replace writes a temporary file and renames it to path. old is nil if there is no file.
func replace(path string, old fs.FileInfo, fill func(io.Writer) error) (err error) {
	if old != nil {
		if err := writable(path); err != nil {
			return err
		}
	}
	signals := watch()
	defer signals.stop()
	f, err := create(path)
	if err != nil {
		return err
	}
	discard := func() {
		_ = f.Close() // Windows removes no open file
		_ = os.Remove(f.Name())
	}
	signals.do(discard)
	defer func() {
		if err != nil {
			discard()
		}
	}()
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	if err := fill(f); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// writable fails for a write-protected file, which a rename would replace.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// create opens a new file in the folder of path. Unlike os.CreateTemp, it gives the file
// the permissions that any new file gets.
func create(path string) (*os.File, error) {
	for range 100 {
		name := filepath.Join(filepath.Dir(path), ".perfblock-"+strconv.FormatUint(uint64(rand.Uint32()), 36)+".tmp")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		var at *fs.PathError
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.As(err, &at):
			return nil, &fs.PathError{Op: "write", Path: path, Err: at.Err}
		}
		return nil, err
	}
	return nil, fmt.Errorf("write %s: no name is free for a temporary file", path)
}

// syncFolder writes the folder to the disk, if the system can do that. Errors do not
// matter: the file is complete.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
