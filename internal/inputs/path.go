package inputs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A reported path is the path of a file or a member in reports. The member b.bin of the archive a.zip has the reported
// path a.zip!/b.bin. If the name of a folder or archive ends in "!", each "!" at the end of the name is doubled in the
// paths of the files or members in it:
//
//	a!!/b.bin   the file b.bin in the folder a!
//	a!!!/b.bin  the member b.bin of the archive a!
//
// An even number of "!" before "/" ends the name of a folder. An odd number ends the path of an archive.

// reported returns the reported path of a file on disk. For b.bin in the folder a!, it returns a!!/b.bin, because
// a!/b.bin would be a member of an archive a.
func reported(file string) string {
	path := joined(filepath.ToSlash(filepath.Clean(file)))
	if path == "-" {
		return "./-" // "-" is standard input
	}
	return path
}

// joined doubles each "!" at the end of the name of a folder in a path.
func joined(path string) string {
	parts := strings.Split(path, "/")
	for i, name := range parts[:len(parts)-1] {
		parts[i] = doubled(name)
	}
	return strings.Join(parts, "/")
}

// inside returns the reported path of a member in an archive. The parameter archive is the reported path of the
// archive. name must be clean, as [memberName] returns it.
func inside(archive, name string) string { return doubled(archive) + "!/" + joined(name) }

// doubled returns the path with the "!" at its end doubled.
func doubled(path string) string {
	return path + path[len(strings.TrimRight(path, "!")):]
}

// Split splits a reported path at the first archive. For a.zip!/b.tar!/c.bin, file is a.zip and member is
// b.tar!/c.bin. For a!!/b.bin, file is a!/b.bin and member is "".
func Split(path string) (file, member string) {
	var b strings.Builder
	for {
		i := strings.Index(path, "!/")
		if i < 0 {
			return b.String() + path, ""
		}
		name := strings.TrimRight(path[:i+1], "!")
		marks := i + 1 - len(name)
		b.WriteString(name + strings.Repeat("!", marks/2))
		path = path[i+2:]
		if marks%2 == 1 {
			return b.String(), path
		}
		b.WriteByte('/')
	}
}

// Address returns the reported path for a path that the user wrote. The user may write the folder a! as a!, as on disk,
// or as a!!. If a is a file, a!/b.bin is a member of a.
func Address(path string) string {
	path = filepath.ToSlash(path)
	is := func(path string, match func(fs.FileMode) bool) bool {
		info, err := os.Stat(filepath.FromSlash(path))
		return err == nil && match(info.Mode())
	}
	if file, _ := Split(path); is(file, fs.FileMode.IsRegular) {
		return path
	}
	end := 0 // of the longest part of the path that is a folder whose name ends in !
	for {
		i := strings.Index(path[end:], "!/")
		if i < 0 || !is(path[:end+i+1], fs.FileMode.IsDir) {
			break // no longer part is a folder
		}
		end += i + 1
	}
	return doubled(joined(path[:end])) + path[end:]
}

// maxName is the maximum length, in bytes, of a name in an archive. Linux has the same limit for a path.
const maxName = 4096

// memberName returns the clean name of a member of an archive: b/c.bin for ./b\c.bin. A name outside the archive,
// such as ../a, is an error.
func memberName(name string) (string, error) {
	name = strings.ReplaceAll(name, `\`, "/")
	switch {
	case len(name) > maxName:
		return "", fmt.Errorf("has %d bytes, must have at most %d", len(name), maxName)
	case strings.Contains(name, "\x00"):
		return "", errors.New("contains a NUL")
	case strings.HasPrefix(name, "/"):
		return "", errors.New("is an absolute path, must be relative")
	case len(name) > 1 && name[1] == ':':
		return "", errors.New("has a drive letter, must be a relative path")
	}
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			return "", errors.New(`contains "..", must be below the archive`)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "", errors.New("is empty")
	}
	return strings.Join(parts, "/"), nil
}

// isHidden reports whether a name in a folder, or a part of a name in an archive, begins with a dot.
func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// fail returns err with the path.
func fail(path string, err error) error {
	if path == stdinPath {
		path = "standard input"
	}
	return fmt.Errorf("%s: %w", cmp.Or(path, `""`), plain(err))
}

// plain removes the name of the system call and the path from an error, because the caller adds the path.
func plain(err error) error {
	if at, ok := err.(*fs.PathError); ok {
		return at.Err
	}
	return err
}
