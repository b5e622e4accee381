package page_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

var hostileTexts = []string{
	"", "a", "<script>alert(1)</script>", "</script><b>", "</style>", "</pre><img src=x onerror=alert(1)>", `" onclick="alert(1)`, "' x='", "<!--", "]]>", "&lt;b&gt;",
	"\x1b[2J", "\u202e\u2066", "\r\n", "\xff\xc0\x80", "\u009b", "\U000e0001\U0001f600", "\u2028\x00", "javascript:alert(1)", "{{.}}", "\ufeff<b>", "`${alert(1)}`",
}

// FuzzTextsAreNotMarkup checks that texts add no elements or attributes to a page, and that a page is printable.
func FuzzTextsAreNotMarkup(f *testing.F) {
	for i, text := range hostileTexts {
		f.Add(uint8(i), []byte(text), text, int64(len(text)), i)
		f.Add(uint8(0), append(block(f, "a", "b"), text...), text, int64(-i), -i)
	}
	f.Fuzz(func(t *testing.T, i uint8, b []byte, text string, off int64, n int) {
		kind := layout.Kinds()[int(i)%len(layout.Kinds())]
		check := func(what, hostile, plain string) {
			t.Helper()
			if diff := cmp.Diff(elements(t, plain), elements(t, hostile)); diff != "" {
				t.Errorf("%s: the text changes the elements (-plain +hostile):\n%s", what, diff)
			}
			if i := strings.IndexFunc(hostile, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%s: %q at %d", what, hostile[i:min(len(hostile), i+8)], i)
			}
			if len(hostile) > page.MaxBytes {
				t.Errorf("%s has %d bytes", what, len(hostile))
			}
		}
		hostile, plain := fileWithText(kind, b, text, off, n), fileWithText(kind, b, "x", off, n)
		check("page", write(t, hostile, page.Options{Index: "i" + text, Version: text}), write(t, plain, page.Options{Index: "i", Version: "x"}))
		check("index", indexOf(t, hostile, text), indexOf(t, plain, "x"))
	})
}

// fileWithText returns a file. The name of the file, and each text of its rule and its findings, is equal to
// `text`.
func fileWithText(kind layout.Kind, b []byte, text string, off int64, n int) report.File {
	r := validate.Bytes(kind, b, validate.Context{})
	rule := &validate.Rule{
		ID: text, Name: text, Severity: validate.Warning, Doc: text, Why: text, Fix: text, Needs: text, Since: text, Misread: []string{text},
		Sources: []validate.Source{{Clause: text, URL: text}},
	}
	for _, severity := range validate.Severities() {
		r.Findings = append(r.Findings, validate.Finding{
			Rule: rule, Severity: severity, Reason: text, Path: layout.Path{}.At("object", 0).Field("rest"), Off: off, Len: n, Got: text, Want: text,
		})
	}
	return report.File{Path: text, Input: text, Kind: kind, Block: b, Result: r}
}

func indexOf(t *testing.T, f report.File, text string) string {
	x := page.Index{Version: text}
	x.Add(f)
	x.Unchecked(report.Unchecked{Path: text, Err: errors.New(text)})
	return pages(t, &x, report.End{})[page.IndexName]
}

// elements returns the elements of a page in their order, with the names of their attributes.
func elements(t *testing.T, text string) (list []string) {
	t.Helper()
	document, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for node := range document.Descendants() {
		if node.Type == html.ElementNode {
			var names []string
			for _, a := range node.Attr {
				names = append(names, a.Key)
			}
			slices.Sort(names)
			list = append(list, fmt.Sprintf("%s%v", node.Data, names))
		}
	}
	return list
}
