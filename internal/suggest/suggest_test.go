package suggest_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/suggest"
)

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	candidates := []string{"PERF1404", "inst-length-align", "inst-length-min"}
	for _, tt := range []struct{ word, want, reason string }{
		{"PERF1440", "; did you mean PERF1404?", "two letters swapped"},
		{"perf1404", "; did you mean PERF1404?", "the wrong case"},
		{"inst-length-algn", "; did you mean inst-length-align?", "a letter left out"},
		{"inst-lenght-min", "; did you mean inst-length-min?", "the nearest of two"},
		{"object-align", "", "more than a letter in three"},
		{"PERF14", "; did you mean PERF1404?", "two of six letters left out, which is as many as may be"},
		{"PERF1", "", "three of five"},
		{"PERF1404 new", "; did you mean PERF1404?", "four of twelve added"},
		{"PERF1404 anew", "", "five of thirteen"},
		{"", "", "nothing at all"},
		{strings.Repeat("a", 1<<20), "", "nothing is as long, and this takes no time"},
	} {
		if got := suggest.DidYouMean(tt.word, candidates); got != tt.want {
			t.Errorf("%.20s: got %q, want %q: %s", tt.word, got, tt.want, tt.reason)
		}
	}
}

func TestSlips(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b   string
		want   int
		reason string
	}{
		{"gen", "gen", 0, "the same"},
		{"", "gen", 3, "all is left out"},
		{"gen", "", 3, "all is too much"},
		{"dmup", "dump", 1, "a swap is one slip"},
		{"buld", "build", 1, "left out"},
		{"buiild", "build", 1, "added"},
		{"bulld", "build", 1, "changed"},
	} {
		if got := suggest.Slips(tt.a, tt.b); got != tt.want {
			t.Errorf("%s, %s: got %d, want %d: %s", tt.a, tt.b, got, tt.want, tt.reason)
		}
	}
}
