package main

import (
	"errors"
	"slices"
	"syscall"
	"unicode/utf16"
	"unsafe"
)

// The parser of perflib_exporter uses these names of package syscall. Most of them exist only on Windows, so this file
// declares them.

type Errno = syscall.Errno

type Systemtime [8]uint16

const HKEY_PERFORMANCE_DATA = 0

// RegQueryValueEx calls queryValue, which is a function or a variable in the file with function main.
func RegQueryValueEx(_ int, name *uint16, _, typ *uint32, data *byte, n *uint32) error {
	var units []uint16
	for p := name; *p != 0; p = (*uint16)(unsafe.Add(unsafe.Pointer(p), 2)) {
		units = append(units, *p)
	}
	t, length, err := queryValue(string(utf16.Decode(units)), unsafe.Slice(data, *n))
	*typ, *n = t, uint32(length)
	return err
}

func RegCloseKey(int) {}

func UTF16PtrFromString(s string) (*uint16, error) {
	units := utf16.Encode([]rune(s))
	if slices.Contains(units, 0) {
		return nil, errors.New("the name has a NUL")
	}
	return &append(units, 0)[0], nil
}

func UTF16ToString(s []uint16) string {
	if end := slices.Index(s, 0); end >= 0 {
		s = s[:end]
	}
	return string(utf16.Decode(s))
}
