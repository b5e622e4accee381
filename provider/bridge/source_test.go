package bridge

import (
	"debug/pe"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/dll"
)

// TestBuild checks which functions the DLL exports, and which other DLLs it requires. Windows loads the required DLLs
// into each process that reads counters.
func TestBuild(t *testing.T) {
	t.Parallel()
	built := 0
	for _, arch := range Architectures() {
		path := filepath.Join(t.TempDir(), "Shop.dll")
		contents, err := Build(t.Context(), "Shop.dll", arch)
		if errors.Is(err, errNoCompiler) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, contents, 0o600); err != nil {
			t.Fatal(err)
		}
		built++
		processor, missing, err := dll.Read(path, Open, Collect, Close)
		if err != nil || processor != arch || len(missing) > 0 {
			t.Errorf("%s: the processor is %s, and the DLL does not export %q: %v", arch, processor, missing, err)
		}
		image, err := pe.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := image.ImportedSymbols() // each symbol is a function and its DLL, such as MapViewOfFile:kernel32.dll
		if err != nil || len(symbols) == 0 {
			t.Errorf("%s: %d imported functions, %v", arch, len(symbols), err)
		}
		for _, symbol := range symbols {
			name, library, _ := strings.Cut(symbol, ":")
			if !slices.Contains([]string{"kernel32.dll", "advapi32.dll"}, strings.ToLower(library)) {
				t.Errorf("%s: %s is imported from %s, must be from kernel32 or advapi32", arch, name, library)
			}
		}
		if err := image.Close(); err != nil {
			t.Error(err)
		}
	}
	if built < 2 { // amd64 and 386; Debian has no compiler for arm64
		if os.Getenv("PERFBLOCK_ORACLE") == "require" {
			t.Fatalf("mingw-w64 has compilers for %d processors, must be at least 2", built)
		}
		t.Skip("mingw-w64 is not installed")
	}
}

// TestSize checks that the source of the bridge has fewer than 600 lines of code. A person can then read all of it
// before installing the DLL.
func TestSize(t *testing.T) {
	t.Parallel()
	const most = 600
	lines := 0
	for _, pattern := range []string{"*.c", "bridge.h"} {
		names, err := fs.Glob(Source(), pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(Source(), name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
					lines++
				}
			}
		}
	}
	if lines >= most {
		t.Errorf("the bridge has %d lines of code, must have fewer than %d", lines, most)
	}
}
