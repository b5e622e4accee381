package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDictionary(t *testing.T) {
	t.Parallel()
	words := []string{"b", "a\"\\\x00\xff\n", "", "b", strings.Repeat("x", longest+1), "é"}
	if got, want := string(dictionary(words)), "\"a\\x22\\x5C\\x00\\xFF\\x0A\"\n\"b\"\n\"\\xC3\\xA9\"\n"; got != want {
		t.Errorf("%s, not\n%s", got, want)
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		1: "\x01\x00\x00\x00", -1: "\xff\xff\xff\xff", 0xFFFFFFFF: "\xff\xff\xff\xff", 1 << 32: "\x00\x00\x00\x00\x01\x00\x00\x00",
	} {
		if got := number(n); got != want {
			t.Errorf("%d is % x, not % x", n, got, want)
		}
	}
}

// TestWrite looks for a word of each source.
func TestWrite(t *testing.T) {
	out := t.TempDir()
	t.Chdir("../../..")
	if err := write(out); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, why, word string }{
		{"binary", "a counter type", `"\x00\x04A\x10"`}, // PERF_COUNTER_COUNTER, 0x10410400
		{"binary", "a size", `"X\x00\x00\x00"`},         // of a PERF_DATA_BLOCK, 88
		{"binary", "the signature", `"P\x00E\x00R\x00F\x00"`},
		{"text", "the name of a constant", `"PERF_COUNTER_COUNTER"`},
		{"text", "a field", `"DefinitionLength"`},
		{"text", "a rule", `"PERF1105"`},
		{"text", "a key of a spec", `"objects: "`},
		{"text", "a key of a configuration, in JSON", `"\x22profile\x22: "`},
		{"text", "a mark of YAML", `"!!binary "`},
	} {
		b, err := os.ReadFile(filepath.Join(out, tt.file+".dict"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b, []byte(tt.word+"\n")) {
			t.Errorf("%s has not %s, %s", tt.file, tt.why, tt.word)
		}
	}
}
