package validate_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// counterSet returns query data with one result. Each of its n instances has a value of 4 bytes,
// a value of 8 bytes, and a unique name of the given number of letters.
func counterSet(t testing.TB, n, letters int) []byte {
	t.Helper()
	set := builder.CounterSet().Counter(1, 4).Counter(2, 8)
	for i := range n {
		set.Instance(distinctName(i, letters), uint32(i), uint64(i), 1<<40)
	}
	return encoded(t, new(builder.QueryData{}).Add(set))
}

// distinctName returns a name of the given length that ends in the digits of i.
func distinctName(i, letters int) string {
	name := strings.Repeat("n", letters)
	digits := fmt.Sprint(i)
	return name[:max(0, letters-len(digits))] + digits[max(0, len(digits)-letters):]
}

// encoded returns the bytes of m.
func encoded(t testing.TB, m builder.Model) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPlainInstancesAreCounted checks how many instances of a result the scan accepts. After the
// first instance that it rejects, it accepts no more.
func TestPlainInstancesAreCounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		result *builder.Result
		plain  int64
	}{
		{"one counter: the last of three instances is too near the end of the input", builder.MultipleInstances(8).Instance("a", 1, 2).Instance("b", 3, 4).Instance("c", 5, 6), 2},
		{"two counters: three instances are plain", builder.CounterSet().Counter(7, 8).Counter(9, 4).Instance("a", 1, 2, 3).Instance("b", 3, 4, 5).Instance("c", 5, 6, 7), 3},
		{"the second of three names has a letter that is not ASCII", builder.CounterSet().Counter(7, 8).Counter(9, 4).Instance("a", 1, 2, 3).Instance("ä", 3, 4, 5).Instance("c", 5, 6, 7), 1},
		{"there are no instances", builder.MultipleInstances(8), 0},
	} {
		got := int64(0)
		v, err := validate.New(validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v.CountPlain(&got)
		v.Bytes(layout.QueryDataKind, encoded(t, new(builder.QueryData{}).Add(tt.result)), validate.Context{})
		if got != tt.plain {
			t.Errorf("%s: %d plain instances, want %d", tt.reason, got, tt.plain)
		}
	}
}

// TestQueryScanChecksEveryField requires the same findings with and without the scan. It
// overwrites each DWORD, one at a time, of a PERF_MULTI_INSTANCES result whose instances have no faults.
func TestQueryScanChecksEveryField(t *testing.T) {
	t.Parallel()
	for letters := 1; letters <= 9; letters++ {
		sound := counterSet(t, 4, letters)
		p := newComparison(t, validate.Options{})
		if r := p.requireSame(layout.QueryDataKind, sound, validate.Context{}); len(r.Findings) > 0 || p.skipped() != 4 {
			t.Fatalf("names of %d letters: %d instances plain, %v", letters, p.skipped(), r.Findings)
		}
		for at := 48; at+4 <= len(sound); at += 4 {
			is := binary.LittleEndian.Uint32(sound[at:])
			for _, v := range []uint32{0, 1, 2, 4, 7, 8, 12, 16, 24, 0x2A, 0x3F, 0x2A0041, 0x3F0041, 0x410000, 0xD8000041, 0xE90041, is - 8, is + 8, is ^ 0x200020, 1 << 31, 1<<32 - 1, uint32(len(sound) - at)} {
				b := slices.Clone(sound)
				binary.LittleEndian.PutUint32(b[at:], v)
				p.requireSame(layout.QueryDataKind, b, validate.Context{})
			}
		}
	}
}

// TestQueryScanChecksEveryCharacter requires the same findings with and without the scan. It writes
// each code unit of a list at each position of names of 1 to 26 letters.
func TestQueryScanChecksEveryCharacter(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	found := 0
	for letters := 1; letters <= 26; letters++ {
		sound := counterSet(t, 2, letters)
		name := 48 + 16 + 16 + 8 + 8 // offset of the first instance's name
		for at := range letters + 4 {
			for _, unit := range units {
				b := slices.Clone(sound)
				binary.LittleEndian.PutUint16(b[name+2*at:], unit)
				found += len(p.requireSame(layout.QueryDataKind, b, validate.Context{}).Findings)
			}
		}
	}
	if t.Logf("%d instances plain, %d findings", p.skipped(), found); p.skipped() == 0 || found == 0 {
		t.Error("the names must include plain ones and ones with findings")
	}
}

// TestQueryScanFindsDuplicates requires the same findings with and without the scan for equal and
// similar names and ids.
func TestQueryScanFindsDuplicates(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "A", "aB", "ab", "AB", "[a", "{a", "@", "`", "é", "É", "abcdefgh", "ABCDEFGH", "abcdefghi", "ABCDEFGHi", "ſ", "s", "S"}
	found := map[string]int{}
	for range 3000 {
		set := builder.CounterSet().Counter(1, 4)
		for range 1 + r.IntN(8) {
			in := builder.QueryInstance{Name: names[r.IntN(len(names))], InstanceId: r.Uint32N(3), Values: []uint64{7}}
			if r.IntN(4) == 0 {
				in.Size = 40
			}
			set.Add(in)
		}
		for _, f := range p.requireSame(layout.QueryDataKind, encoded(t, new(builder.QueryData{}).Add(set)), validate.Context{}).Findings {
			found[f.Rule.Name]++
		}
	}
	if t.Logf("%d instances plain, %v", p.skipped(), found); p.skipped() == 0 || found["v2-instance-duplicate"] == 0 || found["v2-instance-name-case-duplicate"] == 0 {
		t.Error("the instances must include duplicates and others")
	}
}

// TestQueryScanChecksWidths checks that the scan does not skip an instance with a value whose
// width does not match the registered type.
func TestQueryScanChecksWidths(t *testing.T) {
	t.Parallel()
	known := validate.Context{Registrations: [][]byte{encoded(t, builder.NewCounterSetRegInfo(layout.GUID{Data1: 1}, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_RAWCOUNT).Counter(2, layout.PERF_COUNTER_LARGE_RAWCOUNT))}}
	p := newComparison(t, validate.Options{})
	sound := counterSet(t, 5, 3)
	if r := p.requireSame(layout.QueryDataKind, sound, known); len(r.Findings) > 0 || p.skipped() == 0 {
		t.Errorf("%d instances plain, %v", p.skipped(), r.Findings)
	}
	at := len(sound) - 16
	binary.LittleEndian.PutUint32(sound[at:], 4)
	binary.LittleEndian.PutUint32(sound[at+12:], 0)
	r := p.requireSame(layout.QueryDataKind, sound, known)
	if len(r.Findings) != 1 || r.Findings[0].Rule.Name != "v2-counter-data-width-type" {
		t.Errorf("%v", r.Findings)
	}
}

// TestQueryScanChecksCommonPrefixes requires the same findings with and without the scan for names
// with a common prefix.
func TestQueryScanChecksCommonPrefixes(t *testing.T) {
	t.Parallel()
	const most = 100 // letters, more than the scan stores of a name
	p := newComparison(t, validate.Options{})
	r := rand.New(rand.NewPCG(3, 4))
	name := []byte(strings.Repeat("a", most))
	repeated := 0
	for range 400 {
		set := builder.CounterSet().Counter(1, 4)
		for i := range 12 {
			if at := r.IntN(most); r.IntN(3) > 0 { // otherwise the name or a prefix of it is repeated
				name[at] = "abAB0*"[r.IntN(6)]
			}
			set.Add(builder.QueryInstance{Name: string(name[:most-16*r.IntN(6)]), InstanceId: uint32(i), Values: []uint64{7}})
		}
		for _, f := range p.requireSame(layout.QueryDataKind, encoded(t, new(builder.QueryData{}).Add(set)), validate.Context{}).Findings {
			if f.Rule.Name == "v2-instance-name-case-duplicate" {
				repeated++
			}
		}
		if r.IntN(8) == 0 {
			name = []byte(strings.Repeat("a", most))
		}
	}
	if t.Logf("%d instances plain, %d repeated", p.skipped(), repeated); p.skipped() == 0 || repeated == 0 {
		t.Error("the names must include plain ones and ones with findings")
	}
}

// TestQueryScanCountsNameSearch checks that the scan and the rules count the same bytes toward the
// search limit.
func TestQueryScanCountsNameSearch(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	odd := func(id uint32, letter string) []byte {
		return poke(append(instanceHeader(id, text(letter+"\x00")), 0, 0, 0, 0), 0, 20)
	}
	// In instances without values, the scan and the rules search for the NUL of the name.
	one := resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(4, instanceHeader(1, text("a\x00")), instanceHeader(2, text("b\x00")), odd(3, "c"), odd(4, "d")))
	if found := p.requireSame(layout.QueryDataKind, queryBytes(one), validate.Context{}).Findings; len(found) == 0 {
		t.Error("a result without values has no finding")
	}
}

// TestQueryScanComparesPrefixes checks names that share most letters: only a repeated name with the
// same id is a duplicate.
func TestQueryScanComparesPrefixes(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	for at := 0; at < 96; at += 4 {
		before := strings.Repeat("A", 96)
		name := before[:at] + "...." + before[at+4:]
		set := builder.CounterSet().Counter(1, 8)
		for i, name := range []string{before + "x", name + "y", "between", name + "y", before + "z", "after, so that the instance before is not the last"} {
			set.Instance(name, uint32(i), 1)
		}
		if found := p.requireSame(layout.QueryDataKind, encoded(t, new(builder.QueryData{}).Add(set)), validate.Context{}).Findings; len(found) > 0 {
			t.Errorf("letters %d to %d: %v for names with different ids", at, at+4, found)
		}
		set.Instances[3].InstanceId = set.Instances[1].InstanceId
		found := p.requireSame(layout.QueryDataKind, encoded(t, new(builder.QueryData{}).Add(set)), validate.Context{}).Findings
		if len(found) != 1 || found[0].Rule.Name != "v2-instance-duplicate" {
			t.Errorf("letters %d to %d: %v", at, at+4, found)
		}
	}
}
