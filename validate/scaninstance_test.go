package validate_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestScanChecksParents checks that instances with valid or invalid parents give the same findings
// with the scan as without it.
func TestScanChecksParents(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	invalid, valid := 0, 0
	for _, n := range []int32{3, 2, 1, 0, -1, -2, -3, -4, -1 << 31} {
		parent := appendObject(nil, objectOfTitle(10), oneCounter, []testInstance{withParent("a", 0, 0), withParent("b", 0, 0), withParent("c", 0, 0)})
		binary.LittleEndian.PutUint32(parent[40:], uint32(n))
		for _, title := range []uint32{0, 10, 20, 4000, 30, 1 << 31} {
			for _, position := range []uint32{0, 1, 2, 3, 4, 1 << 31, 1<<32 - 1} {
				for _, at := range []int{0, 1, 2} { // the first instance and others
					list := []testInstance{withParent("a", 10, 0), withParent("b", 10, 0), withParent("c", 10, 0), withParent("d", 0, 0), withParent("e", 0, 0), withParent("f", 10, 0)}
					list[at].parent = [2]uint32{title, position}
					b := dataBlockBytes(appendObject(slices.Clone(parent), objectOfTitle(20), oneCounter, list), 2, 0)
					cut := slices.Clone(b)
					binary.LittleEndian.PutUint32(cut[28:], 3)
					binary.LittleEndian.PutUint32(cut[20:], uint32(len(b)+100))
					for kind, b := range map[layout.Kind][][]byte{layout.DataBlockKind: {b, cut}, layout.ObjectsKind: {b[88:]}} {
						for _, b := range b {
							if len(p.requireSame(kind, b, validate.Context{}).Findings) > 0 {
								invalid++
							} else {
								valid++
							}
						}
					}
				}
			}
		}
	}
	if t.Logf("%d blocks with findings, %d without, %d instances plain", invalid, valid, p.skipped()); invalid < 100 || valid < 100 || p.skipped() < 100 {
		t.Error("the parents must include valid and invalid ones")
	}
}

// TestScanChecksUniqueIDs requires the same findings with and without the scan for all sequences
// of five UniqueIDs that are 0, 7 or PERF_NO_UNIQUE_ID.
func TestScanChecksUniqueIDs(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	ids := []int32{layout.PERF_NO_UNIQUE_ID, 0, 7}
	for row := range 3 * 3 * 3 * 3 * 3 {
		var list []testInstance
		for i := range 5 {
			list = append(list, withID(string(rune('a'+i)), ids[row%3]))
			row /= 3
		}
		for i := range 20 { // more than the scan reads at once
			list = append(list, withID("x"+string(rune('a'+i)), int32(100+i%19)))
		}
		p.requireSame(layout.ObjectsKind, appendObject(nil, object4000, oneCounter, list), validate.Context{})
	}
	if p.skipped() < 1000 {
		t.Errorf("%d instances were plain", p.skipped())
	}
}

// TestScanChecksPadding compares the findings with and without the scan for instances with extra
// padding. At most one byte of the padding is not 0.
func TestScanChecksPadding(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	for letters := 1; letters <= 12; letters++ {
		for more := 0; more <= 48; more += 4 {
			for dirty := -1; dirty < more; dirty++ {
				name := terminated(slices.Repeat([]byte{'n', 0}, letters), 0)
				size := (24+len(name)+7)&^7 + more
				in := make([]byte, size)
				copy(in[copy(in, wire.Instance{
					ByteLength: uint32(size), UniqueID: layout.PERF_NO_UNIQUE_ID, NameOffset: 24, NameLength: uint32(len(name)),
				}.Append(nil)):], name)
				if dirty >= 0 {
					in[size-more+dirty] = 1
				}
				b := appendObject(nil, object4000, oneCounter, []testInstance{namedInstance(terminated(text16("a"), 0)), namedInstance(terminated(text16("b"), 0)), namedInstance(terminated(text16("c"), 0))})
				at := 64 + 40 + 32 + 8
				b = slices.Concat(b[:at], in, []byte{8, 0, 0, 0, 0, 0, 0, 0}, b[at:])
				binary.LittleEndian.PutUint32(b, uint32(len(b)))
				binary.LittleEndian.PutUint32(b[40:], 4)
				before := p.skipped()
				r := p.requireSame(layout.ObjectsKind, b, validate.Context{})
				if clean := dirty < 0 && more%8 == 0; clean != (len(r.Findings) == 0) || clean && p.skipped()-before < 3 {
					t.Errorf("%d letters and %d extra bytes, byte %d is not 0: %d plain, %v", letters, more, dirty, p.skipped()-before, r.Err(validate.Info))
				}
			}
		}
	}
}

// TestScanChecksTheEnd requires the same findings with and without the scan. The object or the
// input, or both, end inside the list of instances.
func TestScanChecksTheEnd(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	for letters := 1; letters <= 20; letters += long.Count(3, 1) {
		for _, room := range []uint32{8, 16, 48} {
			sound := appendObject(nil, object4000, counterList(int(room-4)/4, func(i int, c *wire.Counter) { c.CounterOffset = uint32(4 + 4*i) }),
				instanceList(4, func(i int) testInstance {
					in := namedInstance(terminated(slices.Repeat([]byte{'a' + byte(i), 0}, letters), 0))
					in.block = room
					return in
				}))
			if r := p.requireSame(layout.ObjectsKind, sound, validate.Context{}); len(r.Findings) > 0 {
				t.Fatal(r.Err(validate.Info))
			}
			for short := 1; short < 150; short++ {
				b := slices.Clone(sound)
				p.requireSame(layout.ObjectsKind, b[:len(b)-short], validate.Context{})
				binary.LittleEndian.PutUint32(b, uint32(len(b)-short))
				if r := p.requireSame(layout.ObjectsKind, b, validate.Context{}); len(r.Findings) == 0 {
					t.Errorf("%d letters, %d bytes less: no finding", letters, short)
				}
				p.requireSame(layout.ObjectsKind, b[:len(b)-short], validate.Context{})
			}
		}
	}
}
