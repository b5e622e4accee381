package report_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

const (
	jsonPage   = "../../docs/lint-json.md"
	jsonSchema = "../../docs/schema/perfblock-findings.schema.json"
)

// schema compiles the JSON Schema in a file.
func schema(t testing.TB, path string) *jsonschema.Schema { return schemaOf(t, path, "") }

// schemaOf compiles a part of the JSON Schema in a file, such as #/$defs/record.
func schemaOf(t testing.TB, path, part string) *jsonschema.Schema {
	t.Helper()
	doc := parsed(t, golden.Read(t, path))
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(path, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(path + part)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parsed(t testing.TB, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

func TestJSON(t *testing.T) {
	t.Parallel()
	s := schema(t, jsonSchema)
	for _, tt := range cases(t) {
		got := tt.write(t, "json", report.Options{})
		golden.File(t, "testdata/"+tt.name+".json", got)
		if err := s.Validate(parsed(t, got)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestJSONL checks each record against the schema.
func TestJSONL(t *testing.T) {
	t.Parallel()
	s := schemaOf(t, jsonSchema, "#/$defs/record")
	for _, tt := range cases(t) {
		got := tt.write(t, "jsonl", report.Options{})
		golden.File(t, "testdata/"+tt.name+".jsonl", got)
		for line := range strings.Lines(got) {
			if err := s.Validate(parsed(t, line)); err != nil {
				t.Errorf("%s: %v\n%s", tt.name, err, line)
			}
		}
	}
}

// TestJSONOfEveryKind checks that the schema accepts every kind of block.
func TestJSONOfEveryKind(t *testing.T) {
	t.Parallel()
	s := schema(t, jsonSchema)
	for _, k := range layout.Kinds() {
		got := write(t, "json", []report.File{{Path: "a.bin", Kind: k}}, report.Options{})
		if err := s.Validate(parsed(t, got)); err != nil {
			t.Errorf("%v: %v", k, err)
		}
	}
}

// TestJSONSchemaRefuses checks that the schema refuses invalid values.
func TestJSONSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t, jsonSchema)
	unchecked := []report.Unchecked{{Path: "gone.bin", Err: errors.New("is empty")}}
	one := []report.File{checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special")}
	whole := testCase{files: one, unchecked: unchecked}.write(t, "json", report.Options{})
	for _, tt := range []struct{ old, new, reason string }{
		{`"schema":1`, `"schema":2`, "another shape"},
		{`"files":[`, `"file":[`, "files is missing"},
		{`"kind":"objects"`, `"kind":"object"`, "an unknown kind"},
		{`"offset":130`, `"offset":-1`, "a negative offset"},
		{`"offset":130,`, ``, "the offset is missing"},
		{`"length":2`, `"length":"2"`, "a number in quotes"},
		{`"severity":"warning"`, `"severity":"off"`, "off is not the severity of a finding"},
		{`"rule":"PERF1416"`, `"rule":"1416"`, "not a rule ID"},
		{`"info":0`, `"infos":0`, "a count is missing"},
		{`"truncated":false`, `"truncated":null`, "not a boolean"},
		{`"findings":[`, `"findings":null,"x":[`, "null is not a list"},
		{`"unjudged":[`, `"unjudged":null,"x":[`, "null is not a list"},
		{`"path":"gone.bin",`, ``, "the path is missing"},
		{`"message":"is empty"`, `"message":""`, "the message is empty"},
	} {
		broken := strings.Replace(whole, tt.old, tt.new, 1)
		if broken == whole {
			t.Errorf("no %s in\n%s", tt.old, whole)
		}
		if s.Validate(parsed(t, broken)) == nil {
			t.Errorf("%s is accepted: %s", tt.new, tt.reason)
		}
	}
}

// TestJSONExample checks the JSON in docs/lint-json.md. The JSON must be the report on the block that the spec on
// the same page describes.
func TestJSONExample(t *testing.T) {
	t.Parallel()
	page := golden.Read(t, jsonPage)
	fenced := func(language string) string {
		m := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$").FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("no %s on the page", language)
		}
		return m[1]
	}
	s, err := spec.Parse(jsonPage, []byte(fenced("yaml")))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	got := write(t, "json", []report.File{{Path: "cpu.bin", Kind: s.Kind(), Block: b, Result: validate.Bytes(s.Kind(), b, validate.Context{})}}, report.Options{})
	if diff := cmp.Diff(fenced("json"), got); diff != "" {
		t.Errorf("(-page +got)\n%s", diff)
	}
}

// numbered returns a name for each index. Names of even indexes are built in.
func numbered(index uint32) (name string, builtIn bool) {
	return fmt.Sprintf("title %d \x1b\u202e", index), index%2 == 0
}

// TestJSONMembers checks that docs/lint-json.md and the schema describe all members of the JSON, and
// no other members.
func TestJSONMembers(t *testing.T) {
	t.Parallel()
	members := map[string]bool{}
	for _, tt := range cases(t) {
		golden.Members(members, parsed(t, tt.write(t, "json", report.Options{Names: numbered})))
		for line := range strings.Lines(tt.write(t, "jsonl", report.Options{Names: numbered})) {
			golden.Members(members, parsed(t, line))
		}
	}
	golden.Members(members, parsed(t, write(t, "jsonl", []report.File{compared()}, report.Options{})))
	golden.Members(members, parsed(t, testCase{unchecked: []report.Unchecked{faulty}}.write(t, "jsonl", report.Options{})))
	odd, err := builder.Objects{*builder.NewObject(2).Counter(5, layout.PERF_COUNTER_RAWCOUNT)}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	inCounter := report.File{Kind: layout.ObjectsKind, Block: odd, Result: validate.Bytes(layout.ObjectsKind, odd, validate.Context{})}
	golden.Members(members, parsed(t, write(t, "json", []report.File{inCounter}, report.Options{Names: numbered})))
	described := map[string]bool{}
	golden.Properties(described, parsed(t, golden.Read(t, jsonSchema)))
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Za-z]+)` \\|").FindAllStringSubmatch(golden.Read(t, jsonPage), -1) {
		rows[m[1]] = true
	}
	if diff := cmp.Diff(members, rows); diff != "" {
		t.Errorf("(-json +page)\n%s", diff)
	}
	if diff := cmp.Diff(members, described); diff != "" {
		t.Errorf("(-json +schema)\n%s", diff)
	}
}

// TestRecordMembers checks that the section of docs/lint-json.md about records names all members of the records.
func TestRecordMembers(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(golden.Read(t, jsonPage), "\n## A line for each record\n")
	section, _, _ = strings.Cut(section, "\n## ")
	missing := map[string]bool{}
	for _, tt := range append(cases(t), testCase{files: []report.File{compared()}, unchecked: []report.Unchecked{faulty}}) {
		for line := range strings.Lines(tt.write(t, "jsonl", report.Options{})) {
			for name := range parsed(t, line).(map[string]any) {
				if !strings.Contains(section, "`"+name+"`") {
					missing[name] = true
				}
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("the section does not name %v", missing)
	}
}
