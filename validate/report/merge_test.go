package report_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// faulty is a file with three errors. Two errors have a position.
var faulty = report.Unchecked{Path: "gone.bin", Order: 2, Err: errors.Join(&definition.Error{File: "gone.bin", Line: 2, Column: 3, Err: errFull}, &definition.Error{File: "gone.bin", Line: 4, Err: errFull}, errFull)}

// everything returns one run on the files of all cases, and the records of this run, one line each.
func everything(t *testing.T) (all testCase, records []string) {
	t.Helper()
	for i, tt := range cases(t) {
		for _, f := range tt.files {
			if !utf8.ValidString(f.Path) {
				continue // JSON cannot represent the path
			}
			f.Path = strings.Repeat("x", i) + f.Path // unique for each case, because files with the same path can merge
			f.FailOn = validate.Warning
			f.Result.Findings = slices.Clone(f.Result.Findings)
			for i := range f.Result.Findings {
				r, err := validate.FindRule(f.Result.Findings[i].Rule.ID)
				if err != nil {
					t.Fatal(err)
				}
				f.Result.Findings[i].Rule = r // the rule with its original texts, because records do not contain these texts
			}
			all.files = append(all.files, f)
		}
	}
	all.unchecked = []report.Unchecked{faulty}
	all.skipped = []string{"a.png"}
	return all, slices.Collect(strings.Lines(all.write(t, "jsonl", report.Options{})))
}

// merged reads records from the texts, and returns a report in the given format.
func merged(t *testing.T, format string, texts ...string) string {
	t.Helper()
	var r report.Records
	for _, text := range texts {
		if err := r.Read(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := report.FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := f.NewWriter(&out, report.Options{})
	if _, _, err := r.Write(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(report.End{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestMergeIsOneRun checks that a merge of records gives the same report as one run on all files.
func TestMergeIsOneRun(t *testing.T) {
	t.Parallel()
	all, records := everything(t)
	slices.SortFunc(all.files, func(a, b report.File) int { return strings.Compare(a.Path, b.Path) })
	gone := slices.IndexFunc(all.files, func(f report.File) bool { return f.Path > "gone.bin" })
	before := testCase{files: all.files[:gone], unchecked: all.unchecked}
	for _, f := range report.Formats() {
		if f.Name == "text" { // the format shows bytes of the block, and records do not contain the block
			continue
		}
		var out bytes.Buffer
		w := f.NewWriter(&out, report.Options{})
		for _, file := range before.files {
			if err := w.File(file); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Unchecked(all.unchecked[0]); err != nil {
			t.Fatal(err)
		}
		for _, file := range all.files[gone:] {
			if err := w.File(file); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Skipped("a.png"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(report.End{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(out.String(), merged(t, f.Name, records...)); diff != "" {
			t.Errorf("%s (-one run +merged)\n%s", f.Name, diff)
		}
	}
}

// TestMergeIsAssociative checks that shuffled, duplicate and divided records give the same merged report.
func TestMergeIsAssociative(t *testing.T) {
	t.Parallel()
	_, records := everything(t)
	want := merged(t, "jsonl", records...)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		list := slices.Concat(records, records[:r.IntN(len(records))])
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if diff := cmp.Diff(want, merged(t, "jsonl", list...)); diff != "" {
			t.Fatalf("shuffled (-want +got)\n%s", diff)
		}
		// Divide the records at cut, between two files, and merge the second part twice, as after a retry.
		cut := r.IntN(len(records))
		for cut > 0 && strings.Contains(records[cut], `"record":"finding"`) {
			cut--
		}
		left, right := merged(t, "jsonl", records[cut:]...), merged(t, "jsonl", records[:cut]...)
		if diff := cmp.Diff(want, merged(t, "jsonl", left, right, left)); diff != "" {
			t.Fatalf("in groups (-want +got)\n%s", diff)
		}
	}
}

// TestMergeRetries checks two runs on the same file that have different results.
func TestMergeRetries(t *testing.T) {
	t.Parallel()
	const (
		file     = `{"schema":1,"record":"file","path":"a","digest":"sha256:0","kind":"objects","bytes":8,"counts":{"error":1,"warning":0,"info":0},"truncated":false,"profile":"strict","failOn":"error","failed":true}` + "\n"
		finding  = `{"schema":1,"record":"finding","path":"a","digest":"sha256:0","structuralPath":"","finding":{"rule":"PERF1101","name":"data-truncated","severity":"error","path":"","offset":0,"length":8,"message":"m"}}` + "\n"
		unjudged = `{"schema":1,"record":"unjudged","path":"a","message":"no such file"}` + "\n"
		skipped  = `{"schema":1,"record":"skipped","path":"a"}` + "\n"
	)
	second := strings.Replace(unjudged, `"message"`, `"order":1,"message"`, 1)
	third := strings.Replace(unjudged, `"message"`, `"order":2,"message"`, 1)
	later := strings.Replace(file, `"kind"`, `"order":1,"kind"`, 1) + finding
	windows := strings.Replace(file, "strict", "windows", 1)
	texts := strings.Replace(file, `"kind":"objects"`, `"kind":"yaml","text":true`, 1)
	compared := strings.Replace(texts, `}`+"\n", `,"comparison":{"counts":{"error":0,"warning":0,"info":0},"truncated":false,"rules":[{"rule":"PERF1101","severity":"error"}],"text":"eA=="}}`+"\n", 1)
	alone := strings.Replace(strings.Replace(compared, `"error":1`, `"error":0`, 1), `"failed":true`, `"failed":false`, 1)
	for _, tt := range []struct{ records, want, reason string }{
		{file + finding + windows, windows + finding, "two runs had different settings"},
		{windows + finding + file, windows + finding, "two runs had different settings, in the other order"},
		{texts + compared + finding, alone, "an older version wrote the record without a Comparison: the finding is dropped, because Compare would make it again"},
		{compared + finding + texts, alone, "an older version wrote the record without a Comparison, in the other order"},
		{unjudged + file + finding, file + finding, "the second try succeeded"},
		{file + unjudged + finding + skipped, file + finding, "the first try succeeded"},
		{skipped + unjudged, unjudged, "an unread file is listed as not validated, even if another run skipped it"},
		{second + unjudged + file + finding + third, file + finding + second + third, "three members of an archive have the same path, and only the first is validated"},
		{later + second, later, "a second try validated the second block of an archive"},
		{later + unjudged, later, "the second try found more blocks before the file"},
		{file + later + second, later, "two runs found different numbers of blocks before the file"},
		{later + file + second, later, "two runs found different numbers of blocks before the file, in the other order"},
		{later + windows, strings.Replace(windows, `"kind"`, `"order":1,"kind"`, 1) + finding, "the number of blocks before the file does not select the settings"},
		{file, strings.Replace(file, `"truncated":false`, `"truncated":true`, 1), "the run was stopped before the finding was written"},
		{file + "\n" + strings.ReplaceAll(file, "sha256:0", "sha256:1"), strings.ReplaceAll(file+strings.ReplaceAll(file, "sha256:0", "sha256:1"), `"truncated":false`, `"truncated":true`), "the file changed between the runs"},
	} {
		if diff := cmp.Diff(tt.want, merged(t, "jsonl", tt.records)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.reason, diff)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	_, records := everything(t)
	whole := strings.Join(records, "")
	large := "error is 99999999999999990, must be between 0 and 1125899906842624"
	if strconv.IntSize == 32 {
		large = "line 1: json: cannot unmarshal number 99999999999999990" // the number does not fit in an int
	}
	for _, tt := range []struct{ old, new, want string }{
		{whole, "cpu.bin: no findings\n", "line 1: is not a record of lint --format jsonl: "},
		{whole, "\n\n[]", "line 3: is not a record"},
		{whole, strings.Repeat("x", 5<<20), "line 1: is longer than 4194304 bytes, so it is not a record"},
		{`"path":"`, `"at":"`, "path is missing"},
		{`"digest":"`, `"digests":"`, "digest is missing: a record file must have a digest"},
		{`{"schema"`, "\ufeff" + `{"schema"`, "line 1: begins with a byte order mark"},
		{`{"schema"`, "\xff\xfe{\x00", "line 1: begins with a byte order mark"},
		{`"schema":1`, `"schema":2`, "line 1: schema is 2, must be 1; use the version of perfblock that wrote it"},
		{`"record":"skipped"`, `"record":"tried"`, `record is "tried", must be file, finding, unjudged or skipped`},
		{`"bytes":`, `"bytes":-`, `bytes is -`},
		{`"error":`, `"error":9999999999999999`, large},
		{`"failed":false}`, `"failed":false,"comparison":{}}`, "the record of a block has a comparison; only texts have one"},
		{`"text":true`, `"text":true,"comparison":{"rules":[{"rule":"PERF9999"}]},"x":true`, `comparison: no severity ""`},
		{`"text":true`, `"text":true,"comparison":{"rules":[{"rule":"PERF9999","severity":"off"}]},"x":true`, `comparison: no rule`},
		{`"text":true`, `"text":true,"comparison":{"suppressed":-1},"x":true`, `comparison: suppressed is -1`},
		{`"severity":"warning"`, `"severity":"off"`, "severity is off, which no finding has"},
		{`"column":`, `"column":-`, "column is -"},
		{`"order":2`, `"order":-2`, "order is -2, must be between"},
		{`"kind":"objects"`, `"kind":"object"`, `"object" is not a kind`},
		{`"profile":"strict"`, `"profile":"lax"`, `no profile "lax"`},
		{`"failOn":"warning"`, `"failOn":"x"`, `no severity "x"`},
		{`"severity":"warning"`, `"severity":"x"`, `no severity "x"`},
		{`"rule":"PERF1416"`, `"rule":"PERF9416"`, "another version of perfblock wrote the record"},
		{`"path":"object[0]`, `"path":"object[`, "line "},
		{`"offset":`, `"offset":"x`, "line "},
	} {
		text := strings.Replace(whole, tt.old, tt.new, 1)
		if text == whole {
			t.Fatalf("no %s", tt.old)
		}
		if err := new(report.Records).Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s: got %v, want %q", tt.new, err, tt.want)
		}
	}
	var r report.Records
	if err := r.Read(strings.NewReader(records[slices.IndexFunc(records, func(s string) bool { return strings.Contains(s, `"record":"finding"`) })])); err != nil {
		t.Fatal(err)
	}
	if got := r.Len(); got != 1 {
		t.Errorf("a finding has %d files, want 1", got)
	}
	f, _ := report.FormatNamed("json")
	if _, _, err := r.Write(f.NewWriter(new(bytes.Buffer), report.Options{})); err == nil || !strings.Contains(err.Error(), "no record of the file") {
		t.Errorf("got %v, want an error about a finding without its file", err)
	}
}

// TestMergeLongReason checks that Read accepts the record of a finding with the longest reason of a configuration.
func TestMergeLongReason(t *testing.T) {
	t.Parallel()
	f := checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special")
	f.Result.Findings = slices.Clone(f.Result.Findings)
	f.Result.Findings[0].Reason = strings.Repeat("\u202e", (1<<20)/3)
	if err := new(report.Records).Read(strings.NewReader(write(t, "jsonl", []report.File{f}, report.Options{}))); err != nil {
		t.Error(err)
	}
}
