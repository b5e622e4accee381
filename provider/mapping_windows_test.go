package provider

import (
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// TestWindowsRefusedMapping checks the errors if Windows does not make a mapping.
func TestWindowsRefusedMapping(t *testing.T) {
	t.Parallel()
	nobody, err := windows.SecurityDescriptorFromString("D:P")
	if err != nil {
		t.Fatal(err)
	}
	attributes := &windows.SecurityAttributes{Length: uint32(unsafe.Sizeof(windows.SecurityAttributes{})), SecurityDescriptor: nobody}
	for _, tt := range []struct {
		reason, name string
		make         func(name *uint16) (windows.Handle, error)
		want         string
	}{
		{"no rights", `Local\perfblock-rights`, func(name *uint16) (windows.Handle, error) {
			return windows.CreateFileMapping(windows.InvalidHandle, attributes, windows.PAGE_READWRITE, 0, rootSize, name)
		}, "run the program as a service or as an administrator"},
		{"an event has the name", `Local\perfblock-event`, func(name *uint16) (windows.Handle, error) {
			return windows.CreateEvent(nil, 0, 0, name)
		}, "another program uses the name"},
	} {
		name, err := windows.UTF16PtrFromString(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		handle, err := tt.make(name)
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		if _, _, err := newSharing().create(tt.name, rootSize); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
		if err := windows.CloseHandle(handle); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}
