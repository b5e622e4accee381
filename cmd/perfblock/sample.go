package main

import (
	"path"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// cookedKinds are the kinds of blocks that are samples.
var cookedKinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind}

// contextKinds are the kinds of blocks that describe query data.
var contextKinds = []layout.Kind{layout.IdentifiersKind, layout.RegSetKind}

// A sampleSeries pairs each sample with the previous sample of the same kind. In a bundle, the previous sample must
// also have the same query. If the field across is false, only samples in bundles have a previous sample.
//
// The caller must call begin for each bundle and add for each block, in the order of the input.
type sampleSeries struct {
	flags  *samples.Query // from the flags of the command
	across bool           // a series continues in the next file; otherwise it ends with its bundle

	archive string            // the path on disk of the current archive, "" for none
	bundle  string            // the start of the paths of members of the current bundle, "" for none
	queries map[string]string // the queries in the manifest of the bundle, by the name of the member
	query   *samples.Query    // from the flags, and from the current archive or bundle

	series map[seriesKey]*series
	list   []*series // in the order of their first samples
	pairs  int       // the number of samples with a previous one
}

// A series has the last sample of one kind. In a bundle, it has the last sample of one kind and one query.
type series struct {
	last   samples.Sample
	paired bool // the series has at least two samples
}

type seriesKey struct {
	kind  layout.Kind
	query string // in the manifest
}

// A samplePair has two samples of one series. older has no bytes if there is no older sample.
type samplePair struct{ older, newer samples.Sample }

// bundleManifest reads m, and parses it as the manifest of a bundle. The returned bundle is nil if m is not a manifest.
// The returned member is a copy of m with the contents that were read.
func bundleManifest(m inputs.Member, err error) (inputs.Member, *capture.Bundle, error) {
	if err != nil || !m.Packed() || m.Skipped != "" || path.Base(m.Path) != capture.ManifestName {
		return m, nil, err
	}
	contents, err := m.Read()
	b, _ := capture.ReadManifest(contents) // a file of another program can have this name
	return m.With(contents), b, err
}

// begin starts a bundle, whose manifest has the given path.
func (s *sampleSeries) begin(manifest string, b *capture.Bundle) {
	s.bundle, s.query = strings.TrimSuffix(manifest, capture.ManifestName), s.flags.Clone()
	s.queries = make(map[string]string)
	for _, m := range b.Members {
		s.queries[m.Name] = m.Query
	}
	if !s.across {
		s.series, s.list = nil, nil
	}
}

// add returns the sample in a block, and the previous sample of its series. newer has no bytes for a block without a
// sample. An error means that identifiers or a registration cannot be read.
func (s *sampleSeries) add(m inputs.Member, name string, kind layout.Kind, b []byte) (pair samplePair, err error) {
	s.enter(m)
	query, bundled := s.queries[strings.TrimPrefix(m.Path, s.bundle)]
	switch used := bundled || s.across && m.Packed(); {
	case slices.Contains(cookedKinds, kind):
	case used && kind == layout.IdentifiersKind:
		q, err := s.query.WithIdentifiers(b)
		if err == nil {
			s.query = q
		}
		return pair, err
	case used && kind == layout.RegSetKind:
		return pair, s.query.AddRegistration(b)
	default:
		return pair, nil
	}
	pair.newer = samples.Sample{Name: name, Kind: kind, Bytes: b, Query: s.query}
	if !s.across && !bundled {
		return pair, nil
	}
	if s.series == nil {
		s.series = make(map[seriesKey]*series)
	}
	one := s.series[seriesKey{kind, query}]
	if one == nil {
		one = &series{last: pair.newer}
		s.series[seriesKey{kind, query}], s.list = one, append(s.list, one)
		return pair, nil
	}
	pair.older, one.last, one.paired = one.last, pair.newer, true
	s.pairs++
	return pair, nil
}

// enter checks whether the member m is inside the current bundle, or inside the current archive if there is no bundle.
// If m is outside, enter forgets the bundle and the queries, and makes the archive of m the current archive.
func (s *sampleSeries) enter(m inputs.Member) {
	archive := ""
	if m.Packed() {
		archive = m.File()
	}
	if s.bundle != "" && strings.HasPrefix(m.Path, s.bundle) || s.bundle == "" && archive == s.archive && archive != "" {
		return
	}
	s.archive, s.bundle, s.queries, s.query = archive, "", nil, s.flags.Clone()
}
