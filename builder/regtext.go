package builder

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A RegString is a text that PerfQueryCounterSetRegistrationInfo returns, such as that for
// [layout.PERF_REG_COUNTERSET_NAME_STRING]. It is of UTF-8 without NUL; it may be empty.
type RegString string

// AppendBinary appends the text to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (s RegString) AppendBinary(b []byte) ([]byte, error) {
	total, err := s.plan()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, total)
	return append(appendLetters(b, string(s), 0), 0, 0), nil
}

// MarshalBinary returns the text. Its errors are those of [RegString.AppendBinary].
func (s RegString) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// EncodedLen returns the bytes that the text takes. Its errors are those of
// [RegString.AppendBinary].
func (s RegString) EncodedLen() (int, error) { return s.plan() }

func (s RegString) plan() (int, error) {
	n, err := planText(string(s))
	if err == nil && n > maxTotal {
		err = fault(layout.Path{}, "Text", ErrTooLarge, "it takes %d bytes, which is too many", n)
	}
	if err != nil {
		return 0, err
	}
	return int(n), nil
}

// planText checks a text and returns what it takes with its terminator.
func planText(s string) (uint64, error) {
	if err := checkLetters(s, 0); err != nil {
		return 0, &layout.Error{Path: layout.Path{}.Field("Text"), Off: -1, Err: err}
	}
	return lettersLen(s, 0) + terminatorLen(0), nil
}

// UnmarshalBinary sets *s to the text that fills b, its NUL included. It is as
// [DataBlock.UnmarshalBinary].
func (s *RegString) UnmarshalBinary(b []byte) error {
	_, err := s.decode(b, false)
	return err
}

// UnmarshalLossy is to [RegString.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (s *RegString) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return s.decode(b, true) }

func (s *RegString) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	d := newDecoder(b, lossy)
	if len(b) == 0 {
		return nil, &layout.Error{Path: layout.Path{}.Field("Text"), Err: layout.Faultf(layout.ErrUnterminated, "no bytes, not even a NUL")}
	}
	text, err := d.text(layout.ReadRegText(b), 1, "Text", rootPath)
	if err != nil {
		return nil, err
	}
	*s = RegString(text)
	return d.list(), nil
}
