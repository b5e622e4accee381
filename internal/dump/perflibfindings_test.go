package dump_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// An identifier and an answer to be patched.
const (
	anIdentifier = `kind: identifiers
identifiers: [{CounterSetGuid: "{b4fc721a-0378-476f-89ba-a5a79f810b36}", CounterId: 1, InstanceId: any, name: "C:"}]
patches:
`
	anEmptyName = `kind: identifiers
identifiers: [{CounterSetGuid: "{b4fc721a-0378-476f-89ba-a5a79f810b36}", CounterId: 1, InstanceId: any, Size: 48}]
patches:
`
	anAnswer = `kind: query-data
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

// A finding stands under what it is of, and takes no name and no value from it.
func TestTreeOfPerflibFindings(t *testing.T) {
	t.Parallel()
	const asked = `identifier[0] set {b4fc721a-0378-476f-89ba-a5a79f810b36}, counter 1, instances `
	for _, tt := range []struct{ name, spec, want string }{
		{
			"in front of the name of an identifier", anIdentifier + "- identifier[0].Reserved: 1",
			asked + "\"C:\", any id, index 0\n  ! warning PERF2606: Reserved is 1, want 0\n",
		},
		{
			"in front of a name that is empty", anEmptyName + "- identifier[0].Reserved: 1",
			asked + "\"\", any id, index 0\n  ! warning PERF2606: Reserved is 1, want 0\n",
		},
		{
			"in front of a name without NUL", anIdentifier + "- identifier[0].Reserved: 1\n- identifier[0].Name: {hex: 43 00 3a 00 43 00}\n- identifier[0].padding: {hex: 3a 00}",
			asked + "\"C:C:\", any id, index 0\n  ! warning PERF2606: Reserved is 1, want 0\n  ! at 0x2e: the 8 bytes of the name do not end in NUL\n" +
				"  ! error PERF2604: the 8 bytes of the name have no NUL, want one behind the name\n",
		},
		{
			"in the name of an instance", strings.Replace(anAnswer, "C:", "", 1) + "- result[0].Reserved: 1",
			"  result[0] PERF_COUNTERSET\n    ! warning PERF2204: Reserved is 1, want 0\n    ids of 2 counters: 1, 2\n    instances 1\n" +
				"    instance[0] \"\", id 0\n      ! warning PERF2411: the name is empty, want a name before the NUL\n      data[0] id 1 = 42\n",
		},
		{
			"in front of the name of an instance, which is not read", anAnswer + "- result[0].instance[0].Size: 0",
			"    instance[0] unnamed, id 0\n      ! error PERF2407: Size is 0, want 16, for the name\n      ! 40 bytes at 0x0060 unread: ",
		},
		{
			"in front of a value", anAnswer + "- result[0].instance[0].data[1].dwDataSize: 3",
			"      data[0] id 1 = 42\n      data[1] id 2 of 3 bytes\n        ! warning PERF2506: dwDataSize is 3, want 4 or 8\n",
		},
		{
			"in front of a value that is not read", anAnswer + "- result[0].instance[0].data[1].dwDataSize: 80",
			"      data[1] id 2 without a value\n        ! error PERF2502: dwDataSize is 80, want 8 at most, for which dwSize has room\n        ! 8 bytes at 0x0080 unread: ",
		},
		{
			"in a list of ids", anAnswer + "- result[0].ids.id[0]: 2",
			"    ids of 2 counters: 2, 2\n      ! warning PERF2307: counter 2 is at id[0] too, want each counter once\n    instances 1\n",
		},
		{
			"in the padding of an instance", anAnswer + "- result[0].instance[0].padding: {hex: 00 01}",
			"    instance[0] \"C:\", id 0\n      padding at 0x0067 is 0x01\n      ! info PERF2002: padding has the byte 0x01, want zeros\n      data[0] id 1 = 42\n",
		},
		{
			"of texts", someStrings + "- entry[0].Text: {hex: 41 00 00 d8 00 00}",
			"  entry[1] id 1, text at offset 30\n    ! warning PERF2710: dwCounterId is 1, want another than that of entry[0]\n" +
				"  text of entry[0] \"A\\ud800\"\n    ! at 0x1a: unpaired surrogate 0xd800\n",
		},
		{
			"of GUIDs", "kind: guids\nguids: ['{b4fc721a-0378-476f-89ba-a5a79f810b36}', '{b4fc721a-0378-476f-89ba-a5a79f810b36}']",
			"guid[1] {b4fc721a-0378-476f-89ba-a5a79f810b36}\n  ! warning PERF2703: it is guid[0] again, want each GUID once\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := judgedTree(t, tt.spec); !strings.Contains(got, tt.want) {
				t.Errorf("no\n%s\nin\n%s", tt.want, got)
			}
		})
	}
}

func judgedTree(t *testing.T, text string) string {
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
	return out.String()
}
