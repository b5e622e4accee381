//go:build !windows

package provider_test

import (
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
	wine.Compile(t, "amd64", ".", program, "test", "-c", "-vet=off")
	out := w.RunGo(t, program, "-test.v", "-test.run", "^TestWindows|^TestReuse|^TestGoroutines|^Example")
	for _, test := range []string{"TestWindowsInstances", "TestWindowsErrors", "TestWindowsSlots", "TestWindowsCallback", "TestWindowsStack", "TestWindowsRights", "TestWindowsOwner", "TestWindowsRefusedMapping", "TestReuse", "ExampleProvider_Snapshot"} {
		if !strings.Contains(out, "--- PASS: "+test+" ") {
			t.Errorf("%s did not run:\n%s", test, out)
		}
	}
}
