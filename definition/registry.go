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
	var w strings.Builder
	fmt.Fprintf(&w, "Windows Registry Editor Version 5.00\n\n; %s\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\%s\\Performance]\n", generatedBy, p.ServiceName())
	if name := p.ServiceName(); strings.ContainsAny(name, `\]`) || strings.ContainsFunc(name, isControl) {
		return b, p.fault("service", "%s is not the name of a registry key: it has a backslash, a bracket or a control character; remove it", quoted(name))
	}
	open, collect, closes := p.Functions()
	for _, v := range []struct{ name, value string }{{"Library", p.LibraryName()}, {"Open", open}, {"Collect", collect}, {"Close", closes}} {
		if strings.ContainsFunc(v.value, isControl) {
			return b, p.fault(strings.ToLower(v.name), "%s has a control character; remove it", quoted(v.value))
		}
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
	for _, v := range []struct {
		name  string
		value uint32
	}{{"First Counter", first}, {"Last Counter", last}, {"First Help", first + 1}, {"Last Help", last + 1}} {
		fmt.Fprintf(w, "\"%s\"=dword:%08x\n", v.name, v.value)
	}
	fmt.Fprintf(w, "\"Object List\"=\"%s\"\n", strings.Join(objects, " "))
	return nil
}

// isControl reports whether a character is an ASCII control character.
func isControl(r rune) bool { return r < ' ' || r == 0x7F }
