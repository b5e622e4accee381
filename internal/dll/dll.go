// Package dll reads the processor and the exported functions of DLLs.
package dll

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"os"
)

// processors has the names that Go uses for the processors of DLLs.
var processors = map[uint16]string{
	pe.IMAGE_FILE_MACHINE_I386:  "386",
	pe.IMAGE_FILE_MACHINE_AMD64: "amd64",
	pe.IMAGE_FILE_MACHINE_ARM64: "arm64",
}

// Read returns the processor of a DLL, and the names in wanted that the DLL does not export. The processor is a GOARCH
// such as amd64, or a text such as "machine 0x1c4". The error has the path.
func Read(path string, wanted ...string) (processor string, missing []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	image, err := pe.NewFile(f)
	if err != nil {
		return "", nil, fmt.Errorf("%s: is not a DLL: %w", path, err)
	}
	processor = processors[image.Machine]
	if processor == "" {
		processor = fmt.Sprintf("machine 0x%x", image.Machine)
	}
	names := exports(image)
	for _, name := range wanted {
		if !names.has(name) {
			missing = append(missing, name)
		}
	}
	return processor, missing, nil
}

// A section has the bytes of a PE section, from the export directory to the end. Linkers store the names of all
// exported functions in these bytes. If the file is damaged, any number in them can be wrong.
// Source: https://learn.microsoft.com/windows/win32/debug/pe-format#the-edata-section-image-only
type section struct {
	address  uint32 // of the export directory
	contents []byte
}

// exports returns the section with the export directory, or an empty section if there is no export directory.
func exports(image *pe.File) section {
	var directory pe.DataDirectory
	switch header := image.OptionalHeader.(type) {
	case *pe.OptionalHeader32:
		directory = header.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT]
	case *pe.OptionalHeader64:
		directory = header.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT]
	}
	for _, s := range image.Sections {
		if offset := directory.VirtualAddress - s.VirtualAddress; directory.VirtualAddress >= s.VirtualAddress && offset < s.Size {
			contents, _ := s.Data() // nil if the file was cut off
			whole := section{s.VirtualAddress, contents}
			return section{directory.VirtualAddress, whole.bytesFrom(directory.VirtualAddress)}
		}
	}
	return section{}
}

// bytesFrom returns the bytes from an address to the end of the section.
func (s section) bytesFrom(address uint32) []byte {
	offset := uint64(address - s.address)
	return s.contents[min(offset, uint64(len(s.contents))):]
}

// Offsets in the export directory.
const (
	numberOfNamesAt = 24
	namesAt         = 32
	directorySize   = 40
)

// has reports whether the DLL exports a function with the name.
func (s section) has(name string) bool {
	if len(s.contents) < directorySize {
		return false
	}
	terminated := append([]byte(name), 0)
	count := binary.LittleEndian.Uint32(s.contents[numberOfNamesAt:])
	names := s.bytesFrom(binary.LittleEndian.Uint32(s.contents[namesAt:]))
	for ; count > 0 && len(names) >= 4; count, names = count-1, names[4:] {
		if bytes.HasPrefix(s.bytesFrom(binary.LittleEndian.Uint32(names)), terminated) {
			return true
		}
	}
	return false
}
