// Package outfile writes files completely or not at all.
//
// A [Batch] writes each file under a temporary name in the same folder, and renames the files when all are complete. So
// a reader sees the old file or the new file. Before a Batch renames a file, it waits until the bytes of the file are
// on the disk. It does not wait for the files of [Batch.Add].
//
// After an error or a signal, the temporary files and the empty folders that the Batch has made are removed. Files that
// the Batch has not replaced yet are unchanged.
package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Stdout is the path that means standard output.
const Stdout = "-"

// A File is a path and the function that writes the contents of the file.
type File struct {
	Path string
	Fill func(io.Writer) error
}

// Bytes returns a File with the given contents.
func Bytes(path string, contents []byte) File {
	return File{path, func(w io.Writer) error {
		_, err := w.Write(contents)
		return err
	}}
}

// WriteAll replaces the contents of each file by the bytes that Fill writes. The error is the error of a Fill, or an
// [*fs.PathError].
func WriteAll(files ...File) error { return WriteAllIn(nil, files...) }

// WriteAllIn is [WriteAll], but first makes the folders that do not exist.
func WriteAllIn(folders []string, files ...File) error {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	b, err := Begin(folders, paths)
	if err != nil {
		return err
	}
	defer b.Discard()
	for _, direct := range []bool{false, true} { // direct writes come last, because they cannot be undone
		for i, f := range files {
			if b.targets[i].direct == direct {
				if err := f.Fill(b.Writer(i)); err != nil {
					return err
				}
			}
		}
	}
	return b.Commit()
}

// A Batch is a set of files that are written together. An existing file keeps its permissions. If a path is a link,
// the target of the link is replaced. Standard output, pipes and devices are written directly.
//
// No regular file changes before [Batch.Commit]. If Commit cannot rename a file, the files that it has already
// renamed keep their new contents.
type Batch struct {
	mutex   sync.Mutex // guards targets, because a signal can remove the temporary files at any time
	targets []*target
	wanted  []string // the folders of Begin
	folders []string // the folders that the batch has made; a folder comes before the folders in it
	signals *watcher
	ended   bool
}

// Begin makes the folders that do not exist, and starts to write the files at the paths. The caller must call
// [Batch.Discard] at the end. If an interrupt, SIGTERM or SIGHUP ends the process, the temporary files and the empty
// folders that Begin has made are removed before the end. This does not apply to the signals in handled, which the
// caller handles itself. The error is an [*fs.PathError].
func Begin(folders, paths []string, handled ...os.Signal) (*Batch, error) {
	b := &Batch{signals: watch(handled), wanted: folders}
	for _, folder := range folders {
		if err := b.makeFolder(folder); err != nil {
			b.Discard()
			return nil, err
		}
	}
	for _, path := range paths {
		if _, err := b.create(path, false); err != nil {
			b.Discard()
			return nil, err
		}
	}
	b.signals.setCleanup(func() {
		b.mutex.Lock() // until the process ends, so that Add creates no file after remove
		b.remove()
	})
	return b, nil
}

// Add writes a file of the batch, and closes the file, so a batch can have any number of added files. Add does not
// wait for the disk: after a power failure, the file may be empty. The error is the error of Fill, or an
// [*fs.PathError].
func (b *Batch) Add(f File) error {
	t, err := b.create(f.Path, true)
	if err == nil {
		err = f.Fill(t)
	}
	if err == nil {
		err = t.close()
	}
	return err
}

// makeFolder makes a folder and its parents. It adds the folders that did not exist to the batch.
func (b *Batch) makeFolder(path string) error {
	var missing []string
	clean := filepath.Clean(path)
	for folder := clean; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		missing = append(missing, folder)
	}
	for _, folder := range slices.Backward(missing) {
		if os.Mkdir(folder, 0o777) == nil { // not for a folder that another process has made
			b.folders = append(b.folders, folder)
		}
	}
	err := os.MkdirAll(clean, 0o777)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		at.Path = path // not the path of a parent
	}
	return err
}

// create adds a target to the batch, and opens its file.
func (b *Batch) create(path string, unsynced bool) (*target, error) {
	t, err := newTarget(path)
	if err != nil {
		return nil, err
	}
	t.unsynced = unsynced
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.targets = append(b.targets, t)
	err = t.create()
	if errors.Is(err, fs.ErrNotExist) && len(b.wanted) > 0 {
		// Another run that was interrupted can have removed a folder that it had made, while the folder was empty.
		for _, folder := range b.wanted {
			if err := b.makeFolder(folder); err != nil {
				return nil, err
			}
		}
		err = t.create()
	}
	return t, err
}

// Writer returns the writer for the file at paths[i]. Errors of the writer have the path of the file. For standard
// output, Writer returns os.Stdout.
func (b *Batch) Writer(i int) io.Writer {
	t := b.targets[i]
	if t.direct {
		return t.file
	}
	return t
}

// Commit completes all files. The error is an [*fs.PathError].
func (b *Batch) Commit() error {
	folders := map[string]bool{}
	for _, step := range []func(*target) error{(*target).close, (*target).rename} {
		for _, t := range b.targets {
			if err := step(t); err != nil {
				return err
			}
			if !t.direct {
				folders[filepath.Dir(t.to)] = true
			}
		}
	}
	for folder := range folders {
		syncFolder(folder)
	}
	b.end()
	return nil
}

// Discard removes the temporary files, and the empty folders that Begin has made. After a successful [Batch.Commit] it
// does nothing.
func (b *Batch) Discard() {
	if !b.ended {
		b.mutex.Lock()
		b.remove()
		b.mutex.Unlock()
		b.end()
	}
}

func (b *Batch) end() {
	b.ended = true
	b.signals.stop()
}

// remove removes the temporary files and the new folders that are empty. The caller holds the mutex.
func (b *Batch) remove() {
	for _, t := range b.targets {
		t.discard()
	}
	for _, folder := range slices.Backward(b.folders) {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() { // not a file that replaced the folder
			_ = os.Remove(folder) // fails if the folder is not empty
		}
	}
}

// Stat describes the file that a [Batch] would write to. It follows links. If the file does not
// exist, the error is the error of os.Stat.
func Stat(path string) (fs.FileInfo, error) {
	if path == Stdout {
		return os.Stdout.Stat()
	}
	return os.Stat(path)
}

// Overwrites reports whether writing to out destroys the contents of in, because both are the same file.
func Overwrites(out, in fs.FileInfo) bool {
	// Writing to a terminal, pipe or socket does not change the bytes that are read from it.
	const passing = fs.ModeCharDevice | fs.ModeNamedPipe | fs.ModeSocket
	return out.Mode()&passing == 0 && os.SameFile(out, in)
}
