//go:build !windows

package provider_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wine"
)

// TestWine runs the tests of the calls of Windows with Wine.
func TestWine(t *testing.T) {
	t.Parallel()
	w := wine.New(t)
	program := filepath.Join(t.TempDir(), "provider.test.exe")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out := w.RunGo(t, program, "-test.v", "-test.run", "^TestWindows|^TestReuse|^TestGoroutines|^Example")
	for _, test := range []string{"TestWindowsInstances", "TestWindowsErrors", "TestWindowsCallback", "TestReuse", "ExampleProvider_Snapshot"} {
		if !strings.Contains(out, "--- PASS: "+test+" ") {
			t.Errorf("%s did not run:\n%s", test, out)
		}
	}
}
