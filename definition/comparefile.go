package definition

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var differsRule = &rule{Rule: validate.Rule{
	ID: "PERF4505", Name: "def-file-differs", Severity: validate.Warning, Since: "v0.1.0",
	Doc:     "a manifest, an .ini file with its header, or a .reg file has the same values as the definition of its provider",
	Why:     "Windows reads the names, types and ids from the manifest, the .ini file or the registry. If the definition has other values, code and tests that are made from the definition do not match what consumers see.",
	Fix:     "Correct the definition, or generate the manifest, .ini file, header or .reg file again with perfblock define -o.",
	Sources: []validate.Source{schemaPage, iniPage, keyPage},
	Needs:   "the definition of the provider",
	Forms:   []string{YAML.String(), Manifest.String(), INI.String(), Header.String(), Registry.String()},
}}

// An origin is the file that a provider was read from. A provider that a program creates without a file has the zero
// origin.
type origin struct {
	path string
	form Form
}

// CompareFile reports the differences between p and the definition in a file. The differences are sets and counters
// that only p or only the file has, and different values. CompareFile compares only values that both file formats can
// hold. It also compares derived values, such as a symbol that is made from a name.
//
// Sets correspond by GUID, or else by name. Counters correspond by name, or else by id. An .ini file has no GUIDs and
// no ids, so its sets and counters correspond by symbol or name. In a .reg file, CompareFile compares the service of
// the provider. For a header, CompareFile reports nothing. To compare the numbers in a header, compare the .ini file
// that names the header.
func (p *Provider) CompareFile(v *validate.Validator, f *File) validate.Result {
	c := fileComparison{definition: p, file: f}
	if f.Form != Header {
		c.compare()
	}
	return v.Collect(c.findings)
}

// A fileComparison collects the differences between a definition and a file.
type fileComparison struct {
	definition *Provider
	file       *File
	inverse    bool // the findings are in the file of the definition, and not in the other file
	numbered   bool // the numbers of the symbols are already compared
	findings   []validate.Finding
}

func (c *fileComparison) compare() {
	switch other := c.file.Provider; {
	case c.file.Form == Registry:
		c.registry()
	case c.file.Form == Header:
		c.header()
	case other == nil:
	case c.file.Form == INI || c.definition.from.form == INI:
		c.ini()
	default:
		c.manifest()
	}
}

// A spot is the path, the line and the column of a value in one of the two compared files.
type spot struct {
	path layout.Path
	at   place
	file string // the path of the header, if at is a place in the header of an .ini file; else ""
}

// spot returns the path, the line and the column of the value of a key. A key can name a language, such as "name de".
// The path then ends in "name". If the element lacks the key, the line and the column are those of the element. The key
// "" means the element itself.
func (e element) spot(key string) spot {
	field, _, _ := strings.Cut(key, " ")
	return spot{path: e.finding(field, "", "").path, at: e.at.find(key)}
}

func (c *fileComparison) add(at spot, got, want string) {
	c.findings = append(c.findings, finding{at.at, at.path, got, want}.withRule(differsRule))
}

// where returns the file, the line and the column of a spot for a message. The file is path, unless at.file is set.
func where(path string, at spot) string {
	switch path = cmp.Or(at.file, path); {
	case path == "":
		return "the definition"
	case at.at.line == 0:
		return path
	}
	return fmt.Sprintf("%s:%d:%d", path, at.at.line, at.at.column)
}

// differ reports a value that differs in the two files. The message starts with subject, such as "the type of X is".
func (c *fileComparison) differ(subject string, definitionSpot, fileSpot spot, inDefinition, inFile string) {
	if c.inverse {
		c.add(definitionSpot, subject+" "+shown(inDefinition), "must be "+shown(inFile)+", as in "+where(c.file.Path, fileSpot))
	} else {
		c.add(fileSpot, subject+" "+shown(inFile), "must be "+shown(inDefinition)+", as in "+where(c.definition.from.path, definitionSpot))
	}
}

// plainValue matches values that a message shows without quotes: keywords, numbers, GUIDs, and lists of words.
var plainValue = lazy.Regexp(`^[a-z0-9{][\w{}-]*(, \w+)*$|^[A-Z0-9_]+$`)

func shown(value string) string {
	switch {
	case value == "":
		return "absent"
	case plainValue().MatchString(value):
		return value
	}
	return quoted(value)
}

// onlyIn reports an element that one of the two files lacks. elementSpot is the spot of the element.
// otherSpot is a spot in the file that lacks the element.
func (c *fileComparison) onlyIn(inDefinition bool, subject string, elementSpot, otherSpot spot) {
	has, lacks := c.definition.from.path, c.file.Path
	if !inDefinition {
		has, lacks = lacks, has
	}
	if inDefinition == c.inverse { // the element is in the file with the findings
		c.add(elementSpot, subject+" is not in "+where(lacks, spot{}), "must be in both files")
	} else {
		c.add(otherSpot, subject+" of "+where(has, elementSpot)+" is missing", "must be in both files")
	}
}

// matched pairs the elements of two lists that have equal keys. The pair {0, 2} has the position 0 in first and the
// position 2 in second. The pair {0, -1} is an element of first without a partner, and {-1, 2} is an element of second
// without a partner. Earlier key functions have priority. The key "" matches no element.
func matched[T any](first, second []T, keys ...func(inFile bool, x *T) string) [][2]int {
	pairs, taken := make([][2]int, len(first)), make([]bool, len(second))
	for i := range pairs {
		pairs[i] = [2]int{i, -1}
	}
	for _, key := range keys {
		free := make(map[string][]int) // positions in second by key, in order, because a broken file can repeat a key
		for j := range second {
			if k := key(true, &second[j]); !taken[j] && k != "" {
				free[k] = append(free[k], j)
			}
		}
		for i := range first {
			k := key(false, &first[i])
			if list := free[k]; pairs[i][1] < 0 && len(list) > 0 {
				pairs[i][1], taken[list[0]], free[k] = list[0], true, list[1:]
			}
		}
	}
	for j := range taken {
		if !taken[j] {
			pairs = append(pairs, [2]int{-1, j})
		}
	}
	return pairs
}

// calledSet returns the name of a set for a message.
func calledSet(s *CounterSet) string { return "the set " + quoted(s.Name.String()) }

// verb returns "are" for a key in the plural, and otherwise "is".
func verb(key string) string {
	if strings.HasSuffix(key, "s") {
		return "are"
	}
	return "is"
}
