package layout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

func TestErrorText(t *testing.T) {
	t.Parallel()
	path := layout.Path{}.At("object", 2).At("counter", 7).Field("CounterOffset")
	cause := errors.New("0x90 is outside")
	for _, tt := range []struct {
		err    *layout.Error
		want   string
		reason string
	}{
		{&layout.Error{Path: path, Off: 0x1A4, Err: cause}, "object[2].counter[7].CounterOffset at 0x1a4: 0x90 is outside", "path and offset"},
		{&layout.Error{Path: path, Off: -1, Err: cause}, "object[2].counter[7].CounterOffset: 0x90 is outside", "an error of a model has no offset"},
		{&layout.Error{Off: 0x1A4, Err: cause}, "at 0x1a4: 0x90 is outside", "no path"},
		{&layout.Error{Off: -1, Err: cause}, "0x90 is outside", "neither"},
		{&layout.Error{Path: path, Err: cause}, "object[2].counter[7].CounterOffset at 0x0: 0x90 is outside", "offset 0 is an offset"},
		{&layout.Error{Off: 1 << 40, Err: layout.ErrShort}, "at 0x10000000000: the input ends too early", "the kind of a fault can be the whole error"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q: %s", got, tt.want, tt.reason)
		}
	}
}

var errorKinds = []error{
	layout.ErrShort, layout.ErrBounds, layout.ErrAlign, layout.ErrRange, layout.ErrSignature,
	layout.ErrByteOrder, layout.ErrText, layout.ErrUnterminated, layout.ErrNUL, layout.ErrPath,
}

func TestErrorsUnwrap(t *testing.T) {
	t.Parallel()
	for i, kind := range errorKinds {
		detail := layout.Faultf(kind, "%d is more than %d", 9, 8)
		if got := detail.Error(); got != "9 is more than 8" {
			t.Errorf("got %q: the text is the figures' alone", got)
		}
		place := &layout.Error{Path: layout.Path{}.Field("X"), Off: 3, Len: 4, Err: detail}
		wrapped := fmt.Errorf("reading a file: %w", place)
		for j, other := range errorKinds {
			for _, err := range []error{detail, place, wrapped} {
				if got := errors.Is(err, other); got != (i == j) {
					t.Errorf("%v is %v: %t", err, other, got)
				}
			}
		}
		got, ok := errors.AsType[*layout.Error](wrapped)
		if !ok || got != place {
			t.Errorf("got %v, %t", got, ok)
		}
		if errors.Unwrap(place) != detail || errors.Unwrap(detail) != kind {
			t.Errorf("%v does not unwrap in two steps", place)
		}
	}
}

func TestErrorKindTexts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, kind := range errorKinds {
		text := kind.Error()
		if text == "" || seen[text] || strings.HasSuffix(text, ".") {
			t.Errorf("%q", text)
		}
		seen[text] = true
	}
}
