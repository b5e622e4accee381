package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/dll"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/provider/bridge"
)

// services is the registrar for V1 providers. An .ini file defines the provider, and the DLL of the provider is the
// bridge: see package bridge.
type services struct{ system }

// bridgeValues returns the names and data of the registry values in the key Performance. library is the path of the
// bridge.
func bridgeValues(library string) [][2]string {
	return [][2]string{{"Library", library}, {"Open", bridge.Open}, {"Collect", bridge.Collect}, {"Close", bridge.Close}}
}

// indexValues names the registry values that lodctr writes.
var indexValues = []string{"First Counter", "Last Counter", "First Help", "Last Help"}

func readINI(path string) (*definition.Provider, string, error) {
	p, full, err := readProvider(path, definition.INI, "lodctr reads only .ini files for a V1 provider; write one with perfblock define FILE -o NAME.ini")
	if err == nil && strings.ContainsAny(p.ServiceName(), `"\/`) {
		err = fmt.Errorf("%s: the name of the service %s has a quote or a slash, which lodctr cannot read; rename the service", path, quote.Short(p.ServiceName()))
	}
	return p, full, err
}

// checkBridge returns an error if a file is not a DLL with the functions of the bridge. The DLL must be for 386 or for
// the processor of this program.
func checkBridge(path string) error {
	processor, missing, err := dll.Read(path, bridge.Open, bridge.Collect, bridge.Close)
	switch {
	case err != nil:
	case processor != "386" && processor != runtime.GOARCH:
		err = fmt.Errorf("%s: is for %s, must be for 386 or %s", path, processor, runtime.GOARCH)
	case len(missing) > 0:
		err = fmt.Errorf("%s: is not the bridge, because it has no function %s", path, quote.List(missing, "or"))
	}
	return err
}

func (s services) install(out io.Writer, path, folder string) error {
	p, ini, err := readINI(path)
	if err != nil {
		return err
	}
	service := p.ServiceName()
	remedy := fmt.Sprintf("make the bridge with perfblock provider bridge -o %s, or give its folder with --folder", quote.Short(service+".dll"))
	library, err := requireFile(service+".dll", cmp.Or(folder, filepath.Dir(ini)), remedy)
	if err != nil {
		return err
	}
	if err := checkBridge(library); err != nil {
		return fmt.Errorf("%w; %s", err, remedy)
	}
	old, err := s.performance(service)
	if err != nil {
		return err
	}
	if registered, is := old["Library"].(string); is && !strings.EqualFold(filepath.Clean(registered), library) {
		return fmt.Errorf("the service %s is registered with %s; run perfblock provider uninstall --v1 first, or use another name for the service", quote.Short(service), quote.Short(registered))
	}
	if old["First Counter"] != nil {
		if err := s.unload(service); err != nil {
			return err
		}
	}
	now, err := s.register(p, ini, library)
	if err != nil {
		return s.undo(err, service, path, old)
	}
	if n, is := now["Disable Performance Counters"].(uint32); is && n != 0 {
		return fmt.Errorf("the service %s is registered, but Windows does not call its DLL, because the value Disable Performance Counters is %d; run lodctr /e:%[1]s", quote.Short(service), n)
	}
	_, err = fmt.Fprintf(out, "registered the service %s with the names %d to %d and the DLL %s\n", quote.Short(service), now["First Counter"], now["Last Counter"], quote.Short(library))
	return err
}

// register writes the values of the bridge to the key Performance, and runs lodctr. It returns the values that the key
// has after lodctr.
func (s services) register(p *definition.Provider, ini, library string) (map[string]any, error) {
	service := p.ServiceName()
	if err := s.set(service, bridgeValues(library)); err != nil {
		return nil, err
	}
	result, err := s.run("lodctr", `"`+ini+`"`)
	if err != nil {
		return nil, err
	}
	now, err := s.performance(service)
	if err != nil {
		return nil, err
	}
	for _, v := range bridgeValues(library) {
		if now[v[0]] != v[1] {
			return nil, fmt.Errorf("the value %s of the service %s is %v, must be %s", v[0], quote.Short(service), now[v[0]], quote.Short(v[1]))
		}
	}
	var index [4]uint32
	for i, name := range indexValues {
		n, is := now[name].(uint32)
		if !is {
			return nil, fmt.Errorf("lodctr has not written %s of the service %s: %s; check the file and its header with perfblock lint, and look for events of LoadPerf in the Application log", name, quote.Short(service), result)
		}
		index[i] = n
	}
	for _, t := range p.Titles() {
		if n := uint64(t.Number); uint64(index[0])+n > uint64(index[1]) || uint64(index[2])+n > uint64(index[3]) {
			return nil, fmt.Errorf("lodctr has registered only the names %d to %d; the name or the help text of %s (number %d in the header) is missing: %s", index[0], index[1], t.Symbol, t.Number, result)
		}
	}
	return now, nil
}

// undo restores the key Performance of a service after register has failed with err. It returns err, followed by a note
// on the state of the service.
func (s services) undo(err error, service, path string, old map[string]any) error {
	err = fmt.Errorf("%s: %w", path, err)
	if fault := s.restore(service, old); fault != nil {
		return fmt.Errorf("%w; the service %s is registered in part: install could not remove its values: %w; run perfblock provider uninstall --v1 with this file", err, quote.Short(service), fault)
	}
	if old["First Counter"] != nil {
		return fmt.Errorf("%w; the old names are removed; fix the cause and run the command again", err)
	}
	return fmt.Errorf("%w; the service %s is not registered", err, quote.Short(service))
}

// restore undoes install: it removes the names of a service, and restores the old values Library, Open, Collect and
// Close of the key Performance.
func (s services) restore(service string, old map[string]any) error {
	now, err := s.performance(service)
	if err != nil {
		return err
	}
	if now["First Counter"] != nil {
		if err := s.unload(service); err != nil {
			return err
		}
	}
	var added []string
	var changed [][2]string
	for _, v := range bridgeValues("") {
		name := v[0]
		if text, is := old[name].(string); is {
			changed = append(changed, [2]string{name, text})
		} else if now[name] != nil {
			added = append(added, name)
		}
	}
	if len(changed) > 0 {
		err = s.set(service, changed)
	}
	if len(added) > 0 {
		err = errors.Join(err, s.unset(service, added))
	}
	return err
}

// unload runs unlodctr for a service, and checks that it has removed the indexes of the names.
func (s services) unload(service string) error {
	result, err := s.run("unlodctr", `"`+service+`"`)
	if err != nil {
		return err
	}
	now, err := s.performance(service)
	if err == nil && now["First Counter"] != nil {
		err = fmt.Errorf("unlodctr has not removed the names of the service %s: %s", quote.Short(service), result)
	}
	return err
}

// uninstall removes the names of the provider in an .ini file, and the values that install has written. It keeps the
// key Performance and its other values.
func (s services) uninstall(out io.Writer, path string) error {
	p, _, err := readINI(path)
	if err != nil {
		return err
	}
	service := p.ServiceName()
	old, err := s.performance(service)
	if err != nil {
		return err
	}
	if collect := old["Collect"]; collect != nil && collect != bridge.Collect {
		return fmt.Errorf("the service %s is registered with another DLL, whose Collect function is %v; uninstall removes only services that use the bridge", quote.Short(service), collect)
	}
	var names []string
	for _, v := range bridgeValues("") {
		if old[v[0]] != nil {
			names = append(names, v[0])
		}
	}
	if old["First Counter"] == nil && len(names) == 0 {
		return fmt.Errorf("%s: the service %s is not registered", path, quote.Short(service))
	}
	if old["First Counter"] != nil {
		if err := s.unload(service); err != nil {
			return err
		}
	}
	if err := s.unset(service, names); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "removed the service %s\n", quote.Short(service))
	return err
}

func newBridge() *cobra.Command {
	var o output
	arch := choice{value: "amd64"}
	processors := optionsOf(bridge.Architectures(), func(name string) option { return option{name, "a processor, as in GOARCH"} })
	cmd := &cobra.Command{
		Use:   "bridge",
		Short: "Compile the DLL that passes the counters of a Go program to Windows",
		Long: `Bridge compiles the DLL for a service whose program calls provider.Publish. The DLL must have the
name of the service: the service Shop requires Shop.dll. Bridge requires gcc or clang of mingw-w64,
on any system. docs/bridge.md shows how to compile the DLL with Visual Studio.

Microsoft recommends a DLL for 386 also on 64-bit Windows: processes of 32 and 64 bits can use it.`,
		Example: `  perfblock provider bridge -o Shop.dll
  perfblock provider bridge -o Shop.dll --arch 386`,
		Args: requireArgs("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !o.given || !strings.EqualFold(filepath.Ext(o.path), ".dll") {
				return seeHelp(cmd, errors.New("bridge requires -o with the name of the DLL, such as -o Shop.dll for the service Shop"))
			}
			var dll []byte
			err := outfile.UntilSignal(func(ctx context.Context) (err error) {
				dll, err = bridge.Build(ctx, filepath.Base(o.path), arch.value)
				return err
			})
			if err != nil {
				return err
			}
			return o.writeAll(outfile.Bytes(o.path, dll))
		},
	}
	o.flag(cmd, "write the DLL to `NAME`.dll")
	arch.flag(cmd, "arch", "the processor", processors)
	return cmd
}
