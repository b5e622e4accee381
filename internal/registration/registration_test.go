package registration

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestCheck checks that Check reports every difference that makes values wrong, and ignores other differences.
func TestCheck(t *testing.T) {
	t.Parallel()
	const byReference = layout.PERF_ATTRIB_BY_REFERENCE
	guid := layout.GUID{Data1: 1}
	template := builder.CounterSetInfo{CounterSetGuid: guid, InstanceType: layout.PERF_COUNTERSET_MULTI_INSTANCES}
	template.Define(
		builder.CounterInfo{CounterId: 1, Type: layout.PERF_COUNTER_RAWCOUNT, Attrib: byReference, Size: 4, DetailLevel: layout.PERF_DETAIL_NOVICE},
		builder.CounterInfo{CounterId: 7, Type: layout.PERF_COUNTER_BULK_COUNT, Size: 8, DetailLevel: layout.PERF_DETAIL_NOVICE},
	)
	want, err := template.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		change func(r *builder.CounterSetRegInfo)
		want   string
	}{
		{"the same", func(*builder.CounterSetRegInfo) {}, ""},
		{"a newer manifest has more counters", func(r *builder.CounterSetRegInfo) { r.Counter(3, layout.PERF_COUNTER_RAWCOUNT) }, ""},
		{"the display differs", func(r *builder.CounterSetRegInfo) {
			r.Counters[0].Attrib |= layout.PERF_ATTRIB_DISPLAY_AS_HEX
			r.Counters[0].DefaultScale = 2
		}, ""},
		{"the order differs", func(r *builder.CounterSetRegInfo) {
			r.Counters[0], r.Counters[1] = r.Counters[1], r.Counters[0]
		}, ""},
		{"an older manifest has fewer counters", func(r *builder.CounterSetRegInfo) { r.Counters = r.Counters[:1] }, "counter 7 is not registered"},
		{"another type, so that Windows reads 8 bytes in place of 4", func(r *builder.CounterSetRegInfo) { r.Counters[0].Type = layout.PERF_COUNTER_LARGE_RAWCOUNT }, "counter 1 is registered as a PERF_COUNTER_LARGE_RAWCOUNT, must be a PERF_COUNTER_RAWCOUNT"},
		{"consumers would read the address as the value", func(r *builder.CounterSetRegInfo) { r.Counters[0].Attrib = 0 }, `counter 1 is registered without the attribute "reference"`},
		{"Windows would read the value as an address", func(r *builder.CounterSetRegInfo) { r.Counters[1].Attrib = byReference }, `counter 7 is registered with the attribute "reference"`},
		{"the set has no instances", func(r *builder.CounterSetRegInfo) { r.InstanceType = layout.PERF_COUNTERSET_SINGLE_INSTANCE }, "the instances are registered as PERF_COUNTERSET_SINGLE_INSTANCE, must be PERF_COUNTERSET_MULTI_INSTANCES"},
	} {
		r := builder.NewCounterSetRegInfo(guid, layout.PERF_COUNTERSET_MULTI_INSTANCES).Counter(1, layout.PERF_COUNTER_RAWCOUNT).Counter(7, layout.PERF_COUNTER_BULK_COUNT)
		r.Counters[0].Attrib = byReference
		tt.change(r)
		b, err := r.MarshalBinary()
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		if err := Check(want, b); (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.reason, err, tt.want)
		}
		for n := range b {
			if Check(want, b[:n]) == nil {
				t.Errorf("%s: no error for %d bytes of the registration", tt.reason, n)
			}
		}
	}
}

// TestRead checks the sizes of the buffers that read passes to the system. If the system always requires a larger
// buffer, read must return the status notEnoughMemory.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason       string
		need, report int // the bytes that the system requires, and those that it reports as required
		n            int
		status       uint32
	}{
		{"the first buffer is large enough", 100, 0, 100, success},
		{"the system reports the size", 70_000, 70_000, 70_000, success},
		{"the system reports a size that is too small", 70_000, 0, 70_000, success},
		{"the system is never content", mostBytes + 1, 5_000, 0, notEnoughMemory},
		{"the system reports a size without sense", mostBytes + 1, 1 << 30, 0, notEnoughMemory},
	} {
		calls := 0
		b, status := read(func(buf []byte) (int, uint32) {
			calls++
			if len(buf) < tt.need {
				return tt.report, notEnoughMemory
			}
			return tt.need, success
		})
		if len(b) != tt.n || status != tt.status || calls > 20 {
			t.Errorf("%s: %d bytes, status %d after %d calls; want %d and %d", tt.reason, len(b), status, calls, tt.n, tt.status)
		}
	}
	if b, status := read(func(buf []byte) (int, uint32) { return 0, 4200 }); b != nil || status != 4200 {
		t.Errorf("an unknown set: %d bytes, status %d", len(b), status)
	}
}
