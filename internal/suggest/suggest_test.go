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
		{"object-align", "", "more than a third of the letters differ"},
		{"PERF14", "; did you mean PERF1404?", "a distance of two for six letters, the most allowed"},
		{"PERF1", "", "a distance of three for five letters"},
		{"PERF1404 new", "; did you mean PERF1404?", "four more letters in a word of twelve"},
		{"PERF1404 anew", "", "five more letters in a word of thirteen"},
		{"", "", "an empty word"},
		{strings.Repeat("a", 1<<20), "", "longer than any candidate; comparing would take long"},
	} {
		if got := suggest.DidYouMean(tt.word, candidates); got != tt.want {
			t.Errorf("%.20s: got %q, want %q: %s", tt.word, got, tt.want, tt.reason)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b   string
		want   int
		reason string
	}{
		{"gen", "gen", 0, "the same"},
		{"", "gen", 3, "all letters left out"},
		{"gen", "", 3, "all letters added"},
		{"dmup", "dump", 1, "two swapped letters are one edit"},
		{"buld", "build", 1, "a letter left out"},
		{"buiild", "build", 1, "a letter added"},
		{"bulld", "build", 1, "a letter changed"},
	} {
		if got := suggest.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%s, %s: got %d, want %d: %s", tt.a, tt.b, got, tt.want, tt.reason)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	list := []string{"Hex", "C", "Go"}
	for _, tt := range []struct{ reason, name, want, err string }{
		{"the first", "hex", "Hex", ""},
		{"the last", "go", "Go", ""},
		{"the case counts", "Go", "", `no format "Go": must be one of hex, c, go`},
		{"no name is none of them", "", "", `no format "": must be one of hex, c, go`},
	} {
		got, err := suggest.Named("format", tt.name, list, strings.ToLower)
		if got != tt.want || (err != nil) != (tt.err != "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s: %q, %v; want %q, %q", tt.reason, got, err, tt.want, tt.err)
		}
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	candidates := []string{"InstanceId", "CounterType", "CounterSetGuid", "name", "PERF_LARGE", "length-align", "patches"}
	for _, tt := range []struct{ word, want, reason string }{
		{"nane", "; did you mean name?", "a near word first"},
		{"Type", "; did you mean CounterType?", "the last word of a candidate"},
		{"ID", "; did you mean InstanceId?", "the case of letters is ignored"},
		{"guid", "; did you mean CounterSetGuid?", "a word can start with a capital in the candidate and not in the text"},
		{"LARGE", "; did you mean PERF_LARGE?", "a word after an underscore"},
		{"WhatIsMyName", "; did you mean name?", "a candidate is the last word"},
		{"XYZNAME", "", "the candidate is only the end of a word of the text"},
		{"nstanceId", "; did you mean InstanceId?", "a near candidate is suggested even if the text has no whole word of it"},
		{"d", "", "a letter inside a word is not a word"},
		{"set", "; did you mean CounterSetGuid?", "a word in the middle of a candidate"},
		{"align", "; did you mean length-align?", "a word after a hyphen"},
		{"patch", "; did you mean patches?", "the singular of a plural with es"},
		{"names", "; did you mean name?", "a plural"},
		{"", "", "an empty word"},
	} {
		got := suggest.Key(tt.word, candidates)
		if name := suggest.Similar(tt.word, candidates); got != tt.want || name == "" != (got == "") || !strings.Contains(got, name) {
			t.Errorf("%s: got %q, want %q: %s", tt.word, got, tt.want, tt.reason)
		}
	}
}
