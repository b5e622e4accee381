package builder_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// twoDisks is filled query data of an answer of two instances and one without, and the
// templates of both. The first answer starts at 48, its instances at 96.
func twoDisks(t *testing.T) (set, single *builder.QueryTemplate, b []byte) {
	t.Helper()
	set, single = compileResult(t, disks()), compileResult(t, builder.SingleCounter(8, 0))
	f := builder.NewQueryFill(nil, builder.QueryData{PerfTimeStamp: 1})
	f.Result(set)
	f.Instance("C:", 10)
	f.Values(1, 2, 3)
	f.Instance("_Total", 11)
	f.Values(4, 5, 6)
	f.Result(single)
	f.Values(7)
	b, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	return set, single, b
}

// A value that is not set stays, and so does all that is behind the data and, where Done
// comes early, behind the answer; the clocks are the new ones.
func TestQueryRefreshKeepsTheRest(t *testing.T) {
	t.Parallel()
	set, single, b := twoDisks(t)
	behind := []byte("behind")
	b = append(b, behind...)
	clocks := builder.QueryData{PerfTimeStamp: 77, PerfFreq: 3, PerfTime100NSec: 5e17}
	r := builder.NewQueryRefresh(b, clocks)
	r.Result(set)
	for r.Next() {
		r.Set64(set.Handle64(1), uint64(r.InstanceId()))
	}
	r.Result(single) // and not its value
	if err := r.Done(); err != nil {
		t.Error(err)
	}
	want := func(single uint64) []byte {
		wanted, err := clocks.Add(disks().Instance("C:", 10, 1, 10, 3).Instance("_Total", 11, 4, 11, 6), builder.SingleCounter(8, single)).MarshalBinary()
		if clocks.Results = nil; err != nil {
			t.Fatal(err)
		}
		return append(wanted, behind...)
	}
	if diff := cmp.Diff(want(7), b); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r = builder.NewQueryRefresh(b, clocks)
	r.Result(set) // and none of its instances
	r.Result(single)
	r.Next()
	r.Values(8)
	if err := r.Done(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want(8), b); diff != "" {
		t.Errorf("the second answer (-want +got):\n%s", diff)
	}
}

// What is not the template's data is found out, by the first length that is not as it was
// at the latest, and before a value is written there.
func TestQueryRefreshRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		spoil  func(b []byte) []byte
		came   int // instances and lone rows before the fault
		want   string
	}{
		{"nothing", func([]byte) []byte { return nil }, 0, "0 bytes, too few for query data"},
		{"half a header", func(b []byte) []byte { return b[:47] }, 0, "47 bytes, too few for query data"},
		{"cut short", func(b []byte) []byte { return b[:len(b)-1] }, 0, "263 bytes for data of a dwTotalSize of 264"},
		{"ends in its header", func(b []byte) []byte { b[0], b[1] = 40, 0; return b }, 0, "264 bytes for data of a dwTotalSize of 40"},
		{"no answers", func(b []byte) []byte { b[4] = 0; return b }, 0, "result[0]: the data has no more answers"},
		{"an answer too few", func(b []byte) []byte { b[4] = 1; return b }, 2, "result[1]: the data has no more answers"},
		{"an answer too many", func(b []byte) []byte { b[4] = 3; return b }, 3, ""},
		{"ends behind the header", func(b []byte) []byte { b[0], b[1] = 48, 0; return b }, 0, "result[0]: 0 bytes, too few for the answer"},
		{"ends inside the answer", func(b []byte) []byte { b[0], b[1] = 200, 0; return b }, 0, "result[0]: 152 bytes of the answer's 184"},
		{"another type", func(b []byte) []byte { b[52] = 4; return b }, 0, "result[0]: the answer is a PERF_MULTIPLE_INSTANCES and no PERF_COUNTERSET"},
		{"another status", func(b []byte) []byte { b[48] = 1; return b }, 0, "result[0]: the answer has another status, other counters or another length"},
		{"another reserved", func(b []byte) []byte { b[60] = 1; return b }, 0, "result[0]: the answer has another status, other counters or another length"},
		{"another id", func(b []byte) []byte { b[72]++; return b }, 0, "result[0]: the answer has another status, other counters or another length"},
		{"ends in its ids", func(b []byte) []byte { b[56] = 16; return b }, 0, "result[0]: the answer has another status, other counters or another length"},
		{"instances of another length", func(b []byte) []byte { b[88]++; return b }, 0, "result[0]: its dwTotalSize is 145, and there are 144 bytes"},
		{"an instance of no length", func(b []byte) []byte { b[96] = 0; return b }, 0, "result[0].instance[0]: its Size is 0"},
		{"an instance without a NUL", func(b []byte) []byte { b[96] = 8; return b }, 0, "result[0].instance[0]: its Size is 8"},
		{"an instance of an odd length", func(b []byte) []byte { b[96] = 17; return b }, 0, "result[0].instance[0]: its Size is 17"},
		{"an instance too long", func(b []byte) []byte { b[98] = 1; return b }, 0, "result[0].instance[0]: it has no values of those lengths"},
		{"an instance longer than 31 bits", func(b []byte) []byte { b[99] = 0xFF; return b }, 0, "result[0].instance[0]: it has no values of those lengths"},
		{"a value of another width", func(b []byte) []byte { b[112] = 8; return b }, 0, "result[0].instance[0]: it has no values of those lengths"},
		{"a value of another length", func(b []byte) []byte { b[148] = 24; return b }, 0, "result[0].instance[0]: it has no values of those lengths"},
		{"too many instances", func(b []byte) []byte { b[92] = 3; return b }, 2, "result[0].instance[2]: the answer ends inside an instance"},
		{"more than 31 bits of instances", func(b []byte) []byte { b[95] = 0xFF; return b }, 2, "result[0].instance[2]: the answer ends inside an instance"},
		{"more behind the last", func(b []byte) []byte { b[92] = 1; return b }, 1, "result[0].instance[0]: 72 bytes behind the last instance"},
		{"a lone value of another width", func(b []byte) []byte { b[248] = 4; return b }, 2, "result[1]: it has no values of those lengths"},
		{"a lone value and more", func(b []byte) []byte { b[240] = 40; return b }, 2, "result[1]: 32 bytes of the answer's 40"},
		{"more behind the last answer", func(b []byte) []byte { b[0], b[1] = 16, 1; return append(b, make([]byte, 8)...) }, 3, "8 bytes behind the last answer"},
	} {
		set, single, b := twoDisks(t)
		if len(b) != 264 {
			t.Fatalf("%d bytes, and the places are of 264", len(b))
		}
		b = c.spoil(b)
		before := bytes.Clone(b)
		r := builder.NewQueryRefresh(b, builder.QueryData{PerfTimeStamp: 1}) // as it was
		came := 0
		for _, template := range []*builder.QueryTemplate{set, single} {
			for r.Result(template); r.Next(); came++ {
			}
		}
		if came != c.came {
			t.Errorf("%s: %d rows came up, want %d", c.reason, came, c.came)
		}
		err := r.Done()
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.reason, err)
			}
			continue
		}
		if !errors.Is(err, builder.ErrForeign) || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.reason, err, c.want)
		}
		if !bytes.Equal(before, b) {
			t.Errorf("%s: it was written to (-before +after):\n%s", c.reason, cmp.Diff(before, b))
		}
		if r.Next() {
			t.Errorf("%s: there is more after the end", c.reason)
		}
	}
}

// A clock that is not given stays; nothing is written before an answer is known for one of
// the template, or Done has found nothing wrong.
func TestQueryRefreshClocks(t *testing.T) {
	t.Parallel()
	was := builder.QueryData{PerfTimeStamp: 1, PerfFreq: 3_000_000, PerfTime100NSec: 5e17}
	monday := layout.SystemTime{WYear: 2024, WMonth: 1, WDayOfWeek: 1, WDay: 1}
	for _, c := range []struct {
		reason    string
		set, want builder.QueryData
	}{
		{"none", builder.QueryData{}, was},
		{"the ticks", builder.QueryData{PerfTimeStamp: 2}, builder.QueryData{PerfTimeStamp: 2, PerfFreq: 3_000_000, PerfTime100NSec: 5e17}},
		{"the ticks in a second", builder.QueryData{PerfFreq: 4}, builder.QueryData{PerfTimeStamp: 1, PerfFreq: 4, PerfTime100NSec: 5e17}},
		{"the moment", builder.QueryData{PerfTime100NSec: 6e17}, builder.QueryData{PerfTimeStamp: 1, PerfFreq: 3_000_000, PerfTime100NSec: 6e17}},
		{"the date", builder.QueryData{SystemTime: monday}, builder.QueryData{PerfTimeStamp: 1, PerfFreq: 3_000_000, SystemTime: monday}},
		{"moment and date", builder.QueryData{SystemTime: monday, PerfTime100NSec: 6e17}, builder.QueryData{PerfTimeStamp: 1, PerfFreq: 3_000_000, SystemTime: monday, PerfTime100NSec: 6e17}},
	} {
		single := compileResult(t, builder.SingleCounter(8, 0))
		before, err := was.Add(builder.SingleCounter(8, 0)).MarshalBinary()
		if was.Results = nil; err != nil {
			t.Fatal(err)
		}
		want, err := c.want.Add(builder.SingleCounter(8, 0)).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b := bytes.Clone(before)
		r := builder.NewQueryRefresh(b, c.set)
		if !bytes.Equal(b, before) {
			t.Errorf("%s: written before there is an answer", c.reason)
		}
		r.Result(single)
		if !bytes.Equal(b, want) {
			t.Errorf("%s: behind an answer (-want +got):\n%s", c.reason, cmp.Diff(want, b))
		}
		b = bytes.Clone(before)
		r = builder.NewQueryRefresh(b, c.set)
		if err := r.Done(); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s: %v, of no answer (-want +got):\n%s", c.reason, err, cmp.Diff(want, b))
		}
		b = bytes.Clone(before)
		r = builder.NewQueryRefresh(b, c.set)
		r.Result(compileResult(t, builder.CounterSet()))
		if err := r.Done(); !errors.Is(err, builder.ErrForeign) || !bytes.Equal(b, before) {
			t.Errorf("%s: %v, and of another's answer (-before +after):\n%s", c.reason, err, cmp.Diff(before, b))
		}
	}
}

// More behind the last instance is found by Done where no answer comes after it.
func TestQueryRefreshOfTheLastAnswer(t *testing.T) {
	t.Parallel()
	set, _, b := twoDisks(t)
	b[92] = 1 // instance of 2
	r := builder.NewQueryRefresh(b, builder.QueryData{})
	for r.Result(set); r.Next(); {
	}
	if err := r.Done(); !errors.Is(err, builder.ErrForeign) || err.Error() != "result[0].instance[0]: 72 bytes behind the last instance" {
		t.Error(err)
	}
}

// An answer whose instances are not as long as it is no answer of the template: no clock is
// written for it.
func TestQueryRefreshOfAnswerThatDoesNotAgree(t *testing.T) {
	t.Parallel()
	set, _, b := twoDisks(t)
	b[88]++ // dwTotalSize
	before := bytes.Clone(b)
	r := builder.NewQueryRefresh(b, builder.QueryData{PerfTimeStamp: 4711})
	r.Result(set)
	if err := r.Done(); !errors.Is(err, builder.ErrForeign) || !bytes.Equal(before, b) {
		t.Errorf("%v; it was written to (-before +after):\n%s", err, cmp.Diff(before, b))
	}
}

// An instance without values may be as short as one can be, and at the very end.
func TestQueryRefreshOfShortestInstance(t *testing.T) {
	t.Parallel()
	set := builder.CounterSet().Instance("abc", 7)
	b, err := new(builder.QueryData{}).Add(set).MarshalBinary()
	if err != nil || len(b) != 48+16+8+8+16 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	template, err := set.Compile()
	if err != nil {
		t.Fatal(err)
	}
	r := builder.NewQueryRefresh(b, builder.QueryData{})
	r.Result(template)
	if !r.Next() || r.InstanceId() != 7 || r.Next() {
		t.Errorf("instance %d", r.InstanceId())
	}
	if err := r.Done(); err != nil {
		t.Error(err)
	}
}

// Data that is refused for its clocks, or for the lack of any, is not touched.
func TestQueryRefreshRefusesClocks(t *testing.T) {
	t.Parallel()
	set, _, b := twoDisks(t)
	before := bytes.Clone(b)
	for _, c := range []struct {
		reason string
		q      builder.QueryData
		want   string
	}{
		{"a clock below 0", builder.QueryData{PerfTimeStamp: -1}, "PerfTimeStamp: -1 is below 0"},
		{"answers beside the clocks", builder.QueryData{Results: make([]builder.Result, 1)}, "1 answers beside the clocks; they come one by one"},
	} {
		r := builder.NewQueryRefresh(b, c.q)
		r.Result(set)
		if err := r.Done(); r.Next() || err == nil || err.Error() != c.want || !bytes.Equal(b, before) {
			t.Errorf("%s: %v, want %s", c.reason, err, c.want)
		}
	}
	var zero builder.QueryRefresh
	if err := zero.Done(); zero.Next() || err != nil {
		t.Errorf("a zero QueryRefresh: %v", err)
	}
	zero.Result(set)
	if err := zero.Done(); !errors.Is(err, builder.ErrForeign) || err.Error() != "an answer, and no data" {
		t.Errorf("an answer of a zero QueryRefresh: %v", err)
	}
	for _, template := range []*builder.QueryTemplate{nil, {}} {
		r := builder.NewQueryRefresh(b, builder.QueryData{})
		r.Result(template)
		if err := r.Done(); !errors.Is(err, builder.ErrCount) || err.Error() != "result[0]: no template" {
			t.Errorf("no template: %v", err)
		}
	}
}

// InstanceId is that of the instance at hand, and 0 where there is none.
func TestQueryRefreshInstanceId(t *testing.T) {
	t.Parallel()
	set, single, b := twoDisks(t)
	r := builder.NewQueryRefresh(b, builder.QueryData{})
	for _, step := range []struct {
		reason string
		do     func()
		want   uint32
	}{
		{"no answer", func() {}, 0},
		{"the first instance", func() { r.Result(set); r.Next() }, 10},
		{"the second", func() { r.Next() }, 11},
		{"behind the last", func() { r.Next() }, 0},
		{"values without an instance", func() { r.Result(single); r.Next() }, 0},
		{"an answer that was left early", func() {
			r = builder.NewQueryRefresh(b, builder.QueryData{})
			r.Result(set)
			r.Next()
			r.Next()
			r.Result(single)
		}, 0},
		{"an instance at fault", func() {
			b[92] = 3 // instances of 2
			r = builder.NewQueryRefresh(b, builder.QueryData{})
			for r.Result(set); r.Next(); {
			}
		}, 0},
	} {
		if step.do(); r.InstanceId() != step.want {
			t.Errorf("%s: %d, want %d", step.reason, r.InstanceId(), step.want)
		}
	}
}

// A row that is refused leaves values that are some: zeros, and the lengths before them;
// nothing is set outside an instance.
func TestQueryRefreshRefusedRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		set    func(r *builder.QueryRefresh, t *builder.QueryTemplate)
		zero   bool
		want   string
	}{
		{"a value that does not fit", func(r *builder.QueryRefresh, _ *builder.QueryTemplate) {
			r.Next()
			r.Values(1, 2, 1<<40)
		}, true, "result[0].instance[0].data[2]: 1099511627776 does not fit the counter's 4 bytes"},
		{"too few", func(r *builder.QueryRefresh, _ *builder.QueryTemplate) {
			r.Next()
			r.Values(1)
		}, false, "result[0].instance[0]: 1 values for 3 counters"},
		{"before the first", func(r *builder.QueryRefresh, t *builder.QueryTemplate) { r.Set32(t.Handle32(0), 1) }, false, "result[0]: a value, and no instance to put it in"},
		{"behind the last", func(r *builder.QueryRefresh, _ *builder.QueryTemplate) {
			for r.Next() {
			}
			r.Values(1, 2, 3)
		}, false, "result[0].instance[1]: values, and no instance to put them in"},
		{"another's handle", func(r *builder.QueryRefresh, _ *builder.QueryTemplate) {
			r.Next()
			r.Set32(compileResult(t, disks()).Handle32(0), 1)
		}, false, "result[0].instance[0].data[0]: the handle is of another template"},
	} {
		set, _, b := twoDisks(t)
		want := bytes.Clone(b)
		if c.zero { // the values of the first instance
			binary.LittleEndian.PutUint32(want[120:], 0)
			binary.LittleEndian.PutUint64(want[136:], 0)
			binary.LittleEndian.PutUint32(want[152:], 0)
		}
		r := builder.NewQueryRefresh(b, builder.QueryData{PerfTimeStamp: 1})
		r.Result(set)
		c.set(&r, set)
		r.Values(9, 9, 9) // without effect
		if r.Next() {
			t.Errorf("%s: there is more behind an error", c.reason)
		}
		if err := r.Done(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.reason, err, c.want)
		}
		if !bytes.Equal(b, want) {
			t.Errorf("%s: (-want +got):\n%s", c.reason, cmp.Diff(want, b))
		}
	}
}

// A set without counters, an answer of an error and a set without instances have nothing
// to set, and are gone through; an error has no values, not even none.
func TestQueryRefreshOfNothing(t *testing.T) {
	t.Parallel()
	bare, failed, none := compileResult(t, builder.CounterSet()), compileResult(t, builder.ErrorReturn(4201)), compileResult(t, disks())
	f := builder.NewQueryFill(bytes.Repeat([]byte{0xEE}, 500)[:0], builder.QueryData{})
	f.Result(bare)
	for _, name := range []string{"", "a", "abc", "abcd", "größe"} {
		f.Instance(name, 1)
	}
	f.Result(failed)
	f.Result(none)
	b, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	set := builder.CounterSet()
	for _, name := range []string{"", "a", "abc", "abcd", "größe"} {
		set.Instance(name, 1)
	}
	want, err := new(builder.QueryData{}).Add(set, builder.ErrorReturn(4201), disks()).MarshalBinary()
	if err != nil || !bytes.Equal(b, want) {
		t.Fatalf("%v (-model +filled):\n%s", err, cmp.Diff(want, b))
	}
	r, steps := builder.NewQueryRefresh(b, builder.QueryData{}), 0
	for _, template := range []*builder.QueryTemplate{bare, failed, none} {
		for r.Result(template); r.Next(); steps++ {
			r.Values()
		}
	}
	if err := r.Done(); err != nil || steps != 5 || !bytes.Equal(b, want) {
		t.Errorf("%v, after %d steps (-model +refreshed):\n%s", err, steps, cmp.Diff(want, b))
	}
}
