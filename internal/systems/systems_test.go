// Package systems contains only a test. The test type-checks the module for other systems.
package systems

import (
	"os"
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
	for _, tt := range []struct{ folder, system, reason string }{
		{module, "windows/amd64", "most packages have the same files for Windows, and are not vetted there"},
		{module, "darwin/arm64", "no package has files for macOS only"},
		{host, "darwin/arm64", "the other module with files for one system; it is vetted for Windows"},
	} {
		t.Run(tt.system, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(tt.system, "/")
			loaded, err := packages.Load(&packages.Config{
				Context: t.Context(), Dir: tt.folder, Tests: true, Mode: packages.LoadAllSyntax,
				Env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			}, "./...")
			if err != nil || len(loaded) == 0 {
				t.Fatalf("%d packages, error %v", len(loaded), err)
			}
			for p := range packages.Postorder(loaded) {
				for _, err := range p.Errors {
					t.Errorf("%v: %s", err, tt.reason)
				}
			}
		})
	}
}
