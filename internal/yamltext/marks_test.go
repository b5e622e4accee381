package yamltext

import (
	"strings"
	"testing"
)

// TestMarks checks which characters CheckSize counts as marks. The test puts the largest
// allowed number of marks before each text, so one more mark is an error.
func TestMarks(t *testing.T) {
	t.Parallel()
	const most = 100
	r := Reader{What: "a test", MaxBytes: 1 << 20, MaxMarks: most}
	full := strings.Repeat("-\n", most)
	for _, tt := range []struct {
		text, reason string
		json         bool
		want         bool // the text has a mark
	}{
		{text: "", reason: "a text may have the largest number of marks"},
		{text: "a \t\r\n~'%", reason: "these characters are no marks"},
		{text: "-a-z-A-Z-0-9", reason: "a hyphen in a word is no mark"},
		{text: "-", reason: "a hyphen at the end is a mark", want: true},
		{text: "-`", reason: "a hyphen before a character below the letters is a mark", want: true},
		{text: "-~", reason: "a hyphen before a character above the letters is a mark", want: true},
		{text: "-/", reason: "a hyphen before a character below the digits is a mark", want: true},
		{text: "-é", reason: "a hyphen before a letter outside ASCII is a mark", want: true},
		{text: `"a"`, reason: "a quote is no mark"},
		{text: `","`, reason: "a comma in quotes of YAML is a mark", want: true},
		{text: `","`, reason: "a comma in quotes of JSON is no mark", json: true},
		{text: `"\",",`, reason: "a comma after a string of JSON is a mark", json: true, want: true},
	} {
		if err := r.CheckSize([]byte(full+tt.text), tt.json); (err != nil) != tt.want {
			t.Errorf("%s: %q: %v", tt.reason, tt.text, err)
		}
	}
	for _, mark := range marks {
		if r.CheckSize([]byte(full+string(mark)), false) == nil {
			t.Errorf("%c is no mark", mark)
		}
		if !strings.ContainsRune(Marks, mark) {
			t.Errorf("messages do not name %c", mark)
		}
	}
	r.MaxMarks = 2 * MaxLineMarks
	for _, mark := range []string{",", `"`, "'"} {
		line := strings.Repeat(mark, MaxLineMarks)
		for end, want := range map[string]bool{"": false, "\n": true, "\r": true, "\r\n": true, " ": false} {
			if err := r.CheckSize([]byte(line+end+mark), false); (err == nil) != want {
				t.Errorf("%q ends a line of %s: %t, want %t", end, mark, !want, want)
			}
		}
	}
}

// TestMaxBytes checks that a text may have MaxBytes bytes, and no more.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	r := Reader{What: "a test", MaxBytes: 10}
	for n, want := range map[int]bool{0: true, 10: true, 11: false} {
		if err := r.CheckSize([]byte(strings.Repeat("a", n)), false); (err == nil) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
