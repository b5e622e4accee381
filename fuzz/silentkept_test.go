package fuzz_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// keptFlips are the inputs on which FuzzNoSilentDamage once failed, and what comes of each
// since: a finding, or a legal change.
var keptFlips = map[string]string{
	"base-without-name":        "name of a base",
	"entry-of-zeros":           "info",
	"identifier-status-mended": "mended",
	"last-entry-of-zeros":      "info",
	"name-at-odd-mended":       "mended",
	"name-of-a-nul":            "info",
	"offset-mended-for-all":    "mended for all",
	"strings-one-fewer":        "info",
	"strings-one-more":         "entries as texts",
}

// TestKeptFlipsAreWhatTheyWere holds each input that is kept to what it is called: where seeds
// make other blocks than before, it is to be written anew.
func TestKeptFlipsAreWhatTheyWere(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/fuzz/FuzzNoSilentDamage/*")
	fatal(t, err)
	for _, path := range files {
		if name := filepath.Base(path); keptFlips[name] == "" {
			t.Errorf("%s is kept, and it is not said what comes of it", name)
		}
	}
	v := strict(t)
	for name, want := range keptFlips {
		text, err := os.ReadFile("testdata/fuzz/FuzzNoSilentDamage/" + name)
		fatal(t, err)
		args := regexp.MustCompile(`(?m)^(?:byte|uint16|\[\]byte)\((.*)\)$`).FindAllStringSubmatch(string(text), -1)
		if len(args) != 4 {
			t.Fatalf("%s: %d arguments", name, len(args))
		}
		field, err := strconv.ParseUint(args[1][1], 0, 16)
		fatal(t, err)
		var was []string
		for _, o := range generatedFlips(t, v, unquoted(t, args[0][1])[0], uint16(field), unquoted(t, args[2][1])[0], unquoted(t, args[3][1])) {
			was = append(was, o.String())
		}
		if !slices.Contains(was, want) {
			t.Errorf("%s comes to %q, want %q among them", name, was, want)
		}
	}
}

// unquoted returns what a character or a text in quotes has.
func unquoted(t *testing.T, s string) []byte {
	t.Helper()
	text, err := strconv.Unquote(s)
	fatal(t, err)
	return []byte(text)
}
