package definition

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestINILosses checks the messages about values that an .ini file and its header do not have. It also checks which
// messages remain if all forms are written.
func TestINILosses(t *testing.T) {
	t.Parallel()
	const text = `provider: Shop
guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a01}"
service: shopsvc
counterSets:
  - name: {neutral: Colour sets, en: Color sets, en-GB: Colour sets., de-DE: Farben}
    instances: multiple
    counters:
      - {name: {neutral: Red, en: Red, en-US: Red, pt-BR: Vermelho, pt-PT: Encarnado}, type: PERF_RAW_FRACTION, base: {name: All}}
      - {name: Blue, type: PERF_RAW_FRACTION, base: Sum, help: {en-GB: Colour, en-US: Color}}
      - {name: {neutral: Sum, en: Total, de: Summe, pt-BR: a, pt-PT: b}, type: PERF_RAW_BASE, title: 6}
`
	const texts = `counterSet[0].name at 5:11: the text "Colour sets." in the language en-GB: an .ini file has one text for all regions of a language
counterSet[0].counter[2].help at 9:64: the text "Color" in the language en-US: an .ini file has one text for all regions of a language
counterSet[0].counter[3].name at 10:16: the text "Sum" of the key "neutral" is not written: each language of the .ini file has its own text
`
	const others = `counterSet[0].counter[1] at 8:119: the base "All": an .ini file has only bases with a title number, and this base has no key "title"
guid, instances, type and base: an .ini file and its header have names, help texts, symbols and numbers only
`
	p := mustRead(t, "shop.yaml", []byte(text)).Provider
	one, err := p.Output("shop.ini", nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.Outputs(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, appended, err := p.AppendINI(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		lost   []Loss
		want   string
	}{
		{"an .ini file is the only output", one[0].Lost, texts + others},
		{"the other forms have the other values", all[2].Lost, texts},
		{"a caller of AppendINI writes no other form", appended, texts + others},
	} {
		var got strings.Builder
		for _, l := range tt.lost {
			got.WriteString(l.String() + "\n")
		}
		if diff := cmp.Diff(tt.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
