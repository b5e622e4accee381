package builder_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// What a provider does once a second takes no memory.
func TestNoAllocations(t *testing.T) {
	unicode := compile(t, site().Define(builder.Counter{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 64}))
	ansi := compile(t, &builder.Object{CodePage: 1252, Counters: []builder.Counter{{CounterType: layout.PERF_COUNTER_RAWCOUNT}}})
	lone := compile(t, site().Single())
	header := &builder.DataBlock{SystemName: "größe"}
	first, second, text := unicode.Handle64(0), unicode.Handle32(1), unicode.HandleText(4)
	block := unicode.CounterBlock()
	names := []string{"", "a", "eight by", "fifteen letters", "größe", "日本語", "🦀🦀🦀🦀🦀🦀🦀🦀🦀"}
	values := []uint64{1, 2, 3, 4, 0}

	buffer := make([]byte, 0, 8192)
	for name, run := range map[string]func() error{
		"filling": func() error {
			f := builder.NewFixedFill(buffer)
			f.DataBlock(header)
			f.Object(unicode)
			f.PerfTime(7)
			for i, name := range names {
				f.Instance(name)
				f.UniqueID(int32(i))
				f.Values(values...)
				f.Set64(first, uint64(i))
				f.Set32(second, uint32(i))
				f.SetText(text, "größe 🦀")
				f.Child(2, uint32(i), name)
				f.Block(block)
			}
			f.Object(ansi)
			f.Instance("gr\xf6\xdfe")
			f.Values(1)
			f.Object(lone)
			f.Values(values[:4]...)
			_, err := f.Done()
			return err
		},
		"filling a buffer that can grow and need not": func() error {
			f := builder.NewFill(buffer)
			f.Object(unicode)
			for _, name := range names {
				f.Instance(name)
			}
			_, err := f.Done()
			return err
		},
		"finding that there is no room": func() error {
			f := builder.NewFixedFill(buffer[:0:300])
			f.Object(unicode)
			for i, name := range names {
				f.Instance(name)
				f.UniqueID(int32(i))
				f.Values(values...)
				f.Set64(first, 1)
				f.SetText(text, "x")
				f.Block(block)
			}
			if _, err := f.Done(); !errors.Is(err, builder.ErrMoreData) || f.Need() < 300 {
				return errors.New("there was room")
			}
			return nil
		},
		"counting": func() error {
			block.Add64(first, 1)
			block.Set32(second, 1)
			block.SetText(text, "größe")
			return block.Err()
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

// Nor does it take memory to set new values.
func TestNoAllocationsToRefresh(t *testing.T) {
	template, b := twoSites(t)
	first, block := template.Handle64(0), template.CounterBlock()
	refresh := func() error {
		r := template.Refresh(b)
		r.PerfTime(8)
		for r.Next() {
			if r.Name().Len() == 0 {
				return errors.New("an instance without a name")
			}
			r.Values(1, 2, 3, 4)
			r.Set64(first, 5)
			r.Block(block)
		}
		_, err := r.Done()
		return err
	}
	if err := refresh(); err != nil {
		t.Error(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = refresh() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
