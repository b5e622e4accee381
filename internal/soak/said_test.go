package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Of what is long the begin and the end are kept, in their order, and how much lies between.
func TestSaid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		n      int
		left   string
		after  int // the first line behind what is left out
	}{
		{"nothing", 0, "", 0},
		{"as long as the head", 100, "", 0},
		{"as long as both", 200, "", 0},
		{"one more", 201, "[1 lines are left out]", 101},
		{"the ring is full again", 300, "[100 lines are left out]", 200},
		{"more than twice around", 455, "[255 lines are left out]", 355},
	} {
		var s said
		var want []string
		for i := range tt.n {
			line := fmt.Sprint(i)
			s.add(line)
			switch {
			case i == 100 && tt.left != "":
				want = append(want, tt.left)
				fallthrough
			default:
				if i < 100 || i >= tt.after {
					want = append(want, line)
				}
			}
		}
		if got := s.lines(); !slices.Equal(got, want) {
			t.Errorf("%s: %q", tt.reason, got)
		}
		if len(s.head)+len(s.tail) > 200 {
			t.Errorf("%s: it keeps %d lines", tt.reason, len(s.head)+len(s.tail))
		}
	}
}

func TestEachLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", longestLine)
	for _, tt := range []struct {
		reason, text string
		want         []string
	}{
		{"nothing", "", nil},
		{"the last line has an end", "a\nb\n", []string{"a", "b"}},
		{"the last line has none", "a\nb", []string{"a", "b"}},
		{"an empty line", "a\n\nb\n", []string{"a", "", "b"}},
		{"ends of Windows", "a\r\nb\r\n", []string{"a", "b"}},
		{"a long line is cut and the next is whole", long + "yyy\nb\n", []string{long + " [3 bytes are left out]", "b"}},
		{"a very long one", strings.Repeat(long, 3) + "\nb\n", []string{long + " [131072 bytes are left out]", "b"}},
		{"a long last line without an end", long + "yy", []string{long + " [2 bytes are left out]"}},
	} {
		var got []string
		eachLine(strings.NewReader(tt.text), func(line string) { got = append(got, line) })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %d lines", tt.reason, len(got))
		}
	}
}
