package spec

import (
	"fmt"
	"strings"
	"testing"
)

// What counts as a mark is told by a text that has as many as it may have before it.
func TestMarks(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("-\n", maxMarks)
	for _, tt := range []struct {
		text, reason string
		json         bool
		want         bool // one mark or more
	}{
		{text: "", reason: "as many as may be"},
		{text: "a \t\r\n~'%", reason: "what begins nothing"},
		{text: "-a-z-A-Z-0-9", reason: "a hyphen in a word"},
		{text: "-", reason: "a hyphen at the end", want: true},
		{text: "-`", reason: "before the letters", want: true},
		{text: "-~", reason: "behind them", want: true},
		{text: "-/", reason: "before the digits", want: true},
		{text: "-é", reason: "what is no letter of ASCII may be a blank", want: true},
		{text: `"a"`, reason: "a quote"},
		{text: `","`, reason: "YAML has too many quotes to be sure of one", want: true},
		{text: `","`, reason: "JSON has one", json: true},
		{text: `"\",",`, reason: "JSON, behind a text", json: true, want: true},
	} {
		if err := checkMarks([]byte(full+tt.text), tt.json); (err != nil) != tt.want {
			t.Errorf("%s: %q: %v", tt.reason, tt.text, err)
		}
	}
	for _, mark := range marks {
		if checkMarks([]byte(full+string(mark)), false) == nil {
			t.Errorf("%c is no mark", mark)
		}
		if !strings.ContainsRune(marksText, mark) {
			t.Errorf("messages do not name %c", mark)
		}
	}
	line := strings.Repeat(",", maxLineMarks)
	for end, want := range map[string]bool{"": false, "\n": true, "\r": true, "\r\n": true, `"`: false} {
		if err := checkMarks([]byte(line+end+","), false); (err == nil) != want {
			t.Errorf("%q ends a line, %t; want %t", end, !want, want)
		}
	}
}

// The character that replaces a comma is one that the text does not have.
func TestAbsentRune(t *testing.T) {
	t.Parallel()
	privates := func(from, to rune) string {
		var all strings.Builder
		for r := from; r < to; r++ {
			all.WriteRune(r)
		}
		return all.String()
	}
	for _, tt := range []struct {
		reason, has string
		want        rune
	}{
		{"an empty text", "", ';'},
		{"the first", ";", '~'},
		{"all of one byte but the first", shortMarks[1:], ';'},
		{"all of one byte", shortMarks, firstPrivate},
		{"one more", shortMarks + "\uE000", firstPrivate + 1},
		{"all with the first byte 0xEE", shortMarks + privates(firstPrivate, 0xF000), 0xF000},
		{"all but the last", shortMarks + privates(firstPrivate, lastPrivate), lastPrivate},
		{"all", shortMarks + privates(firstPrivate, lastPrivate+1), 0},
	} {
		for _, form := range []string{"%c", `\x%02x`, `\u%04x`, `\U%08X`} {
			var text strings.Builder
			for _, r := range tt.has {
				if form == `\x%02x` && r > 0xFF {
					fmt.Fprintf(&text, "%c", r)
				} else {
					fmt.Fprintf(&text, form, r)
				}
			}
			if got := absentRune([]byte(text.String())); got != tt.want {
				t.Errorf("%s, written %s: %U, want %U", tt.reason, form, got, tt.want)
			}
		}
	}
	for _, text := range []string{`\`, `\u`, `\u003`, `\U0010FFFF`, `\UFFFFFFFF`, `\x`, `\uzzzz`, `\n`} {
		if got := absentRune([]byte(text)); got != ';' {
			t.Errorf("%s: %U", text, got)
		}
	}
}

// In a text with all characters that could replace a comma, each number counts.
func TestListsCountWithoutMark(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(firstPrivate); r <= lastPrivate; r++ {
		all.WriteRune(r)
	}
	list := "values: [" + strings.Repeat("1,", maxLineMarks) + "1]\n"
	if err := checkMarks([]byte("# "+all.String()+"\n"+list), false); err != nil {
		t.Errorf("with the characters of one byte left: %v", err)
	}
	if err := checkMarks([]byte("# "+shortMarks+all.String()+"\n"+list), false); err == nil {
		t.Error("a list that has no packed form is within the bounds")
	}
}

// A text may be as long as its bound, to be read and to be written.
func TestLongestText(t *testing.T) {
	if err := checkLength(maxText); err != nil {
		t.Error(err)
	}
	if err := checkLength(maxText + 1); err == nil {
		t.Error("one byte more is no error")
	}
	w := writer{b: make([]byte, 3+maxText), start: 3}
	if w.bound(); w.len() != maxText || len(w.b) != 3+maxText {
		t.Errorf("%d bytes of a text of %d are kept", len(w.b)-3, w.len())
	}
	w.b = append(w.b, 0)
	if w.bound(); w.len() != maxText+1 || len(w.b) != 3 {
		t.Errorf("%d bytes of a text of %d are kept", len(w.b)-3, w.len())
	}
}
