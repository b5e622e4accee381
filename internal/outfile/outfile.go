// Package outfile writes files completely or not at all.
//
// [WriteAll] writes to a temporary file in the same folder and renames it when all bytes
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

// A File is a path and the function that writes the contents of the file.
type File struct {
	Path string
	Fill func(io.Writer) error
}

// WriteAll replaces the contents of each file by the bytes that its Fill writes. An existing
// file keeps its permissions. If a path is a link, WriteAll replaces its target. It writes
// directly to standard output, and to a path that is not a regular file, such as a pipe or a
// device.
//
// WriteAll first completes all temporary files and then renames them. If a write fails, no file
// changes. If a rename fails, the files that are already renamed stay. The error is the error of
// a Fill, or an [*fs.PathError] with the path.
func WriteAll(files ...File) (err error) {
	targets := make([]*target, len(files))
	for i, f := range files {
		if targets[i], err = newTarget(f); err != nil {
			return err
		}
	}
	signals := watch()
	defer signals.stop()
	discard := func() {
		for _, t := range targets {
			t.discard()
		}
	}
	defer func() {
		if err != nil {
			discard()
		}
	}()
	for _, t := range targets {
		if err := t.create(); err != nil {
			return err
		}
	}
	signals.do(discard)
	for _, step := range []func(*target) error{(*target).fillTemporary, (*target).fillDirectly, (*target).rename} {
		for _, t := range targets {
			if err := step(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// A target is a file that [WriteAll] writes.
type target struct {
	File
	to        string      // the path without links
	old       fs.FileInfo // nil if the file does not exist
	open      *os.File    // standard output or error, if the path names it
	direct    bool        // the file is not a regular file, or is open
	temporary *os.File    // nil if direct, or before create
}

// newTarget returns the target for a file. It returns an error if the file cannot be written.
func newTarget(f File) (*target, error) {
	if f.Path == Stdout {
		return &target{File: f, open: os.Stdout, direct: true}, nil
	}
	old, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		to, err := follow(f.Path)
		return &target{File: f, to: to}, err
	case err != nil:
		return nil, err
	case old.IsDir():
		return nil, &fs.PathError{Op: "write", Path: f.Path, Err: syscall.EISDIR}
	}
	for _, open := range []*os.File{os.Stdout, os.Stderr} {
		if info, err := open.Stat(); err == nil && os.SameFile(info, old) {
			return &target{File: f, open: open, direct: true}, nil
		}
	}
	if !old.Mode().IsRegular() {
		return &target{File: f, direct: true}, nil
	}
	to, err := follow(f.Path)
	if err == nil {
		err = writable(to)
	}
	t := &target{File: f, to: to, old: old}
	return t, t.named(err)
}

// Stat describes the file that [WriteAll] would write to. It follows links. If the file does not
// exist, the error is the error of os.Stat.
func Stat(path string) (fs.FileInfo, error) {
	if path == Stdout {
		return os.Stdout.Stat()
	}
	return os.Stat(path)
}

// Overwrites reports whether writing to out destroys the contents of in, because both are the
// same file. If both are the same terminal, pipe or socket, it returns false: writing there does
// not change the bytes that are read.
func Overwrites(out, in fs.FileInfo) bool {
	const passing = fs.ModeCharDevice | fs.ModeNamedPipe | fs.ModeSocket
	return out.Mode()&passing == 0 && os.SameFile(out, in)
}

// follow returns the target of the link at path, or path itself if it is not a link. The
// target need not exist.
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

// create opens the temporary file.
func (t *target) create() (err error) {
	if t.direct {
		return nil
	}
	if t.temporary, err = create(t.to); err != nil || t.old == nil {
		return t.named(err)
	}
	if err := t.temporary.Chmod(t.old.Mode().Perm()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return t.named(err)
	}
	return nil
}

// fillTemporary writes the contents to the temporary file.
func (t *target) fillTemporary() error {
	if t.direct {
		return nil
	}
	if err := t.Fill(t.temporary); err != nil {
		return t.named(err)
	}
	return t.named(errors.Join(t.temporary.Sync(), t.temporary.Close()))
}

// fillDirectly writes the contents to a file that is not replaced.
func (t *target) fillDirectly() error {
	switch {
	case !t.direct:
		return nil
	case t.open != nil:
		return t.Fill(t.open)
	}
	f, err := os.OpenFile(t.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(t.Fill(f), f.Close())
}

// rename replaces the file by the temporary file.
func (t *target) rename() error {
	if t.direct {
		return nil
	}
	if err := os.Rename(t.temporary.Name(), t.to); err != nil {
		return t.named(err)
	}
	syncFolder(filepath.Dir(t.to))
	return nil
}

// discard removes the temporary file.
func (t *target) discard() {
	if t.temporary != nil {
		_ = t.temporary.Close() // Windows removes no open file
		_ = os.Remove(t.temporary.Name())
	}
}

// named returns err with the path of the file in place of the path of the temporary file.
func (t *target) named(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "write", Path: t.Path, Err: at.Err}
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: "write", Path: t.Path, Err: at.Err}
	}
	return err
}

// writable returns an error if the file is write-protected. Renaming another file to path would
// replace the file without an error.
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
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
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
