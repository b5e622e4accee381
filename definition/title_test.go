package definition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/validate"
)

// TestTitleDatabase checks that generated title files have the names and help texts of the .ini file.
func TestTitleDatabase(t *testing.T) {
	t.Parallel()
	all := make(map[string]*Provider)
	for path, text := range definitionFiles(t) {
		all[path] = mustRead(t, path, text).Provider
	}
	for seed := range uint64(long.Count(50, 500)) {
		all[fmt.Sprint("seed ", seed)] = newRandom(seed).provider()
	}
	const first = 5000
	for path, p := range all {
		p.FirstCounter = new(uint32(first))
		reg, err := p.titlesRegistry()
		if err != nil {
			t.Fatal(path, err)
		}
		d, err := titles.Read(reg)
		if err != nil {
			t.Fatal(path, err)
		}
		languages, err := p.lodctrLanguages()
		if err != nil {
			t.Fatal(path, err)
		}
		count := make(map[uint32]int)
		for _, title := range p.Titles() {
			count[title.Number]++
		}
		for _, l := range languages {
			names := d.Names(l.number)
			for _, title := range p.Titles() {
				index := first + title.Number
				want := [2]string{title.nameIn(l.tag), title.Help().In(l.tag)}
				if got := [2]string{names[index], names[index+1]}; count[title.Number] == 1 && count[title.Number+1] == 0 && got != want {
					t.Errorf("%s: %s in %s: got %q, want %q", path, title.Symbol, l.number, got, want)
				}
			}
		}
		text, _, err := p.titlesText()
		if err != nil {
			t.Fatal(path, err)
		}
		if !strings.HasPrefix(path, "seed ") {
			for name, contents := range map[string][]byte{"x.titles.reg": reg, "x.titles.txt": text} {
				if errs := mustRead(t, name, contents).Check(new(validate.Validator)).Err(validate.Info); errs != nil {
					t.Errorf("%s: %s: %v", path, name, errs)
				}
			}
		}
	}
}

// TestTitleOutputs checks the errors about First Counter, and the losses of shop.titles.txt.
func TestTitleOutputs(t *testing.T) {
	t.Parallel()
	const sets = "counterSets:\n  - {name: {de: Warteschlangen, en: Queues}, help: Queues of the shop., counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT}]}\n"
	for _, tt := range []struct{ reason, first, name, want string }{
		{"First Counter must be known", "", "shop.titles.txt", "firstCounter at 1:1: the indexes of the names are not known, must be given; write firstCounter: N, or give --first-counter N"},
		{"an index has 32 bits", "firstCounter: 4294967294\n", "shop.titles.reg", "firstCounter at 2:15: the index of QUEUES_DEPTH is 4294967294 plus 2, must have at most 32 bits"},
		{"a text has names in one language, and no help texts", "firstCounter: 5000\n", "shop.titles.txt",
			"1\n5003\n5000\nQueues\n5002\nDepth\nleft out: the names in the language 007: the output has only the names in the language 009\nleft out: the help texts: the output has names only\n"},
	} {
		list, err := mustRead(t, "shop.yaml", []byte("provider: Shop\n"+tt.first+sets)).Provider.Output(tt.name, nil)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(list[0].Contents)
			for _, l := range list[0].Lost {
				got += "left out: " + l.String() + "\n"
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
