package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

const stdinPath = "-"

// A finder finds the files of a list, without opening them.
type finder struct {
	ctx   context.Context
	list  *List
	yield func(stored) bool

	stdin     string                     // what reads standard input, such as "an argument", or "" if nothing does
	named     map[string]bool            // real paths of named files, if folders or globs are named too
	seen      map[string]bool            // real paths of the files so far
	addressed map[string]map[string]bool // by real path of an archive: the members that were named so far
	folders   map[string]string          // real paths of folders

	paths  []string            // the arguments, or the paths of the list of From
	groups map[string][]string // by reported path of an archive: its members in paths; nil before the first call of member
}

// find returns the files of the list. A file that cannot be found is an element with an error.
func (l *List) find(ctx context.Context) iter.Seq[stored] {
	return func(yield func(stored) bool) {
		f := &finder{ctx: ctx, list: l, yield: yield, seen: map[string]bool{}, addressed: map[string]map[string]bool{}, folders: map[string]string{}}
		f.named = f.namedFiles(l.Args)
		f.paths = l.Args
		for _, arg := range l.Args {
			if ctx.Err() != nil || !f.argument(arg) {
				return
			}
		}
		if l.From != "" {
			f.addListed()
		}
	}
}

// namedFiles returns the real paths of the arguments that are files. The finder marks these files as named, even if it
// finds them first in a folder that is an earlier argument. If all arguments are files, there is no such folder,
// and namedFiles returns nil.
func (f *finder) namedFiles(args []string) map[string]bool {
	var files []string
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			files = append(files, arg)
		}
	}
	if len(files) == len(args) {
		return nil
	}
	named := map[string]bool{}
	for _, file := range files {
		named[f.real(file)] = true
	}
	return named
}

func (f *finder) argument(arg string) bool {
	switch arg {
	case "":
		return f.fail("", errors.New("is empty, must be a path"))
	case stdinPath:
		return f.standardInput("")
	}
	return f.addPath(arg, true)
}

// addPath adds a file, the files in a folder, or members of an archive. If argument is true, the path may also be a
// glob, a device or a pipe.
func (f *finder) addPath(path string, argument bool) bool {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return f.folder(path, nil)
	case err == nil && !argument && !info.Mode().IsRegular():
		// Reading the device or pipe may never end.
		return f.fail(reported(path), errors.New("is a device, pipe or socket, must be given as an argument of the command"))
	case err == nil:
		s := stored{Member: Member{Path: reported(path), Named: true, size: info.Size()}, source: diskFile(path)}
		s.endless = !info.Mode().IsRegular()
		return f.file(s, f.real(path))
	}
	if _, linkErr := os.Lstat(path); linkErr == nil {
		return f.fail(reported(path), fmt.Errorf("is a link that cannot be followed: %w", plain(err)))
	}
	file, member := Split(Address(path))
	if member != "" || file != filepath.ToSlash(path) {
		return f.address(file, member)
	}
	if argument && isGlob(path) {
		base, g, err := splitGlob(path)
		if err != nil {
			return f.fail(path, err)
		}
		return f.folder(base, g)
	}
	return f.fail(filepath.ToSlash(path), err)
}

// address adds the file or the archive member at a path. For the path a.zip!/b.bin, file is a.zip and member is b.bin.
func (f *finder) address(file, member string) bool {
	if file == stdinPath {
		return f.standardInput(member)
	}
	info, err := os.Stat(filepath.FromSlash(file))
	switch {
	case err == nil && member == "":
		return f.addPath(file, false)
	case err == nil && info.Mode().IsRegular():
		return f.member(file, info.Size())
	case err == nil:
		err = errors.New("is a folder, device, pipe or socket, must be a file or an archive")
	}
	return f.fail(file, err)
}

// standardInput adds standard input. If member is not "", only this member of an archive, or this part of another file,
// is read.
func (f *finder) standardInput(member string) bool {
	if err := f.claimStdin("an argument"); err != nil {
		return f.fail(stdinPath, err)
	}
	s := stored{Member: Member{Path: stdinPath, Named: true}, source: stream{f.list.Stdin}, endless: true}
	if member != "" {
		s.wants = []string{stdinPath + "!/" + member}
	}
	return f.yield(s)
}

// claimStdin records what reads standard input, such as "an argument". A second call returns an error, because
// standard input can be read only once.
func (f *finder) claimStdin(user string) error {
	if f.stdin != "" {
		return fmt.Errorf("is already read by %s, and can be read only once", f.stdin)
	}
	f.stdin = user
	return nil
}

// member adds the members of an archive, or the parts of another file. The first call for a file adds all its members
// or parts that the user named, and later calls add nothing. So the file is opened only once.
func (f *finder) member(archive string, size int64) bool {
	file := filepath.FromSlash(archive)
	s := stored{Member: Member{Path: reported(file), Named: true, size: size}, source: diskFile(file)}
	if f.groups == nil {
		f.groups = grouped(f.paths)
	}
	members := f.groups[s.Path]
	if len(members) == 0 {
		return true
	}
	f.groups[s.Path] = nil
	key := f.real(file)
	if f.addressed[key] == nil {
		f.addressed[key] = map[string]bool{}
	}
	var repeated []string
	for _, member := range members {
		want := doubled(s.Path) + "!/" + member
		if f.seen[key] || f.addressed[key][member] {
			repeated = append(repeated, want)
			continue
		}
		f.addressed[key][member] = true
		s.wants = append(s.wants, want)
	}
	if len(s.wants) > 0 && !f.yield(s) {
		return false
	}
	for _, path := range repeated {
		if !f.yield(stored{Member: Member{Path: path, Named: true, Skipped: Repeated}}) {
			return false
		}
	}
	return true
}

// grouped groups paths of members by archive. A key is the reported path of an archive, and its value lists the
// members of this archive. For the path a.zip!/b.bin, the key is a.zip and the value has b.bin.
func grouped(paths []string) map[string][]string {
	groups := map[string][]string{}
	for _, path := range paths {
		file, member := Split(Address(path))
		if member == "" {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			continue // a file that exists, in a folder whose name ends in "!"
		}
		archive := reported(filepath.FromSlash(file))
		groups[archive] = append(groups[archive], member)
	}
	return groups
}

// file adds a file. It adds an excluded or repeated file as skipped. key is the file's real path.
func (f *finder) file(s stored, key string) bool {
	s.Named = s.Named || f.named[key]
	switch {
	case !s.Named && f.list.excludes(s.Path, false):
		s.Skipped = Excluded
	case f.seen[key]:
		s.Skipped = Repeated
	default:
		f.seen[key] = true
	}
	s.except = f.addressed[key]
	return f.yield(s)
}

// fail adds an error for the path. The error must not mention a list of paths, because perfblock merge compares the
// errors of workers with different lists.
func (f *finder) fail(path string, err error) bool {
	return f.yield(stored{Member: Member{Path: path}, err: fail(path, err)})
}

// skip adds a path that is not read.
func (f *finder) skip(path string, why Skip) bool {
	return f.yield(stored{Member: Member{Path: path, Skipped: why}})
}

// real returns the absolute path of a file or folder, without symbolic links if the system can resolve the links.
func (f *finder) real(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if info, err := os.Lstat(absolute); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return realPath(absolute)
	}
	folder := filepath.Dir(absolute)
	if _, ok := f.folders[folder]; !ok {
		f.folders[folder] = realPath(folder)
	}
	return filepath.Join(f.folders[folder], filepath.Base(absolute))
}

func realPath(absolute string) string {
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	return absolute
}
