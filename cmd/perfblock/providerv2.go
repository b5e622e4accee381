package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/registration"
	"github.com/perfblock/perfblock/provider"
)

// manifests is the registrar for V2 providers. A manifest defines such a provider.
type manifests struct{ system }

// A registeredProvider is the key of a provider below _V2Providers in the registry.
type registeredProvider struct {
	identity string          // ApplicationIdentity, the full path of the program with the names
	sets     map[string]bool // the GUIDs of the counter sets, in lower case
}

func readManifest(path string) (*definition.Provider, string, error) {
	return readProvider(path, definition.Manifest, "lodctr reads only manifests; write one with perfblock define FILE -o NAME.man")
}

func (m manifests) install(out io.Writer, path, folder string) error {
	p, manifest, err := readManifest(path)
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(cmp.Or(folder, filepath.Dir(manifest))); err != nil {
		return err
	}
	binary, err := requireFile(p.BinaryName(), folder, "copy the provider's program to this folder, or give the program's folder with --folder")
	if err != nil {
		return err
	}
	old, err := m.registered(p.ID().String())
	if err != nil {
		return err
	}
	if old != nil {
		if err := m.remove(p, path, manifest); err != nil {
			return err
		}
	}
	if err := m.register(p, manifest, folder, binary); err != nil {
		return m.undo(err, p, path, manifest)
	}
	_, err = fmt.Fprintf(out, "registered %s with %s; the names are in %s\n", p.ID(), quote.Count(len(p.CounterSets), "counter set"), quote.Short(binary))
	return err
}

// register runs lodctr, and checks in the registry that the provider has its program and its counter sets.
func (m manifests) register(p *definition.Provider, manifest, folder, binary string) error {
	result, err := m.run("lodctr", `/m:"`+manifest+`" "`+strings.TrimRight(folder, `\`)+`"`)
	if err != nil {
		return err
	}
	now, err := m.registered(p.ID().String())
	switch {
	case err != nil:
		return err
	case now == nil:
		return fmt.Errorf("lodctr has not registered the provider %v: %s; check the manifest with perfblock lint", p.ID(), result)
	case !strings.EqualFold(filepath.Clean(now.identity), binary):
		return fmt.Errorf("the registered program is %s, must be %s: %s", quote.Short(now.identity), quote.Short(binary), result)
	}
	var missing []string
	for i := range p.CounterSets {
		if s := &p.CounterSets[i]; !now.sets[strings.ToLower(p.SetID(s).String())] {
			missing = append(missing, quote.Short(s.Name.String()))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("lodctr has not registered the counter sets %s: %s; check the manifest with perfblock lint", quote.List(missing, "and"), result)
	}
	if err := m.compare(p); err != nil {
		return fmt.Errorf("lodctr has registered another manifest: %w: %s", err, result)
	}
	return nil
}

// undo removes the provider after register has failed with err. It returns err, followed by a note on the state of the
// provider.
func (m manifests) undo(err error, p *definition.Provider, path, manifest string) error {
	err = fmt.Errorf("%s: %w", path, err)
	now, fault := m.registered(p.ID().String())
	if fault == nil && now != nil {
		fault = m.remove(p, path, manifest)
	}
	if fault != nil {
		return fmt.Errorf("%w; the provider may be partly registered: %w; run perfblock provider uninstall with this file", err, fault)
	}
	return fmt.Errorf("%w; the provider is not registered", err)
}

// compare returns an error if the registration of a set in Windows differs from the manifest. It ignores sets whose
// registration Windows cannot read.
func (m manifests) compare(p *definition.Provider) error {
	d, _ := p.V2() // without the sets that a Go program cannot offer
	for _, s := range d.CounterSets {
		set, is := s.(*provider.CounterSet[provider.Values])
		if !is {
			continue
		}
		registered := m.registration(set.Info.CounterSetGuid)
		if registered == nil {
			continue
		}
		template, err := set.Info.MarshalBinary()
		if err == nil {
			err = registration.Check(template, registered)
		}
		if err != nil {
			return fmt.Errorf("counter set %s: %w", quote.Short(set.Name), err)
		}
	}
	return nil
}

func (m manifests) uninstall(out io.Writer, path string) error {
	p, manifest, err := readManifest(path)
	if err != nil {
		return err
	}
	old, err := m.registered(p.ID().String())
	if err != nil {
		return err
	}
	if old == nil {
		return fmt.Errorf("%s: the provider %v is not registered", path, p.ID())
	}
	if err := m.remove(p, path, manifest); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "removed %s\n", p.ID())
	return err
}

// remove removes a provider that is registered. manifest is the full path.
func (m manifests) remove(p *definition.Provider, path, manifest string) error {
	result, err := m.run("unlodctr", `/m:"`+manifest+`"`)
	if err != nil {
		return err
	}
	if now, err := m.registered(p.ID().String()); err != nil || now != nil {
		return errors.Join(err, fmt.Errorf("%s: unlodctr has not removed the provider %v: %s", path, p.ID(), result))
	}
	return nil
}
