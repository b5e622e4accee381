// Package registration compares the template of a V2 counter set with the registration that lodctr made from a
// manifest.
package registration

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// Check returns an error if consumers would read wrong values, because the registration differs from the template:
//
//   - The InstanceType is different.
//   - A counter of the template is not registered.
//   - The type of a counter is different.
//   - Only the template, or only the registration, has the attribute "reference" for a counter.
//
// Check ignores the other attributes, which only change the display.
//
// registration is the buffer that PerfQueryCounterSetRegistrationInfo returns for PERF_REG_COUNTERSET_STRUCT.
func Check(template, registration []byte) error {
	want, err := layout.ReadCounterSetInfo(template)
	if err != nil {
		return err
	}
	got, err := layout.ReadCounterSetRegInfo(registration)
	if err != nil {
		return fmt.Errorf("the registration is damaged: %w", err)
	}
	if got.InstanceType() != want.InstanceType() {
		return fmt.Errorf("the instances are registered as %v, must be %v", got.InstanceType(), want.InstanceType())
	}
	registered := make(map[uint32]layout.CounterRegInfo)
	for c, err := range got.Counters() {
		if err != nil {
			return fmt.Errorf("the registration is damaged: %w", err)
		}
		registered[c.CounterId()] = c
	}
	// The registration may have additional counters, because the manifest may be newer than the provider.
	for c, err := range want.Counters() {
		if err != nil {
			return err
		}
		r, is := registered[c.CounterId()]
		switch {
		case !is:
			return fmt.Errorf("counter %d is not registered", c.CounterId())
		case r.Type() != c.Type(): // the size of a value follows from the type
			return fmt.Errorf("counter %d is registered as a %v, must be a %v", c.CounterId(), r.Type(), c.Type())
		case byReference(r.Attrib()) && !byReference(c.Attrib()):
			return fmt.Errorf("counter %d is registered with the attribute \"reference\", must not have this attribute", c.CounterId())
		case !byReference(r.Attrib()) && byReference(c.Attrib()):
			return fmt.Errorf("counter %d is registered without the attribute \"reference\", must have this attribute", c.CounterId())
		}
	}
	return nil
}

// byReference reports whether a counter has the attribute "reference". A registration has the attributes of its counters.
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counter_reg_info
func byReference(a layout.Attrib) bool { return a&layout.PERF_ATTRIB_BY_REFERENCE != 0 }

const (
	success         = 0
	notEnoughMemory = 8
	mostBytes       = 16 << 20 // 64,000 counters, the most that a set can have, take 3 MB
)

// read calls query with larger and larger buffers. n is the number of bytes that query has written, or that it requires
// if the status is notEnoughMemory.
func read(query func(buf []byte) (n int, status uint32)) ([]byte, uint32) {
	size := 4 << 10
	for {
		buf := make([]byte, size)
		n, status := query(buf)
		switch {
		case status == success:
			return buf[:min(n, size)], success
		case status != notEnoughMemory || size == mostBytes:
			return nil, status
		}
		size = min(mostBytes, max(2*size, n))
	}
}
