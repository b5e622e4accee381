package outfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// A target is a file of a [Batch], and the writer of its temporary file.
type target struct {
	path   string
	to     string      // path, or the target of the link if path is a link
	old    fs.FileInfo // nil if the file does not exist
	direct bool        // the file itself is written, because it is not a regular file or is standard output or error
	shared bool        // the file is standard output or error, which stays open
	file   *os.File    // the temporary file, or the file itself if direct; nil before create

	unsynced bool // close does not wait until the bytes are on the disk
	complete bool // the file is closed
}

func (t *target) Write(b []byte) (int, error) {
	n, err := t.file.Write(b)
	return n, t.named(err)
}

// newTarget returns the target for a path. It returns an error if the file cannot be written.
func newTarget(path string) (*target, error) {
	if path == Stdout {
		return &target{path: path, file: os.Stdout, shared: true, direct: true}, nil
	}
	old, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		to, err := follow(path)
		return &target{path: path, to: to}, err
	case err != nil:
		return nil, err
	case old.IsDir():
		return nil, &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	}
	for _, open := range []*os.File{os.Stdout, os.Stderr} {
		if info, err := open.Stat(); err == nil && os.SameFile(info, old) {
			return &target{path: path, file: open, shared: true, direct: true}, nil
		}
	}
	if !old.Mode().IsRegular() {
		return &target{path: path, direct: true}, nil
	}
	to, err := follow(path)
	if err == nil {
		err = writable(to)
	}
	t := &target{path: path, to: to, old: old}
	return t, t.named(err)
}

// follow returns the target of the link at path, or path itself if it is not a link. The
// target need not exist.
func follow(path string) (string, error) {
	for range 100 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or missing; if path is faulty, opening a file there later returns the error
		}
		if !filepath.IsAbs(to) {
			// The folder may be a link too. A relative target, such as "../a", starts from the real folder.
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

func (t *target) create() (err error) {
	switch {
	case t.shared:
		return nil
	case t.direct:
		t.file, err = os.OpenFile(t.path, os.O_WRONLY, 0)
		return err
	}
	if t.file, err = create(t.to); err != nil || t.old == nil {
		return t.named(err)
	}
	if err := t.file.Chmod(t.old.Mode().Perm()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return t.named(err)
	}
	return nil
}

// close completes the contents of the file.
func (t *target) close() error {
	if t.shared || t.complete {
		return nil
	}
	t.complete = true
	if t.direct || t.unsynced {
		return t.named(t.file.Close())
	}
	return t.named(errors.Join(t.file.Sync(), t.file.Close()))
}

// rename replaces the file by the temporary file.
func (t *target) rename() error {
	if t.direct {
		return nil
	}
	return t.named(os.Rename(t.file.Name(), t.to))
}

// discard closes the file, and removes it if it is temporary.
func (t *target) discard() {
	if t.file == nil || t.shared {
		return
	}
	_ = t.file.Close() // Windows cannot remove an open file
	if !t.direct {
		_ = os.Remove(t.file.Name())
	}
}

// named returns err with the path of the file in place of the path of the temporary file. err may be nil.
func (t *target) named(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "write", Path: t.path, Err: at.Err}
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: "write", Path: t.path, Err: at.Err}
	}
	return err
}

// writable returns an error if the file is write-protected. Without this check, the temporary file would replace a
// write-protected file.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// random returns the number in the name of a temporary file. A test replaces it.
var random = rand.Uint32

// create opens a new file in the folder of path. Unlike os.CreateTemp, create uses the default permissions of new
// files.
func create(path string) (*os.File, error) {
	for range 100 {
		name := filepath.Join(filepath.Dir(path), ".perfblock-"+strconv.FormatUint(uint64(random()), 36)+".tmp")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("no name is free for a temporary file")}
}

// syncFolder writes the folder to the disk, if the system supports this. It ignores errors, because the file itself
// is complete.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
