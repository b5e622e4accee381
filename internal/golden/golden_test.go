package golden

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

const (
	specs  = "../../testdata/specs"
	golden = "../../testdata/golden"
)

// A specimen is a block in testdata with its spec. The dump of the block is in testdata/golden.
type specimen struct {
	name   string // such as broken/truncated
	broken bool
	kind   layout.Kind
	block  []byte
	text   string // the spec
}

func fixtures(t *testing.T) (list []specimen) {
	t.Helper()
	blocks, err := fixture.Blocks(specs)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		name, err := filepath.Rel(specs, strings.TrimSuffix(b.Path, ".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, specimen{filepath.ToSlash(name), b.Broken(), b.Kind, b.Bytes, b.Text})
	}
	return list
}

func TestGolden(t *testing.T) {
	t.Parallel()
	format, err := dump.FormatNamed("hex")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range fixtures(t) {
		var got bytes.Buffer
		if _, err := format.Write(&got, f.kind, f.block, dump.Options{}); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		path := filepath.Join(golden, f.name+".txt")
		known[filepath.Clean(path)] = true
		File(t, path, got.String())
	}
	err = filepath.WalkDir(golden, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !known[filepath.Clean(path)] {
			t.Errorf("%s has no spec", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFixturesRoundTrip decodes each valid fixture to a model and to a spec. The model must have everything that is in
// the block, and the spec must build the same bytes.
func TestFixturesRoundTrip(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures(t) {
		err := decode(f)
		if f.broken {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		s, _, err := spec.FromBlock(f.kind, f.block, false)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		text, err := s.AppendYAML(nil)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		again, err := spec.Parse(f.name, text)
		if err != nil {
			t.Errorf("%s: the spec of the block does not parse: %v\n%s", f.name, err, text)
			continue
		}
		if b, err := again.Build(); err != nil || !bytes.Equal(b, f.block) {
			t.Errorf("%s: the spec of the block builds another block, %v\n%s", f.name, err, text)
		}
	}
}

func decode(f specimen) error {
	m, err := builder.NewModel(f.kind)
	if err != nil {
		return err
	}
	return m.UnmarshalBinary(f.block)
}

// TestOracleReadsFixtures compares the C walker with package layout for the valid V1 fixtures.
func TestOracleReadsFixtures(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	byKind := map[layout.Kind][]specimen{}
	for _, f := range fixtures(t) {
		byKind[f.kind] = append(byKind[f.kind], f)
	}
	for kind, list := range byKind {
		results := make([]oracle.Result, len(list))
		if kind.V1() {
			var blocks [][]byte
			for _, f := range list {
				blocks = append(blocks, f.block)
			}
			var err error
			if results, err = walker.WalkAll(t.Context(), kind.String(), blocks); err != nil {
				t.Fatal(err)
			}
		}
		for i, f := range list {
			switch r := results[i]; {
			case f.broken: // the walker or the decoder of package builder must refuse the block
				if r.Err == nil && decode(f) == nil {
					t.Errorf("%s: neither the decoder nor the walker finds a fault", f.name)
				}
			case r.Err != nil:
				t.Errorf("%s: %v", f.name, r.Err)
			case kind.V1():
				for _, line := range oracle.Disagreements(kind, f.block, r.Entries) {
					t.Errorf("%s: %s", f.name, line)
				}
			}
		}
	}
}

// TestFixturesAreReadable checks that every fixture starts with a comment on its purpose and is small enough to read.
func TestFixturesAreReadable(t *testing.T) {
	t.Parallel()
	n := 0
	for _, f := range fixtures(t) {
		n++
		if !strings.HasPrefix(f.text, "# ") {
			t.Errorf("%s does not start with a comment on its purpose", f.name)
		}
		if len(f.block) > 20_000 || strings.Count(f.text, "\n") > 120 {
			t.Errorf("%s is too large: %d bytes of %d lines", f.name, len(f.block), strings.Count(f.text, "\n"))
		}
	}
	if n < 30 {
		t.Errorf("only %d fixtures", n)
	}
}
