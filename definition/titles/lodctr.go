package titles

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/lazy"
)

// perfStrings matches the section with the titles of a language in a file of lodctr /S.
var perfStrings = lazy.Regexp(`^(?i)\[PerfStrings_([^\]]*)\]`)

// isLodctr reports whether the first line that is neither empty nor a comment is a section.
func isLodctr(text string) bool {
	for _, line := range lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != ';' {
			return line[0] == '['
		}
	}
	return false
}

// readLodctr reads the sections PerfStrings of a file that lodctr /S wrote. A line is INDEX=TEXT, for names and help
// texts.
func readLodctr(text string) (*Database, error) {
	d := &Database{}
	var t *Table // of the current section, nil for other sections
	n := 0
	for at, line := range lines(text) {
		start := len(line) - len(strings.TrimLeft(line, " \t"))
		row := line[start:]
		switch {
		case row == "" || row[0] == ';':
			continue
		case row[0] == '[':
			t = nil
			if m := perfStrings().FindStringSubmatch(row); m != nil {
				d.Tables = append(d.Tables, Table{Language: m[1], Kind: Mixed, At: Place{Line: at, Col: start + 1}})
				t = &d.Tables[len(d.Tables)-1]
			}
			continue
		case t == nil:
			continue
		}
		key, name, found := strings.Cut(row, "=")
		t.Pairs = append(t.Pairs, Pair{
			Key: strings.TrimRight(key, " \t"), Name: name, Lone: !found,
			KeyAt: Place{Line: at, Col: start + 1}, NameAt: Place{Line: at, Col: start + utf8.RuneCountInString(key) + 2},
		})
		if n++; n > maxStrings/2 {
			return nil, &armor.PlaceError{Line: at, Col: 1, Err: fmt.Errorf("the file has more than %d titles, the limit of a title database", maxStrings/2)}
		}
	}
	if len(d.Tables) == 0 {
		return nil, &armor.PlaceError{Line: 1, Col: 1, Err: errors.New("no section is [PerfStrings_LANGID], which lodctr /S writes for each language")}
	}
	return d, nil
}
