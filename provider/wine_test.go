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

// TestWine makes one installation of Wine for all tests that use Wine, because an installation takes seconds.
func TestWine(t *testing.T) {
	t.Parallel()
	w := wine.New(t)
	t.Run("Calls", func(t *testing.T) { runWindowsTests(t, w) })
	t.Run("Bridge", func(t *testing.T) { bridgeWine(t, w) })
}

func runWindowsTests(t *testing.T, w *wine.Wine) {
	program := filepath.Join(t.TempDir(), "provider.test.exe")
	// The flags are those of .ci/run for Windows, so the build reuses the packages that .ci/run has compiled.
	build := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=all=-N -l", "-ldflags=-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out := w.RunGo(t, program, "-test.v", "-test.run", "^TestWindows|^TestReuse|^TestGoroutines|^Example")
	for _, test := range []string{"TestWindowsInstances", "TestWindowsErrors", "TestWindowsSlots", "TestWindowsCallback", "TestWindowsRights", "TestWindowsOwner", "TestWindowsRefusedMapping", "TestReuse", "ExampleProvider_Snapshot"} {
		if !strings.Contains(out, "--- PASS: "+test+" ") {
			t.Errorf("%s did not run:\n%s", test, out)
		}
	}
}
