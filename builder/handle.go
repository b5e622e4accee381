package builder

import "github.com/perfblock/perfblock/layout"

// A Handle32 is the place of a counter of 4 bytes in the counter blocks of a
// [Template], and of what [Template.Rebase] makes of it. It is a value to be kept beside
// the template. The zero Handle32 is of no counter.
type Handle32 handle

// A Handle64 is the place of a counter of 8 bytes, as [Handle32].
type Handle64 handle

// A HandleText is the place of a value of variable length, as [Handle32].
type HandleText handle

// Err tells why the handle is of no counter, nil if it is of one. A provider asks when
// it is opened; else the first value that is set tells.
func (h Handle32) Err() error { return handle(h).err() }

// Err is [Handle32.Err].
func (h Handle64) Err() error { return handle(h).err() }

// Err is [Handle32.Err].
func (h HandleText) Err() error { return handle(h).err() }

type handle struct {
	of      *form // nil if the counter is none that the handle could be of
	at      uint32
	counter int
	want    width
}

func (h handle) err() error {
	switch {
	case h.want == 0:
		return &layout.Error{Off: -1, Err: layout.Faultf(ErrForeign, "a zero handle, or one of a zero template, is of no counter")}
	case h.of == nil:
		return &layout.Error{Path: valuePath(h.counter), Off: -1, Err: layout.Faultf(ErrForeign, "the counter has no value %s", h.want)}
	}
	return nil
}

// A width is that of the values that a handle is for.
type width uint8

const (
	narrow width = iota + 1
	wide
	text
)

func (w width) String() string {
	return [...]string{"", "of 4 bytes", "of 8 bytes", "of variable length"}[w]
}

// Handle32 returns the handle of the counter at that position among the counters, of which
// in an object bases are some. If it has no value of 4 bytes, setting it is an error.
func (t *Template) Handle32(counter int) Handle32 { return Handle32(t.handle(counter, narrow)) }

// Handle64 is Handle32 for a counter of 8 bytes.
func (t *Template) Handle64(counter int) Handle64 { return Handle64(t.handle(counter, wide)) }

// HandleText is [Template.Handle32] for a counter of variable length.
func (t *Template) HandleText(counter int) HandleText { return HandleText(t.handle(counter, text)) }

func (t *Template) handle(counter int, want width) handle {
	f := t.form
	if f == nil {
		return handle{}
	}
	h := handle{counter: counter, want: want}
	if counter >= 0 && counter < len(f.slots) && f.slots[counter].width() == want {
		h.of, h.at = f, f.slots[counter].at
	}
	return h
}

// width returns 0 for a counter without a value.
func (s slot) width() width {
	switch {
	case s.text >= 0:
		return text
	case s.size == 4:
		return narrow
	case s.size == 8:
		return wide
	}
	return 0
}
