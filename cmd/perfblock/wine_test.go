package main

import (
	"debug/pe"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/dll/dlltest"
	"github.com/perfblock/perfblock/internal/wine"
	"github.com/perfblock/perfblock/provider/bridge"
)

// TestWine runs the tests of the command with Wine.
func TestWine(t *testing.T) {
	t.Parallel()
	w := wine.New(t)
	program := buildForWine(t, ".")
	t.Run("Rights", func(t *testing.T) { checkRights(t, w, program) })
	t.Run("Undo", func(t *testing.T) { checkUndo(t, w, program) })
	t.Run("Probe", func(t *testing.T) { checkProbe(t, w, program) })
}

// buildForWine compiles the program in a folder for Windows, and returns its path.
func buildForWine(t *testing.T, folder string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "perfblock.exe")
	wine.Compile(t, "amd64", folder, program, "build")
	return program
}

func mustRun(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
}

// checkRights runs provider install with and without the rights of an administrator.
func checkRights(t *testing.T, w *wine.Wine, program string) {
	limited := buildForWine(t, "./testdata/limited")
	w.PrepareGo(t)
	const required = "provider install: lodctr can register providers only with the rights of an administrator; run the command in an elevated command prompt"
	if out := w.Run(t, limited, program, "provider", "install", "none.man"); !strings.Contains(out, required) {
		t.Errorf("without the rights, want %q in %q", required, out)
	}
	if out := w.Run(t, "cmd", "/c", program+" provider install none.man 2>&1 & exit 0"); !strings.Contains(out, "none.man: ") || strings.Contains(out, required) {
		t.Errorf("with the rights, install must look for the file: %q", out)
	}
}

// checkUndo checks that a failed install removes the values that it has written, and keeps other values. Install fails
// because the lodctr of Wine registers nothing.
func checkUndo(t *testing.T, w *wine.Wine, program string) {
	dir := t.TempDir()
	writeShop(t, dir, dlltest.New(pe.IMAGE_FILE_MACHINE_AMD64, bridge.Close, bridge.Collect, bridge.Open))
	const key = `HKLM\SYSTEM\CurrentControlSet\Services\Shop\Performance`
	w.PrepareGo(t)
	out := w.Run(t, "cmd", "/c", strings.Join([]string{
		`reg add ` + key + ` /v Kept /d 7`, program + " provider install --v1 " + filepath.Join(dir, "shop.ini") + " 2>&1", "reg query " + key,
	}, " & "))
	for _, want := range []string{"lodctr has not written First Counter", `the service "Shop" is not registered`, "    Kept    REG_SZ    7"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in %q", want, out)
		}
	}
	for _, v := range bridgeValues("") {
		if strings.Contains(out, "    "+v[0]+"    REG_SZ") {
			t.Errorf("the value %s is left: %q", v[0], out)
		}
	}
}
