package layout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/layout"
)

func TestFindAgreesWithWalk(t *testing.T) {
	t.Parallel()
	b, all := smallBlock(t)
	for _, w := range all {
		path := parsePath(t, w.Path)
		findsPart(t, layout.DataBlockKind, b, path, w)
		if w.Off >= smallObjects {
			w.Off -= smallObjects
			findsPart(t, layout.ObjectsKind, b[smallObjects:], path, w)
		}
	}
}

func findsPart(t *testing.T, kind layout.Kind, b []byte, path layout.Path, w wantedPart) {
	t.Helper()
	p, err := layout.Find(kind, b, path)
	if err != nil || p.Path != path || p.Off() != w.Off || p.Len() != w.Len || p.Sort.String() != w.Sort {
		t.Errorf("%v: %v, %d bytes of %v at %d, %v; want %d bytes of %s at %d", path, p.Path, p.Len(), p.Sort, p.Off(), err, w.Len, w.Sort, w.Off)
	}
}

func TestFindRecords(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for _, tt := range []struct {
		w      wantedPart
		record *layout.Record
		reason string
	}{
		{wantedPart{"record", "", 0, 504, ""}, nil, "the whole input"},
		{wantedPart{"record", "object[0]", 0x60, 160, ""}, &layout.PERF_OBJECT_TYPE, "an object and all in it"},
		{wantedPart{"record", "object[1]", 0x100, 248, ""}, &layout.PERF_OBJECT_TYPE, "an object and all in it"},
		{wantedPart{"record", "object[0].counter[1]", 0xC8, 40, ""}, &layout.PERF_COUNTER_DEFINITION, "a definition"},
		{wantedPart{"record", "object[0].block", 0xF0, 16, ""}, &layout.PERF_COUNTER_BLOCK, "the block of an object"},
		{wantedPart{"record", "object[1].instance[1]", 0x1C0, 40, ""}, &layout.PERF_INSTANCE_DEFINITION, "an instance, without its block"},
		{wantedPart{"record", "object[1].instance[1].block", 0x1E8, 16, ""}, &layout.PERF_COUNTER_BLOCK, "the block of an instance"},
		{wantedPart{"field", "SystemTime", 36, 16, ""}, &layout.PERF_DATA_BLOCK, "a record that is a field"},
		{wantedPart{"padding", "object[0].block.padding", 0x100, 0, ""}, nil, "padding of no bytes"},
	} {
		findsPart(t, layout.DataBlockKind, b, parsePath(t, tt.w.Path), tt.w)
		if p, _ := layout.Find(layout.DataBlockKind, b, parsePath(t, tt.w.Path)); p.Record != tt.record {
			t.Errorf("%q is a %v: %s", tt.w.Path, p.Record, tt.reason)
		}
	}
	p, _ := layout.Find(layout.DataBlockKind, b, parsePath(t, "object[1].instance[1].block.value[1]"))
	if n, ok := p.Number(); !ok || n != 40 || p.Type != layout.PERF_RAW_BASE {
		t.Errorf("value[1] is %d of type %v", n, p.Type)
	}
}

func TestFindMisses(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for _, tt := range []struct {
		kind         layout.Kind
		path, reason string
	}{
		{layout.DataBlockKind, "Nope", "PERF_DATA_BLOCK has no such field"},
		{layout.DataBlockKind, "Signature[0]", "a field has no index"},
		{layout.DataBlockKind, "Signature.x", "a field has no parts"},
		{layout.DataBlockKind, "SystemTime.nope", "SYSTEMTIME has no such field"},
		{layout.DataBlockKind, "SystemTime.wYear.x", "a field of SYSTEMTIME has no parts"},
		{layout.DataBlockKind, "SystemName[0]", "the name has no index"},
		{layout.DataBlockKind, "padding[0]", "padding has no index"},
		{layout.DataBlockKind, "object", "an object needs an index"},
		{layout.DataBlockKind, "object[2]", "there are two objects"},
		{layout.DataBlockKind, "object[0].nope", "PERF_OBJECT_TYPE has no such field"},
		{layout.DataBlockKind, "object[0].Name", "objects have no name in the block"},
		{layout.DataBlockKind, "object[0].DetailLevel[0]", "a field has no index"},
		{layout.DataBlockKind, "object[0].DetailLevel.x", "a field has no parts"},
		{layout.DataBlockKind, "object[0].counter", "a counter needs an index"},
		{layout.DataBlockKind, "object[0].counter[2]", "there are two counters"},
		{layout.DataBlockKind, "object[0].counter[0].nope", "PERF_COUNTER_DEFINITION has no such field"},
		{layout.DataBlockKind, "object[0].counter[0].CounterType.x", "a field has no parts"},
		{layout.DataBlockKind, "object[0].counter[0].padding", "definitions have no padding"},
		{layout.DataBlockKind, "object[0].instance[0]", "the object has no instances"},
		{layout.DataBlockKind, "object[0].block[0]", "the block of an object has no index"},
		{layout.DataBlockKind, "object[0].block.value", "a value needs an index"},
		{layout.DataBlockKind, "object[0].block.value[2]", "there are two values"},
		{layout.DataBlockKind, "object[0].block.value[0].x", "a value has no parts"},
		{layout.DataBlockKind, "object[0].block.padding.x", "padding has no parts"},
		{layout.DataBlockKind, "object[0].value[0]", "values are in blocks"},
		{layout.DataBlockKind, "object[1].block", "the object has instances and no block of its own"},
		{layout.DataBlockKind, "object[1].instance[2]", "there are two instances"},
		{layout.DataBlockKind, "object[1].instance[0].nope", "PERF_INSTANCE_DEFINITION has no such field"},
		{layout.DataBlockKind, "object[1].instance[0].Name.x", "a name has no parts"},
		{layout.DataBlockKind, "object[1].instance[0].Name[0]", "a name has no index"},
		{layout.DataBlockKind, "object[1].instance[0].value[0]", "values are in blocks"},
		{layout.ObjectsKind, "Signature", "a provider writes no header"},
		{layout.ObjectsKind, "SystemName", "a provider writes no header"},
		{layout.ObjectsKind, "object[2]", "there are two objects"},
	} {
		path := parsePath(t, tt.path)
		_, err := layout.Find(tt.kind, b[int(tt.kind)*smallObjects:], path)
		expectErrPath(t, path, err, tt.reason)
	}
	for _, path := range []layout.Path{
		layout.Path{}.At("object", -1), layout.Path{}.At("object", 0).At("counter", -1), layout.Path{}.At("object", 1).At("instance", -1),
		layout.Path{}.At("object", 0).Field("block").At("value", -1),
	} {
		_, err := layout.Find(layout.DataBlockKind, b, path)
		expectErrPath(t, path, err, "a path made with Path.At can have a negative index")
	}
}

// TestFindExplains checks that the error for a missing part names the parts that exist.
func TestFindExplains(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for _, tt := range []struct{ path, want string }{
		{"object[2]", "object[2]: the block has object[0] and object[1]"},
		{"object", "object: object requires an index; elements in the block: object[0] and object[1]"},
		{"object[0].counter[2]", "object[0].counter[2]: object[0] has counter[0] and counter[1]"},
		{"object[0].block.value[2]", "object[0].block.value[2]: object[0].block has value[0] and value[1]"},
		{"object[0].block.x", "object[0].block.x: object[0].block has ByteLength, padding, value[0] and value[1]"},
		{"Signature[0]", "Signature[0]: Signature has no index"},
		{"Signature.x", "Signature.x: Signature has no parts"},
		{"Versoin", "Versoin: the block has no Versoin; did you mean Version?"},
	} {
		_, err := layout.Find(layout.DataBlockKind, b, parsePath(t, tt.path))
		if got := fmt.Sprint(err); got != tt.want {
			t.Errorf("the error is %q, want %q", got, tt.want)
		}
	}
}

// expectErrPath checks that err wraps ErrPath, has the path, and has no offset.
func expectErrPath(t *testing.T, path layout.Path, err error, reason string) {
	t.Helper()
	e, ok := errors.AsType[*layout.Error](err)
	if !ok || e.Path != path || e.Off != -1 || !errors.Is(err, layout.ErrPath) {
		t.Errorf("%v: %v, want ErrPath with the path: %s", path, err, reason)
	}
}

func TestFindInBrokenBlocks(t *testing.T) {
	t.Parallel()
	const size = 504
	for _, tt := range []struct {
		patches []patch
		cut     int
		path    string
		kind    error  // nil if the part is found
		fault   string // the start of the error
		reason  string
	}{
		{nil, 87, "Version", layout.ErrShort, "at 0x0", "the input is shorter than the header"},
		{nil, 87, "object[0]", layout.ErrShort, "at 0x0", "the input is shorter than the header"},
		{nil, 88, "Version", nil, "", "a header alone has its fields"},
		{nil, 88, "SystemTime.wYear", nil, "", "a header alone has its fields"},
		{nil, 88, "SystemName", layout.ErrBounds, "TotalByteLength at 0x14", "a wrong header makes the rest unreadable"},
		{nil, 88, "padding", layout.ErrBounds, "TotalByteLength at 0x14", "a wrong header makes the rest unreadable"},
		{nil, 88, "object[0]", layout.ErrBounds, "TotalByteLength at 0x14", "a wrong header makes the rest unreadable"},
		{[]patch{{0x08, 0}}, size, "LittleEndian", nil, "", "the faulty field can be read"},
		{[]patch{{0x08, 0}}, size, "object[0]", layout.ErrByteOrder, "LittleEndian at 0x8", "objects after the fault cannot be read"},
		{[]patch{{0x54, 87}}, size, "SystemName", layout.ErrBounds, "SystemNameOffset at 0x54", "the name is in the structure"},
		{[]patch{{0x54, 87}}, size, "padding", layout.ErrBounds, "SystemNameOffset at 0x54", "without a valid name, the padding is unknown"},
		{[]patch{{0x54, 87}}, size, "object[1]", nil, "", "objects do not depend on the name"},
		{[]patch{{0x100, 0}}, size, "object[0].block", nil, "", "records before the fault can be read"},
		{[]patch{{0x100, 0}}, size, "object[1].NumCounters", nil, "", "the fields of a broken object can be read"},
		{[]patch{{0x100, 0}}, size, "object[1]", layout.ErrBounds, "object[1].TotalByteLength at 0x100", "a broken object has no end"},
		{[]patch{{0x100, 0}}, size, "object[2]", layout.ErrBounds, "object[1].TotalByteLength at 0x100", "objects after a broken object cannot be read"},
		{[]patch{{0x64, 161}}, size, "object[0].DefinitionLength", nil, "", "the faulty field can be read"},
		{[]patch{{0x64, 161}}, size, "object[0].counter[0]", layout.ErrBounds, "object[0].DefinitionLength at 0x64", "counters after the fault cannot be read"},
		{[]patch{{0x64, 161}}, size, "object[0].block", layout.ErrBounds, "object[0].DefinitionLength at 0x64", "a block after the fault cannot be read"},
		{[]patch{{0x64, 161}}, size, "object[1].block", layout.ErrPath, "object[1].block", "the next object is not affected"},
		{[]patch{{0xC8, 41}}, size, "object[0].counter[0]", nil, "", "counters before the fault can be read"},
		{[]patch{{0xC8, 41}}, size, "object[0].counter[1]", layout.ErrBounds, "object[0].counter[1].ByteLength at 0xc8", "a broken counter has no end"},
		{[]patch{{0xC8, 41}}, size, "object[0].block.value[0]", nil, "", "the value of a counter before the fault can be read"},
		{[]patch{{0xC8, 41}}, size, "object[0].block.value[1]", layout.ErrBounds, "object[0].counter[1].ByteLength at 0xc8", "the value of a broken counter cannot be read"},
		{[]patch{{0xC4, 13}}, size, "object[0].block.value[0]", layout.ErrBounds, "object[0].counter[0].CounterOffset at 0xc4", "the value ends after the block"},
		{[]patch{{0xF0, 17}}, size, "object[0].block", layout.ErrBounds, "object[0].block.ByteLength at 0xf0", "a broken block has no end"},
		{[]patch{{0xF0, 17}}, size, "object[0].block.ByteLength", nil, "", "the faulty field can be read"},
		{[]patch{{0xF0, 17}}, size, "object[0].block.value[0]", layout.ErrBounds, "object[0].block.ByteLength at 0xf0", "a value in a broken block cannot be read"},
		{[]patch{{0x1C0, 0}}, size, "object[1].instance[0].block", nil, "", "blocks before the fault can be read"},
		{[]patch{{0x1C0, 0}}, size, "object[1].instance[1]", layout.ErrBounds, "object[1].instance[1].ByteLength at 0x1c0", "a broken instance has no end"},
		{[]patch{{0x1A0, 29}}, size, "object[1].instance[0].Name", layout.ErrBounds, "object[1].instance[0].NameLength at 0x1a4", "the name ends after the instance"},
		{[]patch{{0x1A0, 29}}, size, "object[1].instance[0].padding", layout.ErrBounds, "object[1].instance[0].NameLength at 0x1a4", "without a valid name, the padding is unknown"},
		{[]patch{{0x1A0, 29}}, size, "object[1].instance[0].NameOffset", nil, "", "the faulty field can be read"},
		{[]patch{{0x1E8, 17}}, size, "object[1].instance[1]", nil, "", "an instance can be read if only its block is broken"},
		{[]patch{{0x1E8, 17}}, size, "object[1].instance[1].block", layout.ErrBounds, "object[1].instance[1].block.ByteLength at 0x1e8", "a broken block has no end"},
	} {
		path := parsePath(t, tt.path)
		_, err := layout.Find(layout.DataBlockKind, patched(t, tt.patches...)[:tt.cut], path)
		if tt.kind == nil && err != nil || tt.kind != nil && (!errors.Is(err, tt.kind) || !strings.HasPrefix(err.Error(), tt.fault+": ")) {
			t.Errorf("%v: %v; want %v, %q: %s", path, err, tt.kind, tt.fault, tt.reason)
		}
	}
}

func TestFindPadding(t *testing.T) {
	t.Parallel()
	// The second value is inside the first value, so the padding starts after the first value.
	b := patched(t, patch{0xC0, 10}, patch{0xEC, 4}, patch{0xE8, 2})
	findsPart(t, layout.DataBlockKind, b, parsePath(t, "object[0].block.padding"), wantedPart{"padding", "", 0xFE, 2, ""})
	// The second value does not fit into the block, so the padding starts after the first value.
	b = patched(t, patch{0xEC, 9})
	findsPart(t, layout.DataBlockKind, b, parsePath(t, "object[0].block.padding"), wantedPart{"padding", "", 0xF8, 8, ""})
}

func TestFindMissesInPerflib(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ title, paths string }{
		{"query", "Nope dwTotalSize[0] dwTotalSize.x SystemTime.nope SystemTime[0].wYear result result[5] result[0].nope result[0].ids result[0].data[0] " +
			"result[0].instance[0] result[0].instances result[1].data result[1].data[1] result[1].data[0].nope result[1].data[0].value.x result[1].data[0].value[0] " +
			"result[2].ids.id result[2].ids.id[3] result[2].ids.id[0].x result[2].ids[0] result[3].data[0] result[3].instance[2] result[3].instance[0].nope " +
			"result[3].instance[0].Name.x result[3].instance[0].data[1] result[3].instances.nope rest"},
		{"instances", "Size instance instance[3] instance[0].data[0] instance[0].Name[0]"},
		{"identifiers", "CounterSetGuid identifier[3] identifier[0].nope identifier[0].CounterSetGuid.Data1"},
		{"strings", "nope entry entry[3] entry[0].nope entry[0].gap entry[0].Text.x padding[0]"},
		{"registered set", "nope counter counter[2] counter[0].Type.x Type"},
		{"registered counter", "CounterId counter[1]"},
		{"registered text", "text Text[0] Text.x"},
		{"GUIDs", "guid guid[2] guid[0].Data1"},
		{"template", "counter[2] counter[0].Nope"},
		{"set instance", "slot slot[2] slot[0].x Name.x padding[0] nope"},
	} {
		kind, b := fixture.WorkedKinds[tt.title], perflibBytes(t, tt.title)
		for text := range strings.FieldsSeq(tt.paths) {
			path := parsePath(t, text)
			_, err := layout.Find(kind, b, path)
			expectErrPath(t, path, err, tt.title)
		}
		if _, err := layout.Find(kind, b, parsePath(t, "result[4].data[0]")); tt.title == "query" && (err == nil || !strings.Contains(err.Error(), "result[4].data[0]: result[4] has dwStatus, ")) {
			t.Errorf("%v", err)
		}
		path := layout.Path{}.At("result", -1)
		_, err := layout.Find(kind, b, path)
		expectErrPath(t, path, err, "a negative index")
	}
}

// TestFindRecordsOfPerflib finds whole records, and empty parts that Walk omits.
func TestFindRecordsOfPerflib(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		title  string
		w      wantedPart
		record *layout.Record
	}{
		{"query", wantedPart{"record", "", 0, 392, ""}, nil},
		{"query", wantedPart{"record", "result[2]", 0x60, 88, ""}, &layout.PERF_COUNTER_HEADER},
		{"query", wantedPart{"record", "result[2].ids", 0x70, 24, ""}, &layout.PERF_MULTI_COUNTERS},
		{"query", wantedPart{"record", "result[2].data[1]", 0x98, 16, ""}, &layout.PERF_COUNTER_DATA},
		{"query", wantedPart{"padding", "result[2].data[1].padding", 0xA8, 0, ""}, nil},
		{"query", wantedPart{"record", "result[3].instances", 0xC8, 80, ""}, &layout.PERF_MULTI_INSTANCES},
		{"query", wantedPart{"record", "result[3].instance[1]", 0xF0, 24, ""}, &layout.PERF_INSTANCE_HEADER},
		{"query", wantedPart{"field", "SystemTime", 0x20, 16, ""}, &layout.PERF_DATA_HEADER},
		{"identifiers", wantedPart{"record", "identifier[1]", 0x30, 40, ""}, &layout.PERF_COUNTER_IDENTIFIER},
		{"identifiers", wantedPart{"name", "identifier[1].Name", 0x58, 0, ""}, nil},
		{"strings", wantedPart{"record", "entry[1]", 0x10, 8, ""}, &layout.PERF_STRING_COUNTER_HEADER},
		{"registered set", wantedPart{"record", "counter[1]", 0x50, 48, ""}, &layout.PERF_COUNTER_REG_INFO},
		{"template", wantedPart{"record", "counter[1]", 0x48, 32, ""}, &layout.PERF_COUNTER_INFO},
	} {
		kind, b := fixture.WorkedKinds[tt.title], perflibBytes(t, tt.title)
		path := parsePath(t, tt.w.Path)
		findsPart(t, kind, b, path, tt.w)
		if p, _ := layout.Find(kind, b, path); p.Record != tt.record {
			t.Errorf("%q is a %v", tt.w.Path, p.Record)
		}
	}
}

// TestFindInBrokenPerflib checks that Find returns the fault that makes a part unreadable, and
// still finds the fields of a faulty record.
func TestFindInBrokenPerflib(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		title string
		at    int
		value uint32
		path  string
		fault string // "" if the part is found
	}{
		{"query", 0x00, 393, "dwTotalSize", ""},
		{"query", 0x00, 393, "SystemTime.wYear", ""},
		{"query", 0x00, 393, "result[0]", ""},
		{"query", 0x68, 0, "result[1].data[0].value", ""},
		{"query", 0x68, 0, "result[2].dwStatus", ""},
		{"query", 0x68, 0, "result[2]", "result[2].dwSize at 0x68: "},
		{"query", 0x68, 0, "result[4]", "result[2].dwSize at 0x68: "},
		{"query", 0x74, 5, "result[2].ids.id[0]", "result[2].ids.dwCounters at 0x74: "},
		{"query", 0x74, 5, "result[2].data[0]", "result[2].ids.dwCounters at 0x74: "},
		{"query", 0x50, 9, "result[1].data[0].value", "result[1].data[0].dwDataSize at 0x50: "},
		{"query", 0x50, 9, "result[1].data[0].dwDataSize", ""},
		{"query", 0x16C, 7, "result[4].instance[0].data[0].value", ""},
		{"query", 0x16C, 7, "result[4].instance[0].data[1]", "result[4].instance[0].data[1].dwSize at 0x16c: "},
		{"query", 0x10C, 7, "result[3].instance[1].Name", ""},
		{"query", 0x140, 7, "result[4].instance[0]", "result[4].instances.dwTotalSize at 0x140: "},
		{"strings", 0x04, 6, "entry[0]", "dwCounters at 0x4: "},
		{"strings", 0x04, 6, "dwCounters", ""},
		{"strings", 0x14, 48, "entry[1].Text", "entry[1].dwOffset at 0x14: "},
		{"strings", 0x14, 48, "entry[0].Text", ""},
		{"strings", 0x14, 40, "entry[1].gap", ""},
		{"registered set", 0x18, 3, "counter[2]", "counter[2] at 0x80: "},
		{"registered set", 0x18, most, "counter[9]", "counter[2] at 0x80: "},
		{"set instance", 0x1C, 9, "Name", "InstanceNameSize at 0x1c: "},
		{"set instance", 0x1C, 9, "slot[1]", ""},
		{"set instance", 0x10, 99, "slot[1]", ""},
		{"set instance", 0x18, 44, "gap", ""},
	} {
		b := perflibBytes(t, tt.title)
		le.PutUint32(b[tt.at:], tt.value)
		_, err := layout.Find(fixture.WorkedKinds[tt.title], b, parsePath(t, tt.path))
		if (err == nil) != (tt.fault == "") || err != nil && (!strings.HasPrefix(err.Error(), tt.fault) || errors.Is(err, layout.ErrPath)) {
			t.Errorf("%s, 0x%x = %d: %s: %v, want %q", tt.title, tt.at, tt.value, tt.path, err, tt.fault)
		}
	}
}

// TestFindWithoutCounters checks the error if Find searches for a value, but the object has no counters.
func TestFindWithoutCounters(t *testing.T) {
	t.Parallel()
	const want = "object[0].instance[1].block.value[0]: object[0].instance[1].block has ByteLength, padding"
	_, err := layout.Find(layout.ObjectsKind, newObject(0, 2, 8, nil), parsePath(t, "object[0].instance[1].block.value[0]"))
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFindNameInCodePage checks that Find returns an instance name with the CodePage of its
// object.
func TestFindNameInCodePage(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x12C, 1252}, patch{0x1A4, 2})
	p, err := layout.Find(layout.DataBlockKind, b, parsePath(t, "object[1].instance[0].Name"))
	if text, textErr := p.Name().Text(); err != nil || textErr != nil || text != "A" || p.Page != 1252 {
		t.Errorf("%q in page %d, %v, %v", text, p.Page, err, textErr)
	}
}

// TestFindEmptyPath checks that the empty path is the whole input, even if the input is not a
// valid block.
func TestFindEmptyPath(t *testing.T) {
	t.Parallel()
	b := []byte("no block at all")
	if p, err := layout.Find(layout.DataBlockKind, b, layout.Path{}); err != nil || p.Len() != len(b) {
		t.Errorf("%d bytes, %v", p.Len(), err)
	}
	for _, unknown := range []layout.Kind{layout.InstanceBlockKind + 1, 99} {
		if _, err := layout.Find(unknown, b, layout.Path{}); !errors.Is(err, layout.ErrRange) {
			t.Errorf("the kind %v is unknown: %v", unknown, err)
		}
	}
}
