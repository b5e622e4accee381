package windowstest

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// root is the folder of the repository.
const root = "../.."

// A computer runs the programs of a test in a folder that all accounts can read and write.
type computer struct {
	folder  string
	scripts string // the folder testdata

	account, password string // the ordinary account

	first uint64 // First Counter of the V1 provider
}

// newComputer makes the folder, and an ordinary account that may read counters. Making the account requires the rights
// of an administrator.
func newComputer(t *testing.T) *computer {
	t.Helper()
	scripts, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	// Other accounts, and the processes that load the bridge, cannot read the temporary folder of the user.
	folder, err := os.MkdirTemp(os.Getenv("SystemDrive")+`\`, "perfblock-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Log(err) // a process that reads counters can still use the DLL of the bridge
		}
	})
	c := &computer{folder: folder, scripts: scripts, account: "perfblock-test", password: "aA1!" + rand.Text()[:10]}
	c.run(t, "net", "user", c.account, c.password, "/add")
	t.Cleanup(func() { c.run(t, "net", "user", c.account, "/delete") })
	c.run(t, "net", "localgroup", "Performance Monitor Users", c.account, "/add")
	return c
}

func (c *computer) in(name string) string { return filepath.Join(c.folder, name) }

func (c *computer) command(t *testing.T, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = c.folder
	return cmd
}

// output returns what a command writes. The test ends if the command fails.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// run runs a program in the folder, with the account of the test.
func (c *computer) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...) // not with the context of the test, because cleanup functions use run
	cmd.Dir = c.folder
	return output(t, cmd)
}

// runAsUser runs a program in the folder, with the ordinary account.
func (c *computer) runAsUser(t *testing.T, name string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	var line []string
	for _, arg := range args {
		line = append(line, syscall.EscapeArg(arg))
	}
	cmd := c.command(t, "powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", filepath.Join(c.scripts, "as.ps1"))
	cmd.Env = append(os.Environ(), "TEST_ACCOUNT="+c.account, "TEST_PASSWORD="+c.password, "TEST_PROGRAM="+program,
		"TEST_ARGUMENTS="+strings.Join(line, " "), "TEST_FOLDER="+c.folder)
	return output(t, cmd)
}

// start starts a program that runs until the test ends.
func (c *computer) start(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := c.command(t, name, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it fails if the program has ended
		_ = cmd.Wait()         // the program was killed
	})
}

// build compiles a package of a module to a program in the folder.
func (c *computer) build(t *testing.T, module, name, path string) {
	t.Helper()
	c.buildFor(t, runtime.GOARCH, module, name, path)
}

// buildFor is [computer.build] for the processor arch.
func (c *computer) buildFor(t *testing.T, arch, module, name, path string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", c.in(name), path)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOARCH="+arch)
	output(t, cmd)
}

// write writes a file of the folder.
func (c *computer) write(t *testing.T, name string, contents []byte) {
	t.Helper()
	if err := os.WriteFile(c.in(name), contents, 0o666); err != nil {
		t.Fatal(err)
	}
}
