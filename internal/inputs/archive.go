package inputs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// An unpacker yields the members of one file, which may be an archive that contains archives.
type unpacker struct {
	ctx    context.Context
	list   *List
	input  int
	yield  func(Member, error) bool
	budget budget
	over   bool // the error of budget was yielded

	want   string // see stored
	found  bool   // a member was yielded: the member that want names, or a member inside that member
	except map[string]bool
}

// expand yields s, or its members if it is an archive. depth is the number of archives that contain s. expand returns
// false to end the stream.
func (u *unpacker) expand(s stored, depth int) bool {
	if u.ctx.Err() != nil {
		return false
	}
	var err error
	switch {
	case s.err != nil:
		u.found = true
		return u.emit(Member{Path: s.Path}, s.err)
	case s.Skipped != "":
		u.found = true
		return u.emit(s.Member, nil)
	case s.format == plainFormat:
		if part, ok := strings.CutPrefix(u.want, doubled(s.Path)+"!/"); ok {
			s.Part, s.Named = part, true
		}
		u.found = true
		return u.emit(s.Member, nil)
	case depth == u.list.Limits.Depth:
		return u.fail(s.Path, fmt.Errorf("archives are nested deeper than %d, the limit; unpack %s and name its folder", depth, u.budget.path))
	case depth > 0:
		if err = u.budget.nested(s.size); err == nil && s.source != nil {
			s.data, err = readSource(s.source, u.list.Limits.Nested)
			s.source = nil
		}
	}
	if err != nil {
		return u.fail(s.Path, err)
	}
	more := u.unpack(s, depth)
	if more && depth == 0 && u.want != "" && !u.found {
		return u.fail(s.Path, fmt.Errorf("has no member %s", quote.Short(strings.TrimPrefix(u.want, doubled(s.Path)+"!/"))))
	}
	return more
}

// unpack yields the members of an archive. An archive from disk is read through its source. An archive inside an
// archive is in memory.
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

// isIn reports whether want names a member of the archive.
func (u *unpacker) isIn(archive string) bool {
	return strings.HasPrefix(u.want, doubled(archive)+"!/")
}

// below returns the part of the path that follows the member that want names. That member may be a folder or an
// archive, so the path may be that of a member in it. ok is false for any other path.
func (u *unpacker) below(path string) (rest string, ok bool) {
	for _, wanted := range []string{u.want, doubled(u.want)} {
		rest, ok = strings.CutPrefix(path, wanted)
		if ok && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "!/")) {
			return rest, true
		}
	}
	return "", false
}

// hostile checks the name of a member and returns the result of member for the clean name. If the name is not
// the path of a file in a folder, the member has an error.
func (u *unpacker) hostile(archive stored, name string, duplicates map[string]bool) (s stored, ok bool) {
	clean, err := memberName(name)
	if err != nil {
		s.Path = archive.Path
		s.err = fail(archive.Path, fmt.Errorf("has a member with a name that %w: %s", err, quote.Short(name)))
		return s, u.want == ""
	}
	return u.member(archive, clean, duplicates)
}

// member returns a member of the archive with a clean name. ok is false if want names another member. The member can
// have an error, or a reason to skip it. duplicates has the names of the members before it.
func (u *unpacker) member(archive stored, clean string, duplicates map[string]bool) (s stored, ok bool) {
	s.Path = inside(archive.Path, clean)
	s.Named = s.Path == u.want
	hidden := isHidden(clean)
	if u.want != "" {
		rest, ok := u.below(s.Path)
		if !ok && !u.isIn(s.Path) {
			return s, false
		}
		hidden = isHidden(rest)
	}
	switch {
	case duplicates[clean]:
		s.err = fail(s.Path, errors.New("is the name of two members of the archive; the second one is not read"))
	case !s.Named && u.list.excludes(s.Path, false):
		s.Skipped = Excluded
	case hidden:
		s.Skipped = Hidden
	case u.except[strings.TrimPrefix(s.Path, doubled(u.budget.path)+"!/")]:
		s.Skipped = Repeated
	}
	duplicates[clean] = true
	return s, true
}

// fail yields an error for the path. If a limit of the archive on disk is reached, fail yields the error of the limit
// instead, and only once.
func (u *unpacker) fail(path string, err error) bool {
	if u.ctx.Err() != nil {
		return false
	}
	u.found = true // no second error that the member is missing
	if u.budget.err != nil {
		if u.over {
			return true
		}
		u.over = true
		path, err = u.budget.path, u.budget.err
	}
	return u.emit(Member{Path: path}, fail(path, err))
}

func (u *unpacker) emit(m Member, err error) bool {
	m.Input = u.input
	return u.yield(m, err)
}
