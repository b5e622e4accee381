package builder

import (
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// The letters of a name are text, written as UTF-16, or where the object has a code
// page the bytes of that, written as they are.

// checkLetters reports what keeps s from being a name.
func checkLetters(s string, codePage uint32) error {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return layout.Faultf(layout.ErrNUL, "NUL at byte %d of %s", i, quote.Short(s))
	}
	if codePage != 0 {
		return nil
	}
	if err := layout.CheckUTF8(s); err != nil {
		return layout.Faultf(layout.ErrText, "%s of %s", inText(err), quote.Short(s))
	}
	return nil
}

// lettersLen returns the bytes that a valid name takes, without terminator.
func lettersLen(s string, codePage uint32) uint64 {
	if codePage != 0 {
		return uint64(len(s))
	}
	return uint64(layout.UTF16Len(s))
}

// utf16NUL is the bytes of a NUL in UTF-16.
const utf16NUL = 2

// terminatorLen returns the bytes of the NUL behind a name.
func terminatorLen(codePage uint32) uint64 {
	if codePage != 0 {
		return 1
	}
	return utf16NUL
}

// appendLetters appends a valid name, without terminator.
func appendLetters(b []byte, s string, codePage uint32) []byte {
	if codePage != 0 {
		return append(b, s...)
	}
	b, _ = layout.AppendUTF16(b, s) // valid, so there is no error
	return b
}
