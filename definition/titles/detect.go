package titles

import (
	"path"
	"strings"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/layout"
)

// tableName matches file names such as Counter 009 and help_407.txt. Such a file has one value of the registry.
var tableName = lazy.Regexp(`^(?i)(counters?|help)[ _.-]?([0-9a-f]{1,4})?(\.[a-z]+)?$`)

// Detect reports whether a file is certainly a title database. It does not recognise .reg files. It recognises
//
//   - the registry value Counter, as bytes or text: it begins with "1", the highest index, an index and a name
//   - another list of indexes and texts, as bytes or text, if the file has a name such as Help 009
//   - the output of reg query with Counter or Help, and without values of type REG_BINARY
//   - a file of lodctr /S with a section PerfStrings
//
// [Read] accepts other contents too, if they have the form of a title database.
func Detect(name string, contents []byte) bool {
	const most = 4096                                    // bytes, enough for the longest help text
	const starts = "0123456789H\\![; \t\r\n\xEF\xFE\xFF" // the possible first bytes, also of byte order marks
	if len(contents) == 0 || strings.IndexByte(starts, contents[0]) < 0 || layout.HasSignature(contents) {
		return false // without decoding, because most files are blocks
	}
	head := contents[:min(len(contents), most)&^1]
	text, isText := decode(head)
	switch {
	case !isText:
		t, _ := readMultiSZ(head, Table{}, nil)
		return startsTable(name, &t)
	case isReg(text):
		return false
	case isRegQuery(text):
		return queriesTitles(contents)
	case isLodctr(text):
		all, _ := decode(contents)
		return lodctrSection().MatchString(all)
	}
	t, _ := readLines(text)
	return startsTable(name, &t)
}

// lodctrSection matches a section with titles in a file of lodctr /S.
var lodctrSection = lazy.Regexp(`(?mi)^[ \t]*\[PerfStrings_`)

// queriesTitles reports whether the output of reg query has a value with titles, and no REG_BINARY value, such as a
// block. It reads the output up to the first error.
func queriesTitles(contents []byte) bool {
	text, _ := decode(contents)
	found := false
	for v := range armor.RegQuery([]byte(text)) {
		if v.Type == armor.RegBinary {
			return false
		}
		found = found || v.Type == armor.RegMulti && titleValue().MatchString(v.Name)
	}
	return found
}

// startsTable reports whether the first two pairs look like the start of a table. name is the name of the file.
func startsTable(name string, t *Table) bool {
	if len(t.Pairs) < 2 {
		return false
	}
	first, second := &t.Pairs[0], &t.Pairs[1]
	_, isIndex1 := first.Index()
	index, isIndex2 := second.Index()
	if !isIndex1 || !isIndex2 || !isTitleText(second.Name) {
		return false
	}
	if first.Key == "1" {
		highest, ok := (&Pair{Key: first.Name}).Index()
		return ok && highest >= index
	}
	return tableName().MatchString(path.Base(strings.ReplaceAll(name, `\`, "/"))) && isTitleText(first.Name)
}

// isTitleText reports whether a text can be a title. Numbers and rows of hexadecimal bytes are not titles.
func isTitleText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEFxXhH ,;:-\t\uFFFD", r) })
}
