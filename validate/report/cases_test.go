package report_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

type testCase struct {
	name   string
	files  []report.File
	reason string

	unjudged []report.Unjudged
}

// options are those to write the case with.
func (tt testCase) options() report.Options { return report.Options{Unjudged: tt.unjudged} }

// longer returns an object with n bytes more behind it that belong to it.
func longer(object []byte, n int) []byte {
	return append(with(object, map[int]uint32{0: uint32(len(object) + n)}), make([]byte, n)...)
}

// cases are the files that every format is tried on.
func cases(t *testing.T) []testCase {
	whole := block(t)
	objects := whole[le.Uint32(whole[24:]):]
	first := int(le.Uint32(objects))
	single, one := objects[first:], instances(t, 1, "a")
	data, object := layout.DataBlockKind, layout.ObjectsKind
	stray := append(append([]byte(nil), whole...), make([]byte, 5000)...)
	reasoned := validate.Options{Overrides: []validate.Override{{Rule: "data-version", Severity: validate.Info, Reason: "the agent has always written 7"}}}
	hostile := "\x1b[2J\u202e\u200b\n[x](http:a) {0} <b>&\""
	named := file(t, "names/"+hostile+"\xff.bin", object, instances(t, 1, hostile), "inst-name-control")
	named.Result.Findings = append(named.Result.Findings, validate.Finding{
		Rule: named.Result.Findings[0].Rule, Severity: validate.Error, Reason: hostile, Off: 128, Len: 2, Got: "Name is " + hostile + "\x9b\xff", Want: hostile,
	})
	named.Result.Counts.Error++
	armored := file(t, "cpu.hex", data, with(whole, map[int]uint32{12: 7}), "data-version")
	armored.Input = "hex"
	return []testCase{
		{"none", nil, "no file at all", nil},
		{"clean", []report.File{file(t, "cpu.bin", data, whole, "data-version"), file(t, "-", object, objects, "obj-truncated")}, "files without findings are named too", nil},
		{"several", []report.File{judged(t, "captures/cpu 1.bin", data, with(whole, map[int]uint32{8: 0, 12: 7, 20: 96, 28: 3}), reasoned, "data-big-endian", "data-version", "data-revision", "data-total-length", "data-object-sum", "data-object-count")},
			"of every severity, with event, readers and a reason", nil},
		{"repeated", []report.File{file(t, "a.bin", object, instances(t, 3, "a/b"), "inst-name-special"), file(t, "b.bin", object, instances(t, 1, "a/b"), "inst-name-special")},
			"what a rule has to say is said once in each file", nil},
		{"missing", []report.File{
			file(t, "empty.bin", data, nil, "data-truncated"),
			file(t, "cut.bin", object, with(objects, map[int]uint32{first: 64 + 40})[:first+64+40], "blk-truncated"),
			file(t, "inside.bin", object, append(with(single, map[int]uint32{0: 64 + 40})[:64+40:64+40], single...), "blk-truncated"),
		}, "carets where no bytes are: of nothing, behind the last byte, between two bytes", nil},
		{"long", []report.File{
			file(t, "stray.bin", data, stray, "data-trailing-bytes"),
			file(t, "short.bin", data, whole[:17], "data-truncated"),
			file(t, "half.bin", data, whole[:50], "data-truncated"),
			file(t, "few.bin", data, stray[:len(whole)+3], "data-trailing-bytes"),
		}, "of many bytes the first are shown, and how many more there are", nil},
		{"across", []report.File{file(t, "across.bin", object, append(longer(one, 14-len(one)%16), longer(one, 2)...), "obj-multi-length")},
			"a line that starts at the fault where it would not fit on one that starts at a multiple of 16", nil},
		{"truncated", []report.File{
			judged(t, "many.bin", object, instances(t, 9, "a/b"), validate.Options{MaxFindings: 2}, "inst-name-special"),
			judged(t, "one.bin", object, instances(t, 3, "a/b"), validate.Options{MaxFindings: 2}, "inst-name-special"),
		}, "what is not listed is counted", nil},
		{"hostile", []report.File{named}, "text that would drive the terminal, end the line, or lead elsewhere", nil},
		{"armored", []report.File{armored}, "offsets are of the bytes, not of the file they were read from", nil},
		{"unjudged", []report.File{file(t, "cpu.bin", data, whole, "data-version")}, "what was not judged is named, where nobody listens to standard error", []report.Unjudged{
			{Path: "captures/gone 1.bin", Err: errors.New("captures/gone 1.bin: no such file or directory")},
			{Path: "-", Err: errors.New("standard input: it is empty")},
			{Path: "gone.bin"},
		}},
		{"unjudged-all", nil, "where nothing was judged, that is what there is to say", []report.Unjudged{{Path: "gone.bin", Err: errors.New("")}}},
		{"unjudged-hostile", nil, "text that would drive the terminal, end the line, or lead elsewhere", []report.Unjudged{{Path: hostile + "\xff", Err: errors.New(hostile + "\x9b\xff")}}},
	}
}
