package builder_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// disks is a set of both widths, and of an odd number of ids.
func disks() *builder.Result { return builder.CounterSet().Counter(1, 4).Counter(2, 8).Counter(3, 4) }

func compileResult(t testing.TB, r *builder.Result) *builder.QueryTemplate {
	t.Helper()
	template, err := r.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// What was compiled does not change with the answer that it came from, whose instances
// are no part of it.
func TestQueryTemplateIsACopy(t *testing.T) {
	t.Parallel()
	r := disks().Instance("C:", 1, 2) // 2 values for 3 counters
	template := compileResult(t, r)
	r.Counters[0] = builder.QueryCounter{CounterId: 9}
	r.Counter(4, 8)
	f := builder.NewQueryFill(nil, builder.QueryData{})
	f.Result(template)
	f.Instance("C:", 7)
	f.Values(1, 2, 3)
	want, err := new(builder.QueryData{}).Add(disks().Instance("C:", 7, 1, 2, 3)).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}

// What cannot be encoded cannot be compiled, and the error is the same; and there is what
// a template alone cannot hold.
func TestCompileResultRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		r      builder.Result
		want   string
	}{
		{"a type that there is not", builder.Result{Type: 3}, "result[0].Type: 3 is not one of the five types"},
		{"two counters where one is", *builder.MultipleInstances(4).Counter(0, 4), "result[0].Counters: PERF_MULTIPLE_INSTANCES goes with one counter, and there are 2"},
		{"a size of no number", *builder.CounterSet().Counter(1, 3), "result[0].counter[0].Size: 3 is no size of a number: it is 4, 8 or 0"},
		{"no padding to leave out", builder.Result{Type: layout.PERF_COUNTERSET, ShortIDs: true}, "result[0].ShortIDs: only an odd number of ids has padding behind it"},
	} {
		template, err := c.r.Compile()
		_, encoding := builder.QueryData{Results: []builder.Result{c.r}}.MarshalBinary()
		if template != nil || err == nil || encoding == nil || err.Error() != c.want || encoding.Error() != c.want {
			t.Errorf("%s: compiling gives %v, encoding %v, want %s", c.reason, err, encoding, c.want)
		}
	}
	bytes := builder.CounterSet().Counter(1, 4).Define(builder.QueryCounter{CounterId: 2, Bytes: true})
	const want = "result[0].counter[1].Bytes: a template has values of 4 and 8 bytes alone"
	if template, err := bytes.Compile(); template != nil || !errors.Is(err, layout.ErrRange) || err.Error() != want {
		t.Errorf("a counter of Bytes: %v, want %s", err, want)
	}
}

// What is wrong is told with its place, once; the buffer comes back as it was.
func TestQueryFillRefuses(t *testing.T) {
	t.Parallel()
	template, twin, lone := compileResult(t, disks()), compileResult(t, disks()), compileResult(t, builder.SingleCounter(4, 0))
	v1 := compile(t, site())
	for _, c := range []struct {
		reason string
		fill   func(f *builder.QueryFill)
		kind   error
		want   string
	}{
		{"a value of the wrong width", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Instance("b", 0)
			f.Set64(template.Handle64(2), 1)
		}, builder.ErrForeign, "result[0].instance[1].data[2]: the counter has no value of 8 bytes"},
		{"no such counter", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Set32(template.Handle32(3), 1)
		}, builder.ErrForeign, "result[0].instance[0].data[3]: the counter has no value of 4 bytes"},
		{"a handle of a template just like it", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Set32(twin.Handle32(0), 1)
		}, builder.ErrForeign, "result[0].instance[0].data[0]: the handle is of another template"},
		{"a handle of an object", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Set64(v1.Handle64(0), 1)
		}, builder.ErrForeign, "result[0].instance[0].data[0]: the handle is of another template"},
		{"values of another template", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Block(twin.CounterBlock())
		}, builder.ErrForeign, "result[0].instance[0]: the values are of another template"},
		{"values with an error", func(f *builder.QueryFill) {
			b := template.CounterBlock()
			b.Values(1, 2, 1<<32)
			f.Instance("a", 0)
			f.Block(b)
		}, layout.ErrRange, "result[0].instance[0].data[2]: 4294967296 does not fit the counter's 4 bytes"},
		{"too few values", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Values(1, 2)
		}, builder.ErrCount, "result[0].instance[0]: 2 values for 3 counters"},
		{"a value that does not fit", func(f *builder.QueryFill) {
			f.Instance("a", 0)
			f.Values(1<<32, 2, 3)
		}, layout.ErrRange, "result[0].instance[0].data[0]: 4294967296 does not fit the counter's 4 bytes"},
		{"no text in a long name", func(f *builder.QueryFill) {
			f.Instance("12345678\xff", 0)
		}, layout.ErrText, `result[0].instance[0].Name: byte 0xff of the text is not UTF-8, at byte 8 of "12345678\xff"`},
		{"NUL in a name", func(f *builder.QueryFill) { f.Instance("a\x00b", 0) }, layout.ErrNUL, `result[0].instance[0].Name: NUL at byte 1 of "a\x00b"`},
		{"an instance where there are none", func(f *builder.QueryFill) {
			f.Result(lone)
			f.Instance("a", 0)
		}, builder.ErrCount, "result[1]: PERF_SINGLE_COUNTER goes with no instances"},
		{"a value before any instance", func(f *builder.QueryFill) { f.Values(1, 2, 3) }, builder.ErrCount, "result[0]: values, and no instance to put them in"},
		{"no template", func(f *builder.QueryFill) { f.Result(nil) }, builder.ErrCount, "result[1]: no template"},
		{"a zero template", func(f *builder.QueryFill) { f.Result(new(builder.QueryTemplate)) }, builder.ErrCount, "result[1]: no template"},
		{"an instance before any answer", func(f *builder.QueryFill) {
			*f = builder.NewQueryFill(nil, builder.QueryData{})
			f.Instance("a", 0)
		}, builder.ErrCount, "an instance, and no answer"},
		{"a clock", func(f *builder.QueryFill) { *f = builder.NewQueryFill(nil, builder.QueryData{PerfFreq: -1}) }, layout.ErrRange, "PerfFreq: -1 ticks in a second"},
		{"answers beside the clocks", func(f *builder.QueryFill) {
			*f = builder.NewQueryFill(nil, builder.QueryData{Results: make([]builder.Result, 2)})
		}, builder.ErrCount, "2 answers beside the clocks; they come one by one"},
		{"no header", func(f *builder.QueryFill) { *f = builder.QueryFill{} }, builder.ErrCount, "no header; NewQueryFill makes one"},
		{"after the end", func(f *builder.QueryFill) {
			if _, err := f.Done(); err != nil {
				t.Error(err)
			}
			f.Instance("a", 0)
		}, builder.ErrCount, "the QueryFill is done"},
	} {
		given := []byte("before")
		f := builder.NewFixedQueryFill(append(make([]byte, 0, 4096), given...)[:len(given):4096], builder.QueryData{})
		f.Result(template)
		c.fill(&f)
		f.Result(template) // without effect from here on
		f.Instance("later", 1)
		f.Values(1, 2, 3)
		f.Set32(template.Handle32(0), 1)
		b, err := f.Done()
		if _, ok := errors.AsType[*layout.Error](err); !ok || !errors.Is(err, c.kind) || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.reason, err, c.want)
		}
		if b != nil && !bytes.Equal(b, given) {
			t.Errorf("%s: the buffer has become %q", c.reason, b)
		}
	}
	var zero builder.QueryFill
	if b, err := zero.Done(); b != nil || !errors.Is(err, builder.ErrCount) {
		t.Errorf("a zero QueryFill: %d bytes, %v", len(b), err)
	}
}

// Without room nothing is wrong, and what it takes is counted to the end.
func TestQueryFillCountsBeyondItsBuffer(t *testing.T) {
	t.Parallel()
	template := compileResult(t, disks())
	fill := func(f *builder.QueryFill) ([]byte, error) {
		for range 3 {
			f.Result(template)
			for i, name := range []string{"", "a", "größe", strings.Repeat("🦀", 100)} {
				f.Instance(name, uint32(i))
				f.Set64(template.Handle64(1), 1)
				f.Block(template.CounterBlock())
				f.Values(1, 2, 3)
			}
		}
		return f.Done()
	}
	whole := builder.NewQueryFill(nil, builder.QueryData{})
	want, err := fill(&whole)
	if err != nil {
		t.Fatal(err)
	}
	none := builder.NewFixedQueryFill(nil, builder.QueryData{})
	if b, err := fill(&none); !errors.Is(err, builder.ErrMoreData) || b != nil || none.Need() != len(want) {
		t.Errorf("%v, %d bytes; it needs %d and took %d", err, len(b), none.Need(), len(want))
	}
	exact := builder.NewFixedQueryFill(make([]byte, 0, none.Need()), builder.QueryData{})
	if b, err := fill(&exact); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%v, %d bytes", err, len(b))
	}
}

// Answers of every type, filled into a buffer that is dirty, refreshed and looked at, take
// no memory.
func TestNoAllocationsOfQueryData(t *testing.T) {
	set, single, failed := compileResult(t, disks()), compileResult(t, builder.SingleCounter(8, 0)), compileResult(t, builder.ErrorReturn(4201))
	wide, narrow, block := set.Handle64(1), set.Handle32(2), set.CounterBlock()
	names := []string{"", "a", "eight by", "fifteen letters", "größe", "🦀🦀🦀🦀🦀🦀🦀🦀🦀"}
	values := []uint64{1, 2, 3}
	fill := func(b []byte) ([]byte, error) {
		f := builder.NewFixedQueryFill(b, builder.QueryData{PerfTimeStamp: 1})
		f.Result(set)
		for i, name := range names {
			f.Instance(name, uint32(i))
			f.Values(values...)
			f.Set64(wide, 5)
			f.Block(block)
		}
		f.Result(failed)
		f.Result(single)
		f.Values(values[:1]...)
		return f.Done()
	}
	buffer := bytes.Repeat([]byte{0xEE}, 8192)[:0]
	filled, err := fill(make([]byte, 0, 8192))
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func() error{
		"filling": func() error { _, err := fill(buffer); return err },
		"finding that there is no room": func() error {
			if _, err := fill(buffer[:0:300]); !errors.Is(err, builder.ErrMoreData) {
				return fmt.Errorf("there was room: %w", err)
			}
			return nil
		},
		"refreshing": func() error {
			r := builder.NewQueryRefresh(filled, builder.QueryData{PerfTimeStamp: 2})
			for _, template := range []*builder.QueryTemplate{set, failed} {
				for r.Result(template); r.Next(); {
					if template == set {
						r.Values(values...)
						r.Set32(narrow, r.InstanceId())
						r.Block(block)
					}
				}
			}
			return r.Done()
		},
	} {
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := testing.AllocsPerRun(100, func() { _ = run() }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
