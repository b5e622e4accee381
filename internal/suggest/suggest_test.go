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
		{"PERF1440", "; did you mean PERF1404?", "two letters are swapped"},
		{"perf1404", "; did you mean PERF1404?", "the case of letters is ignored"},
		{"inst-length-algn", "; did you mean inst-length-align?", "a letter is left out"},
		{"inst-lenght-min", "; did you mean inst-length-min?", "the nearest of two candidates is suggested"},
		{"object-align", "", "more than a third of the letters differ"},
		{"PERF14", "; did you mean PERF1404?", "a distance of two is allowed for six letters"},
		{"PERF1", "", "a distance of three is too large for five letters"},
		{"PERF1404 new", "; did you mean PERF1404?", "a distance of four is allowed for twelve letters"},
		{"PERF1404 anew", "", "a distance of five is too large for thirteen letters"},
		{"inst-length-foo", "", "the words inst-length- of each candidate do not make it similar"},
		{"inst-lengh-foo", "", "a candidate that is nearer because of a common word is too far"},
		{"", "", "nothing is similar to the empty word"},
		{strings.Repeat("a", 1<<20), "", "a word that is longer than any candidate is not compared, because that would take long"},
	} {
		if got := suggest.DidYouMean(tt.word, candidates); got != tt.want {
			t.Errorf("%.20s: got %q, want %q: %s", tt.word, got, tt.want, tt.reason)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	list := []string{"Hex", "C", "Go"}
	for _, tt := range []struct{ reason, name, want, err string }{
		{"the first item is found", "hex", "Hex", ""},
		{"the last item is found", "go", "Go", ""},
		{"the case counts", "Go", "", `no format "Go": must be one of hex, c, go`},
		{"the empty name is not found", "", "", `no format "": must be one of hex, c, go`},
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
		{"nane", "; did you mean name?", "a similar word has precedence over a contained one"},
		{"Type", "; did you mean CounterType?", "the word is the end of a candidate"},
		{"ID", "; did you mean InstanceId?", "the case of a contained word is ignored"},
		{"guid", "; did you mean CounterSetGuid?", "a word starts with a capital in the candidate, but not in the text"},
		{"LARGE", "; did you mean PERF_LARGE?", "a word can follow an underscore"},
		{"WhatIsMyName", "; did you mean name?", "a candidate is the last word of the text"},
		{"XYZNAME", "", "the candidate is only the end of a word of the text"},
		{"nstanceId", "; did you mean InstanceId?", "a near candidate is suggested even if the text has no whole word of it"},
		{"d", "", "a letter inside a word is not a word"},
		{"set", "; did you mean CounterSetGuid?", "the word is in the middle of a candidate"},
		{"align", "; did you mean length-align?", "a word can follow a hyphen"},
		{"patch", "; did you mean patches?", "the plural of a word can end in es"},
		{"names", "; did you mean name?", "a plural is near its singular"},
		{"", "", "nothing is suggested for the empty word"},
	} {
		got := suggest.Key(tt.word, candidates)
		if name := suggest.Similar(tt.word, candidates); got != tt.want || name == "" != (got == "") || !strings.Contains(got, name) {
			t.Errorf("%s: got %q, want %q: %s", tt.word, got, tt.want, tt.reason)
		}
	}
}
