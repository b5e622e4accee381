package terminal_test

import (
	"encoding/json"
	"testing"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want, reason string }{
		{"plain text", "plain text", "ASCII is unchanged"},
		{"a\nb\tc", `a\nb\tc`, "a line end would start another message"},
		{"漢 é", "漢 é", "letters of any script are unchanged"},
		{"\x1b[2Jx", `\x1b[2Jx`, "an escape sequence would clear the screen"},
		{"a\u202eb", `a\u202eb`, "the rest of the line would be shown from right to left"},
		{"a\u200bb\ufeff", `a\u200bb\ufeff`, "invisible characters are escaped"},
		{"a\xffb", `a\xffb`, "bytes that are not UTF-8 are escaped"},
		{"a\rb\x9b", `a\rb\x9b`, "a carriage return hides the text before it; 0x9b starts a sequence too"},
		{"\u009bm", `\u009bm`, "0x9b is escaped as a character, too"},
	} {
		if got := terminal.Printable(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// TestJSONReplacement encodes a text that is not UTF-8, decodes the result and encodes it again. Both encodings must be
// equal.
func TestJSONReplacement(t *testing.T) {
	t.Parallel()
	first := string(terminal.JSON("a\xffb", ""))
	var read string
	if err := json.Unmarshal([]byte(first), &read); err != nil {
		t.Fatal(err)
	}
	if again := string(terminal.JSON(read, "")); again != first {
		t.Errorf("got %s, want %s", again, first)
	}
}

func TestPalette(t *testing.T) {
	t.Parallel()
	off, on := terminal.NewPalette(false), terminal.NewPalette(true)
	seen := map[string]bool{}
	for _, s := range append(validate.Severities(), validate.Off) {
		if got := off.Severity(s).Text("x"); got != "x" {
			t.Errorf("%v: %q without colours", s, got)
		}
		got := on.Severity(s).Text("x")
		if seen[got] || got == "x" {
			t.Errorf("%v: %q is no colour of its own", s, got)
		}
		seen[got] = true
	}
	if got := on.Severity(validate.Error + 1).Text("x"); got != "x" {
		t.Errorf("an unknown severity: %q", got)
	}
	if got, want := string(on.Bold.Append(nil, []byte("x"))), on.Bold.Text("x"); got != want {
		t.Errorf("Append gives %q, Text %q", got, want)
	}
}
