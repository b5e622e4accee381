package definition

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/validate"
)

func mustRead(t testing.TB, path string, text []byte) *File {
	t.Helper()
	f, err := Read(path, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestManifests reads the manifests in testdata/definitions. The golden files have the findings, the notes, and a
// manifest that is written from the provider.
func TestManifests(t *testing.T) {
	t.Parallel()
	for path, text := range filesNamed(t, "*.man") {
		f := mustRead(t, path, text)
		var b strings.Builder
		var v validate.Validator
		for _, finding := range f.Check(&v).Findings {
			fmt.Fprintln(&b, finding)
		}
		for _, note := range f.Notes {
			fmt.Fprintln(&b, note)
		}
		again, lost, err := f.Provider.AppendManifest(nil, ManifestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lost {
			fmt.Fprintln(&b, "not written:", l)
		}
		b.Write(again)
		golden.File(t, filepath.Join("testdata/manifest", filepath.Base(path)+".golden"), b.String())

		g := mustRead(t, path, again)
		if diff := cmp.Diff(derived(f.Provider), g.Provider, sameProviders); diff != "" {
			t.Errorf("%s: written and read (-want +got):\n%s", path, diff)
		}
		for _, p := range g.manifest.problems {
			if p.lost {
				t.Errorf("%s: the written manifest has a part that is not read: %v", path, p.finding)
			}
		}
	}
}

// derived returns a copy of a provider with the default values that AppendManifest writes.
func derived(p *Provider) *Provider {
	c := *p
	c.CounterSets = append([]CounterSet(nil), p.CounterSets...)
	if c.WriteGUIDs(); c.SchemaVersion == "" && !p.at.isGiven("schemaVersion") {
		c.SchemaVersion, c.ResourceBase = "2.0", nil // version 2.0 has ids and no resourceBase
	}
	ids := p.resourceIDs()
	number := func(to **uint32, text *Text) {
		if id, is := ids[text]; is && *to == nil && hasIDs(c.SchemaVersion) {
			*to = &id
		}
	}
	symbol := func(to *string, derived string, given bool) {
		if !given {
			*to = derived
		}
	}
	c.Binary = p.BinaryName()
	if c.Type != kernelMode {
		symbol(&c.Symbol, p.CSymbol(), p.at.isGiven("symbol"))
	}
	c.Name, c.Reference = c.shownName(), false
	symbols := make(map[string]bool)
	for i := range p.CounterSets {
		for _, c := range p.CounterSets[i].Counters {
			symbols[c.Symbol] = true
		}
	}
	for i := range c.CounterSets {
		s, from := &c.CounterSets[i], &p.CounterSets[i]
		s.URI = p.SetURI(from)
		symbol(&s.Symbol, from.CSymbol(), from.at.isGiven("symbol"))
		s.Help = *from.description()
		number(&s.NameID, &from.Name)
		number(&s.HelpID, from.description())
		s.Counters = append([]Counter(nil), from.Counters...)
		for j := range s.Counters {
			c, old := &s.Counters[j], &from.Counters[j]
			c.URI = p.CounterURI(from, old)
			if applied := from.CounterSymbol(old); applied == old.Symbol || !symbols[applied] {
				symbol(&c.Symbol, applied, old.at.isGiven("symbol"))
				symbols[applied] = true
			}
			c.Help = *old.description()
			number(&c.NameID, &old.Name)
			number(&c.HelpID, old.description())
			c.DetailLevel, c.Attributes = c.Level(), p.Attributes(old)
		}
	}
	return &c
}

// TestManifestUnchanged checks that a manifest stays the same if its own provider is written into it.
func TestManifestUnchanged(t *testing.T) {
	t.Parallel()
	for path, text := range filesNamed(t, "*.man") {
		f := mustRead(t, path, text)
		again, lost, err := f.Provider.AppendManifest(nil, ManifestOptions{Into: f})
		if err != nil || lost != nil || !bytes.Equal(again, text) {
			t.Fatalf("%s: %v, %v; the file changes (-file +again):\n%s", path, err, lost, cmp.Diff(string(text), string(again)))
		}
		p := mustRead(t, path, text).Provider
		p.CounterSets[0].Counters[0].Scale++
		changed, lost, err := p.AppendManifest(nil, ManifestOptions{Into: f})
		if err != nil {
			t.Fatal(err)
		}
		if want := f.manifest.lost(); !slices.Equal(want, lost) {
			t.Errorf("%s: lost %v, want %v", path, lost, want)
		}
		m := f.manifest
		before, after := m.source.mark+m.from, m.source.mark+m.to
		if !bytes.HasPrefix(changed, text[:before]) || !bytes.HasSuffix(changed, text[after:]) || bytes.Equal(changed, text) {
			t.Errorf("%s: other parts of the file change (-file +changed):\n%s", path, cmp.Diff(string(text), string(changed)))
		}
		g := mustRead(t, path, changed)
		for range 2 {
			second, lost, err := g.Provider.AppendManifest(nil, ManifestOptions{Into: g})
			if err != nil || lost != nil || !bytes.Equal(second, changed) {
				t.Errorf("%s: a second run changes the file: %v, %v (-first +second):\n%s", path, err, lost, cmp.Diff(string(changed), string(second)))
			}
			g = mustRead(t, path, second)
		}
		golden.File(t, filepath.Join("testdata/manifest", filepath.Base(path)+".changed.golden"), strings.ReplaceAll(string(changed), "\r\n", "\n"))
	}
}
