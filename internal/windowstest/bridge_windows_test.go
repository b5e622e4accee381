package windowstest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/exporters"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
)

// compilers has the C compiler for each processor.
var compilers = map[string]string{"amd64": "x86_64-w64-mingw32-gcc", "386": "i686-w64-mingw32-gcc", "arm64": "aarch64-w64-mingw32-clang"}

// install compiles and registers the bridge of a service, and compiles the publisher. The result is the registry value
// "First Counter" of the service.
func (c *computer) install(t *testing.T, perfblock, name, arch string) uint64 {
	t.Helper()
	definition, err := os.ReadFile(filepath.Join("testdata", "bridge.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if name != service { // in the names of counters, the name of the service replaces the word Bridge
		definition = []byte(strings.NewReplacer(service, name, "Bridge", name).Replace(string(definition)))
	}
	c.write(t, name+".yaml", definition)
	c.run(t, perfblock, "define", name+".yaml", "-o", name+".ini")
	c.run(t, perfblock, "provider", "bridge", "-o", name+".dll", "--arch", arch)
	out := c.run(t, perfblock, "provider", "install", "--v1", name+".ini")
	c.uninstallAtEnd(t, perfblock, "--v1", name+".ini")
	if _, err := os.Stat(c.in("publisher.exe")); err != nil { // Windows refuses to replace a program that runs
		c.build(t, root, "publisher.exe", "./provider/testdata/bridge/publisher")
	}
	match := regexp.MustCompile(`with the names (\d+) to`).FindStringSubmatch(out)
	if match == nil {
		t.Fatalf("install has not written First Counter: %s", out)
	}
	first, err := strconv.ParseUint(match[1], 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return first
}

// startV1 installs the bridge of a service and starts its publisher. The result is the registry value "First
// Counter" of the service.
func (c *computer) startV1(t *testing.T, perfblock, name, arch string) uint64 {
	t.Helper()
	registered := c.install(t, perfblock, name, arch)
	const first = provider.FirstCounter
	objects, err := builder.Objects{
		*builder.NewObject(first).Counter(first+2, layout.PERF_COUNTER_RAWCOUNT).Counter(first+4, layout.PERF_COUNTER_BULK_COUNT).
			Instance("orders", 17, 1<<40).Instance("mail", 4294967295, 3),
		*builder.NewObject(first+6).Counter(first+8, layout.PERF_COUNTER_RAWCOUNT).Single(99),
	}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	c.write(t, "bridge.bin", objects)
	c.start(t, c.in("publisher.exe"), name, "bridge.bin")
	return registered
}

// checkExporters checks the output of two exporters. The output must have the values that startV1 publishes.
func (c *computer) checkExporters(t *testing.T, output string) {
	t.Helper()
	var want, got []string
	for _, reader := range exporters.Names {
		for _, v := range []struct {
			object, counter uint64
			rest            string
		}{{0, 2, "orders 17"}, {0, 4, "orders 1099511627776"}, {0, 2, "mail 4294967295"}, {0, 4, "mail 3"}, {6, 8, "- 99"}} {
			want = append(want, fmt.Sprintf("%s %d %d %s", reader, c.first+v.object, c.first+v.counter, v.rest))
		}
	}
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		for _, object := range []uint64{0, 6} { // Windows may return other objects too
			if strings.Contains(line, fmt.Sprintf("_exporter %d ", c.first+object)) {
				got = append(got, line)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the exporters (-published +read):\n%s\n%s", diff, output)
	}
}

// narrow installs a 32-bit DLL. A 32-bit and a 64-bit program then read the values of the DLL.
func (c *computer) narrow(t *testing.T, perfblock string) {
	if _, err := exec.LookPath(compilers["386"]); err != nil {
		t.Skip(err)
	}
	c.startV1(t, perfblock, "Narrow", "386")
	c.buildFor(t, "386", root, "perfblock386.exe", "./cmd/perfblock")
	if out := c.run(t, c.in("perfblock386.exe"), "probe", "--service", "Narrow", "--fail-on", "info"); !strings.Contains(out, "no findings") {
		t.Errorf("the probe of the bridge for 386: %s", out)
	}
	t.Run("Faults", func(t *testing.T) { c.faults(t, c.in("perfblock386.exe"), "386") })
	want := map[string]float64{`narrow queues(orders)\depth`: 17, `narrow queues(mail)\depth`: 4294967295, `narrow totals\size`: 99}
	windows := os.Getenv("SystemRoot")
	for _, program := range []string{filepath.Join(windows, "SysWOW64", "typeperf.exe"), filepath.Join(windows, "System32", "typeperf.exe")} {
		var diff string
		for range 20 { // until Windows knows the counters
			out, _ := c.command(t, program, `\Narrow Queues(*)\Depth`, `\Narrow Totals\Size`, "-sc", "1").CombinedOutput()
			got, err := typeperfValues(string(out))
			if diff = cmp.Diff(want, got) + fmt.Sprintln(err); err == nil && cmp.Equal(want, got) {
				diff = ""
				break
			}
		}
		if diff != "" {
			t.Errorf("%s (-published +read):\n%s", program, diff)
		}
	}
}

// compile compiles a C program or a DLL for a processor.
func (c *computer) compile(t *testing.T, arch string, args ...string) {
	t.Helper()
	output(t, exec.CommandContext(t.Context(), compilers[arch], args...))
}

// killPublisher kills the publisher 200 times in the middle of a write. A consumer must never see values of one
// Write mixed with values of another Write.
func (c *computer) killPublisher(t *testing.T, perfblock string) {
	first := c.install(t, perfblock, "Kill", runtime.GOARCH)
	c.compile(t, runtime.GOARCH, "-municode", "-o", c.in("consumer.exe"), filepath.Join(root, "provider", "testdata", "bridge", "consumer.c"), "-ladvapi32")
	const rounds = 200
	args := []string{"kill", c.in("publisher.exe") + " Kill", strconv.Itoa(rounds)}
	// These offsets are from provider/mappinglayout.go. In the root, 8 is the offset of the number of the
	// generation. In the generation, 64 and 128 are the offsets of the sequence numbers of the two buffers.
	args = append(args, "8", "64", "128", strconv.FormatUint(first, 10))
	half := 0
	out := c.run(t, c.in("consumer.exe"), args...)
	if n, err := fmt.Sscanf(out, fmt.Sprintf("rounds %d wrong 0 empty 0 half %%d", rounds), &half); n != 1 || half == 0 {
		t.Errorf("the consumer has written %q: %v", out, err)
	}
}

// faults compiles the faulty providers in cmd/perfblock/testdata/probe for a processor, and probes them.
func (c *computer) faults(t *testing.T, perfblock, arch string) {
	folder := filepath.Join(root, "cmd", "perfblock", "testdata", "probe")
	text, err := os.ReadFile(filepath.Join(folder, "faults.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// Without --kill-at, a DLL for 386 has names such as OpenShop@4.
	c.compile(t, arch, "-std=c11", "-O2", "-shared", "-Wl,--kill-at", "-o", c.in("shop.dll"), filepath.Join(folder, "shop.c"))
	image, err := os.ReadFile(c.in("shop.dll"))
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`(?m)\[PERF\d+ ([a-z-]+)\]\r?$`)
	for line := range strings.Lines(string(text)) {
		want := strings.Fields(line)
		if want[0] == "#" {
			continue
		}
		t.Run(want[0], func(t *testing.T) {
			c.write(t, want[0]+".dll", image)
			out := c.run(t, perfblock, "probe", want[0]+".dll", "--quiet", "--fail-on", "never", "--timeout", "2s", "--open", "OpenShop", "--collect", "CollectShop", "--close", "CloseShop")
			got := []string{}
			for _, m := range rule.FindAllStringSubmatch(out, -1) {
				got = append(got, m[1])
			}
			slices.Sort(got)
			if diff := cmp.Diff(want[1:], slices.Compact(got)); diff != "" {
				t.Errorf("rules (-want +got):\n%s\n%s", diff, out)
			}
		})
	}
}
