package provider

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/perfblock/perfblock/builder"
)

// A function is the host of a Collect function that is written in Go.
type function struct {
	collect func(query string, buf []byte) (n, objects int, err error)
}

// guardSize is the number of bytes with a pattern before and after a buffer. Perflib has as many.
const guardSize = 1024

func (f *function) call(c call) (outcome, error) {
	guarded := newGuarded(make([]byte, guardSize+c.size+guardSize), guardSize, c.size)
	buf := guarded.buffer()
	o := outcome{noPointer: true}
	start := time.Now()
	n, objects := f.protected(c.query, buf[:len(buf):len(buf)], &o)
	o.took = time.Since(start)
	o.outside = guarded.changed()
	o.bytes, o.objects = clamped(n), clamped(objects)
	if o.failure == "" && o.err == "" && o.status == success {
		o.data = buf[:min(uint64(o.bytes), uint64(len(buf)))]
	}
	return o, nil
}

// protected calls the function. It sets the failure, the status and the err of o.
func (f *function) protected(query string, buf []byte, o *outcome) (n, objects int) {
	defer func() {
		if fault := recover(); fault != nil {
			o.failure = oneLine(fmt.Sprintf("panic: %v", fault))
		}
	}()
	n, objects, err := f.collect(query, buf)
	switch {
	case errors.Is(err, builder.ErrMoreData):
		o.status = moreData
	case err != nil:
		o.err = err.Error()
	}
	return n, objects
}

// clamped returns n as the number that Windows would get.
func clamped(n int) uint32 {
	if n < 0 || uint64(n) > math.MaxUint32 {
		return math.MaxUint32
	}
	return uint32(n)
}
