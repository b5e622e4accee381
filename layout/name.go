package layout

import "bytes"

// A Name is the bytes of a name or another text in the block, with its code page. It
// includes the terminator if the declared length does, as it must.
type Name struct {
	Span
	CodePage uint32 // 0 is UTF-16LE
}

// Unit returns the size of a code unit in bytes: 2 in UTF-16, otherwise 1.
func (n Name) Unit() int {
	if n.CodePage == 0 {
		return 2
	}
	return 1
}

// Terminated reports whether the last whole code unit is a NUL.
func (n Name) Terminated() bool {
	unit := n.Unit()
	return n.Len() >= unit && n.Len()%unit == 0 && allZero(n.b[n.Len()-unit:])
}

// IndexNUL returns the byte offset in the name of the first NUL code unit, or -1 if there
// is none. U+0100 has a zero byte but is not NUL.
func (n Name) IndexNUL() int {
	if n.CodePage != 0 {
		return bytes.IndexByte(n.b, 0)
	}
	for i := 0; i+1 < len(n.b); i += 2 {
		if n.b[i]|n.b[i+1] == 0 {
			return i
		}
	}
	return -1
}

// Text returns the name without its terminator. UTF-16 is returned as UTF-8. A name in a
// code page is returned as its bytes, not decoded. A name of length 0 is the empty string.
// The error is an [*Error] at the offset in the input that wraps [ErrUnterminated],
// [ErrNUL] or [ErrText].
func (n Name) Text() (string, error) {
	if n.Len() == 0 {
		return "", nil
	}
	if !n.Terminated() {
		return "", n.fault(n.Len()-min(n.Unit(), n.Len()), Faultf(ErrUnterminated, "the %d bytes of the name do not end in NUL", n.Len()))
	}
	text := n.b[:n.Len()-n.Unit()]
	if i := n.IndexNUL(); i < len(text) {
		return "", n.fault(i, Faultf(ErrNUL, "NUL inside the name, %d bytes before its end", n.Len()-i))
	}
	if n.CodePage != 0 {
		return string(text), nil
	}
	s, err := DecodeUTF16(text)
	if err != nil {
		return "", n.inText(err)
	}
	return s, nil
}

func (n Name) fault(at int, err error) *Error {
	return &Error{Off: n.off + int64(at), Len: min(n.Unit(), n.Len()-at), Err: err}
}

// inText moves an error in the text of the name to its offset in the input.
func (n Name) inText(err error) error {
	if e, ok := err.(*Error); ok {
		e.Off += n.off
	}
	return err
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// ReadRegText returns b as a text with its terminator, as
// PerfQueryCounterSetRegistrationInfo returns it for PERF_REG_COUNTERSET_NAME_STRING,
// PERF_REG_COUNTERSET_HELP_STRING, PERF_REG_PROVIDER_NAME and
// PERF_REG_COUNTERSET_ENGLISH_NAME.
func ReadRegText(b []byte) Name { return Name{Span: NewSpan(b[:len(b):len(b)], 0)} }
