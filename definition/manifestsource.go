package definition

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/internal/utf16le"
)

// A manifestSource is a manifest file, with its text converted to UTF-8.
type manifestSource struct {
	path     string
	file     []byte            // as it was read
	text     []byte            // in UTF-8, without a byte order mark
	encoding encoding.Encoding // the encoding of the file; nil for UTF-8
	mark     int               // size of the byte order mark in the file

	cursor lines.Cursor // in text
}

// declaredEncoding matches an XML declaration with an encoding.
var declaredEncoding = lazy.Regexp(`^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// readManifestSource decodes a file in UTF-8, in UTF-16, or in the code page that the XML declaration names.
func readManifestSource(path string, file []byte) (*manifestSource, error) {
	s := &manifestSource{path: path, file: file}
	if len(file) > mostText {
		return nil, s.fault(place{}, "the file has %d bytes; a manifest must have at most 32 MiB", len(file))
	}
	switch {
	case bytes.HasPrefix(file, []byte("\xEF\xBB\xBF")):
		s.mark = 3
	case bytes.HasPrefix(file, []byte{0xFF, 0xFE}):
		s.encoding, s.mark = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(file, []byte{0xFE, 0xFF}):
		s.encoding, s.mark = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(file, []byte{'<', 0}):
		s.encoding = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case bytes.HasPrefix(file, []byte{0, '<'}):
		s.encoding = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	default:
		if m := declaredEncoding().FindSubmatch(file); m != nil {
			if err := s.setCodePage(string(m[1])); err != nil {
				return nil, err
			}
		}
	}
	s.text = file[s.mark:]
	if s.encoding != nil {
		text, err := s.encoding.NewDecoder().Bytes(s.text)
		if err != nil {
			return nil, s.fault(place{}, "the text cannot be decoded: %w; save it as UTF-8", err)
		}
		s.text = text
		if i := bytes.IndexRune(text, utf8.RuneError); i >= 0 && !s.encodes(text) {
			return nil, s.fault(s.place(i), "the text has bytes that are not characters of its encoding; save it as UTF-8")
		}
	}
	if len(s.text) > mostText {
		return nil, s.fault(place{}, "the text has %d bytes in UTF-8; a manifest must have at most 32 MiB", len(s.text))
	}
	if !utf8.Valid(s.text) {
		i := utf16le.Invalid(string(s.text))
		return nil, s.fault(s.place(i), "byte 0x%02x is not UTF-8; save the text as UTF-8, or name its encoding in the XML declaration", s.text[i])
	}
	return s, nil
}

// encodes reports whether the encoded text equals the file without its byte order mark.
func (s *manifestSource) encodes(text []byte) bool {
	b, err := s.encoding.NewEncoder().Bytes(text)
	return err == nil && bytes.Equal(b, s.file[s.mark:])
}

// setCodePage sets the encoding that the XML declaration names.
func (s *manifestSource) setCodePage(name string) error {
	label := strings.ToLower(name)
	// For these names, the text is read as UTF-8, because the caller has found that the bytes are not UTF-16.
	if label == "utf-8" || label == "utf8" || strings.HasPrefix(label, "utf-16") || label == "us-ascii" {
		return nil
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return s.fault(place{1, 1}, "the encoding %s is not known; save the text as UTF-8", quoted(name))
	}
	s.encoding = e
	return nil
}

// place returns the place of byte i of the text. A series of calls with rising indexes takes linear time.
func (s *manifestSource) place(i int) place {
	s.cursor.Text = s.text
	line, column := s.cursor.Place(i)
	return place{line, column}
}

func (s *manifestSource) fault(at place, format string, args ...any) *Error {
	return &Error{s.path, at.line, at.column, fmt.Errorf(format, args...)}
}

// replace returns a copy of the file with text in place of s.text[from:to]. All other bytes stay the same.
func (s *manifestSource) replace(from, to int, text string) ([]byte, error) {
	if s.encoding == nil {
		return slices.Concat(s.file[:s.mark+from], []byte(text), s.file[s.mark+to:]), nil
	}
	encoder := encoding.HTMLEscapeUnsupported(s.encoding.NewEncoder()) // XML has the same character references as HTML
	before, err := encoder.Bytes(s.text[:from])
	middle, err2 := encoder.Bytes([]byte(text))
	after, err3 := encoder.Bytes(s.text[to:])
	if err := cmp.Or(err, err2, err3); err != nil {
		return nil, err
	}
	body := s.file[s.mark:]
	if len(before)+len(after) > len(body) || !bytes.HasPrefix(body, before) || !bytes.HasSuffix(body, after) {
		return nil, s.fault(place{}, "the encoding has several forms of some characters, so unchanged parts of the file would get other bytes; save the file as UTF-8")
	}
	return slices.Concat(s.file[:s.mark], before, middle, after), nil
}
