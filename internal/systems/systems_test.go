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

// TestTypes checks that all packages and their tests compile for systems on which .ci/run cannot run tests. It only
// checks types, which takes a tenth of the time of a compiler.
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
	// parse parses a Go file. If the file belongs to another module, parse removes the bodies of functions, because
	// their types need not be checked. A file without the extension .go is a file that the go command has generated for
	// a test, so parse keeps the bodies.
	parse := func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
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
