package layout_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// A wantedPart describes a part of the small block. It is a line of testdata/small.txt.
type wantedPart struct {
	Sort, Path string
	Off        int64
	Len        int
	Value      string
}

// smallBlock returns the block that testdata/small.txt describes, and the parts of the block.
func smallBlock(t testing.TB) (b []byte, parts []wantedPart) {
	t.Helper()
	w := readWorked(t, "testdata/small.txt")[0]
	for _, p := range w.Parts {
		what, value, _ := strings.Cut(p.Text, " = ")
		sort, path, _ := strings.Cut(what, " ")
		parts = append(parts, wantedPart{sort, path, p.Off, p.Len, value})
	}
	return w.Bytes, parts
}

func smallBytes(t testing.TB) []byte {
	b, _ := smallBlock(t)
	return b
}

// smallObjects is the offset of the first object in the block of testdata/small.txt. The bytes from this offset are a
// provider's block.
const smallObjects = 0x60

// A patch is a DWORD to write at an offset of the small block.
type patch struct {
	at    int
	value uint32
}

func patched(t testing.TB, patches ...patch) []byte {
	b := smallBytes(t)
	for _, p := range patches {
		le.PutUint32(b[p.at:], p.value)
	}
	return b
}

// readAll runs every iterator to its end and returns the first fault.
func readAll(kind layout.Kind, b []byte) error {
	objects := layout.ReadObjects(b)
	if kind == layout.DataBlockKind {
		d, err := layout.ReadDataBlock(b)
		if err != nil {
			return err
		}
		name, err := d.SystemName()
		if err != nil {
			return err
		}
		if _, err := name.Text(); err != nil {
			return err
		}
		objects = d.Objects()
	}
	for o, err := range objects {
		if err != nil {
			return err
		}
		if err := readObject(o); err != nil {
			return err
		}
	}
	return nil
}

func readObject(o layout.Object) error {
	var counters []layout.Counter
	for c, err := range o.Counters() {
		if err != nil {
			return err
		}
		counters = append(counters, c)
	}
	if o.NumInstances() == layout.PERF_NO_INSTANCES {
		block, err := o.Block()
		if err != nil {
			return err
		}
		return readValues(block, counters)
	}
	for in, err := range o.Instances() {
		if err != nil {
			return err
		}
		name, err := in.Name()
		if err != nil {
			return err
		}
		if _, err := name.Text(); err != nil {
			return err
		}
		block, err := in.Block()
		if err != nil {
			return err
		}
		if err := readValues(block, counters); err != nil {
			return err
		}
	}
	return nil
}

func readValues(block layout.CounterBlock, counters []layout.Counter) error {
	for _, c := range counters {
		if _, err := block.Value(c); err != nil {
			return err
		}
	}
	return nil
}

// setField writes value to the DWORD at path. It returns b.
func setField(t testing.TB, kind layout.Kind, b []byte, path string, value uint32) []byte {
	t.Helper()
	field, err := layout.Find(kind, b, parsePath(t, path))
	if err != nil {
		t.Fatal(err)
	}
	le.PutUint32(b[field.Off():], value)
	return b
}

func parsePath(t testing.TB, s string) layout.Path {
	t.Helper()
	if s == "" {
		return layout.Path{}
	}
	p, err := layout.ParsePath(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
