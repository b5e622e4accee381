package diff_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/perfblock/perfblock/diff"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
)

const (
	jsonPage   = "../docs/diff-json.md"
	jsonSchema = "../docs/schema/perfblock-diff.schema.json"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource(jsonSchema, parsed(t, golden.Read(t, jsonSchema))); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(jsonSchema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// jsonTexts returns the JSON of all cases, and of damaged blocks of each kind.
func jsonTexts(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	o := diff.WriteOptions{A: diff.File{Path: "a.bin"}, B: diff.File{Path: "-", Input: "hex"}, Detected: true}
	o.Names = func(index uint32) (name string, builtIn bool) { return fmt.Sprintf("title %d", index), index%2 == 0 }
	var texts []string
	for _, path := range paths {
		c := readCase(t, path)
		texts = append(texts, write(t, "json", diff.Compare(c.kind, c.a, c.b, diff.Options{Ignore: []diff.Sort{diff.Times}}), o))
	}
	for _, kind := range layout.Kinds() {
		for seed := range uint64(20) {
			texts = append(texts, write(t, "json", diff.Compare(kind, generated(t, kind, seed), generated(t, kind, seed+1), diff.Options{Max: 1}), o))
		}
	}
	return texts
}

// TestJSON checks the JSON against its schema. It also checks that the page and the schema describe
// exactly the members of the JSON.
func TestJSON(t *testing.T) {
	t.Parallel()
	s := schema(t)
	members, rows, described := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, text := range jsonTexts(t) {
		v := parsed(t, text)
		if err := s.Validate(v); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
		golden.Members(members, v)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Za-z]+)` \\|").FindAllStringSubmatch(golden.Read(t, jsonPage), -1) {
		rows[m[1]] = true
	}
	golden.Properties(described, parsed(t, golden.Read(t, jsonSchema)))
	if d := cmp.Diff(members, rows); d != "" {
		t.Errorf("(-json +page)\n%s", d)
	}
	if d := cmp.Diff(members, described); d != "" {
		t.Errorf("(-json +schema)\n%s", d)
	}
}

// TestJSONSchemaRefuses checks that the schema refuses values that a reader does not expect.
func TestJSONSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t)
	c := readCase(t, "testdata/values.txtar")
	whole := write(t, "json", diff.Compare(c.kind, c.a, c.b, diff.Options{}), diff.WriteOptions{})
	for _, tt := range []struct{ old, new, reason string }{
		{`"schema":1`, `"schema":2`, "another version has another number"},
		{`"kind":"objects"`, `"kind":"object"`, "the kind is unknown"},
		{`"sort":"values"`, `"sort":"value"`, "the sort is unknown"},
		{`"change":"changed"`, `"change":"change"`, "the change is unknown"},
		{`"values":2`, `"values":-1`, "a count is not negative"},
		{`"order":0,`, ``, "a count is missing"},
		{`"truncated":false`, `"truncated":null`, "null is not a boolean"},
		{`"differences":[`, `"differences":null,"x":[`, "null is not a list"},
		{`"value":"2"`, `"value":2`, "a value is a string"},
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
