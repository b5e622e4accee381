package definition

import (
	"slices"
	"testing"
)

// TestPathCharsInNames checks that a rule reports the separators of counter paths in the names of sets and counters.
func TestPathCharsInNames(t *testing.T) {
	t.Parallel()
	text := []byte(`provider: Shop
counterSets:
  - name: Q(x)\y
    help: Help (x).
    counters:
      - {name: {en: A/s, de: B*, fr: B*}, type: PERF_COUNTER_RAWCOUNT}
`)
	f := mustRead(t, "shop.yaml", text)
	manifest, _, err := f.Provider.AppendManifest(nil, ManifestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		file   *File
		want   []string
	}{
		{"a text that two languages have is found once, and a help text can have all characters", f, []string{
			`3:11 counterSet[0].name: the name "Q(x)\\y" has "("`, `6:16 counterSet[0].counter[0].name: the name "B*" has "*"`}},
		{"a manifest without string tables has the English text", mustRead(t, "shop.man", manifest), []string{
			`16:13 counterSet[0].name: the name "Q(x)\\y" has "("`}},
	} {
		var got []string
		for _, f := range tt.file.findings() {
			if f.Rule.Name == "ini-path-chars" {
				got = append(got, decimal(uint32(f.Line))+":"+decimal(uint32(f.Column))+" "+f.Path.String()+": "+f.Got)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}
