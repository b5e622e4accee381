package dll

import (
	"debug/pe"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/dll/dlltest"
)

func write(t *testing.T, contents []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.dll")
	if err := os.WriteFile(path, contents, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRead checks the processors and the missing functions of DLLs.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason    string
		file      []byte
		processor string
		missing   string
	}{
		{"all functions", dlltest.New(pe.IMAGE_FILE_MACHINE_AMD64, "Close", "Collect", "Open"), "amd64", ""},
		{"a DLL of 32 bits has another header", dlltest.New(pe.IMAGE_FILE_MACHINE_I386, "Close", "Collect", "Open"), "386", ""},
		{"a longer name, and one in another case", dlltest.New(pe.IMAGE_FILE_MACHINE_ARM64, "Close", "CollectAll", "open"), "arm64", "Open Collect"},
		{"no functions", dlltest.New(pe.IMAGE_FILE_MACHINE_AMD64), "amd64", "Open Collect Close"},
		{"another machine", dlltest.New(pe.IMAGE_FILE_MACHINE_ARMNT, "Open", "Collect", "Close"), "machine 0x1c4", ""},
		{"the section is cut off", dlltest.New(pe.IMAGE_FILE_MACHINE_ARM64)[:0x170], "arm64", "Open Collect Close"},
	} {
		processor, missing, err := Read(write(t, tt.file), "Open", "Collect", "Close")
		if err != nil || processor != tt.processor || strings.Join(missing, " ") != tt.missing {
			t.Errorf("%s: processor %q, missing functions %q, %v; want %q and %q", tt.reason, processor, missing, err, tt.processor, tt.missing)
		}
	}
	for reason, file := range map[string][]byte{"empty": nil, "a text": []byte(strings.Repeat("text ", 40))} {
		if _, _, err := Read(write(t, file)); err == nil || !strings.Contains(err.Error(), "shop.dll: is not a DLL") {
			t.Errorf("%s: %v", reason, err)
		}
	}
	if _, _, err := Read(filepath.Join(t.TempDir(), "none.dll")); err == nil || !strings.Contains(err.Error(), "none.dll") {
		t.Error(err)
	}
}

// TestReadDamaged checks that Read does not panic for a damaged DLL. If the DLL declares more names than the file can
// have, Read must not loop over all of them.
func TestReadDamaged(t *testing.T) {
	t.Parallel()
	valid := dlltest.New(pe.IMAGE_FILE_MACHINE_AMD64, "Close", "Collect", "Open")
	r := rand.New(rand.NewPCG(1, 2))
	path := write(t, nil)
	for range 500 {
		b := slices.Clone(valid)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] = [...]byte{0, 0xFF, byte(r.Uint32())}[r.IntN(3)]
		}
		if err := os.WriteFile(path, b[:r.IntN(len(b)+1)], 0o666); err != nil {
			t.Fatal(err)
		}
		Read(path, "Open", "None") // the result does not matter
	}
}
