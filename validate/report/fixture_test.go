package report_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

var le = binary.LittleEndian

func encode(t *testing.T, d interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// block returns a data block of two objects without a fault.
func block(t *testing.T) []byte {
	return encode(t, builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{
		*builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).Instance("0", 1).Instance("_Total", 1),
		*builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Single(1),
	}})
}

// instances returns n objects of one instance each, all of one name.
func instances(t *testing.T, n int, name string) []byte {
	var b []byte
	for i := range n {
		b = append(b, encode(t, builder.NewObject(uint32(2+2*i)).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance(name, 1))...)
	}
	return b
}

// with returns the block with other bytes at some offsets.
func with(b []byte, patches map[int]uint32) []byte {
	b = bytes.Clone(b)
	for off, v := range patches {
		le.PutUint32(b[off:], v)
	}
	return b
}

// file judges a block by some rules alone, so that what comes out does not change
// when there is a new rule.
func file(t *testing.T, path string, kind layout.Kind, b []byte, only ...string) report.File {
	t.Helper()
	return judged(t, path, kind, b, validate.Options{}, only...)
}

func judged(t *testing.T, path string, kind layout.Kind, b []byte, o validate.Options, only ...string) report.File {
	t.Helper()
	var overrides []validate.Override
	for _, r := range validate.Rules() {
		overrides = append(overrides, validate.Override{Rule: r.ID, Severity: validate.Off})
	}
	for _, name := range only {
		overrides = append(overrides, validate.Override{Rule: name})
	}
	o.Overrides = append(overrides, o.Overrides...)
	v, err := validate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	result := v.Bytes(kind, b, validate.Context{})
	rules := map[*validate.Rule]*validate.Rule{}
	for i := range result.Findings {
		f := &result.Findings[i]
		if rules[f.Rule] == nil {
			rules[f.Rule] = retold(f.Rule)
		}
		f.Rule = rules[f.Rule]
	}
	return report.File{Path: path, Kind: kind, Block: b, Result: result}
}

// retold returns a copy of a rule that says other things, which stay the same when
// the rule learns to speak better.
func retold(r *validate.Rule) *validate.Rule {
	c := *r
	c.Mend = "Write what " + r.Name + " wants."
	c.Misread = nil
	if c.Severity == validate.Error {
		c.Misread = []string{"this reader stops", "that one reads past the buffer"}
	}
	return &c
}

// write returns what a format makes of files.
func write(t *testing.T, format string, files []report.File, o report.Options) string {
	t.Helper()
	f, err := report.FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Write(&out, files, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// golden holds got against a file in testdata.
func golden(t *testing.T, name, reason, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s (-want +got)\n%s", path, reason, diff)
	}
}
