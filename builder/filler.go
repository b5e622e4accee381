package builder

import "github.com/perfblock/perfblock/layout"

// A filler is what Fills have in common: a row in a buffer that it is written to.
type filler struct {
	row
	room
}

var (
	errDone      error = &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "the Fill is done")}
	errQueryDone error = &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "the QueryFill is done")}
)

// done returns the buffer of a Fill that comes to its end.
func (f *filler) done() ([]byte, error) {
	switch {
	case f.err == nil && f.over:
		f.err = ErrMoreData
		fallthrough
	case f.err != nil:
		f.objects = 0
		return f.given, f.err
	}
	f.err, f.of, f.block = errDone, nowhere, nil
	if f.query {
		f.err = errQueryDone
	}
	return f.b[:f.at], nil
}

// full drops what is set from now on, and reports what no buffer could hold.
func (f *filler) full() {
	f.of, f.block = nowhere, nil
	if f.huge {
		f.fail(layout.Path{}, layout.Faultf(ErrTooLarge, "with it the block takes more bytes than 32 bits, or a slice, can tell"))
	}
}
