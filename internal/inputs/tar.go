package inputs

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// trusted is the maximum number of bytes that are allocated for compressed data before the data is read. A header can
// declare any size.
const trusted = 16 << 20

// tar yields the members of a tar. Before it reads a member, it allocates at most size bytes, even if the header of the
// member declares more. more is false if the caller must stop. intact is false if tar could not read the archive to its
// end.
func (u *unpacker) tar(archive stored, r io.Reader, size int64, depth int) (more, intact bool) {
	from := &tarSource{r, 0}
	t := tar.NewReader(from)
	duplicates := map[string]bool{}
	for {
		h, err := t.Next()
		if err == io.EOF && from.at%tarBlock == 0 {
			return true, true
		}
		if err == nil {
			err = u.budget.member(1)
		}
		if err != nil {
			return u.fail(archive.Path, streamError(err)), false
		}
		if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		s, ok := u.safeMember(archive, h.Name, duplicates)
		if !ok {
			continue
		}
		if s.err == nil && s.Skipped == "" {
			if err := u.tarMember(&s, h, t, size); err != nil {
				more := u.fail(s.Path, fmt.Errorf("%w; nothing after it in the archive is read", streamError(err)))
				u.wanted.mark(u.budget.path) // report no member as missing, because the rest of the archive is not read
				return more, false
			}
		}
		if u.budget.err == nil && !u.expand(s, depth+1) {
			return false, false
		}
		if u.budget.err != nil {
			return u.fail(archive.Path, u.budget.err), false
		}
		if u.wanted.complete() {
			return true, true
		}
	}
}

// tarBlock is the size in bytes of the blocks of a tar. A tar ends at the end of a block.
const tarBlock = 512

// A tarSource counts the bytes of a tar that were read or skipped. A [tar.Reader] returns io.EOF for a tar that ends in
// the padding after a member, as for a complete tar.
type tarSource struct {
	io.Reader
	at int64
}

func (s *tarSource) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	s.at += int64(n)
	return n, err
}

// Seek lets a [tar.Reader] skip members of a file without reading them.
func (s *tarSource) Seek(offset int64, whence int) (int64, error) {
	seeker, ok := s.Reader.(io.Seeker)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	at, err := seeker.Seek(offset, whence)
	if err == nil {
		s.at = at
	}
	return at, err
}

// tarMember reads a member. It returns an error if the member has a fault that makes the rest of the archive
// unreadable.
func (u *unpacker) tarMember(s *stored, h *tar.Header, r io.Reader, size int64) error {
	const contiguous = '7' // a regular file, in archives of old systems
	switch {
	case h.Typeflag == tar.TypeLink, h.Typeflag == tar.TypeSymlink:
		s.Skipped = PackedLink
	case h.Typeflag == tar.TypeChar, h.Typeflag == tar.TypeBlock, h.Typeflag == tar.TypeFifo:
		s.Skipped = Special
	case isSparse(h):
		s.err = fail(s.Path, errors.New("is a sparse file, which can unpack to any size; pack it without --sparse"))
	case h.Typeflag != tar.TypeReg && h.Typeflag != contiguous:
		s.err = fail(s.Path, fmt.Errorf("has type %q in the archive, must be a file; pack it again as a plain file", h.Typeflag))
	case h.Size > u.list.Limits.Bytes:
		s.err = fail(s.Path, tooLong(u.list.Limits.Bytes))
	default:
		var err error
		if s.data, err = readAll(r, min(h.Size, size), h.Size); err != nil {
			return err
		}
		s.size = h.Size
		s.load(u.ctx, u.list.Limits)
	}
	return nil
}

// isSparse reports whether the member is a sparse file. An archive does not store the holes of such a file.
func isSparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

// gzipMagic are the bytes with which each part of a gzip starts.
var gzipMagic = []byte("\x1f\x8b\x08")

// A gzipReader reads all parts of a gzip. Unlike a [gzip.Reader], it has an error of its own for bytes after the last
// part.
type gzipReader struct {
	part *gzip.Reader
	from *bufio.Reader // compressed bytes; when a part ends, the next byte is the first byte after the part
}

func newGzipReader(r io.Reader) (*gzipReader, error) {
	from := bufio.NewReader(r)
	part, err := gzip.NewReader(from)
	if err != nil {
		return nil, err
	}
	part.Multistream(false)
	return &gzipReader{part, from}, nil
}

func (z *gzipReader) Read(b []byte) (int, error) {
	for {
		n, err := z.part.Read(b)
		if n > 0 && err == io.EOF {
			return n, nil
		}
		if err != io.EOF {
			return n, err
		}
		if err := z.next(); err != nil {
			return 0, err
		}
	}
}

// next starts to read the next part. It returns io.EOF if there is none.
func (z *gzipReader) next() error {
	start, err := z.from.Peek(len(gzipMagic))
	switch {
	case err != nil && err != io.EOF, len(start) == 0:
		return err
	case !bytes.HasPrefix(gzipMagic, start):
		return errors.New("has bytes after the end of the gzip; remove these bytes")
	}
	err = z.part.Reset(z.from)
	z.part.Multistream(false)
	return err
}

// gunzip returns the bytes in a small gzip. For a large or faulty gzip it returns nil, and the unpacker unpacks the
// file later. gunzip can run in several goroutines at once.
func gunzip(data []byte) []byte {
	const short = 1 << 20
	z, err := newGzipReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	b, err := readAll(z, min(4*int64(len(data)), short), short)
	if err != nil {
		return nil
	}
	return b
}

// gzip yields the members of a compressed tar, or the single file in any other gzip.
func (u *unpacker) gzip(archive stored, r io.Reader, depth int) bool {
	var z io.Reader = bytes.NewReader(archive.plain)
	var err error
	if archive.plain == nil {
		if z, err = newGzipReader(r); err != nil {
			return u.fail(archive.Path, streamError(err))
		}
	}
	unpacked := bufio.NewReader(&countingReader{z, u.ctx, &u.budget})
	if head, _ := unpacked.Peek(Beginning); isTar(head) { // the next read returns the error of Peek again
		more, intact := u.tar(archive, unpacked, trusted, depth)
		if more && intact && u.wanted == nil {
			if _, err = io.Copy(io.Discard, unpacked); err != nil { // the checksum is at the end
				return u.fail(archive.Path, streamError(err))
			}
		}
		return more
	}
	s, ok := u.member(archive, gzipName(archive.Path), map[string]bool{})
	if !ok {
		return true
	}
	if s.Skipped == Hidden {
		s.Skipped = "" // the gzip has the same name and was not skipped
	}
	s.Named = s.Named || archive.Named
	if s.err == nil && s.Skipped == "" {
		if s.data, err = readAll(unpacked, min(8*archive.size, trusted), u.list.Limits.Bytes); err != nil {
			return u.fail(archive.Path, streamError(err))
		}
		s.size = int64(len(s.data))
		s.load(u.ctx, u.list.Limits)
	}
	return u.expand(s, depth+1)
}

// gzipName returns the name of the file in a gzip: cpu.bin for a/cpu.bin.gz. The name in the header can be missing or
// wrong.
func gzipName(archive string) string {
	name := path.Base(archive)
	if archive == stdinPath {
		return "standard-input"
	}
	if extension := path.Ext(name); strings.EqualFold(extension, ".gz") && len(name) > len(extension) {
		return strings.TrimSuffix(name, extension)
	}
	return name
}

// streamError explains the errors of packages gzip and tar.
func streamError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("is truncated")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, tar.ErrHeader):
		return fmt.Errorf("is damaged (%w)", err)
	}
	return err
}
