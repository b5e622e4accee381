// Package exporters builds a test program that reads counters. The program uses the packages of two exporters for
// Prometheus.
package exporters

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/wine"
)

//go:embed testdata/main.go
var source []byte

// Names are the names of the exporters, in the order in which the program prints them.
var Names = []string{"perflib_exporter", "windows_exporter"}

// Build compiles testdata/main.go for Windows into the file program. arch is a GOARCH, such as amd64.
func Build(t *testing.T, program, arch string) {
	t.Helper()
	dir := t.TempDir()
	for folder, from := range map[string][2]string{
		"oldest": {"github.com/leoluk/perflib_exporter@v0.2.1", "perflib"},
		"newer":  {"github.com/prometheus-community/windows_exporter@v0.27.2", "pkg/perflib"},
	} {
		var module struct{ Dir string }
		out, err := cc.Run("go", "mod", "download", "-json", from[0])
		if err == nil {
			err = json.Unmarshal(out, &module)
		}
		if err == nil {
			err = os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(module.Dir, from[1])))
		}
		if err == nil { // unmarshal.go of windows_exporter requires other modules
			err = os.RemoveAll(filepath.Join(dir, folder, "unmarshal.go"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string][]byte{"main.go": source, "go.mod": []byte("module example.com/reader\n\ngo 1.26\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	wine.Compile(t, arch, dir, program, "build")
}
