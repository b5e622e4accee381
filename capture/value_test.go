package capture

import (
	"bytes"
	"strings"
	"syscall"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/perftest"
)

// TestValue checks the calls that read a value of HKEY_PERFORMANCE_DATA, and the result.
func TestValue(t *testing.T) {
	t.Parallel()
	block := bytes.Repeat([]byte("block..."), 40_000) // 320,000 bytes: the fourth buffer is large enough
	for _, tt := range []struct {
		reason string
		block  []byte
		script func(*perftest.Registry)
		want   string // an error
		log    string
		size   int // of the buffer of the next call
	}{
		{"the first buffer is large enough", block[:1], nil, "", "238", firstSize},
		{"the buffer doubles until the value fits", block, nil, "", "238", 8 * firstSize},
		{"a size of 0 is ignored", block, func(r *perftest.Registry) { r.MoreData(perftest.Zero) }, "", "238", 8 * firstSize},
		{"a size that is too small is ignored", block, func(r *perftest.Registry) { r.MoreData(perftest.TooSmall) }, "", "238", 8 * firstSize},
		{"a size that is too large is ignored", block, func(r *perftest.Registry) { r.MoreData(perftest.TooLarge) }, "", "238", 8 * firstSize},
		{"a busy system is asked again, later each time", block[:1], failures(1, busy, notReady, lockFailed, waitTimeout), "", "wait 50ms,wait 100ms,wait 200ms,wait 400ms,238", firstSize},
		{"a system that stays busy is an error", block, failures(perftest.Always, busy), "Windows error 170 (busy): another program uses the performance counters; run the command again", "wait 50ms,wait 100ms,wait 200ms,wait 400ms,wait 800ms,wait 1.6s,wait 3.2s", firstSize},
		{"access denied is an error, without another call", block, failures(1, accessDenied), "Windows error 5 (access denied): run as administrator, or as a member of the group Performance Monitor Users", "", firstSize},
		{"an unknown status is an error with its number", block, failures(1, 1722), "Windows error 1722", "", firstSize},
		{"success without bytes is an error", nil, nil, "the system returned no bytes", "238", firstSize},
	} {
		f := &fake{t: t, v1: perftest.New(perftest.Bytes(tt.block))}
		if tt.script != nil {
			tt.script(f.v1)
		}
		r := &run{sys: f, size: firstSize}
		b, err := r.readValue(t.Context(), "238")
		got := ""
		if err != nil {
			got = err.Error()
		} else if !bytes.Equal(b, tt.block) {
			t.Errorf("%s: got %d bytes, want %d", tt.reason, len(b), len(tt.block))
		}
		if got != tt.want || strings.Join(f.log, ",") != tt.log || r.size != tt.size {
			t.Errorf("%s: error %q, calls %q, size %d; want %q, %q, %d", tt.reason, got, strings.Join(f.log, ","), r.size, tt.want, tt.log, tt.size)
		}
	}
}

// TestValueTooLarge checks that the buffer does not grow above the limit.
func TestValueTooLarge(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("to fill buffers of up to 256 MiB takes seconds; set PERFBLOCK_LONG=1")
	}
	f := &fake{t: t, v1: perftest.New(perftest.Bytes(nil))}
	failures(perftest.Always, moreData)(f.v1)
	r := &run{sys: f, size: firstSize}
	const want = "has more than 256 MiB; select fewer objects"
	if _, err := r.readValue(t.Context(), "238"); err == nil || err.Error() != want || r.size != maxSize || len(f.log) > 0 {
		t.Errorf("error %v, size %d, calls %q; want %s, %d and no waiting", err, r.size, f.log, want, maxSize)
	}
}

// failures returns a function that sets failures of a Registry. For each status in list, the given number of calls
// returns this status.
func failures(calls int, list ...Status) func(*perftest.Registry) {
	return func(r *perftest.Registry) {
		for _, status := range list {
			r.Fail(calls, syscall.Errno(status))
		}
	}
}

// TestGrowth reads a value that grows during the allocation of the buffer. The result must have all bytes.
func TestGrowth(t *testing.T) {
	t.Parallel()
	block := make([]byte, 320_000)
	f := &fake{t: t, v1: perftest.New(perftest.Bytes(block[:70_000]), perftest.Bytes(block[:140_000]), perftest.Bytes(block))}
	f.v1.Grow()
	r := &run{sys: f, size: firstSize}
	if b, err := r.readValue(t.Context(), "238"); len(b) != len(block) || err != nil {
		t.Errorf("got %d bytes, want %d; error %v", len(b), len(block), err)
	}
}
