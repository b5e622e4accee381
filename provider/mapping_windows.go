package provider

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func newSharer() sharer { return namedMappings{} }

// namedMappings makes mappings whose memory is in the page file.
type namedMappings struct{}

// readRights is READ_CONTROL, SECTION_QUERY and SECTION_MAP_READ.
const readRights = 0x20005

// readers has the SIDs of the accounts that may read counters. The SIDs are written as numbers, because Wine does not
// know the abbreviations of all accounts.
var readers = []string{
	"S-1-5-19",     // LocalService
	"S-1-5-20",     // NetworkService
	"S-1-5-4",      // interactive users
	"S-1-5-32-558", // Performance Monitor Users
	"S-1-5-32-559", // Performance Log Users
}

// processOwner returns the SID that owns the mappings of this process: the SID of its service, or else of its account.
func processOwner() (*windows.SID, error) {
	token := windows.GetCurrentProcessToken()
	user, err := token.GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("the account of this process: %w", err)
	}
	groups, err := token.GetTokenGroups()
	if err != nil {
		return nil, fmt.Errorf("the groups of this process: %w", err)
	}
	return selectOwner(user.User.Sid, groups.AllGroups()), nil
}

// selectOwner returns the first group that is the SID of a service and can own mappings. If no group is such a SID, it
// returns the account, which several services can share.
func selectOwner(account *windows.SID, groups []windows.SIDAndAttributes) *windows.SID {
	for _, g := range groups {
		// The SID of a service is S-1-5-80 and five numbers. S-1-5-80-0 is the group of all services.
		if g.Attributes&windows.SE_GROUP_OWNER != 0 && g.Sid.SubAuthorityCount() == 6 && strings.HasPrefix(g.Sid.String(), "S-1-5-80-") {
			return g.Sid
		}
	}
	return account
}

// securityDescriptor returns the owner and the access rights of a mapping.
func securityDescriptor(owner *windows.SID, to audience) (*windows.SECURITY_DESCRIPTOR, error) {
	// LocalSystem, administrators and the owner have all rights.
	text := fmt.Sprintf("O:%[1]sD:P(A;;GA;;;SY)(A;;GA;;;BA)(A;;GA;;;%[1]s)", owner)
	if to == consumers {
		for _, account := range readers {
			text += fmt.Sprintf("(A;;%#x;;;%s)", readRights, account)
		}
	}
	return windows.SecurityDescriptorFromString(text)
}

func (namedMappings) create(name string, size uint32, to audience) (*mapping, bool, error) {
	owner, err := processOwner()
	if err != nil {
		return nil, false, err
	}
	security, err := securityDescriptor(owner, to)
	if err != nil {
		return nil, false, err
	}
	attributes := windows.SecurityAttributes{Length: uint32(unsafe.Sizeof(windows.SecurityAttributes{})), SecurityDescriptor: security}
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, false, err
	}
	handle, err := windows.CreateFileMapping(windows.InvalidHandle, &attributes, windows.PAGE_READWRITE, 0, size, text)
	exists := errors.Is(err, windows.ERROR_ALREADY_EXISTS)
	if err != nil && !exists {
		return nil, false, mappingError(name, err)
	}
	if handle == 0 {
		return nil, false, mappingError(name, windows.ERROR_INVALID_HANDLE)
	}
	if exists {
		if err := checkOwner(handle, owner); err != nil {
			_ = windows.CloseHandle(handle) // err is the fault
			return nil, false, fmt.Errorf("mapping %s: %w", name, err)
		}
	}
	address, err := windows.MapViewOfFile(handle, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err != nil {
		_ = windows.CloseHandle(handle) // err is the fault
		return nil, false, fmt.Errorf("mapping %s: %w", name, err)
	}
	// The memory is not part of the Go heap, and is valid until unmap. MapViewOfFile fails if an existing mapping is
	// smaller than size.
	words := unsafe.Slice((*atomic.Uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), size/4)
	return &mapping{words, func() error {
		return errors.Join(windows.UnmapViewOfFile(address), windows.CloseHandle(handle))
	}}, exists, nil
}

// checkOwner checks that a mapping belongs to owner, LocalSystem or the administrators. Any other owner of the mapping
// could write to it.
func checkOwner(mapping windows.Handle, owner *windows.SID) error {
	security, err := windows.GetSecurityInfo(mapping, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("the owner: %w", err)
	}
	of, _, err := security.Owner()
	if err != nil {
		return fmt.Errorf("the owner: %w", err)
	}
	// LocalSystem and administrators can write to all memory anyway.
	if of == nil || !of.Equals(owner) && !of.IsWellKnown(windows.WinLocalSystemSid) && !of.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
		return fmt.Errorf("belongs to the account %s, must belong to %s; end the programs of the other account that have the mapping open, and always run the publisher under the same account", of, owner)
	}
	return nil
}

// mappingError returns the error if Windows does not create or open a mapping. The error says what the user can do.
func mappingError(name string, err error) error {
	switch {
	case errors.Is(err, windows.ERROR_ACCESS_DENIED):
		return fmt.Errorf("mapping %s: %w: this account does not have the privilege SeCreateGlobalPrivilege, or another account has made the mapping; run the program as a service or as an administrator, and always under the same account", name, err)
	case errors.Is(err, windows.ERROR_INVALID_HANDLE):
		return fmt.Errorf("mapping %s: %w: another program uses the name for something else; stop the program, or rename the service", name, err)
	}
	return fmt.Errorf("mapping %s: %w", name, err)
}

func (namedMappings) seconds() uint32 { return uint32(windows.DurationSinceBoot() / time.Second) }
