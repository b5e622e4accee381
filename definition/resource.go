package definition

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/tc-hib/winres"
)

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

// stringTables returns the string resources of the provider: a table with the neutral texts, and one
// for each language. The error lists the texts that no string resource can hold.
func (p *Provider) stringTables() ([]stringTable, error) {
	_, ids := p.Resources()
	tables := []stringTable{{0, make(map[uint32]string)}}
	tags := p.LanguageTags()
	if err := fewLanguages(tags); err != nil {
		return nil, err
	}
	for _, tag := range tags {
		number, err := p.languageNumber(tag)
		if err != nil {
			return nil, err
		}
		tables = append(tables, stringTable{number, make(map[uint32]string)})
	}
	var faults []error
	seen := make(map[uint32]bool)
	for t := range p.placedTexts() {
		id, is := ids[t.text]
		if !is {
			continue
		}
		text := t.text.String()
		fault := func(key, format string, args ...any) {
			faults = append(faults, errors.New(t.element.loss(key, fmt.Sprintf(format, args...)).String()))
		}
		switch {
		case id > mostResourceID:
			fault(t.key+"ID", "the id %d of %s is too large: a string resource has an id of at most %d; write a smaller %[4]sID or resourceBase", id, quoted(text), mostResourceID, t.key)
		case seen[id]:
			fault(t.key+"ID", "the id %d of %s is the id of another text too; write another %sID", id, quoted(text), t.key)
		}
		seen[id] = true
		tables[0].texts[id] = text
		for i, tag := range tags {
			// Each table has all texts: if a language has no text, its table has the neutral one, because Windows does
			// not look in another table.
			tables[i+1].texts[id] = cmp.Or(t.text.In(tag), text)
		}
		for _, table := range tables {
			if n := len(utf16.Encode([]rune(table.texts[id]))); n > mostResourceLen {
				fault(t.key, "%s has %d characters: a string resource has at most %d; shorten it", quoted(table.texts[id]), n, mostResourceLen)
			}
		}
	}
	return tables, errors.Join(faults...)
}

// AppendRC appends the names and help texts as a resource script for a resource compiler of C, in UTF-8.
func (p *Provider) AppendRC(b []byte) ([]byte, error) {
	tables, err := p.stringTables()
	if err != nil {
		return b, err
	}
	b = fmt.Appendf(b, "// %s\n//\n// Names and help texts of the counters of %s. The manifest refers to them by id.\n\n#pragma code_page(65001)\n", generatedBy, inComment(p.Name))
	for _, t := range tables {
		b = fmt.Appendf(b, "\nLANGUAGE 0x%X, 0x%X\nSTRINGTABLE\nBEGIN\n", t.language&primaryLanguage, t.language>>10)
		for _, id := range t.ids() {
			text, err := rcString(t.texts[id])
			if err != nil {
				return b, p.resourceFault(id, err)
			}
			b = fmt.Appendf(b, "    %d %s\n", id, text)
		}
		b = append(b, "END\n"...)
	}
	return b, nil
}

// resourceFault returns an error about the string resource with an id, with the place of its text.
func (p *Provider) resourceFault(id uint32, err error) error {
	_, ids := p.Resources()
	for t := range p.placedTexts() {
		if got, is := ids[t.text]; is && got == id {
			return errors.New(t.loss("%v; remove it", err).String())
		}
	}
	return err
}

// ids returns the ids of the texts, sorted.
func (t stringTable) ids() []uint32 {
	var ids []uint32
	for id := range t.texts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// rcString returns text as a quoted string of a resource script. A control character is an error.
func rcString(text string) (string, error) {
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		return "", fmt.Errorf("%s has a control character, which a resource script cannot hold", quoted(text))
	}
	return `"` + strings.NewReplacer(`"`, `""`, `\`, `\\`).Replace(text) + `"`, nil
}

// object returns the string resources as an object file for a processor, which the go command links into a program
// for Windows.
func (p *Provider) object(arch winres.Arch) ([]byte, error) {
	tables, err := p.stringTables()
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
	// The mark lets a later run replace the file. It becomes a resource of the program, which no one reads.
	if err := set.Set(winres.RT_RCDATA, winres.Name("PERFBLOCK"), 0, []byte(generatedBy)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = set.WriteObject(&b, arch)
	return b.Bytes(), err
}

// blockStrings is the number of strings in a block of string resources.
const blockStrings = 16

// blocks returns the blocks of the table by their ids. A block has 16 strings. Each string is a 16-bit number of UTF-16
// characters, and the characters. The string with the id n is string n%16 of block n/16+1.
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
			b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
			for _, unit := range text {
				b = binary.LittleEndian.AppendUint16(b, unit)
			}
		}
		blocks[n] = b
	}
	return blocks
}
