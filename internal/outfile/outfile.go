// Package outfile writes a file whole or not at all.
//
// What is written goes to a new file in the same folder, which takes the place of
// the old one when all of it is on the disk: a reader sees the old file or the
// new one, and an error or an interrupt leaves no trace.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// Stdout is the path that stands for standard output.
const Stdout = "-"

// ErrInterrupted is returned where the user stopped the program.
var ErrInterrupted = errors.New("interrupted")

// Write makes what fill writes the contents of the file at path. A file that is
// there keeps its permissions, a link keeps pointing where it did. What is no
// regular file, such as a pipe or a device, is written straight, and so is
// standard output, by whatever name it goes.
//
// The error is that of fill, or one that names the file.
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
		return straight(path, fill)
	}
	target, err := follow(path)
	if err != nil {
		return err
	}
	return replace(target, old, fill)
}

func straight(path string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(fill(f), f.Close())
}

// follow returns the path that a link leads to, even where there is no file yet.
func follow(path string) (string, error) {
	for range 100 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there: the next step says what is wrong
		}
		if !filepath.IsAbs(to) {
			// The folder may be behind a link too, and .. is of where that leads.
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

// replace writes the file at path, whose old self is nil if there is none.
func replace(path string, old fs.FileInfo, fill func(io.Writer) error) (err error) {
	if old != nil {
		if err := writable(path); err != nil {
			return err
		}
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(stop)

	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()           // the second time at worst
			_ = os.Remove(f.Name()) // gone if the rename was done
		}
	}()
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	if err := fill(stoppable{f, stop}); err != nil {
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

// writable fails for a file that its owner has protected, which a rename would
// replace without a question.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// create opens a new file beside path. Other than os.CreateTemp, it leaves the
// permissions to the umask, as for any file that a command writes.
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
	return nil, fmt.Errorf("write %s: no name is free for a file beside it", path)
}

// stoppable is a writer that fails once the user wants the program to stop.
type stoppable struct {
	w    io.Writer
	stop <-chan os.Signal
}

func (s stoppable) Write(b []byte) (int, error) {
	select {
	case <-s.stop:
		return 0, ErrInterrupted
	default:
		return s.w.Write(b)
	}
}

// syncFolder puts the new name on the disk where the system can do that; the
// file is whole in any case.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
