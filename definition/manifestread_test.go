package definition

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/validate"
)

// shopManifest is a small manifest. Line 5 has the provider, line 7 the counter.
const shopManifest = `<?xml version="1.0"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
  <instrumentation>
    <counters xmlns="http://schemas.microsoft.com/win/2005/12/counters" schemaVersion="1.1">
      <provider applicationIdentity="shop.exe" providerGuid="{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a01}" symbol="SHOP">
        <counterSet guid="{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a02}" uri="Shop.Queues" symbol="SHOP_QUEUES" name="Queues" description="Queues." instances="multiple">
          <counter id="1" uri="Shop.Queues.Depth" name="Depth" description="Messages." type="perf_counter_rawcount" detailLevel="standard"/>
        </counterSet>
      </provider>
    </counters>
  </instrumentation>
</instrumentationManifest>
`

// TestManifestErrors checks the errors of texts that cannot be read: their places, causes and remedies.
func TestManifestErrors(t *testing.T) {
	t.Parallel()
	with := func(old, text string) string {
		if !strings.Contains(shopManifest, old) {
			t.Fatal(old)
		}
		return strings.Replace(shopManifest, old, text, 1)
	}
	for _, tt := range []struct{ reason, text, want string }{
		{"an empty text has no counters", "", `x.man: the file has no counters element in an instrumentation element: it defines no performance counters`},
		{"XML of another kind has no counters", "<svg/>", `x.man:1:1: the file has no counters element in an instrumentation element: it defines no performance counters`},
		{"a manifest with events only has no counters", `<instrumentationManifest><instrumentation><events/></instrumentation></instrumentationManifest>`, `x.man:1:1: the file has no counters element in an instrumentation element: it defines no performance counters`},
		{"a text without elements has no counters", "provider: Shop", `x.man: the file has no counters element in an instrumentation element: it defines no performance counters`},
		{"an element must end before its parent", "<a><b></a>", `x.man:1:11: the text is not well-formed XML: element <b> closed by </a>`},
		{"a text that is cut off is not well-formed", shopManifest[:400], `x.man:6:68: the text is not well-formed XML: unexpected EOF`},
		{"an attribute must not be repeated", with(`symbol="SHOP">`, `symbol="SHOP" symbol="S">`), `x.man:5:116: the attribute "symbol" is repeated; remove one`},
		{"the value of an attribute must have quotes", with(`symbol="SHOP">`, `symbol=SHOP>`), `x.man:5:110: the text is not well-formed XML: unquoted or missing attribute value in element`},
		{"a DOCTYPE could define entities, so it is refused", with("<instrumentationManifest", "<!DOCTYPE a [<!ENTITY b \"c\">]>\n<instrumentationManifest"), `x.man:2:1: the text has "<!DOCTYPE", which a manifest must not have; remove it`},
		{"only the entities of XML are known", with(`"Queues."`, `"&b;"`), `x.man:6:136: the text is not well-formed XML: invalid character entity &b;`},
		{"XML does not allow control characters", with(`"Queues."`, "\"\x01\""), `x.man:6:135: the text is not well-formed XML: illegal character code U+0001`},
		{"a text without a declared encoding must be UTF-8", with(`"Queues."`, "\"Gr\xF6\xDFe\""), `x.man:6:135: byte 0xf6 is not UTF-8; save the text as UTF-8, or name its encoding in the XML declaration`},
		{"the declared encoding must be known", with(`<?xml version="1.0"?>`, `<?xml version="1.0" encoding="klingon"?>`), `x.man:1:1: the encoding "klingon" is not known; save the text as UTF-8`},
		{"each byte must be a character of the code page", with(`<?xml version="1.0"?>`, "<?xml version='1.0' encoding='windows-1253'?>\n<!-- \xAA -->"), `x.man:2:6: the text has bytes that are not characters of its encoding; save it as UTF-8`},
		{"the second byte of a character must not be missing", with(`<?xml version="1.0"?>`, "<?xml version='1.0' encoding='shift_jis'?>\n<!-- \x81 -->"), `x.man:2:6: the text has bytes that are not characters of its encoding; save it as UTF-8`},
		{"a surrogate pair must be complete", "\xFF\xFE<\x00a\x00/\x00>\x00\x00\xD8", `x.man:1:5: the text has bytes that are not characters of its encoding; save it as UTF-8`},
		{"the depth of elements is limited", strings.Repeat("<a>", 65), `x.man:1:193: the element "a" has 64 ancestors, must have at most 63`},
		{"the number of attributes is limited", with(`symbol="SHOP">`, manyAttributes(99)+`>`), `x.man:5:7: the element "provider" has 101 attributes, must have at most 100`},
		{"the number of problems is limited", with("</provider>", "</provider>"+strings.Repeat("<a/>", 10_001)), `x.man:4:5: the counters element breaks the schema in more than 10000 places; the file is probably not a manifest of performance counters`},
		{"the version of XML must be 1.0", "<?xml version='1.1'?><a/>", `x.man:1:22: the text is not well-formed XML: unsupported version "1.1"; only version 1.0 is supported`},
	} {
		f, err := Read("x.man", []byte(tt.text), nil)
		switch {
		case err == nil:
			t.Errorf("%s: no error, want %s (%v)", tt.reason, tt.want, f.Provider)
		case tt.want != err.Error():
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d=''", i)
	}
	return b.String()
}

// TestManifestEncodings reads a manifest in several encodings. A changed manifest must keep its encoding.
func TestManifestEncodings(t *testing.T) {
	t.Parallel()
	const mark = "\uFEFF"
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	for _, tt := range []struct {
		reason, declaration, name string
		encoding                  encoding.Encoding
		added                     string // the new name of the counter; want is this name in the file
		want                      string
	}{
		{"UTF-8 can be declared", `<?xml version="1.0" encoding="UTF-8"?>`, "Größe 日本", encoding.Nop, "é日", "é日"},
		{"a byte order mark of UTF-8 needs no declaration", mark, "Größe 日本", encoding.Nop, "é日", "é日"},
		{"a declaration can have single quotes", `<?xml version='1.0' encoding='utf-8' standalone='yes'?>`, "Größe", encoding.Nop, "é", "é"},
		{"the bytes decide, and not a declaration of UTF-16", `<?xml version="1.0" encoding="utf-16"?>`, "Größe", encoding.Nop, "é", "é"},
		{"UTF-16 is little-endian if the byte order mark is", mark + `<?xml version="1.0" encoding="utf-16"?>`, "Größe \U0001F600", little, "日", "日"},
		{"UTF-16 is big-endian if the byte order mark is", mark + `<?xml version="1.0" encoding="utf-16"?>`, "Größe", big, "日", "日"},
		{"UTF-16 needs no byte order mark", `<?xml version="1.0" encoding="utf-16"?>`, "Größe", little, "日", "日"},
		{"big-endian UTF-16 needs neither a byte order mark nor a declaration", `<?xml version="1.0"?>`, "Größe", big, "日", "日"},
		{"a character that the code page lacks becomes a reference", `<?xml version="1.0" encoding="Windows-1252"?>`, "Größe €", charmap.Windows1252, "é日", "é&#26085;"},
		{"a code page can be declared", `<?xml version="1.0" encoding="windows-1251"?>`, "Очередь", charmap.Windows1251, "я", "я"},
		{"a code page can have characters of two bytes", `<?xml version="1.0" encoding="shift_jis"?>`, "表示 ソ", japanese.ShiftJIS, "表", "表"},
	} {
		text := tt.declaration + strings.TrimPrefix(shopManifest, `<?xml version="1.0"?>`)
		text = strings.ReplaceAll(strings.Replace(text, `name="Queues"`, `name="`+tt.name+`"`, 1), "  </instrumentation>", "  </instrumentation><!-- "+tt.name+" -->")
		file, err := tt.encoding.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		f := mustRead(t, "x.man", file)
		want := mustRead(t, "x.man", []byte(shopManifest)).Provider
		want.CounterSets[0].Name.Neutral = tt.name
		if diff := cmp.Diff(want, f.Provider, sameProviders); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		f.Provider.CounterSets[0].Counters[0].Name.Neutral = tt.added
		changed, _, err := f.Provider.AppendManifest(nil, ManifestOptions{Into: mustRead(t, "x.man", file)})
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		from, to := bytesOf(t, tt.encoding, text, "<counters"), bytesOf(t, tt.encoding, text, "</counters>")
		if !bytes.HasPrefix(changed, file[:from]) || !bytes.HasSuffix(changed, file[to:]) {
			t.Errorf("%s: other parts of the file change", tt.reason)
		}
		decoded, err := tt.encoding.NewDecoder().Bytes(changed)
		if err != nil || !strings.Contains(string(decoded), `name="`+tt.want+`"`) {
			t.Errorf("%s: %v; the file does not have the name %s:\n%s", tt.reason, err, tt.want, decoded)
		}
		again := mustRead(t, "x.man", changed)
		if got := again.Provider.CounterSets[0].Counters[0].Name.Neutral; got != tt.added {
			t.Errorf("%s: the name is read as %q", tt.reason, got)
		}
	}
}

// bytesOf returns the number of bytes before a part of a text in an encoding.
func bytesOf(t *testing.T, e encoding.Encoding, text, part string) int {
	t.Helper()
	before, _, ok := strings.Cut(text, part)
	b, err := e.NewEncoder().Bytes([]byte(before))
	if !ok || err != nil {
		t.Fatal(part, err)
	}
	return len(b)
}

// TestManifestPlaces checks the places of elements and attributes. Columns count characters.
func TestManifestPlaces(t *testing.T) {
	t.Parallel()
	f := mustRead(t, "x.man", []byte("\uFEFF<a:instrumentation xmlns:a='日'>\r\n\t<counters\txmlns =\n 'http://schemas.microsoft.com/win/2005/12/counters' schemaVersion\n=\n\"2.0\"  ><provider symbol='日本' providerGuid=\"'>\"\n   callback\t= 'custom'/></counters></a:instrumentation>"))
	var got []string
	var walk func(e *manifestElement)
	walk = func(e *manifestElement) {
		got = append(got, fmt.Sprintf("%s%v", e.name, e.at))
		for _, a := range e.attributes {
			got = append(got, fmt.Sprintf("%s %v %s", a.name, a.at, a.value))
		}
		for i := range e.children {
			walk(&e.children[i])
		}
	}
	walk(&f.manifest.counters)
	want := []string{"counters{2 2}", "schemaVersion {3 54} 2.0", "provider{5 9}", "symbol {5 19} 日本", "providerGuid {5 31} '>", "callback {6 4} custom"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// TestManifestSpaces checks how white space and character references in a value are read.
func TestManifestSpaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, value, want string }{
		{"a line end becomes a space", "a\nb", "a b"},
		{"CR LF becomes one space", "a\r\nb", "a b"},
		{"a tab becomes a space", "a\tb", "a b"},
		{"a character reference becomes its character, and not a space", "a&#10;b&#x9;c&#13;", "a\nb\tc\r"},
		{"a line end becomes a space, and references beside it stay", "&lt;\n&#10;&quot;&apos;&amp;", "< \n\"'&"},
		{"a single quote does not end a value in double quotes", "it's\n", "it's "},
		{"spaces at both ends stay", "  a  ", "  a  "},
	} {
		text := strings.Replace(shopManifest, `"Queues."`, `"`+tt.value+`"`, 1)
		if got := mustRead(t, "x.man", []byte(text)).Provider.CounterSets[0].Help.Neutral; got != tt.want {
			t.Errorf("%s: %q is read as %q, want %q", tt.reason, tt.value, got, tt.want)
		}
	}
}

// TestManifestValues checks how wrong and unusual attribute values are reported and kept.
func TestManifestValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, old, text, want, kept string }{
		{"words are case-sensitive", `"multiple"`, `"Multiple"`, "manifest-value", ""},
		{"spaces around a word are not removed", `"multiple"`, `"multiple "`, "manifest-value", ""},
		{"the schema has this type, but no document gives its number", `"perf_counter_rawcount"`, `"perf_counter_composite"`, "manifest-composite-type", ""},
		{"perf_counter_composite is special only as a type", `"multiple"`, `"perf_counter_composite"`, "manifest-value", ""},
		{"an id can be hexadecimal", `id="1"`, `id="0X1f"`, "", `id="31"`},
		{"an id has at most 8 hexadecimal digits", `id="1"`, `id="0x123456789"`, "manifest-value", ""},
		{"an id is not negative", `id="1"`, `id="-1"`, "manifest-value", ""},
		{"spaces around an id are removed", `id="1"`, `id=" 1 "`, "", `id="1"`},
		{"spaces around a URI are removed", `"Shop.Queues"`, `" Shop.Queues "`, "", `uri="Shop.Queues"`},
		{"a URI must not be empty", `"Shop.Queues"`, `""`, "manifest-value", ""},
		{"a GUID must have braces", `"{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a02}"`, `"8C1E0D6A-52B4-4D35-9D1F-0F1F3C2B7A02"`, "manifest-value", `guid="{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a02}"`},
		{"a GUID of zeros identifies nothing", `"{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a02}"`, `"{00000000-0000-0000-0000-000000000000}"`, "manifest-value", ""},
		{"a symbol must be an identifier", `"SHOP"`, `"MY SHOP"`, "manifest-value", `symbol="MY SHOP"`},
		{"the schema allows an empty symbol", `"SHOP"`, `""`, "", `symbol=""`},
		{"a default value in the manifest is written again", `instances="multiple"`, `instances="single"`, "", `instances="single"`},
		{"a scale can have a plus sign", `detailLevel=`, `defaultScale="+3" detailLevel=`, "", `defaultScale="3"`},
		{"another rule reports the range of a scale, so the value stays", `detailLevel=`, `defaultScale="11" detailLevel=`, "manifest-scale", `defaultScale="11"`},
	} {
		text := strings.Replace(shopManifest, tt.old, tt.text, 1)
		f := mustRead(t, "x.man", []byte(text))
		var got []string
		for _, finding := range f.findings() {
			if finding.Rule.Severity != validate.Info && finding.Rule.Name != "manifest-duplicate-set" {
				got = append(got, finding.Rule.Name)
			}
		}
		written, _, err := f.Provider.AppendManifest(nil, ManifestOptions{})
		if strings.Join(got, ", ") != tt.want || err != nil || !strings.Contains(string(written), tt.kept) {
			t.Errorf("%s: findings %v, want %s; %v; the manifest must have %s:\n%s", tt.reason, got, tt.want, err, tt.kept, written)
		}
	}
}

// TestManifestLinear checks that the time for a large manifest and its findings is linear: quadratic code would
// take hours.
func TestManifestLinear(t *testing.T) {
	t.Parallel()
	counter := `<counter id="%d" uri="u%[1]d" name="n%[1]d" description="d" type="perf_raw_fraction" baseID="%[1]d" detailLevel="standard"/>` + "\n"
	var b strings.Builder
	n := long.Count(6_000, 60_000)
	for i := range n {
		fmt.Fprintf(&b, counter, i)
	}
	head, tail, _ := strings.Cut(shopManifest, "        </counterSet>")
	f := mustRead(t, "x.man", []byte(head+b.String()+"</counterSet>"+tail))
	if got := len(f.Provider.CounterSets[0].Counters); got != n+1 {
		t.Fatalf("%d counters", got)
	}
	f.findings()
	if _, _, err := f.Provider.AppendManifest(nil, ManifestOptions{Version: "2.0"}); err != nil {
		t.Fatal(err)
	}
}

// FuzzManifest reads any text as a manifest. Errors must be one line, and findings must have places in the text. A
// provider must not change if it is written as a manifest and read again.
func FuzzManifest(f *testing.F) {
	for _, text := range filesNamed(f, "*.man") {
		f.Add(text)
	}
	f.Add([]byte(shopManifest))
	rules, err := filepath.Glob("testdata/rules/manifest-*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range rules {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".man") {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Read("x.man", text, nil)
		if err != nil {
			if e, is := err.(*Error); !is || strings.ContainsAny(e.Error(), "\x00\n") {
				t.Fatalf("%T %q", err, err)
			}
			return
		}
		lines := bytes.Count(file.manifest.source.text, []byte("\n")) + 1
		for _, at := range file.findings() {
			if at.Line < 1 || at.Line > lines || at.Column < 1 || !utf8.ValidString(at.Got) {
				t.Fatalf("%v at %d:%d of %d lines", at, at.Line, at.Column, lines)
			}
		}
		if file.Provider == nil {
			return
		}
		written, lost, err := file.Provider.AppendManifest(nil, ManifestOptions{})
		if err != nil {
			return
		}
		if lost != nil {
			t.Fatalf("a manifest has values that a manifest does not hold: %v", lost)
		}
		again := mustRead(t, "y.man", written)
		if diff := cmp.Diff(derived(file.Provider), again.Provider, sameProviders); diff != "" {
			t.Fatalf("written and read (-want +got):\n%s\n%s", diff, written)
		}
		second, _, err := again.Provider.AppendManifest(nil, ManifestOptions{})
		if err != nil || !bytes.Equal(second, written) {
			t.Fatalf("%v (-first +second):\n%s", err, cmp.Diff(string(written), string(second)))
		}
		same, _, err := file.Provider.AppendManifest(nil, ManifestOptions{Into: file})
		if err != nil || !bytes.Equal(same, text) {
			t.Fatalf("%v: the file changes (-file +same):\n%s", err, cmp.Diff(string(text), string(same)))
		}
	})
}
