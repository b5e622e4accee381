package inputs

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/perfblock/perfblock/internal/quote"
)

// zip yields the members of a zip. They are unpacked in the goroutines that read them.
func (u *unpacker) zip(archive stored, depth int) bool {
	from := &zipSource{r: bytes.NewReader(archive.data)}
	if path, ok := archive.source.(diskFile); ok {
		from.path = string(path)
	}
	done, err := from.use()
	if err != nil {
		return u.fail(archive.Path, err)
	}
	defer done()
	// The number of members is not known yet, so this limits the memory for the directory. The limit is 1 MiB plus
	// 160 bytes for each allowed member.
	from.directory = 1<<20 + 160*int64(u.list.Limits.Members)
	r, err := zip.NewReader(from, archive.size)
	from.directory = math.MaxInt64
	if err == nil {
		err = u.budget.member(len(r.File))
	}
	if err == nil {
		err = overlap(r.File)
	}
	if err != nil {
		return u.fail(archive.Path, zipError(err))
	}
	for s := range loaded(u.ctx, u.zipMembers(archive, from, r.File), runtime.GOMAXPROCS(0), u.list.Limits) {
		if s.err == nil && s.Skipped == "" {
			if err := u.budget.unpack(s.size); err != nil {
				return u.fail(archive.Path, err)
			}
		}
		if !u.expand(s, depth+1) {
			return false
		}
		if u.budget.err != nil {
			return u.fail(archive.Path, u.budget.err)
		}
	}
	return u.ctx.Err() == nil
}

// zipMembers yields the members to read or to report as skipped.
func (u *unpacker) zipMembers(archive stored, from *zipSource, files []*zip.File) iter.Seq[stored] {
	return func(yield func(stored) bool) {
		duplicates := map[string]bool{}
		for _, f := range files {
			if strings.HasSuffix(f.Name, "/") || strings.HasSuffix(f.Name, `\`) {
				continue // a folder
			}
			s, ok := u.safeMember(archive, f.Name, duplicates)
			if !ok {
				continue
			}
			if s.err == nil && s.Skipped == "" {
				switch f.Mode().Type() {
				case 0:
				case fs.ModeSymlink:
					s.Skipped = PackedLink
				default:
					s.Skipped = Special
				}
			}
			s.source = zipMember{f, from}
			if !yield(s) {
				return
			}
		}
	}
}

// A zipMember is the [source] of a member of a zip.
type zipMember struct {
	*zip.File
	from *zipSource
}

func (m zipMember) open() (io.ReadCloser, int64, error) {
	const encrypted = 1 << 0
	// maxDeflate is the largest ratio of unpacked to packed bytes that the method deflate can have.
	const maxDeflate = 1032
	size, packed := m.UncompressedSize64, m.CompressedSize64
	switch {
	case m.Flags&encrypted != 0:
		return nil, 0, errors.New("is encrypted; pack it without a password")
	case m.Method != zip.Store && m.Method != zip.Deflate:
		return nil, 0, fmt.Errorf("is compressed by method %d, must be deflated or stored; pack it again", m.Method)
	case m.Method == zip.Store && size != packed, size/maxDeflate > packed, size > math.MaxInt64:
		return nil, 0, fmt.Errorf("declares %d bytes unpacked and %d packed, which is impossible; the archive is damaged", size, packed)
	}
	done, err := m.from.use()
	if err != nil {
		return nil, 0, err
	}
	r, err := m.Open()
	if err != nil {
		done()
		return nil, 0, zipError(err)
	}
	return &zipReader{r, done}, int64(size), nil
}

type zipReader struct {
	io.ReadCloser
	done func()
}

func (r *zipReader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	return n, zipError(err)
}

func (r *zipReader) Close() error {
	defer r.done()
	return r.ReadCloser.Close()
}

// zipError explains the errors of package zip.
func zipError(err error) error {
	_, corrupt := err.(flate.CorruptInputError)
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum), err == io.ErrUnexpectedEOF, corrupt:
		return fmt.Errorf("is damaged or truncated (%w)", err)
	}
	return err
}

// overlap returns an error if the packed bytes of two members overlap, as in some zip bombs.
func overlap(files []*zip.File) error {
	type span struct {
		start, end uint64
		name       string
	}
	var spans []span
	for _, f := range files {
		at, err := f.DataOffset()
		if err != nil || f.CompressedSize64 == 0 {
			continue // a later read of the member returns the error again
		}
		spans = append(spans, span{uint64(at), uint64(at) + min(f.CompressedSize64, math.MaxInt64), f.Name})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	for i := 1; i < len(spans); i++ {
		if a, b := spans[i-1], spans[i]; b.start < a.end {
			return fmt.Errorf("has members that share bytes, %s and %s; it may be a zip bomb", quote.Short(a.name), quote.Short(b.name))
		}
	}
	return nil
}

// A zipSource reads an archive for several goroutines. The file on disk is open only while a goroutine reads.
type zipSource struct {
	path      string // "" for an archive in memory
	r         io.ReaderAt
	directory int64 // number of bytes that may still be read while the directory of the zip is read; no limit later

	mu    sync.Mutex
	file  *os.File
	users int
}

var errDirectory = errors.New("the archive's list of members is too long; unpack the archive, and pass the folder with its files as an argument")

func (z *zipSource) ReadAt(b []byte, at int64) (int, error) {
	if z.directory != math.MaxInt64 {
		z.directory -= int64(len(b))
		if z.directory < 0 {
			return 0, errDirectory
		}
	}
	return z.r.ReadAt(b, at)
}

// use opens the file. The caller calls done when it has finished reading.
func (z *zipSource) use() (done func(), err error) {
	if z.path == "" {
		return func() {}, nil
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.users == 0 {
		if z.file, err = os.Open(z.path); err != nil {
			return nil, err
		}
		z.r = z.file
	}
	z.users++
	return func() {
		z.mu.Lock()
		defer z.mu.Unlock()
		z.users--
		if z.users == 0 {
			z.file.Close()
		}
	}, nil
}
