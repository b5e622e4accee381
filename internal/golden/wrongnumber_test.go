package golden

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A change sets a length, count or offset of a valid block to a wrong number.
type change struct {
	block   []byte // the block without the change
	part    layout.Part
	is, was uint32
}

// number returns the DWORD at a distance from the changed field. The distance is in bytes and can be negative.
func (w change) number(distance int64) uint32 {
	return binary.LittleEndian.Uint32(w.block[w.part.Off()+distance:])
}

// exceptions lists the changes that give no error at the path of the changed field: the block has no error, or another
// field has the error.
var exceptions = []struct {
	kind    layout.Kind
	field   string
	reason  string
	applies func(w change) bool
}{
	{layout.QueryDataKind, "dwDataSize", "values that are not numbers have no registered width, so padding cannot be distinguished from the value", func(w change) bool {
		return w.is <= w.number(4)-8
	}},
	{layout.QueryDataKind, "dwSize", "dwSize may include or exclude the padding after an odd number of ids", func(w change) bool {
		least := 8 + 4*w.number(4)
		return w.part.Path.Elems()[1].Name == "ids" && least%8 == 4 && (w.is == least || w.is == least+4)
	}},
	{layout.QueryDataKind, "dwCounters", "without values, the last of an even number of ids can be padding", func(w change) bool {
		dwInstances := int64(w.was)*4 + 8
		return w.was%2 == 0 && w.is == w.was-1 && w.number(dwInstances) == 0
	}},
	{layout.QueryDataKind, "Size", "only Size determines the length of an instance that is longer than its name requires", func(w change) bool {
		return w.was == 32 && w.number(8) == 'a' && w.is%8 == 0 && w.is >= 16
	}},
	{layout.IdentifiersKind, "Size", "an identifier may omit an empty name; the error is in the bytes after it", func(w change) bool {
		return w.is == 40 && w.was == 48 && w.number(20) == 0
	}},
	{layout.StringsKind, "dwSize", "a dwSize that excludes the padding after the last string is a warning", func(w change) bool {
		return w.was-w.is < 8
	}},
	{layout.StringsKind, "dwCounters", "offsets count from the end of the entries, which a wrong count moves: other bytes can be valid strings, or the error is in an offset", func(w change) bool {
		return entriesBase(w.block) > 0
	}},
	{layout.StringsKind, "dwOffset", "every offset inside the strings is a text, and NoString means none", func(w change) bool {
		first := 8 + 8*binary.LittleEndian.Uint32(w.block[4:])
		at := w.is + entriesBase(w.block)
		return w.is == layout.NoString || at >= first && at < uint32(len(w.block))
	}},
	{layout.StringsKind, "dwOffset", "an offset that points at an entry can mean that there are fewer entries", func(w change) bool {
		return w.is >= 16 && w.is < entriesBase(w.block)
	}},
	{layout.TemplateKind, "NumCounters", "Windows accepts a template with more bytes after its counters", func(w change) bool {
		return w.is > 0 && w.is < w.was
	}},
	{layout.TemplateKind, "Size", "Windows ignores the field, so the finding is a warning", func(change) bool { return true }},
	{layout.InstanceBlockKind, "InstanceNameSize", "dwSize is the sum of offset and size, so the error may be in the offset", func(w change) bool {
		return w.is == w.was+8
	}},
}

// entriesBase returns the base of the offsets in a strings buffer. It is the end of the entries if an offset would
// otherwise be before this end. It is 0 in all other cases.
func entriesBase(b []byte) uint32 {
	n := binary.LittleEndian.Uint32(b[4:])
	for i := range n {
		if binary.LittleEndian.Uint32(b[8+8*i+4:]) < 8+8*n {
			return 8 + 8*n
		}
	}
	return 0
}

// TestEveryWrongNumberIsAnError checks that validation reports wrong lengths, counts and offsets in blocks of
// perflib.h.
func TestEveryWrongNumberIsAnError(t *testing.T) {
	t.Parallel()
	used := make([]bool, len(exceptions))
	for _, f := range fixtures(t) {
		if f.kind.V1() || f.broken {
			continue
		}
		ctx := contextOf(t, f)
		if err := validate.Bytes(f.kind, f.block, ctx).Err(validate.Error); err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		for part := range layout.Walk(f.kind, f.block) {
			if part.Sort != layout.FieldPart || part.Len() != 4 || !slices.Contains([]layout.RoleKind{layout.Length, layout.Count, layout.Offset}, part.Field.Role.Kind) {
				continue
			}
			was := binary.LittleEndian.Uint32(part.Bytes())
			for _, is := range []uint32{
				0, 1, 7, was - 16, was - 8, was - 4, was - 1, was + 1, was + 4, was + 8, was + 16, was / 2, 2 * was,
				uint32(len(f.block)), uint32(len(f.block)) + 8, 1<<31 - 1, 1<<32 - 8, 1<<32 - 1,
			} {
				w := change{f.block, part, is, was}
				if is != was {
					w.check(t, f, ctx, used)
				}
			}
		}
	}
	for i, x := range exceptions {
		if !used[i] {
			t.Errorf("no %s of %v needs the exception: %s", x.field, x.kind, x.reason)
		}
	}
}

func (w change) check(t *testing.T, f specimen, ctx validate.Context, used []bool) {
	t.Helper()
	b := bytes.Clone(f.block)
	binary.LittleEndian.PutUint32(b[w.part.Off():], w.is)
	r := validate.Bytes(f.kind, b, ctx)
	there := slices.ContainsFunc(r.Findings, func(f validate.Finding) bool {
		return f.Severity == validate.Error && f.Path == w.part.Path
	})
	if there {
		return
	}
	for i, x := range exceptions {
		if x.kind == f.kind && x.field == w.part.Field.Name && x.applies(w) {
			used[i] = true
			return
		}
	}
	t.Errorf("%s: %v is %d and was %d: %v", f.name, w.part.Path, w.is, w.was, r.Err(validate.Info))
}

// contextOf returns a context for the validation of query data: the identifiers and the registration of each counter
// set. It returns an empty context for other kinds.
func contextOf(t *testing.T, f specimen) (ctx validate.Context) {
	t.Helper()
	if f.kind != layout.QueryDataKind {
		return ctx
	}
	var q builder.QueryData
	if err := q.UnmarshalBinary(f.block); err != nil {
		t.Fatal(err)
	}
	var identifiers builder.Identifiers
	for i, r := range q.Results {
		set := builder.CounterSetRegInfo{CounterSetGuid: layout.GUID{Data1: uint32(i)}}
		for _, c := range r.Counters {
			width := map[uint32]layout.CounterType{0: layout.PERF_COUNTER_LARGE_RAWCOUNT, 4: layout.PERF_COUNTER_RAWCOUNT, 8: layout.PERF_COUNTER_LARGE_RAWCOUNT}[c.Size]
			if c.Bytes {
				width = layout.PERF_COUNTER_TEXT
			}
			set.Counters = append(set.Counters, builder.CounterRegInfo{CounterId: c.CounterId, Type: width})
		}
		id := builder.CounterIdentifier{CounterSetGuid: set.CounterSetGuid, Index: uint32(i)}
		if r.Type&layout.PERF_MULTIPLE_COUNTERS != 0 {
			id.CounterId = layout.PERF_WILDCARD_COUNTER
		}
		if r.Type&layout.PERF_MULTIPLE_INSTANCES != 0 {
			id.Name = layout.PERF_WILDCARD_INSTANCE
		}
		identifiers = append(identifiers, id)
		ctx.Registrations = append(ctx.Registrations, marshal(t, set))
	}
	ctx.Identifiers = marshal(t, identifiers)
	return ctx
}

func marshal(t *testing.T, m interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
