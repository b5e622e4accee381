package inputs

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
)

// A stored file is a file on disk or a member of an archive. It may itself be an archive.
type stored struct {
	Member
	err    error  // why the file or member cannot be read
	source source // nil if data has all bytes
	data   []byte // all bytes, if source is nil
	plain  []byte // the bytes in the gzip, if data is a short gzip; nil if they are not known

	endless bool            // a device, a pipe or standard input: its length is not known and it can be read once
	format  format          // of the bytes
	wants   []string        // reported paths of the members or parts to read; nil reads all
	except  map[string]bool // paths of members of this archive that an earlier argument named; they are not read again
}

// A source opens a file or a member. size is the number of bytes, or negative if the number is not known before the
// end.
type source interface {
	open() (r io.ReadCloser, size int64, err error)
}

const (
	// small is the largest size of a file that is read in full when it is opened. For a larger file, only the start
	// is read, to recognise the format. The file is opened again to read its contents.
	small = 128 << 10

	// Beginning is the number of bytes that are needed to recognise a format. It is the size of a tar block.
	Beginning = 512
)

// load opens s, recognises its format, and reads it if it is small. It stores an error in s.err.
func (s *stored) load(ctx context.Context, limits Limits) {
	if s.err != nil || s.Skipped != "" {
		return
	}
	var err error
	switch {
	case s.endless:
		s.data, err = readEndless(ctx, s.source, limits.Bytes)
		s.source, s.size = nil, int64(len(s.data))
	case s.source != nil:
		err = s.loadFile(limits)
	}
	if err != nil {
		s.err = fail(s.Path, err)
		return
	}
	s.format = formatOf(s.data)
	if s.format == plainFormat && s.size > limits.Bytes {
		s.err = fail(s.Path, tooLong(limits.Bytes))
	}
	if s.format == gzipFormat && s.source == nil {
		s.plain = gunzip(s.data)
	}
	if s.source == nil {
		s.Member = s.With(s.data)
		return
	}
	s.data = nil
	source, path := s.source, s.Path
	s.read = func() ([]byte, error) {
		b, err := readSource(source, limits.Bytes)
		if err != nil {
			return nil, fail(path, err)
		}
		return b, nil
	}
}

// loadFile reads the beginning of a file, or all of it if it is small.
func (s *stored) loadFile(limits Limits) error {
	r, size, err := s.source.open()
	if err != nil {
		return err
	}
	defer r.Close()
	s.size = size
	if size > small {
		s.data = make([]byte, Beginning)
		_, err = io.ReadFull(r, s.data)
		return err
	}
	s.data, err = readAll(r, size, max(limits.Bytes, small)) // an archive may be longer than the limit
	s.source = nil
	return err
}

func readSource(from source, limit int64) ([]byte, error) {
	r, size, err := from.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readAll(r, size, limit)
}

// readEndless is readSource for a source that may never end. If ctx is cancelled, readEndless returns, but a
// goroutine still waits for the source.
func readEndless(ctx context.Context, from source, limit int64) ([]byte, error) {
	type result struct {
		b   []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		b, err := readSource(from, limit)
		done <- result{b, err}
	}()
	select {
	case r := <-done:
		return r.b, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readAll returns all bytes of r, or an error if r has more bytes than limit. size is the expected number of bytes,
// which readAll allocates before it reads.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	b := make([]byte, 0, min(max(size, Beginning), limit)+1) // one byte more, so that the last Read finds the end
	var full [][]byte
	read := 0
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		read += n
		switch {
		case err == io.ErrUnexpectedEOF:
			return nil, fmt.Errorf("is truncated after %s", quote.Count(read, "byte"))
		case err != nil && err != io.EOF:
			return nil, err
		case int64(read) > limit:
			return nil, tooLong(limit)
		case err == io.EOF && full == nil:
			return b, nil
		case err == io.EOF:
			return slices.Concat(append(full, b)...), nil // takes about twice the memory of the result
		case len(b) == cap(b):
			full = append(full, b)
			b = make([]byte, 0, min(read, largestPiece))
		}
	}
}

// largestPiece is the maximum size, in bytes, of the pieces in which an input of unknown size is read.
const largestPiece = 16 << 20

func tooLong(limit int64) error {
	return fmt.Errorf("is longer than %d bytes, the limit of one input", limit)
}

type diskFile string

func (path diskFile) open() (io.ReadCloser, int64, error) {
	f, err := os.Open(string(path))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a folder, must be a file")
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return f, -1, nil
	}
	return &steadyFile{f, info}, info.Size(), nil
}

// A steadyFile is an open file. If the file has changed since it was opened, Read returns an error at the end of the
// file.
type steadyFile struct {
	fs.File
	opened fs.FileInfo
}

func (f *steadyFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	if err != io.EOF {
		return n, err
	}
	info, statErr := f.Stat() // after a change, some bytes may be old and others new
	if statErr == nil && (info.Size() != f.opened.Size() || !info.ModTime().Equal(f.opened.ModTime())) {
		return n, errors.New("changed while it was read; try again when it is complete")
	}
	return n, err
}

// A format is the format of a file. The first bytes of the file determine the format.
type format byte

const (
	plainFormat format = iota // no archive
	zipFormat
	tarFormat
	gzipFormat
)

// formatOf returns the format of a file from its beginning.
func formatOf(b []byte) format {
	switch {
	case bytes.HasPrefix(b, []byte("PK\x03\x04")), bytes.HasPrefix(b, []byte("PK\x05\x06")):
		return zipFormat
	case bytes.HasPrefix(b, gzipMagic):
		return gzipFormat
	case isTar(b):
		return tarFormat
	}
	return plainFormat
}

// IsArchive reports whether a file that starts with b is an archive.
func IsArchive(b []byte) bool { return formatOf(b) != plainFormat }

// isTar reports whether b begins with a header of a tar. Such a header has a magic number or, in archives from
// before POSIX, only a correct checksum.
func isTar(b []byte) bool {
	const magic = 257
	if len(b) < Beginning {
		return false
	}
	if bytes.HasPrefix(b[magic:], []byte("ustar")) {
		return true
	}
	_, err := tar.NewReader(bytes.NewReader(b[:Beginning])).Next()
	return err == nil
}
