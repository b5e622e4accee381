package fuzz_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A change of one byte changes what its part makes, and elsewhere what refers to that.
func TestSmallChangesStaySmall(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		r := rand.New(rand.NewPCG(1, uint64(kind)))
		var parts []int // in a thousand that differ of the leaves
		for seed := range uint64(rounds / 75) {
			data := fuzz.Input(kind, seed, fuzz.Config{})
			for range min(len(data), 30) {
				share, ok := local(t, kind, data, r.IntN(len(data)), byte(r.Uint32()))
				if ok {
					parts = append(parts, share)
				}
			}
		}
		slices.Sort(parts)
		t.Logf("%v: of %d changes of a byte, half change %.1f %% of the model or less, 9 in 10 %.1f %%", kind, len(parts), float64(parts[len(parts)/2])/10, float64(parts[len(parts)*9/10])/10)
	}
}

// local changes a byte of what makes a block and holds the change to its reach. It returns
// how many in a thousand leaves change. One that makes or takes away a part is not tried.
func local(t *testing.T, kind layout.Kind, data []byte, at int, b byte) (share int, tried bool) {
	t.Helper()
	if strings.IndexByte(fuzz.Separators, data[at]) >= 0 || strings.IndexByte(fuzz.Separators, b) >= 0 {
		return 0, false
	}
	changed := bytes.Clone(data)
	changed[at] = b
	m, n := fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}), fuzz.Model(kind, fuzz.FromBytes(changed), fuzz.Config{})
	before, after := leaves(m), leaves(n)
	reach := reachOf(kind, data[:at])
	paths := differing(before, after)
	for path := range paths {
		if reach == nil || !reach.MatchString(path) {
			t.Fatalf("byte %d of\n%q\nas %#x changes in the %v %s, from %v to %v: it reaches %v", at, data, b, kind, path, before[path], after[path], reach)
		}
	}
	if set, ok := m.(*builder.CounterSetRegInfo); ok {
		for _, way := range [][2]*builder.CounterSetRegInfo{{set, n.(*builder.CounterSetRegInfo)}, {n.(*builder.CounterSetRegInfo), set}} {
			if lost := lostFree(way[0], way[1]); lost > 1 {
				t.Fatalf("byte %d of\n%q\nas %#x changes %d counters that have to do with no other", at, data, b, lost)
			}
		}
	}
	return 1000 * len(paths) / max(len(before), 1), true
}

// reachOf returns the reach of a byte that has those before it, nil if it has none.
func reachOf(kind layout.Kind, before []byte) *regexp.Regexp {
	in := reaches[kind]
	counts, last := map[byte]int{}, byte(headBytes)
	for _, b := range before {
		if strings.IndexByte(fuzz.Separators, b) < 0 {
			continue
		}
		if last = b; b == objectBytes && in.object != "" {
			counts = map[byte]int{b: counts[b]}
		}
		counts[b]++
	}
	object := ""
	if in.object != "" && last != headBytes {
		if counts[objectBytes] == 0 {
			return nil // a part of no object
		}
		object = fmt.Sprintf(in.object, counts[objectBytes]-1)
	}
	list := in.of[last]
	if list == nil {
		return nil
	}
	own := strings.NewReplacer("@", object, "#", fmt.Sprint(counts[last]-1))
	return regexp.MustCompile(own.Replace(strings.Join(list, "|")))
}

// lostFree returns how many counters of a set that refer to none, and that none refers to,
// are not in another set, whatever their ids.
func lostFree(set, other *builder.CounterSetRegInfo) (lost int) {
	refers := func(c builder.CounterRegInfo) []*uint32 {
		return slices.DeleteFunc([]*uint32{c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId}, func(id *uint32) bool { return id == nil })
	}
	alone := func(c builder.CounterRegInfo) builder.CounterRegInfo {
		c.CounterId, c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId = 0, nil, nil, nil, nil
		return c
	}
	for _, c := range set.Counters {
		referred := slices.ContainsFunc(set.Counters, func(by builder.CounterRegInfo) bool {
			return slices.ContainsFunc(refers(by), func(id *uint32) bool { return *id == c.CounterId })
		})
		if len(refers(c)) > 0 || referred {
			continue
		}
		if !slices.ContainsFunc(other.Counters, func(o builder.CounterRegInfo) bool { return alone(o) == alone(c) }) {
			lost++
		}
	}
	return lost
}
