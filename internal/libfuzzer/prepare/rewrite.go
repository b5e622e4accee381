package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ast/astutil"
)

// A target is a function FuzzXxx and the package that has it once it is no test.
type target struct {
	function, at string
}

func (t target) name(p *goPackage) string {
	return strings.ReplaceAll(p.folder(), "/", "_") + "_" + t.function
}

// external is the folder, within that of a package, of what was package xxx_test.
const external = "fuzztargets"

// rewrite makes ordinary files of a package's test files, with the types of package
// libfuzzer for those of package testing. Files of another package move into a folder
// of their own. A package without targets stays as it is.
func rewrite(p *goPackage) (targets []target, err error) {
	type file struct {
		from, to string
		text     []byte
	}
	var files []file
	for _, part := range []struct {
		names      []string
		folder, at string
	}{
		{p.TestGoFiles, p.Dir, p.ImportPath},
		{p.XTestGoFiles, filepath.Join(p.Dir, external), p.ImportPath + "/" + external},
	} {
		for _, name := range part.names {
			from := filepath.Join(p.Dir, name)
			text, found, err := rewriteFile(from, p.Module.Path+"/internal/libfuzzer")
			if err != nil {
				return nil, err
			}
			for _, function := range found {
				targets = append(targets, target{function, part.at})
			}
			// Not ending in a system's name, which would say for which one the file is.
			to := filepath.Join(part.folder, strings.TrimSuffix(name, "_test.go")+"_libfuzzer.go")
			files = append(files, file{from, to, text})
		}
	}
	if len(targets) == 0 {
		return nil, nil
	}
	if len(p.XTestEmbedPatterns) > 0 {
		if err := os.CopyFS(filepath.Join(p.Dir, external, "testdata"), os.DirFS(filepath.Join(p.Dir, "testdata"))); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		if err := write(f.to, f.text); err != nil {
			return nil, err
		}
		if err := os.Remove(f.from); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

func rewriteFile(path, library string) (text []byte, targets []string, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && isTarget(fn) {
			targets = append(targets, fn.Name.Name)
		}
	}
	changed := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && (isTesting(s, "T") || isTesting(s, "F")) {
			s.X.(*ast.Ident).Name = "libfuzzer"
			changed = true
		}
		return true
	})
	if changed {
		astutil.AddImport(set, f, library)
		if !usesTesting(f) {
			astutil.DeleteImport(set, f, "testing")
		}
	}
	var b bytes.Buffer
	err = format.Node(&b, set, f)
	return b.Bytes(), targets, err
}

// isTarget reports whether "go test" takes a function for a fuzz target.
func isTarget(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Fuzz")
	if first, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLower(first) || len(fn.Type.Params.List) != 1 {
		return false
	}
	pointer, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	s, ok := pointer.X.(*ast.SelectorExpr)
	return ok && isTesting(s, "F")
}

func isTesting(s *ast.SelectorExpr, name string) bool {
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "testing" && s.Sel.Name == name
}

func usesTesting(f *ast.File) (uses bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			uses = uses || ok && x.Name == "testing"
		}
		return !uses
	})
	return uses
}

func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
