package inputs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// An unpacker yields the members of one file. The file may be an archive that contains other archives.
type unpacker struct {
	ctx    context.Context
	list   *List
	input  int
	yield  func(Member, error) bool
	budget budget
	over   bool // budget.err was yielded

	wanted *selection      // the members to read; nil means all
	except map[string]bool // as in [stored]
}

// expand yields a file, or the members of an archive. depth is the number of archives that contain s. expand returns
// false to end the stream.
func (u *unpacker) expand(s stored, depth int) bool {
	if u.ctx.Err() != nil {
		return false
	}
	var err error
	switch {
	case s.err != nil:
		u.wanted.mark(s.Path)
		return u.emit(Member{Path: s.Path}, s.err)
	case s.Skipped != "":
		u.wanted.mark(s.Path)
		return u.emit(s.Member, nil)
	case s.format == plainFormat:
		u.wanted.mark(s.Path)
		return u.plain(s)
	case depth == u.list.Limits.Depth:
		return u.fail(s.Path, fmt.Errorf("archives are nested deeper than %d, the limit; unpack %s and pass the unpacked folder as an argument", depth, u.budget.path))
	case depth > 0 && s.size > u.list.Limits.Nested: // the archive must be held in memory
		err = fmt.Errorf("has %d bytes, the limit of an archive in an archive is %d; unpack %s and pass the unpacked folder as an argument", s.size, u.list.Limits.Nested, u.budget.path)
	case depth > 0 && s.source != nil:
		s.data, err = readSource(s.source, u.list.Limits.Nested)
		s.source = nil
	}
	if err != nil {
		return u.fail(s.Path, err)
	}
	if !u.unpack(s, depth) {
		return false
	}
	if depth == 0 && u.wanted != nil {
		for path := range u.wanted.missing {
			err := fmt.Errorf("has no member %s", quote.Short(strings.TrimPrefix(path, doubled(s.Path)+"!/")))
			if !u.emit(Member{Path: s.Path}, fail(s.Path, err)) {
				return false
			}
		}
	}
	return u.ctx.Err() == nil
}

// plain yields a file that is not an archive. If the user named parts of the file, such as values of a .reg file, plain
// yields these parts. In this case, plain yields the whole file only if the user also selected the whole file.
func (u *unpacker) plain(s stored) bool {
	parts := u.wanted.inside(s.Path)
	_, _, all := u.wanted.below(s.Path) // all: the user named the whole file, or a folder or archive that contains it
	if (all || len(parts) == 0) && !u.emit(s.Member, nil) {
		return false
	}
	for _, i := range parts {
		m := s.Member
		m.Part, m.Named = strings.TrimPrefix(u.wanted.paths[i], doubled(s.Path)+"!/"), true
		m.read = func() ([]byte, error) {
			b, err := s.read()
			return slices.Clone(b), err // the caller may change the returned bytes, and other parts share b
		}
		if !u.emit(m, nil) {
			return false
		}
	}
	return true
}

// unpack yields the members of an archive. The bytes of the archive are in s.source, or in s.data if s.source is nil.
func (u *unpacker) unpack(s stored, depth int) bool {
	if s.format == zipFormat {
		return u.zip(s, depth)
	}
	var r io.Reader = bytes.NewReader(s.data)
	if s.source != nil {
		f, _, err := s.source.open()
		if err != nil {
			return u.fail(s.Path, err)
		}
		defer f.Close()
		r = f
	}
	if s.format == gzipFormat {
		return u.gzip(s, r, depth)
	}
	more, _ := u.tar(s, r, s.size, depth)
	return more
}

// safeMember returns the archive member with the given name. The name is from the archive and can be an attack, such as
// ../a. ok is false if the user selected only other members.
func (u *unpacker) safeMember(archive stored, name string, duplicates map[string]bool) (s stored, ok bool) {
	clean, err := memberName(name)
	if err != nil {
		s.Path = archive.Path
		s.err = fail(archive.Path, fmt.Errorf("has a member with a name that %w: %s", err, quote.Short(name)))
		return s, u.wanted == nil // report the name only if the user selected the whole archive
	}
	return u.member(archive, clean, duplicates)
}

// member returns the archive member with the given name, which must be clean. ok is false if the user did not select
// this member. duplicates has the names of the earlier members. If ok is true, member adds the name to duplicates.
func (u *unpacker) member(archive stored, name string, duplicates map[string]bool) (s stored, ok bool) {
	s.Path = inside(archive.Path, name)
	hidden := isHidden(name)
	if u.wanted != nil {
		_, rest, ok := u.wanted.below(s.Path)
		if !ok && len(u.wanted.inside(s.Path)) == 0 {
			return s, false
		}
		s.Named = ok && rest == ""
		hidden = isHidden(rest)
	}
	switch {
	case duplicates[name]:
		s.err = fail(s.Path, errors.New("is the name of several members of the archive; only the first one is read"))
	case !s.Named && u.list.excludes(s.Path, false):
		s.Skipped = Excluded
	case hidden:
		s.Skipped = Hidden
	case u.except[strings.TrimPrefix(s.Path, doubled(u.budget.path)+"!/")]:
		s.Skipped = Repeated
	}
	duplicates[name] = true
	return s, true
}

// fail yields an error for the path. If the archive on disk is over a limit, the first call yields the error about the
// limit, and later calls yield nothing.
func (u *unpacker) fail(path string, err error) bool {
	if u.ctx.Err() != nil {
		return false
	}
	u.wanted.mark(path) // otherwise a second error would report the member as missing
	if u.budget.err != nil {
		if u.over {
			return true
		}
		u.over = true
		path, err = u.budget.path, u.budget.err
		u.wanted.mark(path)
	}
	return u.emit(Member{Path: path}, fail(path, err))
}

func (u *unpacker) emit(m Member, err error) bool {
	m.Input = u.input
	return u.yield(m, err)
}
