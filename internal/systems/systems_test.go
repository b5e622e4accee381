// Package systems contains only a test. The test type-checks the module for other systems.
package systems

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/perfblock/perfblock/internal/long"
)

// TestTypes checks the types of all packages and tests for systems on which .ci/run cannot run tests. A compiler would
// take ten times as long.
func TestTypes(t *testing.T) {
	if !long.Enabled() {
		t.Skip("the types of all packages take 6 seconds for each system; set PERFBLOCK_LONG=1")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // with the percentage of .ci/run, the syntax trees take 2 GB
	const module, host = "../..", "../../examples/hostprocess"
	root, err := filepath.Abs(module)
	if err != nil {
		t.Fatal(err)
	}
	// parse removes the bodies of functions in other modules, because the types in the bodies need not be checked.
	parse := func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		// Other modules are outside root. One kind of file outside root belongs to this module: the main file
		// that the go command generates for each tested package. Its name does not end in .go, so it keeps its
		// functions.
		if err == nil && !strings.HasPrefix(name, root+string(filepath.Separator)) && filepath.Ext(name) == ".go" {
			for _, d := range f.Decls {
				if fn, is := d.(*ast.FuncDecl); is {
					fn.Body = nil
				}
			}
		}
		return f, err
	}
	for _, tt := range []struct{ folder, system, reason string }{
		{module, "windows/amd64", "some packages have other files for Windows"},
		{module, "linux/386", "tests with 32 bits run for some packages only"},
		{module, "darwin/arm64", "no package has files for macOS only"},
		{host, "windows/amd64", "the other module with files for Windows"},
	} {
		t.Run(tt.system, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(tt.system, "/")
			loaded, err := packages.Load(&packages.Config{
				Context: t.Context(), Dir: tt.folder, Tests: true, Mode: packages.LoadAllSyntax, ParseFile: parse,
				Env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			}, "./...")
			if err != nil || len(loaded) == 0 {
				t.Fatalf("%d packages, error %v", len(loaded), err)
			}
			for _, p := range loaded {
				for _, err := range p.Errors {
					t.Errorf("%v: %s", err, tt.reason)
				}
			}
		})
	}
}
