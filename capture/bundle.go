package capture

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A Bundle has the buffers of one capture. Its manifest has all fields except the bytes of the members.
type Bundle struct {
	Tool     string   `json:"tool,omitempty"`     // the program that captured
	Windows  string   `json:"windows,omitempty"`  // the version of Windows, such as 10.0.26100
	Computer string   `json:"computer,omitempty"` // the name of the computer
	Notes    []string `json:"notes,omitempty"`    // what could not be captured, and why
	Members  []Member `json:"members"`            // titles and registrations first, then the samples in their order

	// Anonymised says how many names and bytes were replaced. It is nil if the bundle is not anonymised.
	Anonymised *Replaced `json:"anonymised,omitempty"`

	pseudonyms *pseudonyms // made by Anonymise; nil before
	started    time.Time   // the start of the first sample
}

// A Member is one buffer that Windows returned.
type Member struct {
	Name   string    `json:"name"`             // the path in the zip
	Kind   string    `json:"kind"`             // the name of a [layout.Kind], or [TitlesKind]
	Time   time.Time `json:"time"`             // before the call, by the clock of the computer
	Query  string    `json:"query,omitempty"`  // V1: the name of the value
	Set    string    `json:"set,omitempty"`    // the counter set of a registration, as a name or a GUID
	Sample int       `json:"sample,omitempty"` // the number of the sample from 1; 0 for titles, registrations and identifiers
	Bytes  []byte    `json:"-"`
}

// TitlesKind is the Kind of a Member with a title table: a registry value of type REG_MULTI_SZ. The Query of the Member
// is the name of the value, such as Counter 009.
const TitlesKind = "titles"

// Block returns the kind of the block in the member. ok is false for a member that is not a block.
func (m Member) Block() (kind layout.Kind, ok bool) {
	kind, err := layout.ParseKind(m.Kind)
	return kind, err == nil
}

// ManifestName is the name of the first member of a bundle. This member lists the other members.
const ManifestName = "manifest.json"

const (
	format  = "perfblock-capture"
	version = 1 // of the manifest

	mostMembers  = 1 << 17
	maxDirectory = 32 << 20 // bytes of the manifest
)

// ErrNotBundle is the error of [Read] for a file that is not a bundle.
var ErrNotBundle = errors.New("is not a bundle made by perfblock capture (a zip file with a manifest.json)")

// A manifest is the contents of manifest.json.
type manifest struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	*Bundle
}

func (b *Bundle) size() (n int64) {
	for _, m := range b.Members {
		n += int64(len(m.Bytes))
	}
	return n
}

// Write writes the bundle as a zip. It returns an error if [ReadManifest] would refuse the manifest, for example because
// two members have one name.
func (b *Bundle) Write(w io.Writer) error {
	text, err := json.MarshalIndent(manifest{format, version, b}, "", "  ")
	if err != nil {
		return err
	}
	if _, err := ReadManifest(text); err != nil {
		return err
	}
	z := zip.NewWriter(w)
	all := append([]Member{{Name: ManifestName, Bytes: append(text, '\n')}}, b.Members...)
	if len(b.Members) > 0 {
		all[0].Time = b.Members[0].Time
	}
	for _, m := range all {
		to, err := z.CreateHeader(&zip.FileHeader{Name: m.Name, Method: zip.Deflate, Modified: m.Time})
		if err != nil {
			return err
		}
		if _, err := to.Write(m.Bytes); err != nil {
			return err
		}
	}
	return z.Close()
}

// Read reads a bundle. If contents are not a bundle, the error wraps [ErrNotBundle]. Other errors mean that the bundle
// is damaged, or that a newer perfblock made it.
func Read(contents []byte) (*Bundle, error) {
	return read(contents, func(Member) bool { return true })
}

// ReadTitles reads only the title tables of a bundle. It returns the same database as [Bundle.Titles], and the same
// errors as [Read].
func ReadTitles(contents []byte) (*titles.Database, error) {
	b, err := read(contents, func(m Member) bool { return m.Kind == TitlesKind })
	if err != nil {
		return nil, err
	}
	return b.Titles()
}

// read reads the manifest of a bundle, and the bytes of selected members. The function isSelected reports whether a
// member is selected.
func read(contents []byte, isSelected func(Member) bool) (*Bundle, error) {
	z, err := zip.NewReader(bytes.NewReader(contents), int64(len(contents)))
	if err != nil {
		return nil, ErrNotBundle
	}
	if len(z.File) > mostMembers {
		return nil, fmt.Errorf("has %d members, must have at most %d", len(z.File), mostMembers)
	}
	files := make(map[string]*zip.File, len(z.File))
	for _, f := range z.File {
		if files[f.Name] != nil {
			return nil, fmt.Errorf("has two members with the name %s", quote.Short(f.Name))
		}
		files[f.Name] = f
	}
	if files[ManifestName] == nil {
		return nil, ErrNotBundle
	}
	text, err := unpack(files[ManifestName], maxDirectory)
	if err != nil {
		return nil, fmt.Errorf("the member %s: %w", ManifestName, err)
	}
	b, err := ReadManifest(text)
	if err != nil {
		return nil, err
	}
	delete(files, ManifestName)
	room := int64(maxBytes)
	for i := range b.Members {
		m := &b.Members[i]
		f := files[m.Name]
		if f == nil {
			return nil, fmt.Errorf("the manifest lists the member %s, which is not in the zip; the bundle is damaged", quote.Short(m.Name))
		}
		delete(files, m.Name)
		if !isSelected(*m) {
			continue
		}
		if m.Bytes, err = unpack(f, room); err != nil {
			return nil, fmt.Errorf("the member %s: %w", quote.Short(m.Name), err)
		}
		room -= int64(len(m.Bytes))
	}
	for _, f := range z.File {
		if files[f.Name] != nil && !strings.HasSuffix(f.Name, "/") {
			return nil, fmt.Errorf("the zip has the member %s, which the manifest does not list; remove the member", quote.Short(f.Name))
		}
	}
	return b, nil
}

// ReadManifest reads the member [ManifestName] of a bundle. The members of the result have no bytes. ReadManifest
// returns the same errors as [Read].
func ReadManifest(text []byte) (*Bundle, error) {
	m := manifest{Bundle: new(Bundle)}
	if err := json.Unmarshal(text, &m); err != nil || m.Format != format {
		if err == nil || !strings.Contains(string(text), format) {
			return nil, ErrNotBundle
		}
		return nil, fmt.Errorf("the member %s: %w", ManifestName, err)
	}
	if m.Version != version {
		return nil, fmt.Errorf("has a manifest of version %d, must be %d; use the version of perfblock that made the bundle, or a newer one", m.Version, version)
	}
	seen := map[string]bool{ManifestName: true}
	for _, one := range m.Members {
		if one.Name == "" || path.Clean("/"+one.Name) != "/"+one.Name {
			return nil, fmt.Errorf("the manifest lists %s, which is not a path inside the zip", quote.Short(one.Name))
		}
		if seen[one.Name] {
			return nil, fmt.Errorf("the manifest lists the member %s twice", quote.Short(one.Name))
		}
		seen[one.Name] = true
		if _, err := layout.ParseKind(one.Kind); err != nil && one.Kind != TitlesKind {
			return nil, fmt.Errorf("the member %s: %w, or %s", quote.Short(one.Name), err, TitlesKind)
		}
	}
	return m.Bundle, nil
}

// unpack returns the bytes of a member. A member with more than `room` bytes is an error.
func unpack(f *zip.File, room int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("is damaged (%w)", err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, room+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("is damaged (%w)", err)
	case int64(len(b)) > room:
		return nil, fmt.Errorf("exceeds %d MiB, the limit for all members", maxBytes>>20)
	}
	return b, nil
}

// Titles returns the title tables of the bundle. The database is empty if the bundle has no title tables. Faults in the
// tables are not errors: see [titles.Table.Faults].
func (b *Bundle) Titles() (*titles.Database, error) {
	all := new(titles.Database)
	for _, m := range b.Members {
		if m.Kind != TitlesKind {
			continue
		}
		d, err := titles.Read(m.Bytes)
		if err != nil {
			return nil, fmt.Errorf("the member %s: %w", quote.Short(m.Name), err)
		}
		value, language, _ := strings.Cut(m.Query, " ")
		for _, t := range d.Tables {
			t.Kind, t.Language = titles.Counter, language
			if value == titles.Help.String() {
				t.Kind = titles.Help
			}
			all.Tables = append(all.Tables, t)
		}
	}
	return all, nil
}
