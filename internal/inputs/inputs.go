// Package inputs returns the members that a command reads, as a stream. The user names files, folders, globs, lists
// of paths, or members of archives. The package opens, unpacks and counts files, but it does not know what a block
// is.
//
// A path in a report uses / on every system. The members of an archive follow "!/": a.zip!/b.bin, and in an archive
// inside an archive, a.zip!/b.tar.gz!/c.bin. If the name of a folder or archive ends in "!", each "!" at the end of
// the name is doubled in the paths of files and members. The file b.bin in the folder a! is a!!/b.bin. The member
// b.bin of the archive a! is a!!!/b.bin. The path of a member, given as an argument, names the same member.
// An argument may also have the name of a folder as on disk: a!/c.zip!/d.bin is the same as a!!/c.zip!/d.bin. If a is a
// file, a!/c.zip!/d.bin is a member of a.
//
// The files in a folder are read in the order of their names, in which a byte that is not UTF-8 counts as an escape such
// as \xff. The members of an archive are read in the order of the archive. These rules apply to folders, globs and
// archives:
//
//   - Files and folders whose names begin with a dot are skipped, with all that is in such a folder. They are read if
//     the user names them, or if a part of the glob begins with a dot and matches the name.
//   - A symbolic link to a file is followed. A symbolic link to a folder is followed only if the user names it, so a
//     loop of links ends.
//   - Devices, pipes and sockets are opened only if an argument names them.
//   - A file that is reached twice is read once, at its first place. A hard link is a file of its own.
//   - An archive is recognised by its content: zip, tar, gzip and tar in gzip.
//
// An input that cannot be read gives one error with its path, and the inputs after it are read.
package inputs

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"runtime"
)

// A List has the inputs that a user names.
type List struct {
	// Args are files, folders, globs, paths of members such as "a.zip!/b.bin", and "-" for standard input. The path
	// of an existing file is not a glob.
	Args []string

	// From is the path of a file that lists more paths, "-" for standard input, or "" for no list. Paths are
	// separated by NUL if the file contains a NUL, and by line ends otherwise. The paths are relative to the working
	// folder and are not globs. The file is UTF-8, or UTF-16 with a byte order mark. If the list cannot be read,
	// [List.All] returns an error that wraps [ErrList].
	From string

	// Exclude reports whether to skip a file, a folder or a member. path is the path in reports. Files that the user
	// named are not skipped. Exclude must be safe for concurrent use. A nil Exclude skips nothing.
	Exclude func(path string, folder bool) bool

	Stdin  io.Reader // standard input; nil is os.Stdin
	Limits Limits    // of one input; zero values are the defaults
}

// A Member is a file, or a member of an archive.
type Member struct {
	Path    string // as it is reported; it can contain any byte, so escape it for output
	Part    string // the named part of a file that is not an archive: Block for export.reg!/Block; "" is the whole file
	Named   bool   // the user named it in Args or From; false if only a folder, glob or archive led to it
	Skipped Skip   // why the member is not read; "" if the member is read
	Input   int    // number of the input on disk, from 1; not an armor.Input. The members of an archive have the number of the archive
	size    int64
	read    func() ([]byte, error)
}

// A Skip is the reason why a member, or a folder with all it contains, is not read.
type Skip string

// The reasons to skip.
const (
	Excluded   Skip = "excluded"
	Hidden     Skip = "hidden"
	Repeated   Skip = "named or found twice"
	FolderLink Skip = "link to a folder"
	BrokenLink Skip = "broken link"
	PackedLink Skip = "link in an archive"
	Special    Skip = "device, pipe or socket"
)

// Size returns the number of bytes that the system, or the archive, declares for the member.
func (m Member) Size() int64 { return m.size }

// File returns the path of the file on disk: the member itself, or the archive that contains the member. The path of
// standard input is "-".
func (m Member) File() string {
	file, _ := Split(m.Path)
	return file
}

// Read returns the bytes of the member. It may be called once, in any goroutine. The caller owns the bytes.
func (m Member) Read() ([]byte, error) {
	if m.read == nil {
		return nil, fail(m.Path, errors.New("is not read: "+string(m.Skipped)))
	}
	return m.read()
}

// With returns a copy of m whose Read returns contents. The caller has already read these bytes.
func (m Member) With(contents []byte) Member {
	m.read = func() ([]byte, error) { return contents, nil }
	return m
}

// Packed reports whether the member is in an archive.
func (m Member) Packed() bool {
	_, member := Split(m.Path)
	return member != ""
}

// All returns the members of all inputs, in a stable order, until ctx is cancelled. If All yields an error, the Member
// has only Path and Input, and the stream continues. Skipped members are in the stream.
//
// All opens several files at once. It reads small files in full, and [Member.Read] returns these bytes. Tar and gzip
// archives have no list of their members, so All unpacks the members one by one in the caller's goroutine.
func (l List) All(ctx context.Context) iter.Seq2[Member, error] {
	l.Limits = l.Limits.orDefault()
	if l.Stdin == nil {
		l.Stdin = os.Stdin
	}
	return func(yield func(Member, error) bool) {
		input := 0
		for s := range loaded(ctx, l.find(ctx), max(4, runtime.GOMAXPROCS(0)), l.Limits) {
			input++
			if !l.unpack(ctx, s, input, yield) {
				return
			}
		}
	}
}

// Unpack returns the members of a file that the caller has read, such as an object of a store. A file that is not an
// archive is the only member. For the path a.zip!/b.bin, contents are the bytes of a.zip, and Unpack returns only
// b.bin.
func Unpack(ctx context.Context, path string, contents []byte) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		l := List{Limits: Limits{}.orDefault()}
		s := stored{Member: Member{Path: joined(Member{Path: path}.File()), Named: true, size: int64(len(contents))}, data: contents}
		if s.Path != path {
			s.wants = []string{path}
		}
		s.load(ctx, l.Limits)
		l.unpack(ctx, s, 1, yield)
	}
}

// unpack yields the members of a file. It returns false to end the stream.
func (l *List) unpack(ctx context.Context, s stored, input int, yield func(Member, error) bool) bool {
	u := unpacker{ctx: ctx, list: l, input: input, yield: yield, except: s.except}
	if len(s.wants) > 0 {
		u.wanted = newSelection(s.wants)
	}
	u.budget = budget{limits: l.Limits, path: s.Path, packed: s.size}
	return u.expand(s, 0)
}

// Count returns the number of inputs, which are numbered from 1 in [Member.Input]. It opens no input files. ok is false
// if the paths come from standard input, or if ctx is cancelled.
func (l List) Count(ctx context.Context) (n int, ok bool) {
	if l.From == stdinPath {
		return 0, false
	}
	for range l.find(ctx) {
		n++
	}
	return n, ctx.Err() == nil
}

// loaded loads several files or members at once, and returns them in the same order.
func loaded(ctx context.Context, files iter.Seq[stored], readers int, limits Limits) iter.Seq[stored] {
	p := Parallel{Workers: readers, Members: 8 * readers, Bytes: math.MaxInt64}
	return ordered(ctx, files, p, func(stored) int64 { return 0 }, func(s stored) stored {
		s.load(ctx, limits)
		return s
	})
}

func (l *List) excludes(path string, folder bool) bool {
	return l.Exclude != nil && l.Exclude(path, folder)
}
