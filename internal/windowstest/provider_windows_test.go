package windowstest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/exporters"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
)

// installVariable is an environment variable. TestProviders runs only if the variable is set, because the test
// registers providers on the computer and makes an account.
const installVariable = "PERFBLOCK_INSTALL"

// service is the service of the V1 provider, as in testdata/bridge.yaml.
const service = "PerfblockBridge"

// paths are the counters that typeperf and Get-Counter read.
var paths = []string{
	`\Queues(orders)\Depth`, `\Queues(orders)\Published`, // V2
	`\Bridge Queues(*)\Depth`, `\Bridge Queues(*)\Sent`, `\Bridge Totals\Size`, // V1
}

// values has the expected value of each counter that does not change. The rate of an unchanged counter is 0.
var values = map[string]float64{
	`queues(orders)\depth`: 17, `bridge totals\size`: 99,
	`bridge queues(orders)\depth`: 17, `bridge queues(orders)\sent`: 0,
	`bridge queues(mail)\depth`: 4294967295, `bridge queues(mail)\sent`: 0,
}

// TestProviders registers a V2 and a V1 provider, and checks the values that consumers read.
// The test requires the rights of an administrator.
func TestProviders(t *testing.T) {
	if os.Getenv(installVariable) == "" {
		t.Skip("the test registers providers on this computer; " + installVariable + "=1 runs it")
	}
	c := newComputer(t)
	c.build(t, root, "perfblock.exe", "./cmd/perfblock")
	perfblock := c.in("perfblock.exe")

	// During a capture, Windows and its providers can write events to the Application log. The subtest Events ignores
	// the events of this first capture, because the test has not registered its providers yet.
	start := time.Now().Add(-time.Second)
	c.run(t, "eventcreate", "/L", "APPLICATION", "/T", "INFORMATION", "/ID", "1", "/SO", "perfblock-test", "/D", "start")
	c.run(t, perfblock, "capture", "Global", "-o", c.keep(t, "before.zip"))
	before := c.events(t, start)

	c.startV2(t, perfblock)
	c.first = c.startV1(t, perfblock, service, runtime.GOARCH)
	exporters.Build(t, c.in("reader.exe"), runtime.GOARCH)
	c.await(t)
	t.Run("Administrator", func(t *testing.T) { c.read(t, c.run, "administrator.zip") })
	t.Run("User", func(t *testing.T) { c.read(t, c.runAsUser, "user.zip") })

	t.Run("Rights", func(t *testing.T) {
		out := c.runAsUser(t, "cmd", "/c", "perfblock.exe provider install shop.man & exit 0")
		if !strings.Contains(out, "run the command in an elevated command prompt") {
			t.Errorf("install without the rights of an administrator: %s", out)
		}
	})
	t.Run("Mismatch", func(t *testing.T) { c.mismatch(t) })
	t.Run("Events", func(t *testing.T) {
		if !strings.Contains(strings.Join(before, "\n"), "perfblock-test") {
			t.Errorf("the Application log cannot be read, because the event of the test is missing: %q", before)
		}
		for _, event := range c.events(t, start) {
			if !slices.Contains(before, event) {
				t.Errorf("a new event: %s", event)
			}
		}
	})
	t.Run("Narrow", func(t *testing.T) { c.narrow(t, perfblock) })
	t.Run("Kills", func(t *testing.T) { c.killPublisher(t, perfblock) })
	t.Run("Faults", func(t *testing.T) { c.faults(t, perfblock, runtime.GOARCH) })
	for _, args := range [][]string{{"shop.man"}, {"--v1", service + ".ini"}} {
		c.run(t, perfblock, append([]string{"provider", "uninstall"}, args...)...)
	}
}

// startV2 builds and registers the program of the tutorial, and starts it.
func (c *computer) startV2(t *testing.T, perfblock string) {
	t.Helper()
	tutorial, err := os.ReadFile(filepath.Join(root, "docs", "tutorial-windows.md"))
	if err != nil {
		t.Fatal(err)
	}
	sample := regexp.MustCompile("(?ms)^Write `([^`]+)`:\r?\n\r?\n```[a-z]+\r?\n(.*?)^```")
	for _, m := range sample.FindAllSubmatch(tutorial, -1) {
		c.write(t, string(m[1]), m[2])
	}
	repository, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	c.run(t, "go", "mod", "init", "example.com/shop")
	c.run(t, "go", "work", "init", ".", repository) // use this repository, without go get
	c.run(t, perfblock, "define", "shop.yaml", "--write-guids")
	for _, file := range []string{"shop.go", "shop.man", "shop_windows_" + runtime.GOARCH + ".syso"} {
		c.run(t, perfblock, "define", "shop.yaml", "-o", file, "--package", "main")
	}
	c.build(t, c.folder, "shop.exe", ".")
	c.run(t, perfblock, "provider", "install", "shop.man")
	c.uninstallAtEnd(t, perfblock, "shop.man")
	c.start(t, c.in("shop.exe"))
}

// mismatch checks that a provider does not start if a counter has another type than in the registered manifest.
func (c *computer) mismatch(t *testing.T) {
	text, err := os.ReadFile(c.in("shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	shop, err := definition.Parse("shop.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	shop.CounterSets[0].Counters[1].Type = layout.PERF_COUNTER_LARGE_RAWCOUNT // the manifest has PERF_COUNTER_RAWCOUNT
	d, _ := shop.V2()
	if p, err := provider.Start(d); err == nil || !strings.Contains(err.Error(), "is registered as a PERF_COUNTER_RAWCOUNT, must be a PERF_COUNTER_LARGE_RAWCOUNT") {
		t.Errorf("Start with another type of a counter: %v", err)
		_ = p.Close() // nil if Start has failed with another error
	}
}

// uninstallAtEnd removes a provider at the end of the test, if the provider is still registered.
func (c *computer) uninstallAtEnd(t *testing.T, perfblock string, args ...string) {
	t.Cleanup(func() {
		cmd := exec.Command(perfblock, append([]string{"provider", "uninstall"}, args...)...) // the context of the test has ended
		cmd.Dir = c.folder
		_ = cmd.Run() // it fails if the provider is not registered any more
	})
}

// await waits until both providers have values.
func (c *computer) await(t *testing.T) {
	t.Helper()
	var out []byte
	for range 20 {
		out, _ = c.command(t, "typeperf", paths[0], paths[4], "-sc", "1").CombinedOutput() // it fails if there are no counters
		if got, err := typeperfValues(string(out)); err == nil && len(got) == 2 {
			return
		}
	}
	t.Fatalf("typeperf finds no counters of the providers:\n%s", out)
}

// read runs consumers and checks that they read the values of the providers. It also probes the bridge. bundle is
// the name of the capture.
func (c *computer) read(t *testing.T, run func(t *testing.T, name string, args ...string) string, bundle string) {
	script := append([]string{"-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", filepath.Join(c.scripts, "counter.ps1")}, paths...)
	for _, reader := range []struct {
		name   string
		parse  func(string) (map[string]float64, error)
		arg0   string
		others []string
	}{
		{"typeperf", typeperfValues, "typeperf", append(slices.Clone(paths), "-si", "1", "-sc", "3")},
		{"Get-Counter", getCounterValues, "powershell", script},
	} {
		t.Run(reader.name, func(t *testing.T) {
			out := run(t, reader.arg0, reader.others...)
			got, err := reader.parse(out)
			if err != nil {
				t.Fatal(err)
			}
			const published = `queues(orders)\published` // the program publishes about one message in a second
			if rate, is := got[published]; !is || rate < 0 || rate > 10 {
				t.Errorf("the rate of Published is %v, must be about 1", rate)
			}
			delete(got, published)
			if diff := cmp.Diff(values, got); diff != "" {
				t.Errorf("values (-published +read):\n%s\n%s", diff, out)
			}
		})
	}
	t.Run("exporters", func(t *testing.T) {
		c.checkExporters(t, run(t, c.in("reader.exe"), fmt.Sprintf("%d %d", c.first, c.first+6)))
	})
	t.Run("capture", func(t *testing.T) {
		run(t, c.in("perfblock.exe"), "capture", "Global", "Bridge Queues", "--set", "Queues", "--count", "2", "-o", bundle)
		contents, err := os.ReadFile(c.in(bundle))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.keep(t, bundle), contents, 0o666); err != nil {
			t.Fatal(err)
		}
		checkCapture(t, contents)
	})
	t.Run("probe", func(t *testing.T) {
		out := run(t, c.in("perfblock.exe"), "probe", "--service", service, "--fail-on", "info")
		if !strings.Contains(out, "no findings") {
			t.Error(out)
		}
	})
}

// checkCapture checks the raw values of the instances with the name "orders". A bundle has two samples of V1 and
// two samples of V2.
func checkCapture(t *testing.T, contents []byte) {
	t.Helper()
	bundle, err := capture.Read(contents)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[layout.Kind]int)
	for _, m := range bundle.Members {
		kind, _ := m.Block()
		switch {
		case kind == layout.DataBlockKind && m.Query != "Global":
			var block builder.DataBlock
			if _, err := block.UnmarshalLossy(m.Bytes); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			for _, o := range block.Objects {
				for _, in := range o.Instances {
					if in.Name == "orders" && slices.Equal(in.Values, []uint64{17, 1 << 40}) {
						found[kind]++
					}
				}
			}
		case kind == layout.QueryDataKind:
			var data builder.QueryData
			if err := data.UnmarshalBinary(m.Bytes); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			for _, r := range data.Results {
				for _, in := range r.Instances {
					if in.Name == "orders" && slices.Contains(in.Values, 17) {
						found[kind]++
					}
				}
			}
		}
	}
	if found[layout.DataBlockKind] != 2 || found[layout.QueryDataKind] < 2 {
		t.Errorf("samples with the values of the instance orders: %v, must be 2 for V1 and for V2; notes %q", found, bundle.Notes)
	}
}

// events returns the events of Perflib, of the bridge and of the test since a time.
func (c *computer) events(t *testing.T, since time.Time) []string {
	t.Helper()
	out := c.run(t, "powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", filepath.Join(c.scripts, "events.ps1"), since.Format("2006-01-02T15:04:05"))
	return strings.Split(strings.TrimSpace(strings.ReplaceAll(out, "\r\n", "\n")), "\n")
}

// keep returns the path of a file that the test keeps with the flag -artifacts.
func (c *computer) keep(t *testing.T, name string) string {
	return filepath.Join(t.ArtifactDir(), name)
}
