package fuzz_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// makers are the functions that make a model of a kind.
var makers = map[layout.Kind]any{
	layout.DataBlockKind: fuzz.DataBlock, layout.ObjectsKind: fuzz.Objects,
	layout.QueryDataKind: fuzz.QueryData, layout.InstancesKind: fuzz.InstanceList, layout.IdentifiersKind: fuzz.Identifiers,
	layout.RegSetKind: fuzz.RegSet, layout.RegCounterKind: fuzz.RegCounter, layout.RegStringKind: fuzz.RegString, layout.RegGUIDKind: fuzz.RegGUID,
	layout.StringsKind: fuzz.Strings, layout.GUIDsKind: fuzz.GUIDs, layout.TemplateKind: fuzz.SetTemplate, layout.InstanceBlockKind: fuzz.SetInstance,
}

// TestKindsAreListed holds the table of docs/fuzzing.md, and fuzz.Model, to the functions
// that there are for each kind and to what package layout says of it.
func TestKindsAreListed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/fuzzing.md")
	fatal(t, err)
	const head = "| kind | what it is | function | its model |\n|---|---|---|---|\n"
	_, rest, ok := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), head)
	if !ok {
		t.Fatal("the page has no table of kinds")
	}
	have, _, _ := strings.Cut(rest, "\n\n")
	docs := kindDocs(t)
	var want []string
	for _, kind := range layout.Kinds() {
		made := reflect.ValueOf(makers[kind])
		name := runtime.FuncForPC(made.Pointer()).Name()
		name = name[strings.LastIndex(name, "/")+1:]
		want = append(want, fmt.Sprintf("| `%v` | %s | `%s` | `%v` |", kind, docs[kind], name, made.Type().Out(0)))
		for seed := range uint64(20) {
			model := made.Call([]reflect.Value{reflect.ValueOf(fuzz.Seed(seed)), reflect.ValueOf(fuzz.Config{})})[0].Interface()
			if diff := cmp.Diff(model, reflect.ValueOf(fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})).Elem().Interface()); diff != "" {
				t.Errorf("%s makes another %v than Model (-%s +Model):\n%s", name, kind, name, diff)
			}
		}
	}
	if diff := cmp.Diff(want, strings.Split(have, "\n")); diff != "" {
		t.Errorf("the table of kinds is not what there is (-want +page):\n%s", diff)
	}
}

// kindDocs returns what stands beside each kind in the code.
func kindDocs(t *testing.T) map[layout.Kind]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../layout/kind.go", nil, parser.ParseComments)
	fatal(t, err)
	docs := map[layout.Kind]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.ValueSpec); ok && c.Comment != nil && strings.HasSuffix(c.Names[0].Name, "Kind") {
			docs[layout.Kind(len(docs))] = strings.TrimSpace(c.Comment.Text()) // the constants count from 0
		}
		return true
	})
	if len(docs) != len(layout.Kinds()) {
		t.Fatalf("%d kinds have a word beside them, of %d", len(docs), len(layout.Kinds()))
	}
	return docs
}
