package builder

import "github.com/perfblock/perfblock/layout"

// A Handle32 is the place of a counter of 4 bytes in the counter blocks of a [Template]. It
// can also be used with what [Template.Rebase] returns. Keep it with the template. The zero
// Handle32 is not valid.
type Handle32 handle

// A Handle64 is the place of a counter of 8 bytes, like [Handle32].
type Handle64 handle

// A HandleText is the place of a value of variable length, like [Handle32].
type HandleText handle

// Err returns why the handle is not valid, or nil. A provider checks it when it is opened.
// If it does not, the first Set with the handle fails, and [Fill.Done] or [Refresh.Done] returns
// the error.
func (h Handle32) Err() error { return handle(h).err() }

// Err is [Handle32.Err].
func (h Handle64) Err() error { return handle(h).err() }

// Err is [Handle32.Err].
func (h HandleText) Err() error { return handle(h).err() }

type handle struct {
	of      *form // nil if the handle is not valid
	at      uint32
	counter int32
	invalid *layout.Error // why, nil for the zero handle
}

var errZeroHandle error = &layout.Error{Off: -1, Err: layout.Faultf(ErrForeign, "the handle is zero, or from a zero template: Template.Handle32, Handle64 and HandleText return valid ones")}

func (h handle) err() error {
	switch {
	case h.of != nil:
		return nil
	case h.invalid == nil:
		return errZeroHandle
	}
	return h.invalid
}

// A width is the width of a value.
type width uint8

const (
	noValue width = iota
	narrow
	wide
	text
)

// valueWidths describes each width, and names the method that returns a handle of it.
var valueWidths = [...]struct{ size, method string }{
	narrow: {"4 bytes", "Handle32"},
	wide:   {"8 bytes", "Handle64"},
	text:   {"variable length", "HandleText"},
}

// Handle32 returns the handle of a counter of 4 bytes. counter is its position among the
// counters of the object, which include bases. A handle for a counter of another width,
// or for a counter that the object does not have, is not valid: [Handle32.Err] and the
// first use report why.
func (t *Template) Handle32(counter int) Handle32 { return Handle32(t.handle(counter, narrow)) }

// Handle64 is [Template.Handle32] for a counter of 8 bytes.
func (t *Template) Handle64(counter int) Handle64 { return Handle64(t.handle(counter, wide)) }

// HandleText is [Template.Handle32] for a counter of variable length.
func (t *Template) HandleText(counter int) HandleText { return HandleText(t.handle(counter, text)) }

func (t *Template) handle(counter int, want width) handle {
	f := t.form
	if f == nil {
		return handle{}
	}
	err := f.checkHandle(counter, want)
	if err != nil {
		return handle{invalid: &layout.Error{Path: valuePath(counter), Off: -1, Err: err}}
	}
	return handle{of: f, at: f.slots[counter].at, counter: int32(counter)}
}

// checkHandle reports why the counter has no value of that width.
func (f *form) checkHandle(counter int, want width) error {
	switch n := len(f.slots); {
	case n == 0:
		return layout.Faultf(ErrForeign, "the template has no counters")
	case counter < 0 || counter >= n:
		return layout.Faultf(ErrForeign, "the template has %d counters, the handle must be of %v to %v", n, valuePath(0), valuePath(n-1))
	}
	t, got := f.counters[counter].CounterType, f.slots[counter].width()
	switch got {
	case want:
		return nil
	case noValue:
		return layout.Faultf(ErrForeign, "%v has no value", t)
	}
	return layout.Faultf(ErrForeign, "%v has a value of %s, use Template.%s", t, valueWidths[got].size, valueWidths[got].method)
}

// width returns the width of the slot's value.
func (s slot) width() width {
	switch {
	case s.text >= 0:
		return text
	case s.size == 4:
		return narrow
	case s.size == 8:
		return wide
	}
	return noValue
}
