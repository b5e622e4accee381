package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
)

// A fakeRegistry imitates the registry, lodctr and unlodctr. The two programs always report success.
type fakeRegistry struct {
	provider *registeredProvider
	written  *registeredProvider // what lodctr writes, or nil
	stuck    bool                // unlodctr removes nothing
	set      []byte              // the registration that Windows returns for each counter set, or nil
	runs     []string
}

func (f *fakeRegistry) system() system {
	return system{
		run: func(program, line string) (string, error) {
			f.runs = append(f.runs, program+" "+line)
			switch {
			case program == "lodctr" && f.written != nil:
				f.provider = f.written
			case program == "unlodctr" && !f.stuck:
				f.provider = nil
			}
			return `its exit status is 0 and it wrote "done"`, nil
		},
		registered:   func(string) (*registeredProvider, error) { return f.provider, nil },
		registration: func(layout.GUID) []byte { return f.set },
	}
}

const shopYAML = `provider: Shop
counterSets:
  - {name: Queues, instances: multiple, counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT, help: Messages.}]}
`

// checkRegistrar installs or uninstalls a file. The output or the error must contain want.
func checkRegistrar(t *testing.T, reason string, r registrar, uninstall bool, path, want string) {
	t.Helper()
	var out bytes.Buffer
	var err error
	if uninstall {
		err = r.uninstall(&out, path)
	} else {
		err = r.install(&out, path, "")
	}
	if err != nil {
		out.WriteString(err.Error())
	}
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s: got %s, want %s", reason, &out, want)
	}
	// If want starts with one of these words, the call must succeed. Otherwise it must fail.
	if succeeds := strings.HasPrefix(want, "registered ") || strings.HasPrefix(want, "removed "); succeeds != (err == nil) {
		t.Errorf("%s: the error is %v", reason, err)
	}
}

// TestInstall checks that install and uninstall trust the registry, and not what lodctr returns.
func TestInstall(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a folder")
	manifest, binary := filepath.Join(folder, "shop.man"), filepath.Join(folder, "shop.exe")
	p, err := definition.Parse("shop.yaml", []byte(shopYAML))
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := p.AppendManifest(nil, definition.ManifestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{manifest: text, binary: nil, filepath.Join(folder, "shop.yaml"): []byte(shopYAML)} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	set := strings.ToLower(p.SetID(&p.CounterSets[0]).String())
	whole := &registeredProvider{binary, map[string]bool{set: true}}
	info := builder.NewCounterSetRegInfo(p.SetID(&p.CounterSets[0]), layout.PERF_COUNTERSET_MULTI_INSTANCES).Counter(p.CounterSets[0].Counters[0].ID, layout.PERF_COUNTER_RAWCOUNT)
	same, err := info.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	info.Counters[0].Type = layout.PERF_COUNTER_COUNTER
	other, err := info.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	load, unload := `lodctr /m:"`+manifest+`" "`+folder+`"`, `unlodctr /m:"`+manifest+`"`
	for _, tt := range []struct {
		reason    string
		registry  fakeRegistry
		uninstall bool
		path      string
		want      string // in the error, or in the output
		runs      []string
	}{
		{"a new provider", fakeRegistry{written: whole}, false, manifest, "registered {8ef4e105-d460-5fdd-a4e4-525dadab97fe} with 1 counter set; the names are in", []string{load}},
		{"Windows has the counters of the manifest", fakeRegistry{written: whole, set: same}, false, manifest, "registered {8ef4e105", []string{load}},
		{"lodctr has read an older manifest", fakeRegistry{written: whole, set: other}, false, manifest, `lodctr has registered another manifest: counter set "Queues": counter 1 is registered as a PERF_COUNTER_COUNTER, must be a PERF_COUNTER_RAWCOUNT: its exit status is 0 and it wrote "done"; the provider is not registered`, []string{load, unload}},
		{"an update removes the old registration first", fakeRegistry{provider: whole, written: whole}, false, manifest, "registered ", []string{unload, load}},
		{"an update fails if unlodctr does not remove the old registration", fakeRegistry{provider: whole, stuck: true}, false, manifest, "unlodctr has not removed the provider", []string{unload}},
		{"lodctr does nothing and returns 0", fakeRegistry{}, false, manifest, `lodctr has not registered the provider {8ef4e105-d460-5fdd-a4e4-525dadab97fe}: its exit status is 0 and it wrote "done"; check the manifest with perfblock lint; the provider is not registered`, []string{load}},
		{"lodctr leaves out a set", fakeRegistry{written: &registeredProvider{binary, nil}}, false, manifest, `lodctr has not registered the counter sets "Queues"`, []string{load, unload}},
		{"lodctr has registered another program", fakeRegistry{written: &registeredProvider{"other.exe", whole.sets}}, false, manifest, `the registered program is "other.exe", must be`, []string{load, unload}},
		{"install fails, and cannot remove what lodctr has registered", fakeRegistry{written: &registeredProvider{binary, nil}, stuck: true}, false, manifest, "unlodctr has not removed the provider {8ef4e105-d460-5fdd-a4e4-525dadab97fe}: its exit status is 0 and it wrote \"done\"; run perfblock provider uninstall with this file", []string{load, unload}},
		{"lodctr reads no YAML", fakeRegistry{}, false, filepath.Join(folder, "shop.yaml"), "lodctr reads only manifests; write one with perfblock define", nil},
		{"an .ini file requires --v1", fakeRegistry{}, false, filepath.Join(folder, "shop.ini"), "shop.ini: is the .ini file of a V1 provider; add --v1", nil},
		{"the manifest is missing", fakeRegistry{}, false, filepath.Join(folder, "none.man"), "none.man", nil},
		{"remove", fakeRegistry{provider: whole}, true, manifest, "removed {8ef4e105", []string{unload}},
		{"nothing to remove", fakeRegistry{}, true, manifest, "is not registered", nil},
		{"unlodctr does nothing and returns 0", fakeRegistry{provider: whole, stuck: true}, true, manifest, "unlodctr has not removed the provider", []string{unload}},
	} {
		checkRegistrar(t, tt.reason, manifests{tt.registry.system()}, tt.uninstall, tt.path, tt.want)
		if !slices.Equal(tt.registry.runs, tt.runs) {
			t.Errorf("%s: ran %q, want %q", tt.reason, tt.registry.runs, tt.runs)
		}
	}
	var f fakeRegistry
	if err := (manifests{f.system()}).install(&bytes.Buffer{}, manifest, t.TempDir()); err == nil || !strings.Contains(err.Error(), "give the program's folder with --folder") || f.runs != nil {
		t.Errorf("the program is missing: %v, ran %q", err, f.runs)
	}
}
