package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// TestWindowsRights reads the rights of mappings from Windows. Consumers must not have rights for the lock of a publisher.
func TestWindowsRights(t *testing.T) {
	t.Parallel()
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		t.Fatal(err)
	}
	writers := []string{"S-1-5-18", "S-1-5-32-544", user.User.Sid.String()} // LocalSystem, administrators
	for to, others := range map[audience][]string{nobody: nil, consumers: readers} {
		name := fmt.Sprint(`Local\perfblock-audience-`, to)
		m, _, err := newSharing().create(name, rootSize, to)
		if err != nil {
			t.Fatal(err)
		}
		got := rights(t, name)
		for i, account := range slices.Concat(writers, others) {
			mask := got[account]
			if reads := mask == readRights; mask == 0 || reads != (i >= len(writers)) {
				t.Errorf("audience %d: the rights of %s are %#x", to, account, mask)
			}
			delete(got, account)
		}
		if len(got) > 0 {
			t.Errorf("audience %d: other accounts have rights: %v", to, got)
		}
		if err := m.unmap(); err != nil {
			t.Error(err)
		}
	}
}

// rights returns the rights of each account in the DACL of an existing mapping.
func rights(t *testing.T, name string) map[string]windows.ACCESS_MASK {
	t.Helper()
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		t.Fatal(err)
	}
	handle, err := windows.CreateFileMapping(windows.InvalidHandle, nil, windows.PAGE_READWRITE, 0, rootSize, text)
	if !errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		t.Fatalf("%s: %v", name, err)
	}
	defer windows.CloseHandle(handle)
	security, err := windows.GetSecurityInfo(handle, windows.SE_KERNEL_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	dacl, _, err := security.DACL()
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]windows.ACCESS_MASK)
	for i := range uint32(dacl.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(dacl, i, &ace); err != nil {
			t.Fatal(err)
		}
		list[(*windows.SID)(unsafe.Pointer(&ace.SidStart)).String()] |= ace.Mask
	}
	return list
}

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
		if _, _, err := newSharing().create(tt.name, rootSize, consumers); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
		if err := windows.CloseHandle(handle); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}
