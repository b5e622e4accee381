package form

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// These expressions define a text that needs no quotes in YAML 1.1 and 1.2: plainText matches the text, and otherWord
// does not match it.
var (
	plainText = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*$`)
	otherWord = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null|end)$`)
)

// TestIsPlain compares isPlain with two regular expressions.
func TestIsPlain(t *testing.T) {
	t.Parallel()
	check := func(s string) {
		if got, want := isPlain(s), plainText.MatchString(s) && !otherWord.MatchString(s); got != want {
			t.Errorf("%q: %t, want %t", s, got, want)
		}
	}
	for _, s := range []string{"", "y", "N", "yes", "No", "oN", "OFF", "true", "False", "falſe", "null", "end", "ends", "o", "offs",
		"yes no", " a", "a ", "a  b", "a b c", "a 1", "1 a", "_", "a-", "-a", "a .", "a\n", "a\tb", "é", "aé"} {
		check(s)
	}
	for c := range 256 {
		for _, s := range []string{string([]byte{byte(c)}), string([]byte{'a', byte(c)}), string([]byte{'a', ' ', byte(c)}), string([]byte{'a', byte(c), 'b'})} {
			check(s)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	const letters = "aZ09_.- [@`{/:^x"
	for range 100_000 {
		s := make([]byte, r.IntN(7))
		for i := range s {
			s[i] = letters[r.IntN(len(letters))]
		}
		check(string(s))
	}
}

// TestLongestText checks that a writer keeps a text of the largest length and discards a longer
// text.
func TestLongestText(t *testing.T) {
	const most = 100
	w := Writer{B: make([]byte, 3+most), start: 3, most: most}
	if w.bound(); w.len() != most || len(w.B) != 3+most {
		t.Errorf("the writer has %d bytes of a text of %d, must have all", len(w.B)-3, w.len())
	}
	w.B = append(w.B, 0)
	if w.bound(); w.len() != most+1 || len(w.B) != 3 {
		t.Errorf("the writer has %d bytes of a text of %d, must have none", len(w.B)-3, w.len())
	}
}
