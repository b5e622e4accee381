package dump_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// faultyBlock returns a block with findings at fields, at a name with an escape sequence, and in padding. One field has
// two findings.
func faultyBlock(t *testing.T) []byte {
	t.Helper()
	o := builder.NewObject(3).Counter(5, layout.PERF_COUNTER_RAWCOUNT).
		Instance("\x1b[31m(x)", 1).Instance("second", 2)
	b := encode(t, &builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*o}})
	whole := bytes.Clone(b)
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
		part, err := layout.Find(layout.DataBlockKind, whole, p)
		if err != nil {
			t.Fatal(err)
		}
		le.PutUint32(b[part.Off():], v)
	}
	le.PutUint32(b[20:], uint32(len(b)+100)) // the block is cut off
	return b
}

// hostileNames returns a name with characters that must not reach a terminal. builtIn is true for indexes below 200.
func hostileNames(index uint32) (name string, builtIn bool) {
	return fmt.Sprintf("%d\x1b\u202e\"", index), index < 200
}

// TestFindings checks that every format shows the findings of every part and the names of title indexes, and that it
// escapes these texts.
func TestFindings(t *testing.T) {
	t.Parallel()
	b := faultyBlock(t)
	findings := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
	// missing is a finding about a record that the block does not contain. Its offset is the end of the block.
	missing := findings[len(findings)-1]
	missing.Off, missing.Len, missing.Path = int64(len(b)), 0, layout.Path{}.At("object", 1)
	findings = append(findings, missing)
	for _, f := range dump.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if _, err := f.Write(&out, layout.DataBlockKind, b, dump.Options{Findings: findings, Names: hostileNames}); err != nil {
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
				t.Error("the output is not JSON")
			}
			file := filepath.Join("testdata", "findings."+f.Name)
			golden.File(t, file, got)
		})
	}
}

// Each spec ends with "patches:", so that a test can append patches.
const (
	anIdentifier = `kind: identifiers
identifiers: [{CounterSetGuid: "{b4fc721a-0378-476f-89ba-a5a79f810b36}", CounterId: 1, InstanceId: any, name: "C:"}]
patches:
`
	anEmptyName = `kind: identifiers
identifiers: [{CounterSetGuid: "{b4fc721a-0378-476f-89ba-a5a79f810b36}", CounterId: 1, InstanceId: any, Size: 48}]
patches:
`
	aResult = `kind: query-data
results:
  - Type: PERF_COUNTERSET
    counters: [{CounterId: 1, Size: 4}, 2]
    instances: [{name: "C:", InstanceId: 0, values: [42, 100]}]
patches:
`
	someStrings = `kind: strings
strings: [{CounterId: 1, text: Ab}, {CounterId: 1, text: Cd}]
patches:
`
)

// TestTreeOfPerflibFindings checks that the line of a finding follows the complete line of its record. The complete
// line has the name, the value or the ids.
func TestTreeOfPerflibFindings(t *testing.T) {
	t.Parallel()
	const asked = `identifier[0] set {b4fc721a-0378-476f-89ba-a5a79f810b36}, counter 1, instances `
	for _, tt := range []struct{ name, spec, want string }{
		{
			"the finding is before the name of an identifier", anIdentifier + "- identifier[0].Reserved: 1",
			asked + "\"C:\", any id, index 0\n  ! warning PERF2606\n",
		},
		{
			"the finding is before an empty name", anEmptyName + "- identifier[0].Reserved: 1",
			asked + "\"\", any id, index 0\n  ! warning PERF2606\n",
		},
		{
			"the finding is before a name without NUL", anIdentifier + "- identifier[0].Reserved: 1\n- identifier[0].Name: {hex: 43 00 3a 00 43 00}\n- identifier[0].padding: {hex: 3a 00}",
			asked + "\"C:C:\", any id, index 0\n  ! warning PERF2606\n  ! at 0x2e: the 8 bytes of the name do not end in NUL\n" +
				"  ! error PERF2604\n",
		},
		{
			"the finding is in the name of an instance", strings.Replace(aResult, "C:", "", 1) + "- result[0].Reserved: 1",
			"  result[0] PERF_COUNTERSET\n    ! warning PERF2204\n    ids of 2 counters: 1, 2\n    instances 1\n" +
				"    instance[0] \"\", id 0\n      ! warning PERF2411\n      data[0] id 1 = 42\n",
		},
		{
			"the finding is before the name of an instance that is not read", aResult + "- result[0].instance[0].Size: 0",
			"    instance[0] unnamed, id 0\n      ! error PERF2407\n      ! 40 bytes at 0x0060 unread: ",
		},
		{
			"the finding is before a value", aResult + "- result[0].instance[0].data[1].dwDataSize: 3",
			"      data[0] id 1 = 42\n      data[1] id 2 of 3 bytes\n        ! warning PERF2506\n",
		},
		{
			"the finding is before a value that is not read", aResult + "- result[0].instance[0].data[1].dwDataSize: 80",
			"      data[1] id 2 without a value\n        ! error PERF2502\n        ! 8 bytes at 0x0080 unread: ",
		},
		{
			"the finding is in a list of ids", aResult + "- result[0].ids.id[0]: 2",
			"    ids of 2 counters: 2, 2\n      ! warning PERF2307\n    instances 1\n",
		},
		{
			"the finding is in the padding of an instance", aResult + "- result[0].instance[0].padding: {hex: 00 01}",
			"    instance[0] \"C:\", id 0\n      padding at 0x0067 is 0x01\n      ! info PERF2002\n      data[0] id 1 = 42\n",
		},
		{
			"the finding is about an entry, whose text is broken", someStrings + "- entry[0].Text: {hex: 41 00 00 d8 00 00}",
			"  entry[1] id 1, text at offset 30\n    ! warning PERF2710\n" +
				"  text of entry[0] \"A\\ud800\"\n    ! at 0x1a: unpaired surrogate 0xd800\n",
		},
		{
			"the finding is about a repeated GUID", "kind: guids\nguids: ['{b4fc721a-0378-476f-89ba-a5a79f810b36}', '{b4fc721a-0378-476f-89ba-a5a79f810b36}']",
			"guid[1] {b4fc721a-0378-476f-89ba-a5a79f810b36}\n  ! warning PERF2703\n",
		},
		{
			"the finding is about an empty input", "kind: reg-guid\nguid: '{b4fc721a-0378-476f-89ba-a5a79f810b36}'\npatches:\n- cut: {from: 0, to: end}",
			"unread: guid[0] at 0x0: 0 bytes are less than the 16 bytes of a GUID\n! error PERF2801\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := findingsTree(t, tt.spec); !strings.Contains(got, tt.want) {
				t.Errorf("no\n%s\nin\n%s", tt.want, got)
			}
		})
	}
}

func findingsTree(t *testing.T, text string) string {
	t.Helper()
	s, err := spec.Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := dump.FormatNamed("tree")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	findings := validate.Bytes(s.Kind(), b, validate.Context{}).Findings
	if _, err := tree.Write(&out, s.Kind(), b, dump.Options{Findings: findings}); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(! (?:error|warning|info) PERF\d+): .*`).ReplaceAllString(out.String(), "$1")
}
