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
	owner, err := processOwner()
	if err != nil {
		t.Fatal(err)
	}
	writers := []string{"S-1-5-18", "S-1-5-32-544", owner.String()} // LocalSystem, administrators
	for to, others := range map[audience][]string{onlyPublisher: nil, consumers: readers} {
		name := fmt.Sprint(`Local\perfblock-audience-`, to)
		m, _, err := newSharer().create(name, rootSize, to)
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

// TestWindowsOwner checks whether a service or an account owns the mappings of a process.
func TestWindowsOwner(t *testing.T) {
	t.Parallel()
	const account, service = "S-1-5-19", "S-1-5-80-1-2-3-4-5"
	for _, tt := range []struct {
		reason, group string
		attributes    uint32
		want          string
	}{
		{"a service with a SID of its own", service, windows.SE_GROUP_ENABLED | windows.SE_GROUP_OWNER, service},
		{"all services have the group of services", "S-1-5-80-0", windows.SE_GROUP_ENABLED | windows.SE_GROUP_OWNER, account},
		{"a service SID that cannot own objects", service, windows.SE_GROUP_ENABLED, account},
		{"another group with as many numbers", "S-1-5-21-1-2-3-4-5", windows.SE_GROUP_OWNER, account},
	} {
		sids := make(map[string]*windows.SID)
		for _, text := range []string{account, tt.group} {
			sid, err := windows.StringToSid(text)
			if err != nil {
				t.Fatal(err)
			}
			sids[text] = sid
		}
		groups := []windows.SIDAndAttributes{{Sid: sids[account]}, {Sid: sids[tt.group], Attributes: tt.attributes}}
		if got := selectOwner(sids[account], groups).String(); got != tt.want {
			t.Errorf("%s: the owner is %s, want %s", tt.reason, got, tt.want)
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
	other, err := windows.SecurityDescriptorFromString("O:S-1-5-19D:P(A;;GA;;;WD)")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason, name string
		make         func(name *uint16) (windows.Handle, error)
		want         string
	}{
		{"no rights", `Local\perfblock-rights`, func(name *uint16) (windows.Handle, error) {
			return windows.CreateFileMapping(windows.InvalidHandle, attributes, windows.PAGE_READWRITE, 0, rootSize, name)
		}, "run the program as a service or as an administrator"},
		{"another account owns the mapping", `Local\perfblock-owner`, func(name *uint16) (windows.Handle, error) {
			a := windows.SecurityAttributes{Length: attributes.Length, SecurityDescriptor: other}
			return windows.CreateFileMapping(windows.InvalidHandle, &a, windows.PAGE_READWRITE, 0, rootSize, name)
		}, "belongs to the account S-1-5-19"},
		{"an event has the name", `Local\perfblock-event`, func(name *uint16) (windows.Handle, error) {
			return windows.CreateEvent(nil, 0, 0, name)
		}, "another program uses the name"},
	} {
		name, err := windows.UTF16PtrFromString(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		handle, err := tt.make(name)
		if errors.Is(err, windows.ERROR_INVALID_OWNER) {
			continue // Windows requires SeRestorePrivilege for another owner, and Wine does not
		}
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		if _, _, err := newSharer().create(tt.name, rootSize, consumers); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
		if err := windows.CloseHandle(handle); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}
