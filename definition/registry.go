package definition

import (
	"fmt"
	"strings"
)

// AppendRegistry appends the registry values of the V1 provider as a text for reg import, in UTF-16LE:
// the DLL and its functions. lodctr adds the indexes later. If FirstCounter is set, the text has the indexes too,
// for Wine and tests. The error names a value with a character that the text cannot hold, or an index that is too
// large; b is then returned unchanged.
//
// Source: https://learn.microsoft.com/windows/win32/perfctrs/creating-the-applications-performance-key
func (p *Provider) AppendRegistry(b []byte) ([]byte, error) {
	if err := refusalsError(p.registryRefusals()); err != nil {
		return b, err
	}
	var w strings.Builder
	fmt.Fprintf(&w, "Windows Registry Editor Version 5.00\n\n; %s\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\%s\\Performance]\n", generatedBy, p.ServiceName())
	for _, v := range p.registryValues() {
		fmt.Fprintf(&w, "\"%s\"=\"%s\"\n", v.name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.value))
	}
	if p.FirstCounter != nil {
		if err := p.writeIndexes(&w); err != nil {
			return b, err
		}
	}
	text, err := encodeUTF16(w.String())
	return append(b, text...), err
}

// A registryValue is a text in the key Performance of the service.
type registryValue struct{ name, value string }

// registryValues returns the DLL and its functions.
func (p *Provider) registryValues() []registryValue {
	open, collect, closes := p.Functions()
	return []registryValue{{"Library", p.LibraryName()}, {"Open", open}, {"Collect", collect}, {"Close", closes}}
}

// writeIndexes writes the values that lodctr would write: the first and the last index of the names, those of the
// help texts, and the indexes of the objects.
func (p *Provider) writeIndexes(w *strings.Builder) error {
	first := *p.FirstCounter
	titles := p.Titles()
	last := first
	var objects []string
	for _, t := range titles {
		index, err := p.index(t)
		if err != nil {
			return err
		}
		last = max(last, index)
		if t.Counter == nil {
			objects = append(objects, fmt.Sprint(index))
		}
	}
	for i, value := range [...]uint32{first, last, first + 1, last + 1} {
		fmt.Fprintf(w, "\"%s\"=dword:%08x\n", indexNames[i], value)
	}
	fmt.Fprintf(w, "\"Object List\"=\"%s\"\n", strings.Join(objects, " "))
	return nil
}

// isControl reports whether a character is an ASCII control character.
func isControl(r rune) bool { return r < ' ' || r == 0x7F }
