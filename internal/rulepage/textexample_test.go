package rulepage_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/validate"
)

// textFixtures has the folders of the fixtures for rules that check text files.
var textFixtures = []string{"../../definition/testdata/rules", "../../provider/testdata/rules"}

// mostCharacters is the largest number of characters in a line of an example.
const mostCharacters = 300

// wanted matches the line and the column of the first finding in the comment of a fixture.
var wanted = regexp.MustCompile(`(?m)^want: .*?(\d+):\d+$`)

// textExample makes an example from the fixture of a rule that checks text files.
func textExample(t *testing.T, r *validate.Rule) (note, wrong, right string, ok bool) {
	t.Helper()
	var text []byte
	err := os.ErrNotExist
	for _, folder := range textFixtures {
		if os.IsNotExist(err) {
			text, err = os.ReadFile(filepath.Join(folder, r.Name+".txtar"))
		}
	}
	if os.IsNotExist(err) {
		return "", "", "", false // the rule has no fixture
	}
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse([]byte(strings.ReplaceAll(string(text), "\r\n", "\n")))
	note, _, _ = strings.Cut(string(a.Comment), "\n")
	broken, near := linesIn(a, "broken/"), linesIn(a, "near/")
	faulty := "" // the line of the first finding
	if m := wanted.FindStringSubmatch(string(a.Comment)); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 && n <= len(broken) {
			faulty = broken[n-1]
		}
	}
	wrong = onlyInFirst(broken, near, "")
	right = onlyInFirst(near, broken, "")
	if wrong == "" { // no line is only in the broken files, for example because a line is missing there
		wrong, right = onlyInFirst([]string{faulty}, nil, ""), onlyInFirst(near, broken, faulty)
	}
	const none = "(no such line)\n"
	return note, cmp.Or(wrong, none), cmp.Or(right, none), true
}

// linesIn returns the lines of the files in a folder of an archive.
func linesIn(a *txtar.Archive, folder string) (list []string) {
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, folder) {
			list = append(list, strings.SplitAfter(string(f.Data), "\n")...)
		}
	}
	return list
}

// onlyInFirst returns the lines of the first list that are not in the second list. It also returns the lines that are
// equal to faultyLine, even if the second list has them. It omits blank lines.
func onlyInFirst(first, second []string, faultyLine string) string {
	var chosen []string
	for _, l := range first {
		if strings.TrimSpace(l) == "" || l != faultyLine && slices.Contains(second, l) {
			continue
		}
		if letters := []rune(l); len(letters) > mostCharacters {
			l = string(letters[:mostCharacters]) + "...\n"
		}
		chosen = append(chosen, l)
	}
	if more := len(chosen) - mostLines; more > 0 {
		chosen = append(chosen[:mostLines], fmt.Sprintf("(and %d more lines)\n", more))
	}
	return strings.Join(chosen, "")
}
