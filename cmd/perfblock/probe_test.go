package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wine"
	"github.com/perfblock/perfblock/validate"
)

// readFaults reads testdata/probe/faults.txt. It returns a map from the name of a DLL to the rules that must report the
// fault of this DLL. Each DLL has at most one fault.
func readFaults(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/probe/faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	faults := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); fields[0] != "#" {
			faults[fields[0]] = fields[1:]
		}
	}
	return faults
}

// TestFaults checks that every rule about calls is in a line of faults.txt.
func TestFaults(t *testing.T) {
	t.Parallel()
	found := make(map[string]bool)
	for _, rules := range readFaults(t) {
		for _, name := range rules {
			found[name] = true
		}
	}
	about, err := validate.MatchRules("PERF3*")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range about {
		if !found[r.Name] {
			t.Errorf("no line of faults.txt has the rule %s", r.Name)
		}
	}
}

// checkProbe probes a provider without faults, and then a provider for each fault in faults.txt.
func checkProbe(t *testing.T, w *wine.Wine, program string) {
	dir := t.TempDir()
	shop := filepath.Join(dir, "shop.dll")
	mustRun(t, exec.Command("x86_64-w64-mingw32-gcc", "-std=c11", "-O2", "-Wall", "-Werror", "-shared", "-o", shop, "testdata/probe/shop.c"))
	image, err := os.ReadFile(shop)
	if err != nil {
		t.Fatal(err)
	}
	faults := readFaults(t)
	functions := []string{"--open", "OpenShop", "--collect", "CollectShop", "--close", "CloseShop"}
	// A call of slow.dll takes 2.5 s.
	args := append([]string{"probe", "--quiet", "--fail-on", "never", "--timeout", "2s"}, functions...)
	for name := range faults {
		path := filepath.Join(dir, name+".dll")
		if err := os.WriteFile(path, image, 0o777); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	out := w.RunGo(t, program, args...)
	got := make(map[string][]string)
	for name := range faults {
		got[name] = []string{}
	}
	for _, m := range regexp.MustCompile(`(?m)(\w+)\.dll.*\[PERF\d+ ([a-z-]+)\]$`).FindAllStringSubmatch(out, -1) {
		if !slices.Contains(got[m[1]], m[2]) {
			got[m[1]] = append(got[m[1]], m[2])
			slices.Sort(got[m[1]])
		}
	}
	if diff := cmp.Diff(faults, got); diff != "" {
		t.Errorf("rules by DLL (-want +got):\n%s\n%s", diff, out)
	}

	file := filepath.Join(dir, "shop.reg")
	folder := "Z:" + strings.ReplaceAll(dir, "/", `\\`) + `\\`
	registration := "Windows Registry Editor Version 5.00\n" +
		registrationOf("Shop", folder+"shop.dll", `"First Counter"=dword:00001388`, `"Last Counter"=dword:00001390`) +
		registrationOf("Slow", folder+"slow.dll", `"Open Timeout"=dword:00004e20`, `"Collect Timeout"=dword:000007d0`) +
		registrationOf("Bare", "shop.dll") +
		registrationOf("Wrong", folder+"shop.dll", `"Open"="OpenIt"`)
	if err := os.WriteFile(file, []byte(registration), 0o666); err != nil {
		t.Fatal(err)
	}
	w.Run(t, "reg", "import", file)
	log := filepath.Join(dir, "calls.txt")
	if out := w.Run(t, program, "probe", "--service", "Shop", "--log", log); !strings.Contains(out, "shop.dll: no findings") {
		t.Errorf("the service Shop:\n%s", out)
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), `Collect("5000 5006", 65536)  buffer before a guard  status 0  bytes 224`) {
		t.Errorf("the log of the service Shop, %v:\n%s", err, text)
	}

	faulty := []struct{ reason, dll, want string }{
		{"the file does not exist", filepath.Join(dir, "none.dll"), "none.dll"},
		{"the file is not a DLL", log, "calls.txt: is not a DLL"},
		{"the functions have other names", shop, "shop.dll: has no function Open, Collect and Close: give the names of its functions with --open, --collect and --close, or the service with --service"},
		{"probe refuses files that are written in Go", program, "perfblock.exe: is written in Go"},
	}
	command := []string{program, "probe"}
	for _, f := range faulty {
		command = append(command, f.dll)
	}
	faulty = append(faulty, []struct{ reason, dll, want string }{
		{"Open may take 20 s, but Collect only 2 s", "", "slow.dll:25:92: warning: Collect takes 2."},
		{"the DLL of a service is not the file in the current folder", "", `system32\shop.dll`},
		{"the registry has a wrong name", "", `shop.dll: has no function OpenIt: correct Open in the Performance key of the service "Wrong", or override`},
		{"no key", "", `Services\None\Performance: File not found.; perfblock provider install --v1 registers`},
	}...)
	lines := []string{strings.Join(command, " "), "cd /d " + dir, program + " probe --service Slow", program + " probe --service Bare", program + " probe --service Wrong", program + " probe --service None"}
	out = w.Run(t, "cmd", "/c", strings.Join(lines, " 2>&1 & ")+" 2>&1 & exit 0")
	for _, f := range faulty {
		if !strings.Contains(out, f.want) {
			t.Errorf("%s: want %q in\n%s", f.reason, f.want, out)
		}
	}
}

// registrationOf returns .reg text that registers a service with the functions of shop.c.
func registrationOf(service, library string, values ...string) string {
	return `
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\` + service + `\Performance]
"Library"="` + library + `"
"Open"="OpenShop"
"Collect"="CollectShop"
"Close"="CloseShop"
` + strings.Join(values, "\n") + "\n"
}
