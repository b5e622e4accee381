package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// ErrList is the error for a list of paths that cannot be read.
var ErrList = errors.New("the list of paths cannot be read")

// MaxList is the largest size of a list of paths, in bytes.
const MaxList = 256 << 20

// addListed adds the paths in the list of From.
func (f *finder) addListed() {
	text, err := f.readList(f.list.From)
	if err != nil {
		f.fail(f.list.From, fmt.Errorf("%w: %w", ErrList, plain(err)))
		return
	}
	f.paths, f.groups = paths(text), nil
	for _, path := range f.paths {
		if f.ctx.Err() != nil || path != "" && !f.addPath(path, false) {
			return
		}
	}
}

func (f *finder) readList(list string) ([]byte, error) {
	var from source = diskFile(list)
	if list == stdinPath {
		if err := f.claimStdin("the list of paths"); err != nil {
			return nil, fmt.Errorf("standard input %w", err)
		}
		from = stream{f.list.Stdin}
	}
	return readEndless(f.ctx, from, MaxList)
}

// paths returns the paths of a list. For an empty line, it returns an empty path.
func paths(text []byte) []string {
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), text)
	if err != nil {
		return nil
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return strings.Split(string(text), "\x00")
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

// A stream is a source that can be read once.
type stream struct{ io.Reader }

func (s stream) open() (io.ReadCloser, int64, error) { return io.NopCloser(s), -1, nil }
