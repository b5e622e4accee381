package samples_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

var compareKinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind}

// random returns a valid sample.
func random(kind layout.Kind, seed uint64) samples.Sample {
	s := samples.Sample{Kind: kind}
	if kind == layout.QueryDataKind {
		j := fuzz.Join(fuzz.Seed(seed), fuzz.Config{})
		for i := range j.Identifiers {
			if id := &j.Identifiers[i]; id.Name != "" && seed%2 == 0 {
				id.Name, id.InstanceId = layout.PERF_WILDCARD_INSTANCE, 1<<32-1
			}
		}
		for i := range j.Data.Results {
			if in := j.Data.Results[i].Instances; len(in) > 0 && seed%2 == 0 {
				in[0].Name = layout.PERF_AGGREGATE_INSTANCE
			}
		}
		s.Bytes, s.Context = must(j.Data.MarshalBinary()), must(j.Context())
		if seed%2 == 0 {
			widen(s.Context.Registrations)
		}
	} else {
		s.Bytes = must(fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary())
	}
	return s
}

// widen changes the registrations of counter sets, so that the rules about _Total, bases and clocks apply.
func widen(sets [][]byte) {
	put := func(b []byte, of *layout.Record, field string, n uint32) {
		binary.LittleEndian.PutUint32(b[of.Field(field).At:], n)
	}
	of := &layout.PERF_COUNTER_REG_INFO
	types := []layout.CounterType{layout.PERF_AVERAGE_BULK, layout.PERF_COUNTER_COUNTER, layout.PERF_OBJ_TIME_TIMER}
	for i, b := range sets {
		put(b, &layout.PERF_COUNTERSET_REG_INFO, "InstanceType", uint32(layout.PERF_COUNTERSET_MULTI_AGGREGATE))
		counters := b[layout.SizeofCounterSetRegInfo:]
		for k := 0; k < len(counters); k += layout.SizeofCounterRegInfo {
			n := k / layout.SizeofCounterRegInfo
			put(counters[k:], of, "Type", uint32(types[(n+i)%len(types)]))
			put(counters[k:], of, "AggregateFunc", uint32(n%5))
			next := (k + layout.SizeofCounterRegInfo) % len(counters)
			id := binary.LittleEndian.Uint32(counters[next:])
			put(counters[k:], of, "BaseCounterId", id)
			put(counters[k:], of, "PerfTimeId", id)
			put(counters[k:], of, "PerfFreqId", layout.PERF_WILDCARD_COUNTER)
		}
	}
}

var olderValue = regexp.MustCompile(`(\d+), the (?:value|time) at 0x([0-9a-f]+) of`)

// checkCompare compares two samples, and checks the order of the findings, their places, and their older values.
func checkCompare(t *testing.T, older, newer samples.Sample) validate.Result {
	t.Helper()
	all := must(validate.New(validate.Options{MaxFindings: -1}))
	result := samples.Compare(all, older, newer)
	number := func(b []byte, off int64, n int) string {
		if n == 4 {
			return fmt.Sprint(binary.LittleEndian.Uint32(b[off:]))
		}
		return fmt.Sprint(binary.LittleEndian.Uint64(b[off:]))
	}
	at := int64(0)
	for _, f := range result.Findings {
		if f.Off < at || f.Len <= 0 || f.Off+int64(f.Len) > int64(len(newer.Bytes)) {
			t.Fatalf("%v is out of order, or not in the sample of %d bytes", f, len(newer.Bytes))
		}
		at = f.Off
		if m := olderValue.FindStringSubmatch(f.Want); m != nil && f.Rule.Name != "pair-time" {
			off, _ := strconv.ParseInt(m[2], 16, 64)
			if was, is := number(older.Bytes, off, f.Len), number(newer.Bytes, f.Off, f.Len); was != m[1] || !regexp.MustCompile("^the (value|time|frequency) is "+is+`\b`).MatchString(f.Got) {
				t.Fatalf("%v: the older sample has %s there, and the newer one %s", f, was, is)
			}
		}
	}
	// MaxFindings shortens the list of findings, but does not change the counts.
	few := must(validate.New(validate.Options{MaxFindings: 1}))
	cut := samples.Compare(few, older, newer)
	listed := make(map[validate.Severity]int)
	want := slices.DeleteFunc(slices.Clone(result.Findings), func(f validate.Finding) bool {
		listed[f.Severity]++
		return listed[f.Severity] > 1
	})
	if diff := cmp.Diff(linesOf(want), linesOf(cut.Findings)); diff != "" || cut.Counts != result.Counts {
		t.Fatalf("%+v and %+v, findings with a limit (-want +got):\n%s", result.Counts, cut.Counts, diff)
	}
	return result
}

func linesOf(findings []validate.Finding) (lines []string) {
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%v, %d bytes", f, f.Len))
	}
	return lines
}

// TestCompareItself compares valid samples with themselves. The only findings are that clocks and bases do not
// advance. Then it compares each sample with a copy that has later clocks and larger values, and expects no findings.
func TestCompareItself(t *testing.T) {
	t.Parallel()
	var seen []string
	for seed := range uint64(long.Seeds(600, 2000)) {
		s := random(compareKinds[seed%3], seed)
		for _, f := range checkCompare(t, s, s).Findings {
			switch f.Rule.Name {
			case "pair-time", "pair-base-unchanged", "pair-total": // _Total in random query data is not an aggregate
			default:
				t.Fatalf("seed %d: %v", seed, f)
			}
			if !slices.Contains(seen, f.Rule.Name) {
				seen = append(seen, f.Rule.Name)
			}
		}
		later, last := s, false
		if later.Bytes, last = grow(t, s); last {
			continue
		}
		for _, f := range checkCompare(t, s, later).Findings {
			if f.Rule.Name != "pair-total" {
				t.Fatalf("seed %d, grown: %v", seed, f)
			}
		}
	}
	if len(seen) < 2 {
		t.Errorf("only %q were seen", seen)
	}
}

// grow returns a copy of a sample, as if the sample was taken later. It adds 1 to each clock, to each base, and to each
// counter whose formula uses two samples. In query data, it adds 1 to all counters, because each could be a clock. A
// counter that has its largest value becomes 0. The result last is true if a clock already had its largest value.
func grow(t *testing.T, s samples.Sample) (b []byte, last bool) {
	t.Helper()
	b = slices.Clone(s.Bytes)
	add := func(off int64, n int) {
		if n == 4 {
			binary.LittleEndian.PutUint32(b[off:], binary.LittleEndian.Uint32(b[off:])+1)
		} else if n == 8 {
			binary.LittleEndian.PutUint64(b[off:], binary.LittleEndian.Uint64(b[off:])+1)
		}
	}
	clock := func(off int64, of *layout.Record, fields ...string) {
		for _, field := range fields {
			last = last || binary.LittleEndian.Uint64(b[off+int64(of.Field(field).At):]) == math.MaxInt64
			add(off+int64(of.Field(field).At), 8)
		}
	}
	grows := func(c layout.CounterType) bool {
		f := samples.FormulaOf(c)
		return c.IsBase() || f != nil && f.NeedsTwo()
	}
	var rows layout.Rows
	object := func(o layout.Object, err error) {
		if err == nil {
			err = rows.Open(o)
		}
		clock(o.Off(), &layout.PERF_OBJECT_TYPE, "PerfTime")
		for rows.Next() {
			done := make(map[uint32]bool)
			for _, c := range rows.Counters() {
				if !done[c.CounterOffset()] && grows(c.CounterType()) {
					done[c.CounterOffset()] = true
					add(rows.Block().Off()+int64(c.CounterOffset()), int(c.CounterSize()))
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	switch s.Kind {
	case layout.DataBlockKind:
		clock(0, &layout.PERF_DATA_BLOCK, "PerfTime", "PerfTime100nSec")
		for o, err := range must(layout.ReadDataBlock(s.Bytes)).Objects() {
			object(o, err)
		}
	case layout.ObjectsKind:
		for o, err := range layout.ReadObjects(s.Bytes) {
			object(o, err)
		}
	case layout.QueryDataKind:
		clock(0, &layout.PERF_DATA_HEADER, "PerfTimeStamp", "PerfTime100NSec")
		for r, err := range must(layout.ReadQueryData(s.Bytes)).Results() {
			if err == nil {
				err = rows.OpenResult(r)
			}
			for rows.Next() {
				for i, n := range rows.AppendValues(nil) { // each value can be a clock
					last = last || n == math.MaxInt64 || n == math.MaxUint32
					add(rows.Data(i).Off()+layout.SizeofCounterData, len(rows.Bytes(i)))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return b, last
}

// TestCompareDamaged compares damaged and unrelated samples. It runs alone, because it changes the seed of the hashes.
func TestCompareDamaged(t *testing.T) {
	for seed := range uint64(long.Seeds(600, 2000)) {
		older, newer := random(compareKinds[seed%3], seed), random(compareKinds[seed%3], seed+3*(seed%4/3))
		if seed%2 == 0 {
			older.Bytes = fuzz.Damage(fuzz.Seed(seed), older.Bytes)
		}
		if seed%5 != 0 {
			newer.Bytes = fuzz.Damage(fuzz.Seed(seed+1), newer.Bytes)
		}
		first := checkCompare(t, older, newer)
		samples.Reseed()
		if diff := cmp.Diff(linesOf(first.Findings), linesOf(checkCompare(t, older, newer).Findings)); diff != "" {
			t.Fatalf("seed %d: another seed of the hashes changes the findings:\n%s", seed, diff)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add(uint8(0), []byte{}, []byte{}, []byte{}, []byte{})
	for seed := range uint64(9) {
		s := random(compareKinds[seed%3], seed)
		set := []byte(nil)
		if len(s.Context.Registrations) > 0 {
			set = s.Context.Registrations[0]
		}
		f.Add(uint8(seed%3), s.Bytes, fuzz.Damage(fuzz.Seed(seed), s.Bytes), s.Context.Identifiers, set)
	}
	f.Fuzz(func(t *testing.T, kind uint8, older, newer, identifiers, set []byte) {
		k := compareKinds[int(kind)%len(compareKinds)]
		ctx := validate.Context{Identifiers: identifiers}
		if len(set) > 0 {
			ctx.Registrations = [][]byte{set}
		}
		checkCompare(t, samples.Sample{Kind: k, Bytes: older, Context: ctx}, samples.Sample{Kind: k, Bytes: newer, Context: ctx})
	})
}

// TestCompareSeries compares the blocks of generated series. Their instances come and go, and their values wrap. The only
// findings are about bases that do not change.
func TestCompareSeries(t *testing.T) {
	t.Parallel()
	check := func(name string, m builder.Model, o fuzz.SeriesOptions, ctx validate.Context) bool {
		series, err := fuzz.NewSeries(m, o)
		if err != nil { // for example, two generated counters use the same bytes but require different values
			return false
		}
		older := samples.Sample{}
		for i := range 6 {
			model, err := series.Next()
			if err != nil {
				break // the next time would exceed the largest value of a clock
			}
			newer := samples.Sample{Kind: m.Kind(), Bytes: must(model.MarshalBinary()), Context: ctx}
			if i > 0 {
				for _, f := range checkCompare(t, older, newer).Findings {
					if f.Rule.Name != "pair-base-unchanged" {
						t.Fatalf("%s, block %d: %v", name, i, f)
					}
				}
			}
			older = newer
		}
		return true
	}
	for _, name := range []string{"tiny", "cpu", "process-300"} {
		if w := must(fuzz.FindWorkload(name)); !check(name, w.Block(), fuzz.SeriesOptions{Seed: 1}, validate.Context{}) {
			t.Errorf("%s has no series", name)
		}
	}
	made := 0
	for seed := range uint64(long.Seeds(60, 1000)) {
		o := fuzz.SeriesOptions{Seed: seed}
		d := fuzz.New[builder.DataBlock](fuzz.Seed(seed), fuzz.Config{})
		d.PerfTime, d.PerfFreq, d.PerfTime100nSec = d.PerfTime>>10, 10_000_000, d.PerfTime100nSec>>2
		for i := range d.Objects {
			d.Objects[i].PerfTime, d.Objects[i].PerfFreq = d.Objects[i].PerfTime>>10, 1000
		}
		if check(fmt.Sprint("seed ", seed), d, o, validate.Context{}) {
			made++
		}
		set := fuzz.New[builder.CounterSetRegInfo](fuzz.Seed(seed), fuzz.Config{})
		if len(set.Counters) == 0 {
			continue
		}
		for i := range set.Counters {
			set.Counters[i].AggregateFunc = layout.PERF_AGGREGATE_UNDEFINED // _Total of a series is a sum or an average
		}
		q := fuzz.Query(*set)
		q.Data.PerfTimeStamp, q.Data.PerfFreq, q.Data.PerfTime100NSec = d.PerfTime, d.PerfFreq, d.PerfTime100nSec
		o.Identifiers, o.Sets = q.Identifiers, q.Sets
		if check(fmt.Sprint("set of seed ", seed), &q.Data, o, must(q.Context())) {
			made++
		}
	}
	if made < 60 {
		t.Errorf("only %d series", made)
	}
}
