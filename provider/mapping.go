package provider

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync/atomic"
)

// A sharer makes mappings that other processes can read. All methods can be called from several goroutines.
type sharer interface {
	// create opens the existing mapping with the name, or makes a new mapping of zeros. exists reports whether the
	// mapping existed. size is in bytes, a multiple of 4.
	create(name string, size uint32, to audience) (m *mapping, exists bool, err error)
	// seconds returns the seconds since the system was started.
	seconds() uint32
}

// An audience is the group of accounts that may open a mapping. The publisher and administrators may always open it.
type audience int

const (
	// onlyPublisher is for the lock of a publisher: see lockPrefix. No publisher can start while a process has the lock
	// open, so other accounts must not have the right to open it.
	onlyPublisher audience = iota
	// consumers are the accounts that may read counters.
	consumers
)

// A mapping is memory that other processes can read while this process writes the memory.
type mapping struct {
	words []atomic.Uint32 // atomic, so that readers see the writes in the order of the program
	unmap func() error
}

// word returns the word at an offset in bytes.
func (m *mapping) word(offset uint32) *atomic.Uint32 { return &m.words[offset/4] }

// write copies b into the mapping at an offset in bytes. The offset and the length of b are multiples of 4.
func (m *mapping) write(offset uint32, b []byte) {
	words := m.words[offset/4:][:len(b)/4]
	for i := range words {
		words[i].Store(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

// prefix is the start of the names of roots and generations. Processes in all sessions see names that start with Global.
const prefix = `Global\perfblock-`

// The name of the lock is lockPrefix and the name of the service. The lock is a mapping that exists while the publisher
// runs. The names of roots and generations do not start with lockPrefix.
const lockPrefix = `Global\perfblock.publisher-`

// mappingService returns the name of a service in lower case, for the names of mappings.
func mappingService(service string) (string, error) {
	if service == "" || len(service) > 200 || strings.ContainsAny(service, `\/`) || strings.ContainsFunc(service, func(r rune) bool { return r < ' ' }) {
		return "", fmt.Errorf("%q is not the name of a service: must have 1 to 200 bytes, without \\, / and control characters", service)
	}
	// Windows ignores the case in names of services, but not in names of mappings.
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, service), nil
}
