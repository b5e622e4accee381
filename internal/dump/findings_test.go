package dump_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// judgedBlock has a fault in each sort of place: fields of records, two in one, a name
// with an escape sequence, padding, and an object that is not there at all.
func judgedBlock(t *testing.T) []byte {
	t.Helper()
	o := builder.NewObject(3).Counter(5, layout.PERF_COUNTER_RAWCOUNT).
		Instance("\x1b[31m(x)", 1).Instance("second", 2)
	b := encode(t, &builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*o}})
	index := layout.NewIndex(layout.DataBlockKind, b)
	for path, v := range map[string]uint32{
		"object[0].counter[0].DefaultScale":      9,
		"object[0].counter[0].CounterNameTitle":  1,
		"object[0].instance[1].ByteLength":       44,
		"object[0].instance[0].block.ByteLength": 16,
	} {
		p, err := layout.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		part, err := index.Find(p)
		if err != nil {
			t.Fatal(err)
		}
		le.PutUint32(part.Bytes(), v)
	}
	le.PutUint32(b[20:], uint32(len(b)+100)) // as if it had been cut off
	return b
}

// TestFindings shows findings of every sort of place in every format.
func TestFindings(t *testing.T) {
	t.Parallel()
	b := judgedBlock(t)
	// One more, behind the last byte, as of a record of which nothing is there.
	findings := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
	missing := findings[len(findings)-1]
	missing.Off, missing.Len, missing.Path = int64(len(b)), 0, layout.Path{}.At("object", 1)
	findings = append(findings, missing)
	for _, f := range dump.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if _, err := f.Write(&out, layout.DataBlockKind, b, dump.Options{Findings: findings}); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			for i, finding := range findings {
				if n := strings.Count(got, finding.Rule.ID); n == 0 {
					t.Errorf("finding %d, %v, is not shown", i, finding)
				}
			}
			if strings.ContainsRune(got, '\x1b') {
				t.Error("an escape sequence of the block reaches the terminal")
			}
			if f.Name == "json" && !json.Valid(out.Bytes()) {
				t.Error("it is no JSON")
			}
			file := filepath.Join("testdata", "findings."+f.Name)
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
