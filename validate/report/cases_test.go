package report_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

type testCase struct {
	name   string
	files  []report.File
	reason string // why the case exists; no test reads it

	unchecked []report.Unchecked
	skipped   []string
	end       report.End
}

// longer returns the object with n more bytes at its end and a larger TotalByteLength.
func longer(object []byte, n int) []byte {
	return append(patched(object, map[int]uint32{0: uint32(len(object) + n)}), make([]byte, n)...)
}

// cases returns the files that the tests write in every format.
func cases(t *testing.T) []testCase {
	whole := block(t)
	objects := whole[le.Uint32(whole[24:]):]
	first := int(le.Uint32(objects))
	single, one := objects[first:], instances(t, 1, "a")
	data, object := layout.DataBlockKind, layout.ObjectsKind
	stray := append(append([]byte(nil), whole...), make([]byte, 5000)...)
	reasoned := validate.Options{Overrides: []validate.Override{{Rule: "data-version", Severity: validate.Info, Reason: "the agent always writes 7"}}}
	hostile := "\x1b[2J\u202e\u200b\n[x](http:a) {0} <b>&\""
	named := checkedFile(t, "names/"+hostile+"\xff.bin", object, instances(t, 1, hostile), "inst-name-control")
	named.Result.Findings = append(named.Result.Findings, validate.Finding{
		Rule: named.Result.Findings[0].Rule, Severity: validate.Error, Reason: hostile, Off: 128, Len: 2, Got: "Name is " + hostile + "\x9b\xff", Want: hostile,
	})
	named.Result.Counts.Error++
	armored := checkedFile(t, "cpu.hex", data, patched(whole, map[int]uint32{12: 7}), "data-version")
	armored.Input = "hex"
	found := checkedFile(t, "collected.bin", object, objects, "obj-truncated")
	found.Detected = true
	known := checkedFile(t, "a.bin", object, instances(t, 1, "a/b"), "inst-name-special")
	known.Suppressed = 1
	allKnown := checkedFile(t, "b.bin", object, instances(t, 1, "a"), "inst-name-special")
	allKnown.Suppressed = 3
	return []testCase{
		{name: "none", reason: "no file at all"},
		{name: "clean", files: []report.File{checkedFile(t, "cpu.bin", data, whole, "data-version"), checkedFile(t, "-", object, objects, "obj-truncated")}, reason: "files without findings are listed"},
		{name: "several", files: []report.File{validated(t, "captures/cpu 1.bin", data, patched(whole, map[int]uint32{8: 0, 12: 7, 20: 96, 28: 3}), reasoned, "data-big-endian", "data-version", "data-revision", "data-total-length", "data-object-sum", "data-object-count")},
			reason: "findings of every severity, with event, readers and a reason"},
		{name: "repeated", files: []report.File{checkedFile(t, "a.bin", object, instances(t, 3, "a/b"), "inst-name-special"), checkedFile(t, "b.bin", object, instances(t, 1, "a/b"), "inst-name-special")},
			reason: "the notes of a rule are written once for each file"},
		{name: "missing", files: []report.File{
			checkedFile(t, "empty.bin", data, nil, "data-truncated"),
			checkedFile(t, "cut.bin", object, patched(objects, map[int]uint32{first: 64 + 40})[:first+64+40], "blk-truncated"),
			checkedFile(t, "inside.bin", object, append(patched(single, map[int]uint32{0: 64 + 40})[:64+40:64+40], single...), "blk-truncated"),
		}, reason: "carets for findings without bytes: in an empty file, after the last byte, between two bytes"},
		{name: "long", files: []report.File{
			checkedFile(t, "stray.bin", data, stray, "data-trailing-bytes"),
			checkedFile(t, "short.bin", data, whole[:17], "data-truncated"),
			checkedFile(t, "half.bin", data, whole[:50], "data-truncated"),
			checkedFile(t, "few.bin", data, stray[:len(whole)+3], "data-trailing-bytes"),
		}, reason: "the first bytes of a long finding, and the number of its other bytes"},
		{name: "across", files: []report.File{checkedFile(t, "across.bin", object, append(longer(one, 14-len(one)%16), longer(one, 2)...), "obj-multi-length")},
			reason: "a line that starts at the finding, because the finding does not fit on a line that starts at a multiple of 16"},
		{name: "truncated", files: []report.File{
			validated(t, "many.bin", object, instances(t, 9, "a/b"), validate.Options{MaxFindings: 2}, "inst-name-special"),
			validated(t, "one.bin", object, instances(t, 3, "a/b"), validate.Options{MaxFindings: 2}, "inst-name-special"),
		}, reason: "the number of findings that are not listed"},
		{name: "hostile", files: []report.File{named}, reason: "text that would control a terminal, end a line or make a link"},
		{name: "armored", files: []report.File{armored}, reason: "offsets count from the start of the block, not of the file"},
		{name: "suppressed", files: []report.File{known, allKnown}, reason: "the number of suppressed findings, with and without other findings"},
		{name: "unjudged", files: []report.File{checkedFile(t, "cpu.bin", data, whole, "data-version")}, reason: "files that were not validated are listed", unchecked: []report.Unchecked{
			{Path: "captures/gone 1.bin", Err: errors.New("captures/gone 1.bin: no such file or directory")},
			{Path: "-", Err: errors.New("standard input: is empty")},
			{Path: "gone.bin"},
		}},
		{name: "unjudged-all", reason: "no file was validated", unchecked: []report.Unchecked{{Path: "gone.bin", Err: errors.New("")}}},
		{name: "unjudged-hostile", reason: "text that would control a terminal, end a line or make a link", unchecked: []report.Unchecked{{Path: hostile + "\xff", Err: errors.New(hostile + "\x9b\xff")}}},
		{name: "detected", files: []report.File{found}, reason: "the kind was detected, other files are not blocks, and the run was stopped",
			skipped: []string{"a.png", "b.txt"}, end: report.End{Interrupted: true}},
		{name: "definition", files: []report.File{checkedText(t, "shop 1.yaml", shopText, "manifest-ref-missing", "manifest-scale"), checkedText(t, "shop.h", "#define QUEUES 0\n#define DEPTH 3\n", "sym-values"), checkedText(t, "shop.man", "", "manifest-scale")},
			reason: "findings in texts have lines and columns, and paths with names"},
	}
}

// shopText is a definition with two findings.
const shopText = `provider: Shop
counterSets:
  - name: Shop Queues
    counters:
      - {name: "Hit ` + "\u202e" + ` ratio", type: PERF_RAW_FRACTION}
      - {name: Depth, type: PERF_COUNTER_RAWCOUNT, scale: 11}
`

func checkedText(t *testing.T, path, contents string, only ...string) report.File {
	t.Helper()
	r := report.File{Path: path, Form: "manifest", Block: []byte(contents)}
	if contents == "" {
		return r
	}
	f, err := definition.Read(path, r.Block, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Form, r.Result = f.Form.String(), withRules(f.Check(onlyRules(t, validate.Options{}, only)))
	r.Places = identity.OfText(r.SourceLines, r.Result.Findings, f.Names())
	return r
}

var le = binary.LittleEndian

// encode returns the bytes of a model.
func encode(t *testing.T, d interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// block returns a valid data block of two objects.
func block(t *testing.T) []byte {
	return encode(t, builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{
		*builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).Instance("0", 1).Instance("_Total", 1),
		*builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Single(1),
	}})
}

// instances returns n objects with one instance each, all with the same name.
func instances(t *testing.T, n int, name string) []byte {
	var b []byte
	for i := range n {
		b = append(b, encode(t, builder.NewObject(uint32(2+2*i)).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance(name, 1))...)
	}
	return b
}

func patched(b []byte, numberAt map[int]uint32) []byte {
	b = bytes.Clone(b)
	for off, v := range numberAt {
		le.PutUint32(b[off:], v)
	}
	return b
}

// checkedFile validates a block with only the given rules, so that a new rule does not change the golden files.
func checkedFile(t *testing.T, path string, kind layout.Kind, b []byte, only ...string) report.File {
	t.Helper()
	return validated(t, path, kind, b, validate.Options{}, only...)
}

func validated(t *testing.T, path string, kind layout.Kind, b []byte, o validate.Options, only ...string) report.File {
	t.Helper()
	return report.File{Path: path, Kind: kind, Block: b, Result: withRules(onlyRules(t, o, only).Bytes(kind, b, validate.Context{}))}
}

// onlyRules returns a validator for the given rules.
func onlyRules(t *testing.T, o validate.Options, only []string) *validate.Validator {
	t.Helper()
	overrides := []validate.Override{{Rule: "*", Severity: validate.Off}}
	for _, name := range only {
		overrides = append(overrides, validate.Override{Rule: name})
	}
	o.Overrides = append(overrides, o.Overrides...)
	v, err := validate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// withRules returns the result with fixed texts in the rule of each finding: see reworded.
func withRules(result validate.Result) validate.Result {
	rules := map[*validate.Rule]*validate.Rule{}
	for i := range result.Findings {
		f := &result.Findings[i]
		if rules[f.Rule] == nil {
			rules[f.Rule] = reworded(f.Rule)
		}
		f.Rule = rules[f.Rule]
	}
	return result
}

// reworded returns a copy of r. The texts of the copy are fixed, so that new texts of a rule do not change the
// golden files.
func reworded(r *validate.Rule) *validate.Rule {
	c := *r
	c.Fix = "Write what " + r.Name + " requires."
	c.Misread = nil
	if c.Severity == validate.Error {
		c.Misread = []string{"this reader stops", "that one reads past the buffer"}
	}
	return &c
}

// write returns the report on the files, in the given format.
func write(t testing.TB, format string, files []report.File, o report.Options) string {
	t.Helper()
	return testCase{files: files}.write(t, format, o)
}

// write returns the report on the case, in the given format.
func (tt testCase) write(t testing.TB, format string, o report.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := tt.writeTo(&out, format, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (tt testCase) writeTo(out io.Writer, format string, o report.Options) error {
	f, err := report.FormatNamed(format)
	if err != nil {
		return err
	}
	w := f.NewWriter(out, o)
	for _, file := range tt.files {
		if err := w.File(file); err != nil {
			return err
		}
	}
	for _, u := range tt.unchecked {
		if err := w.Unchecked(u); err != nil {
			return err
		}
	}
	for _, path := range tt.skipped {
		if err := w.Skipped(path); err != nil {
			return err
		}
	}
	return w.Close(tt.end)
}
