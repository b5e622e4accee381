package provider

import (
	"encoding/json"
	"io"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/windows"
)

// TestWindowsStack checks that the process of a probe reads the results of Collect even if Go moves the stack of the
// goroutine during the call. The report of an access violation can need a larger stack.
func TestWindowsStack(t *testing.T) {
	t.Parallel()
	s := server{replies: json.NewEncoder(io.Discard)}
	s.collectProc = windows.NewCallback(func(_, data, bytes, objects uintptr) uintptr {
		useStack(1000)
		// The addresses are numbers until here, as in a DLL in C.
		**(**uintptr)(unsafe.Pointer(&data)) += 16
		**(**uint32)(unsafe.Pointer(&bytes)) = 16
		**(**uint32)(unsafe.Pointer(&objects)) = 1
		return success
	})
	answers := make(chan reply)
	go func() { // a new goroutine has a small stack
		answer, err := s.collect(request{call: call{"Collect", "Global", 64, atEnd}})
		if err != nil {
			t.Error(err)
		}
		answers <- answer
	}()
	got := (<-answers).Outcome
	got.Took, got.Data = 0, nil
	if diff := cmp.Diff(&returnValues{Bytes: 16, Objects: 1, Pointer: 16}, got); diff != "" {
		t.Errorf("the results (-written +read):\n%s", diff)
	}
}

// useStack uses about n KiB of the stack.
//
//go:noinline
func useStack(n int) byte {
	var used [1 << 10]byte
	if n > 0 {
		used[n%len(used)] = useStack(n - 1)
	}
	return used[0]
}
