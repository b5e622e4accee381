package spec_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

const root = "../testdata/specs"

// files returns the files of testdata/specs. A key is a path relative to testdata/specs.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		texts[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// parse returns the Spec of a text. An error stops the test.
func parse(t testing.TB, name string, text []byte) *spec.Spec {
	t.Helper()
	s, err := spec.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// build returns the block of s. An error stops the test.
func build(t testing.TB, s *spec.Spec) []byte {
	t.Helper()
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dataOf returns the model of a data block.
func dataOf(s *spec.Spec) *builder.DataBlock { return s.Model.(*builder.DataBlock) }

// sameSpec has the options for comparing two Specs: cmp ignores unexported fields and compares paths
// with ==.
var sameSpec = cmp.Options{
	cmpopts.IgnoreUnexported(spec.Spec{}),
	cmp.Comparer(func(a, b layout.Path) bool { return a == b }),
}

// TestSizes checks the sizes of the blocks in testdata. They must equal the sizes of real blocks, or of the examples in
// the documentation of the format.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		size   int
		reason string
	}{
		{"system.yaml", 984, "header 104, object 64 + 18 x 40, block 96"},
		{"processor.yaml", 2144, "header 104, object 64 + 15 x 40, 8 x (32 + 120) + 40 + 120"},
		{"transfer.yaml", 200, "64 + 3 x 40 + 16"},
		{"peer.yaml", 232, "64 + 40 + 2 x (24 + 32 + 8)"},
		{"none.yaml", 88 + 144, "no bytes after the definitions"},
		{"metadata.yaml", 88 + 2*104, "no bytes after the definitions"},
		{"name-padding.yaml", 88 + 104 + 3*32 + 40 + 24 + 5*8, "definitions of 32, 32, 32, 40 and 24 bytes"},
	} {
		text, err := os.ReadFile(filepath.Join(root, tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(build(t, parse(t, tt.name, text))); got != tt.size {
			t.Errorf("%s: %d bytes, want %d: %s", tt.name, got, tt.size, tt.reason)
		}
	}
}

// TestRoundTrip checks each text in testdata. After AppendYAML and Parse, the Spec must be the same. After FromBlock,
// AppendYAML, Parse and Build, the block must be the same.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for name, text := range files(t) {
		s := parse(t, name, text)
		again, err := s.AppendYAML(nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(s, parse(t, name, again), sameSpec); diff != "" {
			t.Errorf("%s: Parse of AppendYAML (-want +got)\n%s\n%s", name, diff, again)
		}
		s.Patches = nil
		block := build(t, s)
		read, losses, err := spec.FromBlock(s.Kind(), block, false)
		if err != nil || len(losses) > 0 {
			t.Errorf("%s: FromBlock: %v, %v", name, err, losses)
			continue
		}
		if again, err = read.AppendYAML(nil); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(build(t, parse(t, name, again)), block) {
			t.Errorf("%s: the text of the block builds another block\n%s", name, again)
		}
	}
}

// TestBroken checks the texts in testdata/specs/broken. A text must start with a comment and have patches.
// UnmarshalBinary must not accept its block.
func TestBroken(t *testing.T) {
	t.Parallel()
	count := 0
	for name, text := range files(t) {
		if !strings.HasPrefix(name, "broken/") {
			continue
		}
		count++
		if !bytes.HasPrefix(text, []byte("# ")) {
			t.Errorf("%s does not begin with a comment on its fault", name)
		}
		s := parse(t, name, text)
		if len(s.Patches) == 0 {
			t.Errorf("%s has no patches", name)
		}
		if _, _, err := spec.FromBlock(s.Kind(), build(t, s), false); err == nil {
			t.Errorf("%s builds a block that a model can hold", name)
		}
	}
	if count < 12 {
		t.Errorf("there are %d broken blocks, must be at least 12", count)
	}
}

// TestEveryCounterType checks that counter-types.yaml has every counter type.
func TestEveryCounterType(t *testing.T) {
	t.Parallel()
	s := parse(t, "", files(t)["counter-types.yaml"])
	seen := map[layout.CounterType]bool{}
	for _, c := range dataOf(s).Objects[0].Counters {
		seen[c.CounterType] = true
	}
	for typ := range layout.CounterTypes() {
		if !seen[typ] {
			t.Errorf("no counter of %v", typ)
		}
	}
}

// TestCanonical checks that AppendYAML writes identical YAML for texts that mean the same.
func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"zeros", "PerfTime: 0\nDefaultObject: -0\nSystemTime: {}\nobjects: []", "objects: []\n"},
		{"zeros that differ from a missing key", one + "  DefaultCounter: -0\n  instances: [{UniqueID: 0}]", "objects:\n  - ObjectNameTitleIndex: 2\n    DefaultCounter: 0\n    instances:\n      - {UniqueID: 0}\n"},
		{"false", one + "  duplicateNames: False\n  counters: [{CounterType: 0, withBase: false}]", "objects:\n  - ObjectNameTitleIndex: 2\n    counters:\n      - {CounterType: PERF_COUNTER_RAWCOUNT_HEX}\n"},
		{"True", one + "  duplicateNames: TRUE", "objects:\n  - ObjectNameTitleIndex: 2\n    duplicateNames: true\n"},
		{"numbers", "PerfTime: 0x10\nPerfFreq: 0o17\nPerfTime100nSec: +0b11\nDefaultObject: +1000\nobjects: []", "PerfTime: 16\nPerfFreq: 15\nPerfTime100nSec: 3\nDefaultObject: 1000\nobjects: []\n"},
		{"a time zone", "SystemTime: 2020-05-01T14:34:56.7+02:00\nobjects: []", "SystemTime: 2020-05-01T12:34:56.700Z\nobjects: []\n"},
		{"a year of five digits", "SystemTime: {wYear: 10000, wMonth: 1, wDay: 1, wDayOfWeek: 6}\nobjects: []", "SystemTime: {wYear: 10000, wMonth: 1, wDayOfWeek: 6, wDay: 1}\nobjects: []\n"},
		{"types", one + "  counters: [{CounterType: PERF_PRECISION_TIMESTAMP}, {CounterType: 0x10410400}, {CounterType: PERF_TYPE_COUNTER | 1}]", "objects:\n  - ObjectNameTitleIndex: 2\n    counters:\n      - {CounterType: PERF_LARGE_RAW_BASE}\n      - {CounterType: PERF_COUNTER_COUNTER}\n      - {CounterType: 0x00000401}\n"},
		{"a base that is the same as withBase", one + "  counters: [{CounterType: PERF_RAW_FRACTION}, {CounterType: PERF_RAW_BASE}]", "objects:\n  - ObjectNameTitleIndex: 2\n    counters:\n      - {CounterType: PERF_RAW_FRACTION, withBase: true}\n"},
		{"a base with more fields", one + "  counters: [{CounterType: PERF_RAW_FRACTION}, {CounterType: PERF_RAW_BASE, CounterNameTitleIndex: 4}]", "objects:\n  - ObjectNameTitleIndex: 2\n    counters:\n      - {CounterType: PERF_RAW_FRACTION}\n      - {CounterNameTitleIndex: 4, CounterType: PERF_RAW_BASE}\n"},
		{"numbers of patches", "objects: []\npatches: [{Version: -0}, {'object[0].counter[0].CounterType': -1}, {'object[0].counter[0].CounterType': 0x100000000}, {'object[0].counter[0].CounterType': 1}]", "objects: []\npatches:\n  - Version: 0\n  - object[0].counter[0].CounterType: -1\n  - object[0].counter[0].CounterType: 4294967296\n  - object[0].counter[0].CounterType: 0x00000001\n"},
	} {
		got, err := parse(t, "", []byte(tt.text)).AppendYAML(nil)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v (-want +got)\n%s", tt.reason, err, cmp.Diff(tt.want, string(got)))
		}
	}
}

// TestNames checks that Parse does not convert names such as 1e3 or yes. AppendYAML must quote such names.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ typed, name, want string }{
		{"0", "0", `"0"`},
		{"1e3", "1e3", `"1e3"`},
		{"0x1F", "0x1F", `"0x1F"`},
		{"010", "010", `"010"`},
		{"2020-05-01", "2020-05-01", `"2020-05-01"`},
		{"yes", "yes", `"yes"`},
		{"True", "True", `"True"`},
		{"'null'", "null", `"null"`},
		{".inf", ".inf", `".inf"`},
		{"_Total", "_Total", "_Total"},
		{"a b.c-d", "a b.c-d", "a b.c-d"},
		{"a#b", "a#b", `"a#b"`},
		{"'a #b'", "a #b", `"a #b"`},
		{"'a: b'", "a: b", `"a: b"`},
		{`'C:\x'`, `C:\x`, `"C:\\x"`},
		{`'"'`, `"`, `"\""`},
		{`' a'`, ` a`, `" a"`},
		{`"a "`, "a ", `"a "`},
		{`"\t\u00a0\u200b\ufeff\U000e0001"`, "\t\u00a0\u200b\ufeff\U000e0001", `"\u0009\u00A0\u200B\uFEFF\U000E0001"`},
		{"é𝄞", "é𝄞", `"é𝄞"`},
		{"<<", "<<", `"<<"`},
		{"end", "end", `"end"`},
		{"'-'", "-", `"-"`},
	} {
		s := parse(t, "", []byte(one+"  instances:\n  - name: "+tt.typed))
		if got := dataOf(s).Objects[0].Instances[0].Name; got != tt.name {
			t.Errorf("%s is %q, want %q", tt.typed, got, tt.name)
		}
		text, err := s.AppendYAML(nil)
		if want := "{name: " + tt.want + "}\n"; err != nil || !strings.HasSuffix(string(text), want) {
			t.Errorf("%s: %v, want %s in\n%s", tt.typed, err, want, text)
		}
	}
}

// TestAppendYAML checks the whole text of a Spec with all kinds of values and patches.
func TestAppendYAML(t *testing.T) {
	t.Parallel()
	const want = `SystemName: HOST
SystemTime: 2020-05-01T12:34:56.789Z
PerfTime: 1
DefaultObject: 238
objects:
  - ObjectNameTitleIndex: 238
    ObjectHelpTitleIndex: none
    DetailLevel: PERF_DETAIL_ADVANCED
    DefaultCounter: -1
    CodePage: 1252
    blockLength: 64
    duplicateNames: true
    counters:
      - {CounterNameTitleIndex: 6, CounterType: PERF_100NSEC_TIMER_INV}
      - {CounterNameTitleIndex: 1350, DefaultScale: -2, CounterType: PERF_RAW_FRACTION, withBase: true}
    instances:
      - {name: "0", UniqueID: 0, values: [1000000, 1, 2]}
      - {name: {hex: "e9"}, ParentObjectTitleIndex: 230, ParentObjectInstance: 3, values: [18446744073709551615, 1, 2]}
  - ObjectNameTitleIndex: 2
    NumInstances: PERF_NO_INSTANCES
    counters:
      - {CounterNameTitleIndex: 10, CounterType: PERF_COUNTER_COUNTER}
    values: [7]
patches:
  - object[0].instance[1].NameLength: 3
  - object[0].counter[0].CounterType: PERF_RAW_FRACTION
  - object[0].instance[0].padding: {hex: "ff ff"}
  - {at: 0x34, hex: "01 00 00 00"}
  - cut: object[0].instance[1]
  - cut: {from: "object[0].instance[0]", to: end}
  - insert: {at: "object[0]", hex: "00 00"}
  - append: {hex: "00 00 00 00"}
`
	got, err := parse(t, "", []byte(want)).AppendYAML([]byte("before\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("before\n"+want, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSpecOfPowerShell checks texts in UTF-16 with a byte order mark and CRLF. Windows
// PowerShell 5 writes such files if the output of a command is redirected with >.
func TestSpecOfPowerShell(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cpu.yaml", "cpu.json"} {
		text := "SystemName: é𝄞\r\nobjects: []\r\n"
		if name == "cpu.json" {
			text = "{\"SystemName\": \"é𝄞\",\r\n\"objects\": []}\r\n"
		}
		b := []byte{0xFF, 0xFE}
		for _, unit := range utf16.Encode([]rune(text)) {
			b = binary.LittleEndian.AppendUint16(b, unit)
		}
		if got := dataOf(parse(t, name, b)).SystemName; got != "é𝄞" {
			t.Errorf("%s: the name is %q", name, got)
		}
	}
}

// TestGeneratedBlocks checks the round trip of generated blocks: FromBlock, AppendYAML, Parse
// and Build return an equal model and the same bytes.
func TestGeneratedBlocks(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(15, 100)) {
		for _, kind := range layout.Kinds() {
			s := &spec.Spec{Model: fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})}
			if s.Kind() != kind {
				t.Fatalf("the kind of a model of kind %v is %v", kind, s.Kind())
			}
			block := build(t, s)
			read, losses, err := spec.FromBlock(s.Kind(), block, false)
			if err != nil || losses != nil {
				t.Fatalf("seed %d: %v, %v", seed, losses, err)
			}
			text, err := read.AppendYAML(nil)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			again := parse(t, "", text)
			if diff := cmp.Diff(s, again, sameSpec); diff != "" {
				t.Fatalf("seed %d: (-want +got)\n%s\n%s", seed, diff, text)
			}
			if !bytes.Equal(build(t, again), block) {
				t.Fatalf("seed %d: the text of the block builds another block\n%s", seed, text)
			}
		}
	}
}

// TestFromBlockLosses checks FromBlock for bytes that a model cannot hold. FromBlock must return an error, or drop
// and list the bytes if lossy is set.
func TestFromBlockLosses(t *testing.T) {
	t.Parallel()
	texts := files(t)
	block := build(t, parse(t, "", texts["broken/padding-not-zero.yaml"]))
	if _, _, err := spec.FromBlock(layout.DataBlockKind, block, false); err == nil {
		t.Error("padding that is not 0 is no error")
	}
	s, losses, err := spec.FromBlock(layout.DataBlockKind, block, true)
	if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].instance[0].padding" {
		t.Fatalf("%v, %v", losses, err)
	}
	whole := parse(t, "", texts["broken/padding-not-zero.yaml"])
	whole.Patches = nil
	if !bytes.Equal(build(t, s), build(t, whole)) {
		t.Error("the block without the loss differs in more than the padding")
	}
	for _, lossy := range []bool{false, true} {
		s, losses, err := spec.FromBlock(layout.ObjectsKind, nil, lossy)
		if err != nil || losses != nil || !cmp.Equal(s.Model, builder.Model(new(builder.Objects))) {
			t.Errorf("%v, %v, %v", s, losses, err)
		}
	}
}

// TestNamesSurvive checks that the text of a spec keeps the names of objects and counters,
// including bases. The names must not change the block.
func TestNamesSurvive(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(238).Define(
		builder.Counter{Name: "Hits, all: %", CounterNameTitleIndex: 6, CounterType: layout.PERF_RAW_FRACTION},
		builder.Counter{Name: "Lookups", CounterType: layout.PERF_RAW_BASE})
	o.Name = "Prozeß \u202e"
	named := &spec.Spec{Model: &builder.Objects{*o}}
	text, err := named.AppendYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, "", text)
	if diff := cmp.Diff(named.Model, again.Model); diff != "" {
		t.Errorf("(-want +got):\n%s\nin\n%s", diff, text)
	}
	o.Name, o.Counters[0].Name, o.Counters[1].Name = "", "", ""
	if !bytes.Equal(build(t, again), build(t, &spec.Spec{Model: &builder.Objects{*o}})) {
		t.Error("the names change the block")
	}
}
