// Package titles reads and writes title databases. A title database has the names and help texts of V1 objects and
// counters. Blocks refer to names and help texts by index.
//
//	db, err := titles.Read(contents)
//	if err != nil {
//		return err
//	}
//	name, ok := db.Name("009", 238) // "Processor"
//
// [Read] finds the form of the contents itself:
//
//   - the bytes of the values Counter 009 and Help 009, a REG_MULTI_SZ in UTF-16LE
//   - text with an index and a name on alternate lines, in UTF-16 or UTF-8
//   - a .reg file, with the values Counter and Help of one or more languages
//   - the output of reg query, with values of type REG_MULTI_SZ
//   - a file that lodctr /S wrote, with sections such as [PerfStrings_009]
//
// A database of a real system can be damaged. Read keeps all pairs in the order of the contents, including duplicate
// indexes and empty names. [Table.Faults] yields the faults. Read fails only if the contents are not a title database.
package titles

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/layout"
)

// MaxSize is the largest number of bytes that [Read] accepts.
const MaxSize = 32 << 20

// maxStrings is the largest number of indexes and names that [Read] accepts. The largest known table has 20,000.
const maxStrings = 1 << 20

// A Database has the tables of a title database. Databases are joined by appending their tables.
type Database struct {
	Tables []Table
}

// A Table has the pairs of one value of the registry, such as Counter in the key 009.
type Table struct {
	Language string // the name of the key in Perflib, such as "009"; "" if the file does not name the language
	Kind     Kind
	Pairs    []Pair
	At       Place // the place of the value, the section, or the first line

	damage []Fault // faults found by the reader
}

// A Kind is the kind of the texts in a table.
type Kind uint8

const (
	Counter Kind = iota // names of objects and counters, with even indexes
	Help                // help texts, with odd indexes
	Mixed               // names and help texts, as lodctr /S writes them
)

var kindNames = [...]string{Counter: "Counter", Help: "Help", Mixed: "Counter and Help"}

// String returns the name of the registry value that holds the table.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return strconv.Itoa(int(k))
}

// A Pair is an index with its text.
type Pair struct {
	Key  string // the index as it is written: decimal digits, unless the pair is faulty
	Name string // a name or a help text

	// Lone is true if the pair has no text: Key is the last string of a list, or its line in an lodctr file has no =.
	Lone bool

	KeyAt, NameAt Place
}

// Index returns the index of the pair. ok is false if Key is not a decimal number of 32 bits.
func (p *Pair) Index() (index uint32, ok bool) {
	n, err := strconv.ParseUint(p.Key, 10, 32)
	return uint32(n), err == nil
}

// add adds the next string of the list. The list has an index and a text in turn.
func (t *Table) add(text string, at Place) {
	if n := len(t.Pairs); n > 0 && t.Pairs[n-1].Lone {
		p := &t.Pairs[n-1]
		p.Name, p.Lone, p.NameAt = text, false, at
		return
	}
	t.Pairs = append(t.Pairs, Pair{Key: text, Lone: true, KeyAt: at})
}

// hasIndex reports whether a string of the table is a decimal index.
func (t *Table) hasIndex() bool {
	return slices.ContainsFunc(t.Pairs, func(p Pair) bool { return isIndex(p.Key) || isIndex(p.Name) })
}

// A Place is the place of a string in the contents passed to [Read].
type Place struct {
	Off       int64 // the offset in the bytes of the REG_MULTI_SZ; 0 for other forms
	Nth       int   // the number of the string in the bytes of a REG_MULTI_SZ, from 1; 0 for other forms
	Line, Col int   // in a text, from 1, the column in characters; otherwise 0
}

// isTitle returns the index of a pair, and reports whether the pair has a title.
func (t *Table) isTitle(p *Pair) (index uint32, ok bool) {
	index, ok = p.Index()
	// The text of index 1 is the highest index of the system, except in Help.
	return index, ok && !p.Lone && (index != 1 || t.Kind == Help)
}

// ErrNoTitles is the error of [Read] for contents that are not a title database.
var ErrNoTitles = errors.New("is not a title database: no string is a decimal index")

// Read returns the tables in contents. It does not change contents. An error about a text has a line and a column.
func Read(contents []byte) (*Database, error) {
	if len(contents) > MaxSize {
		return nil, fmt.Errorf("has %d bytes, a title database must have at most %d", len(contents), MaxSize)
	}
	if len(contents) == 0 {
		return nil, errors.New("is empty, must be a title database")
	}
	if layout.HasSignature(contents) {
		return nil, errors.New("is a data block, must be a title database")
	}
	text, isText := decode(contents)
	switch {
	case !isText:
		return singleTable(readMultiSZ(contents, Table{}, nil))
	case isReg(text):
		return readRegistry(armor.RegFile(contents))
	case isRegQuery(text):
		return readRegistry(armor.RegQuery([]byte(text)))
	case isLodctr(text):
		return readLodctr(text)
	}
	return singleTable(readLines(text))
}

// singleTable returns a database with one table. It sets the kind of the table from the indexes.
func singleTable(t Table, err error) (*Database, error) {
	if err != nil {
		return nil, err
	}
	t.guessKind()
	return &Database{Tables: []Table{t}}, nil
}

// guessKind sets the kind of a table: most indexes of names are even, most indexes of help texts are odd.
func (t *Table) guessKind() {
	balance := 0
	for i := range t.Pairs {
		index, ok := t.Pairs[i].Index()
		switch {
		case !ok:
		case index == 1 && i == 0:
			return // only names start with the index 1
		case index%2 == 1:
			balance++
		default:
			balance--
		}
	}
	if balance > 0 {
		t.Kind = Help
	}
}

// SameLanguage reports whether two names of languages are equal without leading zeros: 9, 09 and 009 are the same.
func SameLanguage(a, b string) bool { return languageKey(a) == languageKey(b) }

// languageKey returns a key that is equal for all names of a language.
func languageKey(language string) string { return strings.ToLower(strings.TrimLeft(language, "0")) }

// Name returns the name or the help text with an index. It searches the tables of the language, and the tables whose
// language is unknown. If several pairs have the index, it returns the text of the first pair. For many indexes use
// [Database.Names].
func (d *Database) Name(language string, index uint32) (name string, ok bool) {
	for i, p := range d.titles(language) {
		if i == index {
			return p.Name, true
		}
	}
	return "", false
}

// Names returns all names and help texts of a language by their indexes. Each text is the one that [Database.Name]
// returns for the index.
func (d *Database) Names(language string) map[uint32]string {
	names := make(map[uint32]string)
	for index, p := range d.titles(language) {
		if _, has := names[index]; !has {
			names[index] = p.Name
		}
	}
	return names
}

// Indexes returns the indexes of all pairs with the given name, in the order of the tables. Many names have several
// indexes. A database does not distinguish the names of objects from the names of counters.
func (d *Database) Indexes(language, name string) []uint32 {
	var indexes []uint32
	for index, p := range d.titles(language) {
		if p.Name == name {
			indexes = append(indexes, index)
		}
	}
	return indexes
}

// titles yields the pairs that have a title in a language.
func (d *Database) titles(language string) func(yield func(uint32, *Pair) bool) {
	return func(yield func(uint32, *Pair) bool) {
		for i := range d.Tables {
			t := &d.Tables[i]
			if t.Language != "" && !SameLanguage(t.Language, language) {
				continue
			}
			for j := range t.Pairs {
				if index, ok := t.isTitle(&t.Pairs[j]); ok && !yield(index, &t.Pairs[j]) {
					return
				}
			}
		}
	}
}

// Languages returns the languages of the tables in the order of the tables, without duplicates. A table whose language
// is unknown counts as "".
func (d *Database) Languages() []string {
	var list []string
	seen := make(map[string]bool)
	for i := range d.Tables {
		language := d.Tables[i].Language
		if key := languageKey(language); !seen[key] {
			seen[key] = true
			list = append(list, language)
		}
	}
	return list
}
