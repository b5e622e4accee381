package main

import (
	"bytes"
	"go/format"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// The tool makes a program of a function of a package. Its type F holds the input.
var targetText = template.Must(template.New("").Parse(`// Package target is one fuzz target, for libFuzzer.
package target

import (
	"{{.Tool}}"

	tests "{{.Target.At}}"
	"{{.Library}}"
)

var run = libfuzzer.Target("{{.Folder}}", tests.{{.Target.Function}})

func {{.Target.Function}}(f *testing.F) { run(f.Data) }
`))

// A build for a report of coverage is a test, which OSS-Fuzz gives a corpus.
var replayText = template.Must(template.New("").Parse(`package target

import (
	"os"
	"testing"

	"{{.Library}}"
)

func TestCorpus(t *testing.T) {
	if err := libfuzzer.Replay(os.Getenv("FUZZ_CORPUS_DIR"), run); err != nil {
		t.Fatal(err)
	}
}
`))

// What goes beside a package's targets is written by one program: two packages may
// not register the same flag, and of a target's package there is the only place from
// where its body can be called.
var seedsText = template.Must(template.New("").Parse(`// Seeds writes what goes beside the targets of one package.
package main

import (
	{{range $i, $at := .Packages}}tests{{$i}} "{{$at}}"
	{{end}}
	"{{.Library}}/beside"
)

func main() {
	beside.Main("{{.Folder}}", map[string]beside.Target{
		{{range .Targets}}"{{.Name}}": { {{printf "%q" .Function}}, tests{{.Package}}.{{.Function}} },
		{{end}}
	})
}
`))

func writeTarget(p *goPackage, t target, tool string) (at string, err error) {
	within := "/internal/libfuzzer/targets/" + t.name(p)
	data := map[string]any{
		"Tool": tool, "Target": struct{ At, Function string }{t.at, t.function}, "Folder": p.folder(), "Library": p.Module.Path + "/internal/libfuzzer",
	}
	if err := generate(replayText, filepath.Join(p.Module.Dir, within, "target_test.go"), data); err != nil {
		return "", err
	}
	return p.Module.Path + within, generate(targetText, filepath.Join(p.Module.Dir, within, "target.go"), data)
}

func writeSeeds(p *goPackage, targets []target) error {
	type row struct {
		Name, Function string
		Package        int
	}
	var packages []string
	var rows []row
	for _, t := range targets {
		i := slices.Index(packages, t.at)
		if i < 0 {
			i = len(packages)
			packages = append(packages, t.at)
		}
		rows = append(rows, row{t.name(p), t.function, i})
	}
	path := filepath.Join(p.Module.Dir, "internal/libfuzzer/seeds", strings.ReplaceAll(p.folder(), "/", "_"), "main.go")
	return generate(seedsText, path, map[string]any{
		"Packages": packages, "Targets": rows, "Folder": p.folder(), "Library": p.Module.Path + "/internal/libfuzzer",
	})
}

func generate(t *template.Template, path string, data any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return err
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return write(path, text)
}
