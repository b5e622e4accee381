package main

import (
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	rooms, err := loadRooms(t.Context(), []string{"./testdata/places"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := mutantsOf(rooms[0])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.String())
	}
	want := []string{ // each kind of damage; nothing in what is generated, in an interface, of a capacity, of an assignment to no one
		"8: const first: first = iota + 1 -> first = iota - 1",
		"8: const first: first = iota + 1 -> first = iota + 2",
		"9: const mask: mask = 0xFF -> mask = 0x100",
		"15: list.fill: l.all = make([]T, 0, 16) -> nothing",
		"15: list.fill: l.all = make([]T, 0, 16) -> l.all = make([]T, 1, 16)",
		"16: list.fill: for i := 0; i < n; i++ { -> for i := 1; i < n; i++ {",
		"16: list.fill: for i := 0; i < n; i++ { -> for i := 0; i <= n; i++ {",
		"16: list.fill: for i := 0; i < n; i++ { -> for i := 0; i >= n; i++ {",
		"16: list.fill: for i := 0; i < n; i++ { -> for i := 0; i < n; i-- {",
		"17: list.fill: if i == 3 || !ready(i) { -> if !(i == 3 || !ready(i)) {",
		"17: list.fill: if i == 3 || !ready(i) { -> if i == 3 && !ready(i) {",
		"17: list.fill: if i == 3 || !ready(i) { -> if i != 3 || !ready(i) {",
		"17: list.fill: if i == 3 || !ready(i) { -> if i == 4 || !ready(i) {",
		"18: list.fill: continue -> nothing",
		"20: list.fill: l.all = append(l.all, T(i)) -> nothing",
		`23: list.fill: return errors.New("full" + "er") -> return errors.New("full" - "er")`,
		"28: ready: case even(i): -> case !(even(i)):",
		"29: ready: return true -> return false",
		"31: ready: return i&mask != 0 -> return i&mask == 0",
		"31: ready: return i&mask != 0 -> return i|mask != 0",
		"31: ready: return i&mask != 0 -> return i&mask != 1",
		"34: even: func even(i int) bool { return i%2 == 0 } -> func even(i int) bool { return i%2 != 0 }",
		"34: even: func even(i int) bool { return i%2 == 0 } -> func even(i int) bool { return i*2 == 0 }",
		"34: even: func even(i int) bool { return i%2 == 0 } -> func even(i int) bool { return i%3 == 0 }",
		"34: even: func even(i int) bool { return i%2 == 0 } -> func even(i int) bool { return i%2 == 1 }",
	}
	for i := range want {
		want[i] = "internal/mutants/testdata/places/places.go:" + want[i]
	}
	for _, m := range got {
		if !slices.Contains(want, m) {
			t.Errorf("not wanted: %s", m)
		}
	}
	for _, m := range want {
		if !slices.Contains(got, m) {
			t.Errorf("not there: %s", m)
		}
	}
}

// What equal.txt speaks of is there.
func TestEqualsAreThere(t *testing.T) {
	t.Parallel()
	e, err := readEquals(equalFile)
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := loadRooms(t.Context(), []string{"../../layout", "../../builder", "../../validate", "../../spec"})
	if err != nil {
		t.Fatal(err)
	}
	found := make(equals)
	for _, r := range rooms {
		all, err := mutantsOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.find(all); err != nil {
			t.Error(err)
		}
		for _, m := range all {
			if reason := e.reason(m); reason != "" {
				found[m.name()] = reason
			}
		}
	}
	if len(found) != len(e) {
		t.Errorf("equal.txt has %d entries, and %d are of the packages that are damaged", len(e), len(found))
	}
}

// A test that takes a good part of the time is slow, unless all are quick; what is inside a test is not started by itself.
func TestSlowTests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, out string
		want      []string
	}{
		{"two of three", "=== RUN   TestA\n--- PASS: TestA (0.19s)\n--- PASS: TestB (1.00s)\n    --- PASS: TestB/one (1.00s)\n--- SKIP: TestC (0.00s)\n--- PASS: FuzzD (4.30s)\nPASS\n", []string{"TestB", "FuzzD"}},
		{"all are quick", "--- PASS: TestA (0.09s)\n--- PASS: TestB (0.01s)\n", nil},
	} {
		if got := slowTests([]byte(tt.out)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
