package wine

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Compile compiles the Go package in a folder for Windows into the file program. arch is a GOARCH, such as amd64.
// command is a go command with its flags, such as "build".
func Compile(t *testing.T, arch, folder, program string, command ...string) {
	t.Helper()
	// Only one test compiles at a time, because two commands at the same time would both compile the packages that they
	// share.
	unlock, err := lockedfile.MutexAt(filepath.Join(cache(t), "compile.lock")).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	// All tests use the same flags for the compiler, so the build cache has one version of each package. With these
	// flags the compiler is fastest.
	cmd := exec.CommandContext(t.Context(), "go", append(command, "-gcflags=all=-N -l", "-ldflags=-s -w", "-o", program, ".")...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH="+arch, "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
}

// cache returns the folder that all tests on the machine share.
func cache(t *testing.T) string {
	t.Helper()
	folder, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(folder, "perfblock-tests")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	return folder
}
