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

// The character that stands for a comma is one that the text does not have.
func TestAbsentRune(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason     string
		has, until rune // those before it
		want       rune
	}{
		{"none", firstPrivate, firstPrivate, firstPrivate},
		{"one", firstPrivate, firstPrivate + 1, firstPrivate + 1},
		{"all but the first", firstPrivate + 1, lastPrivate + 1, firstPrivate},
		{"those that begin with 0xEE", firstPrivate, 0xF000, 0xF000},
		{"one more", firstPrivate, 0xF001, 0xF001},
		{"all but the last", firstPrivate, lastPrivate, lastPrivate},
		{"all", firstPrivate, lastPrivate + 1, 0},
	} {
		for _, form := range []string{"%c", `\u%04x`, `\U%08X`} {
			var text strings.Builder
			for r := tt.has; r < tt.until; r++ {
				fmt.Fprintf(&text, form, r)
			}
			if got := absentRune([]byte(text.String())); got != tt.want {
				t.Errorf("%s, written %s: %U, want %U", tt.reason, form, got, tt.want)
			}
		}
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
