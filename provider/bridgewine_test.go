//go:build !windows

package provider_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/exporters"
	"github.com/perfblock/perfblock/internal/wine"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/provider/bridge"
)

// bridgeFiles is a folder with the files for the tests of the bridge under Wine.
type bridgeFiles struct {
	t    *testing.T
	wine *wine.Wine
	dir  string

	imports []string // the .reg files to import
}

func (f *bridgeFiles) in(name string) string { return filepath.Join(f.dir, name) }

// windowsPath returns the path under which Windows programs find a file.
func (f *bridgeFiles) windowsPath(name string) string {
	return "Z:" + strings.ReplaceAll(f.in(name), "/", `\`)
}

// run starts a command in the folder dir and returns the output.
func (f *bridgeFiles) run(dir, name string, args ...string) []byte {
	f.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cc.Output(cmd)
	if err != nil {
		f.t.Fatalf("%s %q: %v", name, args, err)
	}
	return out
}

// link makes a hard link to a file.
func (f *bridgeFiles) link(name, other string) {
	if err := os.Link(f.in(name), f.in(other)); err != nil {
		f.t.Fatal(err)
	}
}

// register registers a service with two counter sets. If first is 0, the Performance key of the service has no First
// Counter.
func (f *bridgeFiles) register(service, library, open, collect, closes string, first uint32) {
	f.t.Helper()
	p := definition.Provider{Name: service, Library: library, Open: open, Collect: collect, Close: closes, CounterSets: []definition.CounterSet{
		{Name: definition.Text{Neutral: "Queues"}, Counters: []definition.Counter{
			{Name: definition.Text{Neutral: "Depth"}, Type: layout.PERF_COUNTER_RAWCOUNT},
			{Name: definition.Text{Neutral: "Sent"}, Type: layout.PERF_COUNTER_BULK_COUNT},
		}},
		{Name: definition.Text{Neutral: "Slow"}, Counters: []definition.Counter{{Name: definition.Text{Neutral: "Size"}, Type: layout.PERF_COUNTER_RAWCOUNT}}},
	}}
	if first != 0 {
		p.FirstCounter = &first
	}
	text, err := p.AppendRegistry(nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.in(service+".reg"), text, 0o666); err != nil {
		f.t.Fatal(err)
	}
	f.imports = append(f.imports, f.windowsPath(service+".reg"))
}

// importAll imports the .reg files of the registered services.
func (f *bridgeFiles) importAll() {
	f.t.Helper()
	args := []string{"/c"}
	for i, file := range f.imports {
		if i > 0 {
			args = append(args, "&&")
		}
		args = append(args, "reg", "import", file)
	}
	f.wine.Run(f.t, "cmd", args...)
	f.imports = nil
}

// registerBridge registers a service with a DLL of the same name.
func (f *bridgeFiles) registerBridge(service string, first uint32) {
	f.t.Helper()
	f.register(service, f.windowsPath(service+".dll"), bridge.Open, bridge.Collect, bridge.Close, first)
}

// bridgeWine tests the bridge under Wine, with killed publishers, faulty bridges of other services, and several
// consumers.
func bridgeWine(t *testing.T, w *wine.Wine) {
	f := &bridgeFiles{t: t, wine: w, dir: t.TempDir()}
	const gcc = "x86_64-w64-mingw32-gcc"
	f.run("testdata/bridge", gcc, "-municode", "-o", f.in("consumer.exe"), "consumer.c", "-ladvapi32")
	f.run("testdata/bridge", gcc, "-shared", "-o", f.in("wine88.dll"), "wine88.c")
	wine.Compile(t, "amd64", "testdata/bridge/publisher", f.in("publisher.exe"), "build")
	for name, arch := range map[string]string{"Kill.dll": "amd64", "Narrow.dll": "386"} {
		dll, err := bridge.Build(t.Context(), name, arch)
		if err == nil {
			err = os.WriteFile(f.in(name), dll, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f.register("!wine88", f.windowsPath("wine88.dll"), "Open", "Collect", "Close", 0)
	f.registerBridge("Kill", 6000)
	f.importAll()
	f.kill()
	for _, other := range []string{"Shop", "Filed", "Idle", "Unregistered", "Exports"} {
		f.link("Kill.dll", other+".dll")
	}
	f.registerBridge("Shop", 5000)
	f.registerBridge("Filed", 6500)                                                       // the memory of the publisher is a file
	f.registerBridge("Idle", 7000)                                                        // no publisher runs
	f.registerBridge("Unregistered", 0)                                                   // lodctr did not run
	f.registerBridge("Missing", 7100)                                                     // there is no DLL
	f.registerBridge("Narrow", 7200)                                                      // the DLL is for 32 bits
	f.register("Exports", f.windowsPath("Exports.dll"), "Open", "Collect", "Close", 7300) // the DLL has other functions
	f.importAll()
	f.values()
}

// kills is the number of times that the publisher is killed under Wine.
const kills = 200

func (f *bridgeFiles) kill() {
	t := f.t
	offsets := provider.KillOffsets
	f.wine.PrepareGo(t)
	out := f.wine.Run(t, f.in("consumer.exe"), "kill", f.windowsPath("publisher.exe")+" Kill", fmt.Sprint(kills), offsets[0], offsets[1], offsets[2], "Global")
	half := 0
	if n, err := fmt.Sscanf(out, fmt.Sprintf("rounds %d wrong 0 empty 0 half %%d\n", kills), &half); n != 1 || half == 0 {
		t.Errorf("the consumer has written %q: %v", out, err)
	}
	t.Logf("%d of %d publishers were killed while they wrote", half, kills)
}

func (f *bridgeFiles) values() {
	t := f.t
	const first = provider.FirstCounter
	objects := builder.Objects{
		*builder.NewObject(first).Counter(first+2, layout.PERF_COUNTER_RAWCOUNT).Counter(first+4, layout.PERF_COUNTER_BULK_COUNT).
			Instance("orders", 17, 1<<40).Instance("mail", 4294967295, 3),
		*builder.NewObject(first+6).Counter(first+8, layout.PERF_COUNTER_RAWCOUNT).Single(99),
	}
	block, err := objects.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.in("shop.bin"), block, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, service := range []string{"Shop", "Unregistered"} {
		f.wine.StartGo(t, f.in("publisher.exe"), service, f.windowsPath("shop.bin"))
	}
	f.wine.StartGo(t, f.in("publisher.exe"), "filed", f.windowsPath("shop.bin"), f.windowsPath("root.bin"))
	const queues, slow = "5000 5002 orders 17\n5000 5004 orders 1099511627776\n5000 5002 mail 4294967295\n5000 5004 mail 3\n", "5006 5008 - 99\n"
	for _, tt := range []struct{ query, want string }{
		{"Global", queues + slow}, {"5006", slow}, {"5000 238", queues}, {"238", ""}, {"Costly", ""}, {"Foreign server", ""},
	} {
		if diff := cmp.Diff(tt.want, f.wine.Run(t, f.in("consumer.exe"), tt.query)); diff != "" {
			t.Errorf("%s (-published +read):\n%s", tt.query, diff)
		}
	}
	if out := f.wine.RunGo(t, f.in("publisher.exe"), "probe", "Shop"); !strings.HasSuffix(out, "no findings\n") {
		t.Errorf("the probe of the bridge:\n%s", out)
	}
	exporters.Build(t, f.in("reader.exe"), "amd64")
	var want strings.Builder
	for _, reader := range exporters.Names {
		for line := range strings.Lines(queues + slow) {
			want.WriteString(reader + " " + line)
		}
	}
	if diff := cmp.Diff(want.String(), f.wine.RunGo(t, f.in("reader.exe"), "Global")); diff != "" {
		t.Errorf("the readers of the exporters (-published +read):\n%s", diff)
	}
}
