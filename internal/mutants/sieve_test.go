package main

import (
	"slices"
	"testing"
)

// What is in a sieve is told there: of the functions with names for all they are given, what compiles.
func TestSieve(t *testing.T) {
	t.Parallel()
	rooms, err := loadRooms(t.Context(), []string{"./testdata/sieved"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := mutantsOf(rooms[0])
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{dir: t.TempDir(), patience: usualPatience}
	s, err := tr.newSieve(t.Context(), rooms[0], all)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(s.quick, "-test.skip=^(TestMethods)$") {
		t.Errorf("what fails as it is is not left out: %q", s.quick)
	}
	var got []string
	for _, m := range all {
		v, err := s.try(t.Context(), tr, m)
		if err != nil {
			t.Fatal(err)
		}
		if _, in := s.numbers[m]; in {
			got = append(got, v.String()+": "+m.in+": "+m.to)
		}
	}
	const dead = "killed by internal/mutants/testdata/sieved: "
	want := []string{
		dead + "pair.Sum: func (p pair) Sum() int { return p.a - p.b }",
		dead + "last: func last[T any](list ...T) T { return list[len(list)+1] }",
		dead + "last: func last[T any](list ...T) T { return list[len(list)-2] }",
		dead + "add: nothing",
		dead + "add: *to -= n",
		dead + "add: if n <= 100 {",
		"lives: add: if n >= 100 {",
		"lives: add: if n > 101 {",
		"lives: add: nothing",
		"lives: add: *to = 8",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
