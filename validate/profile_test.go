package validate_test

import (
	"encoding/binary"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// TestWindowsShapes checks blocks with as many records as real systems have. Under the profile for
// Windows, the blocks have no error and no warning.
func TestWindowsShapes(t *testing.T) {
	t.Parallel()
	v := newValidator(t, validate.Windows)
	large := regexp.MustCompile("^cap|^million|00000$")
	for _, w := range fuzz.Workloads() {
		if large.MatchString(w.Name) && !long.Enabled() || testing.Short() && w.Name != "tiny" && w.Name != "cpu" {
			continue // larger blocks repeat the content of smaller ones
		}
		b, err := w.Block().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Bytes(w.Kind, b, validate.Context{}).Err(validate.Warning); err != nil {
			t.Errorf("%s: %.2000v", w.Name, err)
		}
	}
	for _, name := range []string{"processor", "system"} {
		path := "../testdata/specs/" + name + ".yaml"
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, b := specBlock(t, path, text)
		if err := v.Bytes(layout.DataBlockKind, b, validate.Context{}).Err(validate.Warning); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHabits checks blocks with unusual properties that Windows, Wine and Samba write. The blocks
// must have no error and no warning under the profile windows.
func TestHabits(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	for _, test := range []struct {
		name   string
		reason string
		change func(d *builder.DataBlock)
		patch  func(b []byte) []byte
	}{
		{name: "wine, no objects", reason: "a query that no provider answers returns only the header", change: func(d *builder.DataBlock) {
			d.Objects, d.SystemName, d.DefaultObject = nil, "ab", 0
		}},
		{name: "samba, DefaultObject -1", reason: "the field is reserved", change: func(d *builder.DataBlock) { d.DefaultObject = -1 }},
		{name: "samba, a longer header", reason: "the header may have up to 8 bytes more than the name requires", change: func(d *builder.DataBlock) { d.HeaderLength = 112 }},
		{name: "samba, padding", reason: "padding may have any bytes", patch: func(b []byte) []byte {
			for p := range layout.Walk(layout.DataBlockKind, b) {
				if p.Sort == layout.PaddingPart {
					for i := range p.Bytes() {
						p.Bytes()[i] = 0xCC
					}
				}
			}
			return b
		}},
		{name: "an object clock of zero", reason: "no counter of the object uses it", change: func(d *builder.DataBlock) { d.Objects[0].PerfTime = 0 }},
		{name: "a capture of RegistryKey.GetValue", reason: "GetValue returns its whole buffer", patch: func(b []byte) []byte {
			return append(b, make([]byte, 65000-len(b))...)
		}},
		{name: "names that repeat", reason: "Windows' own Process object has many svchost", change: func(d *builder.DataBlock) {
			d.Objects[0].DuplicateNames = true
			d.Objects[0].Instance("0", 1, 2, 3)
		}},
		{name: "a drive with a path for a name", reason: "LogicalDisk has such instances", change: func(d *builder.DataBlock) {
			d.Objects[0].Instance(`E:\Data\Disk(1)`, 1, 2, 3)
		}},
		{name: "a help title that does not follow the name", reason: "two counters of Processor have such a help title", change: func(d *builder.DataBlock) {
			d.Objects[0].Counters[0].CounterHelpTitleIndex = 339
		}},
		{name: "the base repeats the titles", reason: "System has 1350 twice", change: func(d *builder.DataBlock) {
			d.Objects[0].Counters[2].CounterNameTitleIndex = d.Objects[0].Counters[1].CounterNameTitleIndex
		}},
		{name: "the base repeats the level", reason: "the base of the System object repeats the level", change: func(d *builder.DataBlock) {
			d.Objects[0].Counters[2].DetailLevel = layout.PERF_DETAIL_WIZARD
		}},
		{name: "a first DWORD at 8", reason: "the first value may be at 4 or at 8", change: func(d *builder.DataBlock) {
			d.Objects[0].Counters[0].CounterOffset = 8
		}},
		{name: "a title as DefaultCounter", reason: "the documentation of PERF_OBJECT_TYPE describes a title", change: func(d *builder.DataBlock) {
			d.Objects[0].DefaultCounter = new(int32(1350))
		}},
		{name: "PERF_AVERAGE_TIMER of 8 bytes", reason: "Windows' disk counters declare it", change: func(d *builder.DataBlock) {
			d.Objects[0].Define(builder.Counter{CounterNameTitleIndex: 208, CounterType: layout.PERF_AVERAGE_TIMER, CounterSize: 8},
				builder.Counter{CounterType: layout.PERF_AVERAGE_BASE})
			for i := range d.Objects[0].Instances {
				d.Objects[0].Instances[i].Values = append(d.Objects[0].Instances[i].Values, 1, 2)
			}
		}},
		{name: "an empty object", reason: "an object that can have instances may have none", change: func(d *builder.DataBlock) {
			d.Objects[0].Instances = nil
		}},
		{name: "reserved bytes after SystemTime", reason: "the bytes are not a member of the structure", patch: func(b []byte) []byte {
			le.PutUint32(b[52:], 1)
			return b
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := builder.NewObject(2).Counter(10, layout.PERF_COUNTER_COUNTER).WithBase(1350, layout.PERF_RAW_FRACTION).
				Instance("0", 1, 2, 3).Instance("1", 1, 2, 3)
			d := builder.DataBlock{SystemName: "HOST", DefaultObject: 238, Objects: []builder.Object{*o}}
			if test.change != nil {
				test.change(&d)
			}
			b, err := d.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if test.patch != nil {
				b = test.patch(slices.Clone(b))
			}
			if err := newValidator(t, validate.Windows).Bytes(layout.DataBlockKind, b, validate.Context{}).Err(validate.Warning); err != nil {
				t.Errorf("%v\nThis is valid: %s", err, test.reason)
			}
		})
	}
}

func newValidator(t *testing.T, p validate.Profile) *validate.Validator {
	t.Helper()
	v, err := validate.New(validate.Options{Profile: p})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// specBlock returns the kind and the bytes of the block of a spec. path is used in errors.
func specBlock(t *testing.T, path string, text []byte) (layout.Kind, []byte) {
	t.Helper()
	s, err := spec.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s.Kind(), b
}
