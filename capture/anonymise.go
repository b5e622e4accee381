package capture

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// Replaced has the numbers of names, texts and bytes that [Bundle.Anonymise] replaced. A name that occurs twice counts
// twice.
type Replaced struct {
	Instances int `json:"instances"` // names of instances
	Computers int `json:"computers"` // names of computers, in headers and inside other texts
	Texts     int `json:"texts"`     // values that are texts, and V2 values that are not 4 or 8 bytes
	Padding   int `json:"padding"`   // nonzero bytes in padding and after the end of a block
	Unread    int `json:"unread"`    // nonzero bytes that a fault makes unreadable
}

// String returns the counts that are not 0 as a text, or "nothing".
func (r Replaced) String() string {
	var list []string
	for _, c := range []struct {
		n    int
		noun string
	}{{r.Instances, "instance name"}, {r.Computers, "computer name"}, {r.Texts, "text"}, {r.Padding, "padding byte"}, {r.Unread, "unreadable byte"}} {
		if c.n > 0 {
			list = append(list, quote.Count(c.n, c.noun))
		}
	}
	return cmp.Or(quote.List(list, "and"), "nothing")
}

// Anonymise replaces the data that can identify persons and computers in the members of the bundle:
//
//   - Names of instances and computers, and values that are texts, become pseudonyms of the same length. The same name
//     has the same pseudonym in the whole bundle, and names that differ only in case have pseudonyms that differ only
//     in case. Slashes, backslashes and commas divide a name into words. Each word has its own pseudonym.
//   - These parts of names stay: _Total, numbers of one or two digits, drives such as C:, a # with a number at the
//     end of a word, such as #12, and the characters \ / , ( ) * ? #. The code units 0 to 0x20 (control characters and
//     the space), unpaired surrogates, 0xFFFE and 0xFFFF stay too.
//   - The pseudonym also replaces the name of a computer in registrations, title tables and notes, if the name has
//     three or more characters.
//   - Padding, bytes after the end of a block, and V2 values that are not 4 or 8 bytes become 0. Bytes that a fault
//     makes unreadable become 0 too, because they can contain names.
//
// The findings of package validate stay the same, except those about padding and about bytes that became 0. A finding
// about a wrong number, such as a length, can change too if the number makes bytes unreadable. Other data stays: values,
// times, title indexes, the other text of title tables, and the names of objects, counters and counter sets. These names
// show which products are installed, and a value can be a process id.
//
// The pseudonyms depend on the key. A person who has the key can test whether a pseudonym belongs to a name. If key is
// nil, Anonymise uses a random key. With the same key, a name usually has the same pseudonym in several bundles. A
// short name can have a different pseudonym in each bundle.
//
// Anonymise changes the Bytes of the members in place, and sets the field Computer to "". After an error the bundle
// must not be used.
func (b *Bundle) Anonymise(key []byte) (Replaced, error) {
	if key == nil {
		key = make([]byte, 32)
		_, _ = rand.Read(key) // never fails
	}
	a := &anonymiser{names: newPseudonyms(key)}
	a.learnComputer(codeUnits(utf16Bytes(b.Computer), 2))
	// Collect all names first, because a pseudonym must differ from all names.
	places := make([][]place, len(b.Members))
	for i := range b.Members {
		places[i] = a.collect(&b.Members[i])
	}
	for i := range b.Members {
		if err := a.replace(&b.Members[i], places[i]); err != nil {
			return Replaced{}, fmt.Errorf("the member %s: %w", quote.Short(b.Members[i].Name), err)
		}
	}
	b.Computer = ""
	for i := range b.Notes {
		if err := a.text(&b.Notes[i]); err != nil {
			return Replaced{}, err
		}
	}
	b.Anonymised, b.pseudonyms = &a.replaced, a.names
	return a.replaced, nil
}

// An anonymiser replaces the names in the members of one bundle.
type anonymiser struct {
	names     *pseudonyms
	computers [][]rune // names in upper case, each once; the longest first
	replaced  Replaced
}

// A place is a range of bytes in a member that Anonymise overwrites or searches.
type place struct {
	start, end int64
	action     action
	count      *int // the field of Replaced that counts the action; nil for searchText, which counts names of computers
	width      int  // of a code unit of a name, in bytes
}

type action uint8

const (
	replaceName   action = iota // the place is a name or the characters of a text
	searchText                  // the place is a text that can contain the name of a computer
	clearBytes                  // counts each byte that was not 0
	clearOddValue               // the place is a V2 value of unknown form; counts 1 if a byte was not 0
)

// collect returns the places in a member, and adds the names of instances and computers, and the values that are texts,
// to a.names.
func (a *anonymiser) collect(m *Member) (places []place) {
	kind, ok := m.Block()
	if !ok {
		return []place{{end: int64(len(m.Bytes)), action: searchText}}
	}
	for p := range layout.Walk(kind, m.Bytes) {
		found := place{start: p.Off(), end: p.Off() + int64(p.Len()), width: 2}
		switch {
		case p.Sort == layout.PaddingPart, p.Sort == layout.UnreadPart && p.Err == nil:
			found.action, found.count = clearBytes, &a.replaced.Padding
		case p.Sort == layout.UnreadPart:
			found.action, found.count = clearBytes, &a.replaced.Unread
		case p.Sort == layout.NamePart && (kind == layout.RegStringKind || kind == layout.StringsKind):
			found.action = searchText
		case p.Sort == layout.NamePart && kind == layout.DataBlockKind && p.Path.String() == "SystemName":
			found.action, found.count = replaceName, &a.replaced.Computers
			name := codeUnits(p.Bytes(), 2)
			if i := slices.Index(name, 0); i >= 0 {
				name = name[:i]
			}
			a.learnComputer(name)
		case p.Sort == layout.NamePart:
			found.action, found.count, found.width = replaceName, &a.replaced.Instances, widthOf(p.Page)
		case p.Sort == layout.ValuePart && p.Untyped && p.Len() != 4 && p.Len() != 8:
			found.action, found.count = clearOddValue, &a.replaced.Texts
		case p.Sort == layout.ValuePart && !p.Untyped && p.Type.Kind() == layout.PERF_TYPE_TEXT:
			places = append(places, a.textOf(p, found)...)
			continue
		default:
			continue
		}
		places = append(places, found)
	}
	for _, p := range places {
		if p.action == replaceName {
			a.names.learn(codeUnits(m.Bytes[p.start:p.end], p.width))
		}
	}
	return places
}

// widthOf returns the size of a code unit in bytes: 2 for UTF-16, and 1 for other code pages.
func widthOf(page uint32) int {
	const utf16 = 1200 // some providers write 1200 instead of 0
	if page == 0 || page == utf16 {
		return 2
	}
	return 1
}

// textOf returns the places of a text value: the characters, and the unused bytes after them.
func (a *anonymiser) textOf(p layout.Part, whole place) []place {
	const lengthBytes = 4 // the value starts with the length of the text
	if p.Len() < lengthBytes {
		whole.action, whole.count = clearBytes, &a.replaced.Padding // without a length there is no text
		return []place{whole}
	}
	n := int64(binary.LittleEndian.Uint32(p.Bytes()))
	text, rest := whole, whole
	text.action, text.count, text.start = replaceName, &a.replaced.Texts, whole.start+lengthBytes
	if p.Type.Subtype() != layout.PERF_TEXT_UNICODE {
		text.width = 1
	}
	text.end = min(text.start+n, whole.end)
	rest.action, rest.count, rest.start = clearBytes, &a.replaced.Padding, text.end
	return []place{text, rest}
}

func (a *anonymiser) learnComputer(name []rune) {
	upper := folded(name)
	if slices.ContainsFunc(a.computers, func(c []rune) bool { return slices.Equal(c, upper) }) {
		return
	}
	a.names.learn(name)
	a.computers = append(a.computers, upper)
	slices.SortStableFunc(a.computers, func(x, y []rune) int { return len(y) - len(x) })
}

func (a *anonymiser) replace(m *Member, places []place) error {
	for _, p := range places {
		b := m.Bytes[p.start:p.end]
		var err error
		switch p.action {
		case replaceName:
			err = a.name(b, p.width, p.count)
		case searchText:
			err = a.replaceComputers(b)
		case clearBytes:
			*p.count += setToZero(b)
		case clearOddValue:
			*p.count += min(setToZero(b), 1)
		}
		if err != nil {
			return err
		}
	}
	for _, text := range []*string{&m.Query, &m.Set} {
		if err := a.text(text); err != nil {
			return err
		}
	}
	return nil
}

// name overwrites a name with its pseudonym.
func (a *anonymiser) name(b []byte, width int, count *int) error {
	list := codeUnits(b, width)
	some, err := a.names.replace(list, width == 1)
	if err != nil {
		return err
	}
	if some {
		*count++
	}
	putUnits(b, list, width)
	if len(b)%width != 0 {
		b[len(b)-1] = 0
	}
	return nil
}

// replaceComputers replaces the names of computers in UTF-16 text.
func (a *anonymiser) replaceComputers(b []byte) error {
	const shortest = 3 // in code units; a shorter name occurs in many words
	list := codeUnits(b, 2)
	upper := folded(list)
	for _, computer := range a.computers {
		if len(computer) < shortest {
			break
		}
		for at := 0; at+len(computer) <= len(upper); at++ {
			if upper[at] != computer[0] || !slices.Equal(upper[at:at+len(computer)], computer) {
				continue
			}
			if err := a.name(b[2*at:2*(at+len(computer))], 2, &a.replaced.Computers); err != nil {
				return err
			}
			at += len(computer) - 1
		}
	}
	return nil
}

// text overwrites the names of computers in a text of the manifest.
func (a *anonymiser) text(s *string) error {
	b := utf16Bytes(*s)
	before := bytes.Clone(b)
	err := a.replaceComputers(b)
	if err == nil && !bytes.Equal(b, before) {
		*s, err = layout.DecodeUTF16(b)
	}
	return err
}

// utf16Bytes returns s in UTF-16LE. It returns nil if s is not valid UTF-8, which is impossible in JSON.
func utf16Bytes(s string) []byte {
	b, err := layout.AppendUTF16(nil, s)
	if err != nil {
		return nil
	}
	return b
}

// setToZero sets b to 0 and returns the number of bytes that were not 0.
func setToZero(b []byte) int {
	n := len(b) - bytes.Count(b, []byte{0})
	clear(b)
	return n
}
