package dump_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// show dumps b as a data block, or as objects if b has no signature.
func show(t *testing.T, format string, b []byte) string {
	t.Helper()
	text, _ := showFaults(t, format, b)
	return text
}

func showFaults(t *testing.T, format string, b []byte) (string, int) {
	t.Helper()
	f, err := dump.FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	kind := layout.ObjectsKind
	if layout.HasSignature(b) {
		kind = layout.DataBlockKind
	}
	var out bytes.Buffer
	faults, err := f.Write(&out, kind, b, dump.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), faults
}

func encode(t *testing.T, d interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// named returns an object with one instance whose name is the given bytes.
func named(t *testing.T, name []byte) []byte {
	t.Helper()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Add(
		builder.Instance{Name: "x", ByteLength: uint32((24+len(name)+2+7)/8*8 + 8), Values: []uint64{1}})
	b := encode(t, o)
	at := 64 + 40
	copy(b[at+24:], append(bytes.Clone(name), 0, 0))
	le.PutUint32(b[at+20:], uint32(len(name)+2))
	return b
}

// block returns a small block with every record of V1.
func block() builder.DataBlock {
	single := builder.NewObject(2).Define(
		builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_COUNTER_RAWCOUNT_HEX},
		builder.Counter{CounterNameTitleIndex: 6, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, DefaultScale: -3, DetailLevel: layout.PERF_DETAIL_EXPERT},
		builder.Counter{CounterNameTitleIndex: 8, CounterType: layout.PERF_COUNTER_TEXT},
		builder.Counter{CounterNameTitleIndex: 10, CounterType: layout.PERF_TYPE_COUNTER | layout.PERF_COUNTER_RATE | layout.PERF_DELTA_COUNTER | 0x4000000},
	).Single(0xabcd, 1<<63+1, 0, 7)
	single.Texts = []string{"text\u202e"}
	many := builder.NewObject(238).WithBase(44, layout.PERF_RAW_FRACTION).
		Instance(`0,"C:\"`, 1, 2).
		Add(builder.Instance{Name: "a name of more than 16 bytes", ParentObjectTitleIndex: 238, UniqueID: new(int32(7)), ByteLength: 120, Values: []uint64{3, 4}})
	pages := builder.NewObject(300).Counter(302, layout.PERF_COUNTER_RAWCOUNT)
	pages.CodePage = 1252
	pages.Instance("caf\xe9", 5)
	return builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*single, *many, *pages}}
}

// TestGolden compares dumps in each format with the files in testdata.
func TestGolden(t *testing.T) {
	t.Parallel()
	whole := encode(t, block())
	broken := bytes.Clone(whole)
	broken[20]++                            // TotalByteLength is odd and past the end
	le.PutUint32(broken[104+4:], 0xFFFFFF0) // DefinitionLength of the first object
	stray := append(bytes.Clone(whole), "not of the block: PERF\x00\xff\n"...)
	stray[le.Uint32(whole[24:])-1] = 0xCC // padding after the system name
	for _, tt := range []struct {
		name   string
		b      []byte
		faults int
		reason string
	}{
		{"whole", whole, 0, "the formats show every record"},
		{"broken-header", broken, 2, "a length past the end is a fault; the objects are shown"},
		{"broken-object", withHeader(broken, whole), 1, "the contents of a broken object are unread; its siblings are shown"},
		{"stray", stray, 0, "bytes after the block are shown and are no fault"},
		{"truncated", whole[104 : len(whole)-20], 2, "a file that ends in an instance of its last object has faults"},
		{"lone-surrogate", named(t, []byte("a\x00\x00\xd8b\x00")), 1, "a name that is not valid UTF-16 is a fault"},
		{"inner-nul", named(t, []byte("a\x00\x00\x00b\x00")), 1, "a name with a NUL inside is a fault"},
		{"hostile", named(t, utf16Bytes("\x1b[2J\u202e\u2066\x07\r\n\u200b𝄞")), 0, "a name that would control a terminal is escaped"},
		{"gap", encode(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Add(builder.Instance{Name: "late", NameOffset: 32, Values: []uint64{1}})), 0, "the gap between a definition and its name is shown"},
		{"texts", texts(t), 2, "a text longer than its value is a fault, and so is a value shorter than a length"},
		{"empty", nil, 0, "an empty input is an empty list of objects"},
	} {
		for _, f := range dump.Formats() {
			got, faults := showFaults(t, f.Name, tt.b)
			if faults != tt.faults {
				t.Errorf("%s: %d faults, want %d: %s", tt.name, faults, tt.faults, tt.reason)
			}
			file := filepath.Join("testdata", tt.name+"."+f.Name)
			golden.File(t, file, got)
		}
	}
}

// texts returns an object with two values of type PERF_COUNTER_TEXT whose lengths are wrong.
func texts(t *testing.T) []byte {
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT).Counter(6, layout.PERF_COUNTER_TEXT).Single(0, 0)
	o.Texts = []string{"long", "short"}
	b := encode(t, o)
	block := 64 + 2*40
	le.PutUint32(b[64+40+32:], 3)                          // the CounterSize of the second counter
	le.PutUint32(b[block+int(le.Uint32(b[64+36:])):], 100) // the length of the text in the first value
	return b
}

// withHeader returns a copy of block with the header of source.
func withHeader(block, source []byte) []byte {
	return append(bytes.Clone(source[:104]), block[104:]...)
}

// TestHexHoldsEveryByte checks that the bytes of a block can be read back from its hex dump.
func TestHexHoldsEveryByte(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		b := encode(t, fuzz.New[builder.DataBlock](fuzz.Seed(seed), fuzz.Config{}))
		checkHex(t, layout.DataBlockKind, b)
		checkHex(t, layout.ObjectsKind, b[:len(b)/2])
	}
}

// checks has the functions with which FuzzDump tests the dump of any bytes. Each function tests one property.
var checks = []func(*testing.T, layout.Kind, []byte){checkHex, checkJSON, checkRebuilt, checkTree}

func FuzzDump(f *testing.F) {
	add := func(k int, b []byte) {
		for i := range checks {
			f.Add(uint8(i), uint8(k), b)
		}
	}
	for k := range layout.Kinds() {
		add(k, nil)
	}
	for seed := range uint64(5) {
		b, err := fuzz.New[builder.DataBlock](fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		add(slices.Index(layout.Kinds(), layout.DataBlockKind), b)
		add(slices.Index(layout.Kinds(), layout.ObjectsKind), b[le.Uint32(b[24:]):])
	}
	for _, e := range examples {
		for k := range layout.Kinds() {
			add(k, e.bytes(f))
		}
	}
	blocks, err := fixture.Blocks("../testdata/specs")
	if err != nil {
		f.Fatal(err)
	}
	for _, b := range blocks {
		add(slices.Index(layout.Kinds(), b.Kind), b.Bytes)
	}
	f.Fuzz(func(t *testing.T, i, k uint8, b []byte) {
		checks[int(i)%len(checks)](t, layout.Kinds()[int(k)%len(layout.Kinds())], b)
	})
}

func checkTree(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	tree, _ := dump.FormatNamed("tree")
	if _, err := tree.Write(&bytes.Buffer{}, kind, b, dump.Options{Color: true}); err != nil {
		t.Fatal(err)
	}
}

func checkHex(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	hex, _ := dump.FormatNamed("hex")
	var out bytes.Buffer
	if _, err := hex.Write(&out, kind, b, dump.Options{}); err != nil {
		t.Fatal(err)
	}
	in, _ := armor.InputNamed("dump")
	blocks, _, err := in.Decode(out.Bytes())
	if len(b) == 0 {
		return
	}
	if err != nil {
		t.Fatalf("%v of\n%s", err, out.String())
	}
	if got := blocks[0].Bytes; !bytes.Equal(got, b) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(b, got))
	}
}

// checkJSON checks that the output is valid JSON, and that the numbers in the output match the bytes.
func checkJSON(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	f, _ := dump.FormatNamed("json")
	var out bytes.Buffer
	if _, err := f.Write(&out, kind, b, dump.Options{}); err != nil {
		t.Fatal(err)
	}
	var elements []struct {
		Offset, Length int
		Sort           string
		Value          json.RawMessage
	}
	if err := json.Unmarshal(out.Bytes(), &elements); err != nil {
		t.Fatalf("%v of\n%s", err, out.String())
	}
	for _, e := range elements {
		if e.Value == nil || e.Length != 8 {
			continue
		}
		var s string
		if err := json.Unmarshal(e.Value, &s); err != nil {
			t.Fatalf("8 bytes at %d are no string: %v", e.Offset, err)
		}
		var n uint64
		if err := json.Unmarshal([]byte(strings.TrimPrefix(s, "-")), &n); err != nil {
			t.Fatal(err)
		}
		if s[0] == '-' {
			n = -n
		}
		if want := le.Uint64(b[e.Offset:]); n != want {
			t.Errorf("at %d: %s, want %d", e.Offset, s, want)
		}
	}
}

// TestWriterFails checks that Write stops at an error of the writer and returns the error.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	const n = 20_000
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT)
	for i := range n {
		o.Add(builder.Instance{Name: strconv.Itoa(i), Values: []uint64{1}})
	}
	b := bytes.ReplaceAll(encode(t, o), []byte("0\x00\x00\x00"), []byte("0\x00\x01\x00")) // names that end in 0 have no NUL
	for _, f := range dump.Formats() {
		w := &limited{left: 70_000}
		faults, err := f.Write(w, layout.ObjectsKind, b, dump.Options{})
		if !errors.Is(err, errFull) {
			t.Errorf("%s: got %v, want the writer's error", f.Name, err)
		}
		if all, _ := f.Write(discard{}, layout.ObjectsKind, b, dump.Options{}); faults == 0 || faults >= all {
			t.Errorf("%s: %d of %d faults seen", f.Name, faults, all)
		}
	}
}

var errFull = errors.New("full")

type limited struct{ left int }

func (f *limited) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestAllocations checks that writing an instance does not allocate.
func TestAllocations(t *testing.T) {
	for _, f := range dump.Formats() {
		cost := func(workload string) float64 {
			w, err := fuzz.FindWorkload(workload)
			if err != nil {
				t.Fatal(err)
			}
			d := *w.Block().(*builder.DataBlock)
			d.Objects[0].Instances[1].Name = "größe 𝄞"
			d.Objects[0].Instances[1].ParentObjectTitleIndex, d.Objects[0].Instances[1].UniqueID = 7, new(int32(5))
			b := encode(t, d)
			return testing.AllocsPerRun(3, func() { _, _ = f.Write(discard{}, layout.DataBlockKind, b, dump.Options{}) })
		}
		// Pools of the standard library allocate now and then, so the limit is one allocation for 20 instances.
		if few, many := cost("process-300"), cost("process-2775"); many > few+(2775-300)/20 {
			t.Errorf("%s: %v allocations for 300 instances, and %v for 2775", f.Name, few, many)
		}
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// TestZeroPart checks the value of the zero Part, which a diff.Difference has for a part that one block lacks.
func TestZeroPart(t *testing.T) {
	t.Parallel()
	if text, meaning := dump.Value(layout.Part{}); text != "" || meaning != "" {
		t.Errorf("got %q and %q, want no value", text, meaning)
	}
}
