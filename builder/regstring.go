package builder

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A RegString is a text that PerfQueryCounterSetRegistrationInfo returns, such as for
// [layout.PERF_REG_COUNTERSET_NAME_STRING]: UTF-8 without NUL, possibly empty.
type RegString string

// AppendBinary appends the text to b and returns the extended slice, like
// [QueryData.AppendBinary].
func (s RegString) AppendBinary(b []byte) ([]byte, error) {
	total, err := s.EncodedLen()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, total)
	return append(appendLetters(b, string(s), 0), 0, 0), nil
}

// MarshalBinary returns the text. Its errors are those of [RegString.AppendBinary].
func (s RegString) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the text takes. Its errors are those of
// [RegString.AppendBinary].
func (s RegString) EncodedLen() (int, error) {
	n, err := planText(string(s))
	if err == nil && n > maxTotal {
		err = fault(layout.Path{}, "Text", ErrTooLarge, "takes %d bytes, must take at most %d", n, uint64(maxTotal))
	}
	if err != nil {
		return 0, err
	}
	return int(n), nil
}

// planText checks a text and returns its length with the NUL.
func planText(s string) (uint64, error) {
	if err := checkLetters(s, 0); err != nil {
		return 0, &layout.Error{Path: layout.Path{}.Field("Text"), Off: -1, Err: err}
	}
	return lettersLen(s, 0) + terminatorLen(0), nil
}

// UnmarshalBinary sets *s to the text that fills b, without its NUL, like
// [DataBlock.UnmarshalBinary].
func (s *RegString) UnmarshalBinary(b []byte) error {
	return errorOnly(unmarshal(s, b, false, (*decoder).regString))
}

// UnmarshalLossy is like UnmarshalBinary, but drops and lists data that the model cannot hold. See
// [DataBlock.UnmarshalLossy].
func (s *RegString) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(s, b, true, (*decoder).regString)
}

// regString decodes the text that fills b.
func (d *decoder) regString(b []byte) (RegString, error) {
	if len(b) == 0 {
		return "", &layout.Error{Path: layout.Path{}.Field("Text"), Err: layout.Faultf(layout.ErrUnterminated, "has no bytes, must end in NUL")}
	}
	text, err := d.text(layout.ReadRegText(b), 1, "Text", rootPath)
	return RegString(text), err
}
