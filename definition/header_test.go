package definition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSymbols checks the findings and notes about two kinds of symbols in a header: symbols with a title number but no
// text, and counters that follow the wrong object.
func TestSymbols(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, objects, texts string // symbols
		header                 string // symbols with the numbers 0, 2, 4 and so on; other lines follow after semicolons
		want                   []string
	}{
		{"all symbols have texts, and each follows its object", "A B", "A A_X B B_Y", "A A_X B B_Y", nil},
		{"a symbol without a text is lost", "A", "A A_X", "A A_X A_Y", []string{"A_Y is 4 in the header and has no text, must have a name in [text]"}},
		{"the rule about [objects] reports an object without a text", "A B", "A A_X", "A A_X B", []string{"B has no text, must have a name in [text]"}},
		{"two macros can have the number of one title", "A", "A A_X", "A A_X;#define LAST 2", nil},
		{"a number after a missing number is not a title, and an odd number is not a title", "A", "A A_X", "A A_X;#define MOST 6;#define ODD 3", nil},
		{"a counter before its object is reported", "A B", "A A_X B_Y B", "A A_X B_Y B", []string{"B_Y is 4 in the header, so it is a counter of the object A, must be after the object B and before the next object"}},
		{"a counter after the counters of another object is reported", "A B", "A B B_X A_Y", "A B B_X A_Y", []string{"A_Y is 6 in the header, so it is a counter of the object B, must be after the object A and before the next object"}},
		{"a symbol can begin with the symbols of two objects", "A A_B", "A A_B_X A_B", "A A_B_X A_B", nil},
		{"a symbol belongs to the object with the longest matching symbol", "C A A_B", "C A_B_X A A_B", "C A_B_X A A_B", []string{"A_B_X is 2 in the header, so it is a counter of the object C, must be after the object A_B and before the next object"}},
		{"a symbol need not begin with the symbol of its object", "A B", "A X B Y", "A X B Y", nil},
		{"a part of a word is not a prefix", "A B", "A BX B", "A BX B", nil},
	} {
		var ini strings.Builder
		ini.WriteString("[info]\ndrivername=Shop\nsymbolfile=shop.h\n[languages]\n009=English\n[objects]\n")
		for s := range strings.FieldsSeq(tt.objects) {
			ini.WriteString(s + "_009_NAME=\n")
		}
		ini.WriteString("[text]\n")
		for s := range strings.FieldsSeq(tt.texts) {
			ini.WriteString(s + "_009_NAME=x\n" + s + "_009_HELP=x\n")
		}
		names, more, _ := strings.Cut(tt.header, ";")
		var header strings.Builder
		for i, s := range strings.Fields(names) {
			fmt.Fprintf(&header, "#define %s %d\n", s, 2*i)
		}
		f, err := Read("shop.ini", []byte(ini.String()), singleFile("shop.h", header.String()+strings.ReplaceAll(more, ";", "\n")))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range f.findings() {
			got = append(got, at.Got+", "+at.Want)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if notes := len(f.Notes) - 1; notes != len(got) && !strings.Contains(tt.reason, "[objects]") {
			t.Errorf("%s: the notes are %v", tt.reason, f.Notes)
		}
	}
}
