package builder_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// twoSites returns a template and an object with two instances. A Fill with this template has written the object.
func twoSites(t *testing.T) (*builder.Template, []byte) {
	t.Helper()
	template := compile(t, site())
	f := builder.NewFill(nil)
	f.Object(template)
	for _, name := range []string{"a", "longer"} {
		f.Instance(name)
		f.Values(1, 2, 3, 4)
	}
	b, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	return template, b
}

// TestRefreshKeepsTheRest checks that a Refresh does not change the bytes after the object, and does not change a
// value if no setter is called for it.
func TestRefreshKeepsTheRest(t *testing.T) {
	t.Parallel()
	template, b := twoSites(t)
	trailing := []byte("after")
	b = append(b, trailing...)
	r := template.Refresh(b)
	for r.Next() {
		r.Set32(template.Handle32(2), 30)
	}
	r.PerfTime(77)
	rest, err := r.Done()
	if err != nil || !bytes.Equal(rest, trailing) {
		t.Errorf("%v, Done returns %q", err, rest)
	}
	want := site().Instance("a", 1, 2, 30, 4).Instance("longer", 1, 2, 30, 4)
	want.PerfTime = 77
	wanted, err := want.MarshalBinary()
	if got := b[:len(b)-len(trailing)]; err != nil || !bytes.Equal(got, wanted) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(wanted, got))
	}
}

// TestRefreshWithoutInstances checks that a Refresh accepts objects without instances, with and without calls of Next.
func TestRefreshWithoutInstances(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason   string
		template *builder.Template
		visits   int // number of times that Next returns true
	}{
		{"no instances yet", compile(t, site()), 0},
		{"PERF_NO_INSTANCES, which has one counter block", compile(t, site().Single()), 1},
		{"metadata of an object with instances", compile(t, site()).Metadata(), 0},
		{"metadata of an object with PERF_NO_INSTANCES", compile(t, site().Single()).Metadata(), 0},
	} {
		f := builder.NewFill(nil)
		f.Object(c.template)
		b, err := f.Done()
		if err != nil {
			t.Fatal(err)
		}
		trailing := []byte("after")
		b = append(b, trailing...)
		all := c.template.Refresh(b)
		visits := 0
		for all.Next() {
			visits++
		}
		if rest, err := all.Done(); err != nil || visits != c.visits || !bytes.Equal(rest, trailing) {
			t.Errorf("%s: %v, Next visited %d instances, want %d, Done returns %q", c.reason, err, visits, c.visits, rest)
		}
		none := c.template.Refresh(b)
		if rest, err := none.Done(); err != nil || !bytes.Equal(rest, trailing) {
			t.Errorf("%s: Done without Next: %v, Done returns %q", c.reason, err, rest)
		}
	}
}

// TestRefreshRefuses checks that a Refresh reports an object of another template, and an object with changed
// lengths.
func TestRefreshRefuses(t *testing.T) {
	t.Parallel()
	other := compile(t, site().Counter(4008, layout.PERF_COUNTER_RAWCOUNT))
	const (
		definition = layout.SizeofInstanceDefinition
		first      = layout.SizeofObjectType + 4*layout.SizeofCounterDefinition // where the first instance starts
		block      = 32                                                         // the length of a counter block
		end        = first + (definition + 8 + block) + (definition + 16 + block)
	)
	count := int(layout.PERF_OBJECT_TYPE.Field("NumInstances").At)
	for _, c := range []struct {
		reason string
		spoil  func(b []byte) []byte
		visits int // number of instances visited before the fault
		want   string
	}{
		{"the buffer has no object", func([]byte) []byte { return nil }, 0, "the buffer has 0 bytes, must have an object, which takes at least 64"},
		{"the buffer has only part of a header", func(b []byte) []byte { return b[:63] }, 0, "the buffer has 63 bytes, must have an object, which takes at least 64"},
		{"the buffer ends before TotalByteLength", func(b []byte) []byte { return b[:len(b)-1] }, 0, "the buffer has 359 bytes, must have at least 360, the TotalByteLength of the object"},
		{"the object has a different title index", func(b []byte) []byte { b[12]++; return b }, 0, "ObjectNameTitleIndex is 4001, must be 4000, as in the Template: use the Template that wrote the object"},
		{"the buffer starts with a data block", func([]byte) []byte {
			b, err := builder.DataBlock{}.MarshalBinary()
			if err != nil {
				t.Error(err)
			}
			return b
		}, 0, "the buffer starts with a data block, must start with an object: skip the first HeaderLength bytes"},
		{"the object has a different counter", func(b []byte) []byte { b[64+4]++; return b }, 0, "the definitions of the object differ from those of the Template, must be the same: use the Template that wrote the object"},
		{"TotalByteLength ends inside the definitions", func(b []byte) []byte { b[0], b[1] = 100, 0; return b }, 0, "the definitions of the object differ from those of the Template, must be the same: use the Template that wrote the object"},
		{"TotalByteLength ends inside the header", func(b []byte) []byte { b[0], b[1] = 4, 0; return b }, 0, "the definitions of the object differ from those of the Template, must be the same: use the Template that wrote the object"},
		{"NumInstances is PERF_NO_INSTANCES", func(b []byte) []byte { copy(b[40:], "\xff\xff\xff\xff"); return b }, 0, "the definitions of the object differ from those of the Template, must be the same: use the Template that wrote the object"},
		{"an instance of 0 bytes", func(b []byte) []byte { b[224] = 0; return b }, 0, "instance[0]: ByteLength is 0, must be a multiple of 8 that is at least 24"},
		{"the length of an instance is not a multiple of 8", func(b []byte) []byte { b[224] = 33; return b }, 0, "instance[0]: ByteLength is 33, must be a multiple of 8 that is at least 24"},
		// The next two rows make the ByteLength of a definition wrong. They also write the ByteLength of a counter block
		// where this definition ends, so that nothing else is wrong.
		{"the definition of an instance ends between multiples of 8, at a counter block", inOrder(putDWORD(first, definition+9), putDWORD(first+definition+9, block)), 0, "instance[0]: ByteLength is 33, must be a multiple of 8 that is at least 24"},
		{"the definition of an instance is too short, and ends at a counter block", inOrder(putDWORD(first, definition-8), putDWORD(first+definition-8, block)), 0, "instance[0]: ByteLength is 16, must be a multiple of 8 that is at least 24"},
		{"an instance ends after the object", func(b []byte) []byte { b[226] = 1; return b }, 0, "instance[0]: the instance has no counter block of 32 bytes, must have a counter block of this length, as in the Template"},
		{"the counter block has a different length", func(b []byte) []byte { b[256] = 24; return b }, 0, "instance[0]: the instance has no counter block of 32 bytes, must have a counter block of this length, as in the Template"},
		{"NumInstances exceeds the instances", func(b []byte) []byte { b[40] = 3; return b }, 2, "instance[2]: 0 bytes of the object remain, must be at least 24, the size of an instance definition"},
		{"the last instance is only a definition", inOrder(insert(end, definition, 0), putDWORD(count, 3), putDWORD(end, definition)), 2, "instance[2]: the instance has no counter block of 32 bytes, must have a counter block of this length, as in the Template"},
		{"bytes follow the last instance", func(b []byte) []byte { b[40] = 1; return b }, 1, "instance[0]: the object has 72 bytes after the last instance, must have none"},
	} {
		template, b := twoSites(t)
		b = c.spoil(b)
		r := template.Refresh(b)
		visits := 0
		for ; r.Next(); visits++ {
			r.Values(1, 2, 3, 4)
		}
		rest, err := r.Done()
		if !errors.Is(err, builder.ErrForeign) || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.reason, err, c.want)
		}
		if visits != c.visits {
			t.Errorf("%s: Next visited %d instances, want %d", c.reason, visits, c.visits)
		}
		if r.Next() {
			t.Errorf("%s: Next returns true after an error", c.reason)
		}
		_ = rest
	}
	template, b := twoSites(t)
	r := other.Refresh(b)
	if _, err := r.Done(); r.Next() || !errors.Is(err, builder.ErrForeign) {
		t.Errorf("the object of another template: %v", err)
	}
	// A template without instances must refuse an object with instances.
	for _, without := range []*builder.Template{compile(t, site().Single()), template.Metadata(), compile(t, site().Single()).Metadata()} {
		r := without.Refresh(b)
		want := "the definitions of the object differ from those of the Template, must be the same: use the Template that wrote the object"
		visited := r.Next()
		if _, err := r.Done(); visited || !errors.Is(err, builder.ErrForeign) || err.Error() != want {
			t.Errorf("an object with instances, a template without: %v, want %s", err, want)
		}
	}
	empty := template.Refresh(nil)
	empty.Set64(template.Handle64(0), 1)
	empty.PerfTime(1)
	if _, err := empty.Done(); !errors.Is(err, builder.ErrForeign) {
		t.Errorf("values for nothing: %v", err)
	}
	single := compile(t, site().Single())
	f := builder.NewFill(nil)
	f.Object(single)
	b, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-32] = 24 // the ByteLength of the counter block
	r = single.Refresh(b)
	want := "the object has no counter block of 32 bytes, must have a counter block of this length, as in the Template"
	if visited := r.Next(); visited {
		t.Error("Next returns true for a counter block of another length")
	}
	if _, err := r.Done(); err == nil || err.Error() != want {
		t.Errorf("PERF_NO_INSTANCES, the counter block has a different length: %v, want %s", err, want)
	}
}

// TestRefreshRefusedRow checks that the counter block is still valid after an error of Values.
func TestRefreshRefusedRow(t *testing.T) {
	t.Parallel()
	for _, bad := range [][]uint64{{1, 1 << 40, 3, 4}, {1, 2, 3, 1 << 40}, {9, 9}, {9, 9, 9}} {
		template, b := twoSites(t)
		before := bytes.Clone(b)
		r := template.Refresh(b)
		r.Next()
		r.Values(bad...)
		r.Values(1, 1, 1, 1) // has no effect
		if r.Next() {
			t.Errorf("%v: Next returns true after an error", bad)
		}
		if _, err := r.Done(); err == nil {
			t.Errorf("%v: no error", bad)
		}
		zero, err := site().Instance("a", 0, 0, 0, 0).Instance("longer", 1, 2, 3, 4).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		want := zero
		if len(bad) != 4 {
			want = before // Values writes nothing if the number of values is wrong
		}
		if !bytes.Equal(b, want) {
			t.Errorf("%v: (-want +got):\n%s", bad, cmp.Diff(want, b))
		}
	}
}

// TestRefreshName checks that Name returns the name of the current instance.
func TestRefreshName(t *testing.T) {
	t.Parallel()
	names := []string{"a", "", "größe", "🦀", "abc"} // the NUL of abc ends its definition: no padding follows
	template := compile(t, site())
	f := builder.NewFill(nil)
	f.DataBlock(&builder.DataBlock{SystemName: "HOST"})
	header := f.Need()
	f.Object(template)
	for _, name := range names {
		f.Instance(name)
	}
	b, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	r := template.Refresh(b[header:])
	if r.Name().Len() != 0 {
		t.Error("there is a name before the first instance")
	}
	for i := 0; r.Next(); i++ {
		if got, err := r.Name().Text(); err != nil || got != names[i] {
			t.Errorf("instance %d is %q, want %q: %v", i, got, names[i], err)
		}
		// The offsets of a name are from the start of the object, not of the instance.
		if name := r.Name(); !bytes.Equal(name.Bytes(), b[header:][name.Off():name.End()]) {
			t.Errorf("the name of instance %d has the offset %d, where the object has other bytes", i, name.Off())
		}
	}
	if r.Name().Len() != 0 {
		t.Error("there is a name after the last instance")
	}
	if _, err := r.Done(); err != nil {
		t.Error(err)
	}
	r = template.Refresh(b[header:])
	r.Next()
	if _, err := r.Done(); err != nil || r.Name().Len() != 0 {
		t.Errorf("there is a name after Done, or an error: %v", err)
	}

	ansi := compile(t, &builder.Object{CodePage: 1252})
	f = builder.NewFill(nil)
	f.Object(ansi)
	f.Instance("gr\xf6\xdfe")
	if b, err = f.Done(); err != nil {
		t.Fatal(err)
	}
	r = ansi.Refresh(b)
	r.Next()
	if got, err := r.Name().Text(); err != nil || got != "gr\xf6\xdfe" {
		t.Errorf("a name of a code page is %q: %v", got, err)
	}
	const nameOffset, nameLength = 64 + 16, 64 + 20
	for _, at := range []int{nameOffset, nameLength} { // overwritten with a large number
		bad := bytes.Clone(b)
		bad[at+3] = 0xff
		r = ansi.Refresh(bad)
		r.Next()
		if r.Name().Len() != 0 {
			t.Errorf("the name with byte %d changed has %d bytes", at, r.Name().Len())
		}
	}

	single := compile(t, site().Single())
	f = builder.NewFill(nil)
	f.Object(single)
	if b, err = f.Done(); err != nil {
		t.Fatal(err)
	}
	if r = single.Refresh(b); !r.Next() || r.Name().Len() != 0 {
		t.Error("a single counter block has a name")
	}
	var zero builder.Refresh
	if zero.Name().Len() != 0 {
		t.Error("a zero Refresh has a name")
	}
}
