package perftest_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/perftest"
	"github.com/perfblock/perfblock/validate"
)

// machine returns a data block with the objects 2 (no instances), 230 (processes), 232 (threads, whose parents are
// processes) and 2380 (costly in the tests).
func machine(ticks int64) *builder.DataBlock {
	system := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Single(uint64(ticks))
	process := builder.NewObject(230).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Instance("shop", 1)
	thread := builder.NewObject(232).Counter(8, layout.PERF_COUNTER_RAWCOUNT).Child(230, 0, "0", 1)
	image := builder.NewObject(2380).Counter(2382, layout.PERF_COUNTER_RAWCOUNT).Instance("a", 1)
	d := &builder.DataBlock{SystemName: "HOST", PerfTime: ticks}
	return d.Add(system, process, thread, image)
}

// encoded returns the bytes of a model.
func encoded(t *testing.T, d *builder.DataBlock) []byte {
	t.Helper()
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// describe returns the title and NumInstances of each object.
func describe(t *testing.T, block []byte) string {
	t.Helper()
	d, err := layout.ReadDataBlock(block)
	if err != nil {
		return err.Error()
	}
	if int(d.TotalByteLength()) != len(block) {
		t.Errorf("TotalByteLength is %d, the answer has %d bytes", d.TotalByteLength(), len(block))
	}
	var list []string
	for o, err := range d.Objects() {
		if err != nil {
			t.Error(err)
			break
		}
		list = append(list, fmt.Sprintf("%d:%d", o.ObjectNameTitleIndex(), o.NumInstances()))
	}
	return strings.Join(list, " ")
}

// ask returns the answer to a query with a large buffer.
func ask(t *testing.T, r *perftest.Registry, name string) []byte {
	t.Helper()
	buf := make([]byte, 1<<16)
	_, n, err := r.Query(name, buf)
	if err != nil {
		t.Errorf("%q: %v", name, err)
		return nil
	}
	return buf[:n]
}

// TestObjects checks which objects a query string selects. It also checks that the answer is a valid block.
func TestObjects(t *testing.T) {
	t.Parallel()
	r := perftest.New(machine(1))
	r.Costly(2380)
	for _, tt := range []struct{ query, want, reason string }{
		{"Global", "2:-1 230:1 232:1", "Global has no costly object"},
		{"gLoBaL", "2:-1 230:1 232:1", "case does not matter"},
		{"", "2:-1 230:1 232:1", "an empty query is Global"},
		{"Costly", "2380:1", "Costly has only costly objects"},
		{"2", "2:-1", "a number is a title index"},
		{"238", "", "238 is not the start of 2380: whole numbers are compared"},
		{"2380", "2380:1", "a costly object can be selected by its index"},
		{"232", "230:1 232:1", "the object of the parents is added, because names require it"},
		{"2380 2 9999", "2:-1 2380:1", "the order is that of the block, and an unknown index is no error"},
		{" 2  230 ", "2:-1 230:1", "more than one space is accepted"},
		{"2 x 4294967298", "2:-1", "a word that is not a 32-bit number is ignored"},
		{"MetadataGlobal", "2:-3 230:-2 232:-2", "metadata has no instances"},
		{"metadatacostly", "2380:-2", "metadata of costly objects"},
		{"OLD_Global", "2:-1 230:1 232:1", "OLD_ asks for objects of V1, and all objects can be of V1"},
		{"OLD_MetadataGlobal", "2:-3 230:-2 232:-2", "OLD_ with metadata"},
		{"OLD_MetadataCostly", "2380:-2", "OLD_ with costly metadata"},
		{`Foreign \\OTHER 2`, "", "a Registry has no data of other computers"},
		{"Globally", "", "an unknown word selects nothing"},
	} {
		b := ask(t, r, tt.query)
		if got := describe(t, b); got != tt.want {
			t.Errorf("%q: got %q, want %q: %s", tt.query, got, tt.want, tt.reason)
		}
		for _, f := range validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings {
			if f.Severity == validate.Error {
				t.Errorf("%q: %v", tt.query, f)
			}
		}
	}
}

// titleTables returns title tables in English and German.
func titleTables() *titles.Database {
	return &titles.Database{Tables: []titles.Table{
		{Language: "007", Kind: titles.Counter, Pairs: []titles.Pair{{Key: "2", Name: "System (de)"}}},
		{Language: "009", Kind: titles.Counter, Pairs: []titles.Pair{{Key: "2", Name: "System"}}},
		{Language: "009", Kind: titles.Help, Pairs: []titles.Pair{{Key: "3", Name: "The system."}}},
	}}
}

// TestTitles checks the values Counter and Help.
func TestTitles(t *testing.T) {
	t.Parallel()
	r := perftest.New()
	r.Titles(titleTables())
	for _, tt := range []struct {
		query, want string
		err         error
		reason      string
	}{
		{"Counter 009", "System", nil, "the names in English"},
		{"counter 9", "System", nil, "zeros and case do not matter"},
		{"Counter 007", "System (de)", nil, "another language"},
		{"Counter", "System", nil, "English if the query has no language"},
		{"Help 009", "The system.", nil, "help texts"},
		{"Help", "The system.", nil, "help texts without a language"},
		{"Help 007", "", perftest.ERROR_FILE_NOT_FOUND, "a language without help texts"},
		{"Global", "", perftest.ERROR_FILE_NOT_FOUND, "a Registry without samples"},
	} {
		buf := make([]byte, 1000)
		typ, n, err := r.Query(tt.query, buf)
		if !errors.Is(err, tt.err) {
			t.Errorf("%q: error %v, want %v: %s", tt.query, err, tt.err, tt.reason)
			continue
		}
		if err != nil {
			continue
		}
		db, err := titles.Read(buf[:n])
		if err != nil || typ != perftest.REG_MULTI_SZ || db.Tables[0].Pairs[0].Name != tt.want {
			t.Errorf("%q: type %d, error %v, tables %v: %s", tt.query, typ, err, db, tt.reason)
		}
	}
}

// TestZeroRegistry checks that a zero Registry is a Registry without samples, and that the argument nil selects the
// default.
func TestZeroRegistry(t *testing.T) {
	t.Parallel()
	var zero perftest.Registry
	zero.Costly(2380)
	other := perftest.New(machine(1))
	other.Titles(nil)
	other.MoreData(nil)
	for _, tt := range []struct {
		r     *perftest.Registry
		query string
		want  error
	}{
		{&zero, "Global", perftest.ERROR_FILE_NOT_FOUND},
		{&zero, "Counter 009", perftest.ERROR_FILE_NOT_FOUND},
		{other, "Counter 009", perftest.ERROR_FILE_NOT_FOUND},
		{other, "Global", perftest.ERROR_MORE_DATA},
	} {
		if _, n, err := tt.r.Query(tt.query, make([]byte, 10)); err != tt.want || n != 10 {
			t.Errorf("%s: n is %d, error %v, want %v", tt.query, n, err, tt.want)
		}
	}
	zero.Fail(1, perftest.ERROR_MORE_DATA)
	if _, n, err := zero.Query("Global", make([]byte, 10)); err != perftest.ERROR_MORE_DATA || n != 10 {
		t.Errorf("a scripted failure: n is %d, error %v", n, err)
	}
}

// TestMoreData checks the returned size, and the bytes of the buffer, after a call whose buffer is too small.
func TestMoreData(t *testing.T) {
	t.Parallel()
	required := len(encoded(t, machine(1)))
	for _, tt := range []struct {
		name   string
		script func(size, required int) int
		want   int
	}{
		{"without a script", nil, 10},
		{"Unchanged", perftest.Unchanged, 10},
		{"Zero", perftest.Zero, 0},
		{"TooSmall", perftest.TooSmall, required / 2},
		{"TooLarge", perftest.TooLarge, 16 * required},
		{"Exact", perftest.Exact, required},
	} {
		r := perftest.New(machine(1))
		if tt.script != nil {
			r.MoreData(tt.script)
		}
		buf := make([]byte, 10)
		_, n, err := r.Query("Global", buf)
		if err != perftest.ERROR_MORE_DATA || n != tt.want || bytes.Contains(buf, []byte{0}) {
			t.Errorf("%s: n is %d, want %d; error %v, buffer % x", tt.name, n, tt.want, err, buf)
		}
		if _, n, err := r.Query("Global", make([]byte, required)); n != required || err != nil {
			t.Errorf("%s: a buffer of the required size: n is %d, error %v", tt.name, n, err)
		}
		if _, _, err := r.Query("Global", nil); err != perftest.ERROR_MORE_DATA {
			t.Errorf("%s: a nil buffer: %v", tt.name, err)
		}
	}
	if perftest.ERROR_MORE_DATA != syscall.Errno(234) {
		t.Error("ERROR_MORE_DATA is not the number of Windows")
	}
}

// TestSequence checks the order of the samples that queries read.
func TestSequence(t *testing.T) {
	t.Parallel()
	ticks := func(b []byte) string {
		d, err := layout.ReadDataBlock(b)
		return fmt.Sprint(d.PerfTime(), " ", err)
	}
	r := perftest.New(machine(1), machine(2), machine(3))
	r.Costly(2380)
	var got []string
	for _, query := range []string{"Global", "Costly", "global", "Global", "Global"} {
		got = append(got, ticks(ask(t, r, query)))
		_, _, _ = r.Query(query, nil) // the buffer is too small, so the next query reads the same sample
	}
	if want := []string{"1 <nil>", "1 <nil>", "2 <nil>", "3 <nil>", "3 <nil>"}; !slices.Equal(got, want) {
		t.Errorf("got the samples %q, want %q", got, want)
	}

	r = perftest.New(machine(1), machine(2))
	r.Grow()
	_, _, _ = r.Query("Global", nil)
	if got := ticks(ask(t, r, "Global")); got != "2 <nil>" {
		t.Errorf("after ERROR_MORE_DATA and Grow: sample %q, want 2", got)
	}
}

// TestFail checks the errors that Fail sets, and the objects that Lose removes.
func TestFail(t *testing.T) {
	t.Parallel()
	r := perftest.New(machine(1))
	r.Fail(1, perftest.ERROR_BUSY)
	r.Fail(1, 0)
	r.Fail(2, perftest.ERROR_NOT_READY)
	r.Fail(0, perftest.WAIT_TIMEOUT)
	buf := make([]byte, 1<<16)
	for i, want := range []error{perftest.ERROR_BUSY, nil, perftest.ERROR_NOT_READY, perftest.ERROR_NOT_READY, nil} {
		_, n, err := r.Query("Global", buf)
		if err != want && !(want == nil && err == nil) {
			t.Errorf("call %d: error %v, want %v", i, err, want)
		}
		if err != nil && (n != len(buf) || buf[0] != 0xdb) {
			t.Errorf("call %d: n is %d, the buffer starts with %#x", i, n, buf[0])
		}
	}
	lost := []uint32{230, 232}
	r.Lose(1, lost...)
	clear(lost) // the Registry has its own copy
	for i, want := range []string{"2:-1 2380:1", "2:-1 230:1 232:1 2380:1"} {
		_, _, _ = r.Query("Global", nil) // the buffer is too small: Lose does not count this call
		if got := describe(t, ask(t, r, "Global")); got != want {
			t.Errorf("answer %d: %q, want %q", i, got, want)
		}
	}
	r.Fail(perftest.Always, perftest.ERROR_ACCESS_DENIED)
	for range 100 {
		if _, _, err := r.Query("Counter 009", buf); err != perftest.ERROR_ACCESS_DENIED {
			t.Fatal(err)
		}
	}
}

// TestDamaged checks samples that are not valid blocks, and models that cannot be encoded.
func TestDamaged(t *testing.T) {
	t.Parallel()
	whole := encoded(t, machine(1))
	damaged := slices.Clone(whole)
	damaged[layout.SizeofDataBlock+16] = 1 // the TotalByteLength of the first object
	for _, b := range [][]byte{{}, []byte("x"), whole[:50], whole[:200], damaged, append(slices.Clone(whole), "more"...)} {
		r := perftest.New(perftest.Bytes(b))
		if got := ask(t, r, "Global"); !bytes.Equal(got, b) {
			t.Errorf("got %d bytes, want the %d bytes of the sample", len(got), len(b))
		}
	}
	_, _, err := perftest.New(machine(1), machine(-1)).Query("Global", make([]byte, 1<<16))
	if err != nil {
		t.Errorf("the first of two samples: %v", err)
	}
	_, _, err = perftest.New(machine(-1)).Query("Global", make([]byte, 1<<16))
	if !errors.Is(err, layout.ErrRange) || !strings.HasPrefix(err.Error(), "perftest: sample 1: ") {
		t.Errorf("a model that cannot be encoded: %v", err)
	}

	r := perftest.New(machine(-1), machine(1), machine(-1))
	r.Fail(1, perftest.ERROR_BUSY) // this query does not read the first sample
	var got []string
	for range 5 {
		_, _, err := r.Query("Global", make([]byte, 1<<16))
		switch {
		case err == perftest.ERROR_BUSY:
			got = append(got, "busy")
		case err != nil:
			got = append(got, strings.Split(err.Error(), ": ")[1])
		default:
			got = append(got, "answer")
		}
	}
	if want := []string{"busy", "sample 1", "answer", "sample 3", "sample 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzQuery checks that Query does not panic for any bytes and any query string.
func FuzzQuery(f *testing.F) {
	whole, err := machine(1).MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, "MetadataGlobal")
	f.Add(whole, "232 2380")
	f.Add(binary.LittleEndian.AppendUint32(whole[:92:92], 3), "Costly")
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		r := perftest.New(perftest.Bytes(b))
		buf := make([]byte, len(b))
		_, n, err := r.Query(name, buf)
		if err == nil && n > len(b) {
			t.Errorf("the answer has %d bytes, more than the sample", n)
		}
	})
}

// TestConcurrent calls all methods at the same time, for the race detector.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	r := perftest.New(machine(1), machine(2))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			buf := make([]byte, 1<<16)
			for range 20 {
				r.Fail(1, perftest.ERROR_BUSY)
				r.Lose(1, 2)
				r.Costly(2380)
				r.Titles(titleTables())
				r.MoreData(perftest.Zero)
				r.Grow()
				_, _, _ = r.Query("Global", buf)
				_, _, _ = r.Query("Help 009", buf[:1])
			}
		})
	}
	group.Wait()
}
