package definition

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tc-hib/winres"
)

// firstResource is the default id of the first string resource.
const firstResource = 1

// resourceIDs returns the id of the string resource of each text: NameID or HelpID if it is given, and otherwise the
// next free id. Free ids start from ResourceBase, or from 1 without ResourceBase.
func (p *Provider) resourceIDs() map[*Text]uint32 {
	used := make(map[uint32]bool)
	for t := range p.placedTexts() {
		if t.id != nil {
			used[*t.id] = true
		}
	}
	next := uint32(firstResource)
	if p.ResourceBase != nil {
		next = *p.ResourceBase
	}
	ids := make(map[*Text]uint32)
	for t := range p.placedTexts() {
		if t.text.IsZero() {
			continue
		}
		if t.id != nil {
			ids[t.text] = *t.id
			continue
		}
		for used[next] {
			next++
		}
		ids[t.text], used[next] = next, true
	}
	return ids
}

// A stringTable has the string resources of one language, by id.
//
// Source: https://learn.microsoft.com/windows/win32/menurc/stringtable-resource
type stringTable struct {
	language uint16 // the LANGID; 0 is the neutral language
	texts    map[uint32]string
}

// Limits of string resources: the id and the length are numbers of 16 bits.
const (
	mostResourceID  = 0xFFFF
	mostResourceLen = 0xFFFF // in UTF-16 characters
)

// stringTables returns a table for the neutral language, with the result of String for each text, and a table for each
// language. If script is true, texts that a resource script cannot have are errors.
func (p *Provider) stringTables(script bool) ([]stringTable, error) {
	if err := refusalsError(p.resourceRefusals(script)); err != nil {
		return nil, err
	}
	ids := p.resourceIDs()
	tables := []stringTable{{0, make(map[uint32]string)}}
	languages, err := p.numberedLanguages()
	if err != nil {
		return nil, err
	}
	for _, l := range languages {
		tables = append(tables, stringTable{l.number, make(map[uint32]string)})
	}
	for t := range p.placedTexts() {
		id, is := ids[t.text]
		if !is {
			continue
		}
		text := t.text.String()
		tables[0].texts[id] = text
		for i, l := range languages {
			// Each table has all texts, because Windows does not look in another table. A missing translation is
			// replaced by the result of In or String.
			tables[i+1].texts[id] = cmp.Or(t.text.In(l.tag), text)
		}
	}
	return tables, nil
}

// resourceScript returns the names and help texts as a resource script in UTF-8.
func (p *Provider) resourceScript() ([]byte, error) {
	tables, err := p.stringTables(true)
	if err != nil {
		return nil, err
	}
	b := fmt.Appendf(nil, "// %s\n//\n// Names and help texts of the counters of %s. The manifest refers to them by id.\n\n#pragma code_page(65001)\n", generatedBy, inComment(p.Name))
	for _, t := range tables {
		b = fmt.Appendf(b, "\nLANGUAGE 0x%X, 0x%X\nSTRINGTABLE\nBEGIN\n", t.language&primaryLanguage, t.language>>10)
		for _, id := range slices.Sorted(maps.Keys(t.texts)) {
			b = fmt.Appendf(b, "    %d %s\n", id, rcString(t.texts[id]))
		}
		b = append(b, "END\n"...)
	}
	return b, nil
}

// rcString returns text as a quoted string of a resource script. The text must have no control character.
func rcString(text string) string {
	return `"` + strings.NewReplacer(`"`, `""`, `\`, `\\`).Replace(text) + `"`
}

// object returns the string resources as an object file for a processor. The go command links the object file into a
// program for Windows.
func (p *Provider) object(arch winres.Arch) ([]byte, error) {
	tables, err := p.stringTables(false)
	if err != nil {
		return nil, err
	}
	var set winres.ResourceSet
	for _, t := range tables {
		for block, contents := range t.blocks() {
			if err := set.Set(winres.RT_STRING, winres.ID(block), t.language, contents); err != nil {
				return nil, err
			}
		}
	}
	// This text lets a later run recognise and replace the file. The program contains the text as an unused resource.
	if err := set.Set(winres.RT_RCDATA, winres.Name("PERFBLOCK"), 0, []byte(generatedBy)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = set.WriteObject(&b, arch)
	return b.Bytes(), err
}

// blockStrings is the number of strings in a block of string resources.
const blockStrings = 16

// blocks returns the resource blocks of the table by id. Block 2 has the strings with the ids 16 to 31.
func (t stringTable) blocks() map[uint16][]byte {
	blocks := make(map[uint16][]byte)
	for id := range t.texts {
		n := uint16(id/blockStrings + 1)
		if blocks[n] != nil {
			continue
		}
		var b []byte
		for i := range uint32(blockStrings) {
			text := utf16.Encode([]rune(t.texts[id/blockStrings*blockStrings+i]))
			b = binary.LittleEndian.AppendUint16(b, uint16(len(text))) // in UTF-16 characters
			for _, unit := range text {
				b = binary.LittleEndian.AppendUint16(b, unit)
			}
		}
		blocks[n] = b
	}
	return blocks
}
