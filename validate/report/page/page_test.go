package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

func encode(t testing.TB, m encoding.BinaryMarshaler) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// block returns a data block with the given instances.
func block(t testing.TB, names ...string) []byte {
	t.Helper()
	o := builder.NewObject(238).Counter(6, layout.PERF_COUNTER_RAWCOUNT)
	for i, name := range names {
		o.Instance(name, uint64(i))
	}
	return encode(t, builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*o}})
}

// checked returns a file with the findings of the given rules. All other rules are off, so a new rule does not change
// the golden files.
func checked(t testing.TB, path string, b []byte, only ...string) report.File {
	t.Helper()
	var overrides []validate.Override
	for _, r := range validate.Rules() {
		overrides = append(overrides, validate.Override{Rule: r.ID, Severity: validate.Off})
	}
	for _, name := range only {
		overrides = append(overrides, validate.Override{Rule: name})
	}
	v, err := validate.New(validate.Options{MaxFindings: -1, Overrides: overrides})
	if err != nil {
		t.Fatal(err)
	}
	return report.File{Path: path, Kind: layout.DataBlockKind, Block: b, Result: v.Bytes(layout.DataBlockKind, b, validate.Context{})}
}

// faulty returns a file with an error, two warnings and hostile names.
func faulty(t testing.TB) report.File {
	t.Helper()
	b := block(t, "<script>alert(1)</script>", "evil\u202egpj.exe", "a/b")
	binary.LittleEndian.PutUint32(b[12:], 7)
	b = append(b, "trailing bytes"...)
	return checked(t, "captures/<b>\u202e.bin", b, "data-version", "inst-name-special", "data-trailing-bytes", "data-total-length")
}

func write(t testing.TB, f report.File, o page.Options) string {
	t.Helper()
	var out strings.Builder
	if err := page.Write(&out, f, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// inlined matches the style sheet and the script of a page, and the explanations of rules.
var inlined = regexp.MustCompile(`(?s)<(style|script|pre)>.*?</(?:style|script|pre)>`)

// withoutInlined removes the style sheet, the script and the explanations from a page. The golden files do not
// have these texts.
func withoutInlined(html string) string {
	html = inlined.ReplaceAllString(html, "<$1>...</$1>")
	return regexp.MustCompile(`sha256-.*?=`).ReplaceAllString(html, "sha256-...=")
}

func TestGolden(t *testing.T) {
	t.Parallel()
	small := checked(t, "-", []byte{1, 2, 3}, "data-truncated")
	small.Kind, small.Input, small.Detected = layout.ObjectsKind, "hex", true
	known := checked(t, "known.bin", block(t, "a"))
	known.Suppressed = 290
	var text report.File // a definition; its names are escaped, and its findings have their lines
	text.Path, text.Form, text.Block = "shop.yaml", "yaml", []byte("provider: Shop\n  scale: 11 # <b>\u202e\n")
	for _, column := range []int{10, 10, 3} {
		found := validate.Finding{Rule: validate.Rules()[0], Severity: validate.Error, Line: 2, Column: column, Got: "scale is 11"}
		text.Result.Findings = append(text.Result.Findings, found)
		text.Result.Counts.Error++
	}
	for _, tt := range []struct {
		name   string
		file   report.File
		o      page.Options
		reason string
	}{
		{"faulty", faulty(t), page.Options{Index: page.IndexName, Version: "v1.2.3"}, "findings of several rules, and hostile names"},
		{"cut", small, page.Options{}, "no link to an index; a block in hex, whose kind was detected"},
		{"clean", checked(t, "clean.bin", block(t, "a")), page.Options{}, "no findings"},
		{"suppressed", known, page.Options{}, "the number of suppressed findings"},
		{"empty", checked(t, "empty.bin", nil, "data-truncated"), page.Options{}, "no bytes"},
		{"text", text, page.Options{}, "a page about a text shows lines instead of bytes and fields"},
	} {
		golden.File(t, "testdata/"+tt.name+".html", withoutInlined(write(t, tt.file, tt.o)))
	}
}

// TestPolicy checks that the policy of a page allows its style sheet and its script.
func TestPolicy(t *testing.T) {
	t.Parallel()
	html := write(t, faulty(t), page.Options{})
	for _, name := range []string{"style", "script"} {
		text := regexp.MustCompile(`(?s)<` + name + `>(.*)</` + name + `>`).FindStringSubmatch(html)[1]
		sum := sha256.Sum256([]byte(text))
		want := strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;")
		if !strings.Contains(html, name+"-src &#39;sha256-"+want) {
			t.Errorf("the policy does not allow the %s", name)
		}
	}
}

// TestLimits checks pages that reach a limit: the largest size of a page, or the largest number of listed findings.
func TestLimits(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("large pages take seconds; set PERFBLOCK_LONG=1")
	}
	names := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf("a/%d", i)
	}
	many := checked(t, "many.bin", block(t, names...), "inst-name-special", "data-version")
	binary.LittleEndian.PutUint32(many.Block[12:], 7)
	worse := checked(t, "worse.bin", many.Block, "inst-name-special", "data-version")
	worse.Result.Findings[1234].Severity = validate.Error
	long := checked(t, "long.bin", many.Block, "inst-name-special")
	for i := range long.Result.Findings {
		long.Result.Findings[i].Got = strings.Repeat(`"`, 100_000)
	}
	counted := checked(t, "counted.bin", many.Block)
	counted.Result.Counts.Warning, counted.Result.Truncated = 77, true
	texts := checked(t, "texts.bin", block(t, strings.Repeat("<", 30_000)))
	unread := checked(t, "unread.bin", append(block(t, "a"), make([]byte, 20<<20)...), "data-trailing-bytes")
	for _, tt := range []struct {
		file     report.File
		findings int
		contains []string
		reason   string
	}{
		{many, page.MaxFindings, []string{"lists 2000 of 3000 findings", `<td class="number">1000</td>`, "2000 of 3000 findings"}, "the page lists 2000 of 3000 findings"},
		{worse, page.MaxFindings, []string{"lists 2000 of 3001 findings", `data-severity="error">`, "0x000c"}, "the only error is listed before the warnings"},
		{long, -1, []string{" of 3000 findings, errors before", "&#34;..."}, "if texts are long, the page lists as many findings as it has space for"},
		{counted, 0, []string{"77 warnings", "77 findings are counted but not listed: the limit of findings was reached."}, "the page has the number of findings that are not listed"},
		{texts, 0, []string{"&lt;...", "all bytes of the block"}, "a long name is cut"},
		{unread, 1, []string{"up to 64 bytes before and after each listed finding"}, "bytes without a field are left out"},
	} {
		html := write(t, tt.file, page.Options{})
		if len(html) > page.MaxBytes {
			t.Errorf("%s: the page has %d bytes", tt.reason, len(html))
		}
		if n := strings.Count(html, "<li "); n != tt.findings && (tt.findings >= 0 || n < 100 || n >= page.MaxFindings) {
			t.Errorf("%s: the page lists %d findings, want %d", tt.reason, n, tt.findings)
		}
		for _, want := range tt.contains {
			if !strings.Contains(html, want) {
				t.Errorf("%s: the page has no %q", tt.reason, want)
			}
		}
	}
}

// TestDenseBlock checks that a dump ends early if the page would be too large. The block has a value at almost
// every byte.
func TestDenseBlock(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("large pages take long with the race detector")
	}
	const counters = 180
	o := builder.NewObject(238)
	values := make([]uint64, counters)
	for i := range values {
		values[i] = math.MaxUint64 // values that overlap must have the same bytes
		o.Counters = append(o.Counters, builder.Counter{
			CounterNameTitleIndex: uint32(6 + 2*i), CounterType: layout.PERF_COUNTER_100NS_QUEUELEN_TYPE, CounterOffset: uint32(4 + i),
		})
	}
	for i := range 255 {
		o.Instance(fmt.Sprint(i), values...)
	}
	f := checked(t, "dense.bin", encode(t, builder.DataBlock{Objects: []builder.Object{*o}}))
	html := write(t, f, page.Options{})
	if n := strings.Count(html, " | value["); len(f.Block) > page.WholeBlock || len(html) > page.MaxBytes || n < 30_000 || n == 255*counters {
		t.Errorf("the page of %d bytes has %d bytes and %d values", len(f.Block), len(html), n)
	}
	if !strings.Contains(html, "The text ends early, because the page would be too large.") {
		t.Error("the page does not say that it ends early")
	}
}

// TestBytesAround checks that the page of a large block has the bytes around each listed finding.
func TestBytesAround(t *testing.T) {
	t.Parallel()
	names := make([]string, 20_000)
	for i := range names {
		if names[i] = fmt.Sprintf("instance%d", i); i%997 == 0 {
			names[i] = fmt.Sprintf("instance/%d", i)
		}
	}
	f := checked(t, "large.bin", block(t, names...), "inst-name-special")
	if len(f.Block) <= page.WholeBlock || len(f.Result.Findings) != 21 {
		t.Fatalf("the block has %d bytes and %d findings", len(f.Block), len(f.Result.Findings))
	}
	html := write(t, f, page.Options{})
	shown := map[int64]byte{}
	for _, line := range regexp.MustCompile(`(?m)^([0-9a-f]{4,}) \| ((?:[0-9a-f]{2} )*)`).FindAllStringSubmatch(html, -1) {
		var off int64
		var bytes []byte
		if _, err := fmt.Sscanf(line[1], "%x", &off); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(strings.ReplaceAll(line[2], " ", ""), "%x", &bytes); err != nil {
			t.Fatal(err)
		}
		for i, b := range bytes {
			shown[off+int64(i)] = b
		}
	}
	for _, found := range f.Result.Findings {
		for at := max(0, found.Off-64); at < min(int64(len(f.Block)), found.Off+int64(found.Len)+64); at++ {
			if b, ok := shown[at]; !ok || b != f.Block[at] {
				t.Fatalf("the byte at 0x%x is %02x, %v, want %02x", at, b, ok, f.Block[at])
			}
		}
	}
	if len(shown) > 21*200+64 {
		t.Errorf("the page has %d bytes of the block", len(shown))
	}
}

// TestWriteFails checks the errors of Write.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	if err := page.Write(failing{}, faulty(t), page.Options{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want the error of the writer", err)
	}
	var out bytes.Buffer
	unchecked := report.File{Kind: layout.Kind(99), Result: validate.Bytes(layout.Kind(99), nil, validate.Context{})}
	if err := page.Write(&out, unchecked, page.Options{}); !errors.Is(err, unchecked.Result.Unchecked) || out.Len() > 0 {
		t.Errorf("got %v and %q for a file that was not validated", err, out.String())
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// TestTitles checks that a page shows the names of title indexes, and that a name cannot contain markup.
func TestTitles(t *testing.T) {
	t.Parallel()
	f := checked(t, "a.bin", block(t, "x", "a/b"), "inst-name-special")
	var b strings.Builder
	err := page.Write(&b, f, page.Options{Names: func(index uint32) (string, bool) { return fmt.Sprintf("<b>\u202e%d", index), index == 6 }})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`object[0].instance[1].Name &#34;&lt;b&gt;\u202e238&#34; (238)</code>`,
		`CounterNameTitleIndex = 6   &#34;&lt;b&gt;\u202e6&#34; (built in)`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
