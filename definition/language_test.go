package definition

import (
	"regexp"
	"strings"
	"testing"
)

// TestEnglishFirst checks that in each form the English texts are before the texts in other languages.
func TestEnglishFirst(t *testing.T) {
	t.Parallel()
	p, err := Parse("shop.yaml", []byte(`provider: Shop
firstCounter: 5000
counterSets:
  - name: {string: Q, de: Schlangen, en-US: Queues, fr: Files}
    counters: [{name: {string: D, de: Tiefe, en-US: Depth, fr: Fond}, type: PERF_COUNTER_RAWCOUNT}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason, name, find string
		want               string
	}{
		{"a definition", "x.yaml", `(?m)^ +- name: .*`, "- name: {string: Q, en-US: Queues, de: Schlangen, fr: Files}"},
		{"the section [objects] has the first language", "x.ini", `\w+_NAME=\n`, "QUEUES_009_NAME="},
		{"the section [languages]", "x.ini", `[\dA-F]{3}=[a-z]+`, "009=en 007=de 00C=fr"},
		{"string tables", "x.man", `culture="[\w-]+"`, `culture="en-US" culture="de" culture="fr"`},
		{"string resources", "x.rc", `LANGUAGE 0x[\dA-F]`, "LANGUAGE 0x0 LANGUAGE 0x9 LANGUAGE 0x7 LANGUAGE 0xC"},
		{"title databases", "x.titles.reg", `Perflib\\\d\w+`, `Perflib\009 Perflib\007 Perflib\00C`},
	} {
		files, err := p.Output(tt.name, nil)
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		text, err := decodeText(files[0].Contents, latin)
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		found := regexp.MustCompile(tt.find).FindAllString(strings.ReplaceAll(text, "\r\n", "\n"), -1)
		if got := strings.Join(strings.Fields(strings.Join(found, " ")), " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
}

// TestDecodeText checks texts in the encodings of Windows.
func TestDecodeText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"UTF-8", "aé", "aé"},
		{"UTF-8 with a byte order mark", "\uFEFFaé", "aé"},
		{"UTF-16LE", "\xFF\xFEa\x00\xE9\x00", "aé"},
		{"UTF-16BE", "\xFE\xFF\x00a\x00\xE9", "aé"},
		{"the code page", "a\xE9", "aé"},
		{"the code page after a mark", "\uFEFFa\xE9", "aé"},
		{"the code page after two marks: the second mark is text", "\uFEFF\uFEFFa\xE9", "\u00EF\u00BB\u00BFaé"},
		{"a mark of UTF-16 that is not at the start", "\uFEFF\xFF\xFEa", "\u00FF\u00FEa"},
	} {
		if got, err := decodeText([]byte(tt.text), latin); got != tt.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", tt.reason, got, err, tt.want)
		}
	}
}

// TestKnownLANGID checks that the numbers of Windows languages are known, and that a finding about an unknown number
// says how to write the language.
func TestKnownLANGID(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		if !knownLANGID(l.number) {
			t.Errorf("%s is 0x%04X, which is not known", l.tag, l.number)
		}
	}
	for _, tt := range []struct {
		reason, tag string
		want        string // "" if the number is known
	}{
		{"the primary language alone", "009", ""},
		{"a region of German without a language pack", "de-CH", ""},
		{"a language that has no tag here", "0452", ""},
		{"a script without a region", "7C1A", ""},
		{"a decimal number", "1031", "must be in hexadecimal; 1031 is 0407"},
		{"a decimal number; 0x1043 is region 4 of the primary language 0x43, which has only 2 regions", "1043", "must be in hexadecimal; 1043 is 0413"},
		{"a word of hexadecimal digits", "bed", "must be a known tag such as en or de-DE, or the number of a language, such as 009"},
		{"a tag and a digit", "de2", "must be a known tag such as en or de-DE, or the number of a language, such as 009"},
		{"the neutral language", "0400", "must be a known tag such as en or de-DE, or the number of a language, such as 009"},
	} {
		number, err := LanguageNumber(tt.tag)
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		got := ""
		if !knownLANGID(number) {
			got = wantLANGID(tt.tag)
		}
		if got != tt.want {
			t.Errorf("%s: %s: got %q, want %q", tt.reason, tt.tag, got, tt.want)
		}
	}
}
