// Package dlltest makes DLLs for tests. The DLLs have exported names, but no code.
package dlltest

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
)

const (
	address = 0x1000 // of the section in memory
	offset  = 0x200  // of the section in the file
)

// New returns the bytes of a DLL. machine is an IMAGE_FILE_MACHINE constant of package debug/pe.
func New(machine uint16, functions ...string) []byte {
	section := make([]byte, 40+4*len(functions)) // the export directory and the addresses of the names
	binary.LittleEndian.PutUint32(section[24:], uint32(len(functions)))
	binary.LittleEndian.PutUint32(section[32:], address+40)
	for i, name := range functions {
		binary.LittleEndian.PutUint32(section[40+4*i:], address+uint32(len(section)))
		section = append(append(section, name...), 0)
	}

	exports := pe.DataDirectory{VirtualAddress: address, Size: uint32(len(section))}
	var optional any = pe.OptionalHeader64{Magic: 0x20B, NumberOfRvaAndSizes: 16, DataDirectory: [16]pe.DataDirectory{exports}}
	if machine == pe.IMAGE_FILE_MACHINE_I386 {
		optional = pe.OptionalHeader32{Magic: 0x10B, NumberOfRvaAndSizes: 16, DataDirectory: [16]pe.DataDirectory{exports}}
	}
	var b bytes.Buffer
	for _, part := range []any{
		[64]byte{'M', 'Z', 0x3C: 64}, [4]byte{'P', 'E'},
		pe.FileHeader{Machine: machine, NumberOfSections: 1, SizeOfOptionalHeader: uint16(binary.Size(optional)), Characteristics: pe.IMAGE_FILE_DLL},
		optional,
		pe.SectionHeader32{Name: [8]uint8{'.', 'e', 'd', 'a', 't', 'a'}, VirtualAddress: address, VirtualSize: uint32(len(section)), SizeOfRawData: uint32(len(section)), PointerToRawData: offset},
	} {
		_ = binary.Write(&b, binary.LittleEndian, part) // a buffer has no errors
	}
	return append(b.Bytes()[:b.Len():b.Len()], append(make([]byte, offset-b.Len()), section...)...)
}
