package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A tally is what became of the mutants of a package.
type tally struct {
	fates [timedOut + 1]int
	equal int // of those that live
}

func (t *tally) count(v verdict, equal bool) {
	t.fates[v.fate]++
	if v.fate == lives && equal {
		t.equal++
	}
}

// writeTallies writes a line for each package. The first score takes equal mutants for living ones, the second leaves them out.
func writeTallies(to io.Writer, rooms []*room, tallies map[*room]*tally) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "package\tdrawn\tnot compiling\tkilled by own tests\tby others\tby time\talive\tequal\tscore\twithout equal\t")
	for _, r := range rooms {
		t := tallies[r]
		dead := t.fates[killed] + t.fates[killedBy] + t.fates[timedOut]
		made := dead + t.fates[lives]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", r.name(), made+t.fates[uncompiled], t.fates[uncompiled],
			t.fates[killed], t.fates[killedBy], t.fates[timedOut], t.fates[lives]-t.equal, t.equal, percent(dead, made), percent(dead, made-t.equal))
	}
	_ = w.Flush()
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}
