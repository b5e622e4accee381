package main

import (
	"bytes"
	"debug/pe"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/dll/dlltest"
	"github.com/perfblock/perfblock/provider/bridge"
)

// A fakeService imitates the registry key Performance of a service. It also imitates the programs lodctr and unlodctr,
// which always report success.
type fakeService struct {
	values  map[string]any
	written map[string]any // what lodctr writes
	stuck   bool           // unlodctr removes nothing
	full    string         // set fails at the value with this name
	keeps   bool           // unset fails
	runs    []string
}

func (f *fakeService) system() system {
	if f.values == nil {
		f.values = make(map[string]any)
	}
	f.values = maps.Clone(f.values)
	return system{
		run: func(program, line string) (string, error) {
			f.runs = append(f.runs, program+" "+line)
			switch {
			case program == "lodctr":
				maps.Copy(f.values, f.written)
			case !f.stuck:
				for _, name := range indexValues {
					delete(f.values, name)
				}
			}
			return `its exit status is 0 and it wrote "done"`, nil
		},
		performance: func(string) (map[string]any, error) { return maps.Clone(f.values), nil },
		set: func(_ string, values [][2]string) error {
			for _, v := range values {
				if v[0] == f.full {
					return errors.New("no space for " + f.full)
				}
				f.values[v[0]] = v[1]
			}
			return nil
		},
		unset: func(_ string, names []string) error {
			if f.keeps {
				return errors.New("access is denied")
			}
			for _, name := range names {
				delete(f.values, name)
			}
			return nil
		},
	}
}

// writeShop writes the definition shopYAML, its .ini file and header, and a DLL into a folder.
func writeShop(t *testing.T, folder string, dll []byte) {
	t.Helper()
	p, err := definition.Parse("shop.yaml", []byte(shopYAML))
	if err != nil {
		t.Fatal(err)
	}
	ini, err := p.Output("shop.ini", nil) // the .ini file and its header
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range append(ini, definition.Output{Name: "Shop.dll", Contents: dll}, definition.Output{Name: "shop.yaml", Contents: []byte(shopYAML)}) {
		if err := os.WriteFile(filepath.Join(folder, o.Name), o.Contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInstallV1 checks that install and uninstall of a V1 provider verify the registry, because lodctr reports
// success even after an error.
func TestInstallV1(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	path, dll := filepath.Join(folder, "shop.ini"), filepath.Join(folder, "Shop.dll")
	writeShop(t, folder, dlltest.New(pe.IMAGE_FILE_MACHINE_I386, bridge.Close, bridge.Collect, bridge.Open))
	indexes := map[string]any{"First Counter": uint32(5000), "Last Counter": uint32(5002), "First Help": uint32(5001), "Last Help": uint32(5003)}
	ours := map[string]any{"Library": dll, "Open": bridge.Open, "Collect": bridge.Collect, "Close": bridge.Close}
	other := map[string]any{"Open Timeout": uint32(5000)} // a value of the key that must stay
	merged := func(list ...map[string]any) map[string]any {
		all := make(map[string]any)
		for _, m := range list {
			maps.Copy(all, m)
		}
		return all
	}
	disabled := map[string]any{"Disable Performance Counters": uint32(1)}
	own := map[string]any{"Library": strings.ToUpper(dll), "Open": "OpenIt", "Collect": bridge.Collect, "Close": bridge.Close}
	few := merged(indexes)
	few["Last Counter"] = uint32(5000)
	reversed := merged(indexes, map[string]any{"Last Counter": uint32(4000)})
	load, unload := `lodctr "`+path+`"`, `unlodctr "Shop"`
	for _, tt := range []struct {
		reason    string
		service   fakeService
		uninstall bool
		path      string
		want      string // in the error, or in the output
		runs      []string
		after     map[string]any
	}{
		{"a new service", fakeService{values: other, written: indexes}, false, path, `registered the service "Shop" with the names 5000 to 5002`, []string{load}, merged(other, ours, indexes)},
		{"an update removes the old names first", fakeService{values: merged(ours, indexes), written: indexes}, false, path, "registered ", []string{unload, load}, merged(ours, indexes)},
		{"an update fails if unlodctr does not remove the old names", fakeService{values: merged(ours, indexes), stuck: true}, false, path, "unlodctr has not removed the names", []string{unload}, merged(ours, indexes)},
		{"lodctr does nothing and returns 0", fakeService{values: other}, false, path, `lodctr has not written First Counter of the service "Shop": its exit status is 0 and it wrote "done"; check the file and its header with perfblock lint, and look for events of LoadPerf in the Application log; the service "Shop" is not registered`, []string{load}, other},
		{"lodctr has read an older file", fakeService{written: few}, false, path, " (number 2 in the header) is missing: ", []string{load, unload}, nil},
		{"the last index is before the first", fakeService{written: reversed}, false, path, "lodctr has registered only the names 5000 to 4000", []string{load, unload}, nil},
		{"an update fails, and the values stay as they were", fakeService{values: merged(own, indexes)}, false, path, "the old names are removed", []string{unload, load}, own},
		{"the third value cannot be written", fakeService{values: other, full: "Collect"}, false, path, `shop.ini: no space for Collect; the service "Shop" is not registered`, nil, other},
		{"the values cannot be removed", fakeService{keeps: true}, false, path, `install could not remove its values: access is denied; run perfblock provider uninstall --v1 with this file`, []string{load}, ours},
		{"the new names cannot be removed", fakeService{written: few, stuck: true}, false, path, "unlodctr has not removed the names", []string{load, unload}, merged(ours, few)},
		{"Windows does not call a disabled provider", fakeService{values: disabled, written: indexes}, false, path, `Disable Performance Counters is 1; run lodctr /e:"Shop"`, []string{load}, merged(disabled, ours, indexes)},
		{"another DLL has the service", fakeService{values: map[string]any{"Library": "other.dll"}}, false, path, `is registered with "other.dll"`, nil, map[string]any{"Library": "other.dll"}},
		{"lodctr reads no YAML", fakeService{}, false, filepath.Join(folder, "shop.yaml"), "lodctr reads only .ini files", nil, nil},
		{"a manifest is of V2", fakeService{}, false, filepath.Join(folder, "shop.man"), "shop.man: is the manifest of a V2 provider; leave out --v1", nil, nil},
		{"remove", fakeService{values: merged(ours, indexes, other)}, true, path, `removed the service "Shop"`, []string{unload}, other},
		{"lodctr did not run", fakeService{values: merged(ours, other)}, true, path, "removed ", nil, other},
		{"nothing to remove", fakeService{values: other}, true, path, "is not registered", nil, other},
		{"another DLL has the service", fakeService{values: merged(indexes, map[string]any{"Collect": "CollectIt"})}, true, path, "whose Collect function is CollectIt", nil, merged(indexes, map[string]any{"Collect": "CollectIt"})},
		{"unlodctr does nothing and returns 0", fakeService{values: merged(ours, indexes), stuck: true}, true, path, "unlodctr has not removed the names", []string{unload}, merged(ours, indexes)},
	} {
		checkRegistrar(t, tt.reason, services{tt.service.system()}, tt.uninstall, tt.path, tt.want)
		if !slices.Equal(tt.service.runs, tt.runs) || !maps.Equal(tt.service.values, tt.after) {
			t.Errorf("%s: ran %q, want %q; values %v, want %v", tt.reason, tt.service.runs, tt.runs, tt.service.values, tt.after)
		}
	}
	for _, tt := range []struct {
		reason string
		file   []byte // the contents of Shop.dll; nil if there is no such file
		want   string
	}{
		{"there is no DLL", nil, "Shop.dll"},
		{"an empty file", []byte{}, "Shop.dll: is not a DLL"},
		{"a DLL for ARM with 32 bits", dlltest.New(pe.IMAGE_FILE_MACHINE_ARMNT, bridge.Close, bridge.Collect, bridge.Open), "Shop.dll: is for machine 0x1c4, must be for 386 or " + runtime.GOARCH},
		{"a DLL without functions", dlltest.New(pe.IMAGE_FILE_MACHINE_I386), "Shop.dll: is not the bridge, because it has no function OpenPerformanceData, CollectPerformanceData or ClosePerformanceData"},
		{"the DLL of another provider", dlltest.New(pe.IMAGE_FILE_MACHINE_I386, bridge.Open, "CollectShop", bridge.Close), "has no function CollectPerformanceData"},
	} {
		var f fakeService
		other := t.TempDir()
		if tt.file != nil {
			if err := os.WriteFile(filepath.Join(other, "Shop.dll"), tt.file, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := services{f.system()}.install(&bytes.Buffer{}, path, other)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `perfblock provider bridge -o "Shop.dll"`) || len(f.values) > 0 || f.runs != nil {
			t.Errorf("%s: %v, values %v, ran %q", tt.reason, err, f.values, f.runs)
		}
	}
}
