package fuzz_test

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// TestWorkloads checks the sizes of the workloads, and that their blocks decode to equal models.
func TestWorkloads(t *testing.T) {
	t.Parallel()
	// objects is the number of objects or results. counters and instances describe the last object or result; -1 means
	// any number.
	want := map[string]struct{ objects, counters, instances, minSize, maxSize int }{
		"tiny":             {1, 18, 0, 984, 984},   // the size of a block from Windows
		"cpu":              {1, 15, 9, 2144, 2144}, // the size of a block from Windows
		"process-300":      {1, 28, 300, 60_000, 90_000},
		"process-2775":     {1, 28, 2775, 600_000, 800_000},
		"process-distinct": {1, 28, 2775, 600_000, 800_000},
		"thread-30000":     {2, 12, 30_000, 3_000_000, 5_000_000},
		"server":           {180, -1, -1, 1_800_000, 2_400_000},
		"cap":              {180, -1, -1, 9_500_000, 11_000_000},
		"wide":             {1, 916, 256, 1_000_000, 2_000_000},
		"million":          {1, 4, 1_000_000, 80_000_000, 120_000_000},
		"v2-gpu":           {1, 2, 5000, 800_000, 1_000_000},

		"cap-distinct":     {180, -1, -1, 10_500_000, 12_000_000},
		"million-distinct": {1, 4, 1_000_000, 80_000_000, 120_000_000},
		"distinct-300":     {2, 12, 300, 35_000, 45_000},
		"distinct-3000":    {2, 12, 3000, 350_000, 450_000},
		"distinct-30000":   {2, 12, 30_000, 3_500_000, 4_500_000},
		"distinct-300000":  {2, 12, 300_000, 35_000_000, 45_000_000},
		"distinct-1000000": {2, 12, 1_000_000, 120_000_000, 150_000_000},
	}
	if len(want) != len(fuzz.Workloads()) {
		t.Errorf("%d workloads, %d expected", len(fuzz.Workloads()), len(want))
	}
	for _, w := range fuzz.Workloads() {
		if want[w.Name].instances > 100_000 && (!long.Enabled() || strings.Contains(w.Name, "distinct")) {
			continue // takes seconds, and smaller workloads have distinct names too
		}
		t.Run(w.Name, func(t *testing.T) {
			block := w.Block()
			if block.Kind() != w.Kind {
				t.Fatalf("the block has kind %v, want %v", block.Kind(), w.Kind)
			}
			b, err := block.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var objects, counters, instances int
			switch d := block.(type) {
			case *builder.DataBlock:
				last := d.Objects[len(d.Objects)-1]
				objects, counters, instances = len(d.Objects), len(last.Counters), len(last.Instances)
			case *builder.QueryData:
				last := d.Results[len(d.Results)-1]
				objects, counters, instances = len(d.Results), len(last.Counters), len(last.Instances)
			}
			e := want[w.Name]
			if e.counters < 0 {
				e.counters, e.instances = counters, instances
			}
			if objects != e.objects || counters != e.counters || instances != e.instances || len(b) < e.minSize || len(b) > e.maxSize {
				t.Errorf("%d objects, the last with %d counters and %d instances, %d bytes; want %+v", objects, counters, instances, len(b), e)
			}
			back, err := builder.NewModel(w.Kind)
			if err == nil {
				err = back.UnmarshalBinary(b)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(block, back) { // cmp.Diff takes a minute for the largest workload
				t.Error("decoding changed the model")
			}
		})
	}
}

// TestWorkloadsDistinct checks that the instances of an object have distinct names. About one name in 70 must have a
// character outside ASCII.
func TestWorkloadsDistinct(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"process-distinct", "distinct-30000", "cap-distinct"} {
		w, err := fuzz.FindWorkload(name)
		fatal(t, err)
		instances, wide := 0, 0
		for _, o := range w.Block().(*builder.DataBlock).Objects {
			names := map[string]bool{}
			for _, in := range o.Instances {
				names[in.Name] = true
				if strings.Contains(in.Name, "é") {
					wide++
				}
			}
			if len(names) != len(o.Instances) || o.DuplicateNames {
				t.Errorf("%s: object %d has %d names for %d instances", name, o.ObjectNameTitleIndex, len(names), len(o.Instances))
			}
			instances += len(names)
		}
		if share := instances / wide; share < 50 || share > 90 {
			t.Errorf("%s: %d of %d names are not ASCII, want 1 in 70", name, wide, instances)
		}
	}
}

// TestWorkloadsSmallestFirst checks the order of the workloads before "wide". The workloads with one or two objects
// come first, and then the workloads of a server. Both groups are sorted by size.
func TestWorkloadsSmallestFirst(t *testing.T) {
	t.Parallel()
	size, server := 0, false
	for _, w := range fuzz.Workloads() {
		if w.Name == "wide" { // has an unusual shape
			break
		}
		d := w.Block().(*builder.DataBlock)
		n, err := d.EncodedLen()
		fatal(t, err)
		if len(d.Objects) > 2 && !server {
			size, server = 0, true
		}
		if n < size || server != (len(d.Objects) > 2) {
			t.Errorf("%s with %d objects and %d bytes follows a workload of %d bytes", w.Name, len(d.Objects), n, size)
		}
		size = n
	}
	if !server {
		t.Error("there is no workload of a server")
	}
}

// TestFindWorkload checks that FindWorkload finds each workload by name, and that the error for another name lists the
// names.
func TestFindWorkload(t *testing.T) {
	t.Parallel()
	for _, w := range fuzz.Workloads() {
		if found, err := fuzz.FindWorkload(w.Name); err != nil || found.Doc != w.Doc {
			t.Errorf("%s: %q, %v", w.Name, found.Doc, err)
		}
	}
	_, err := fuzz.FindWorkload("Tiny")
	if !errors.Is(err, layout.ErrRange) || !strings.Contains(err.Error(), `no workload "Tiny": must be one of tiny, cpu`) {
		t.Errorf("an unknown name: %v", err)
	}
}

// TestWorkloadGPU checks that the instances of v2-gpu have distinct names and ids, and that the names have various
// lengths.
func TestWorkloadGPU(t *testing.T) {
	t.Parallel()
	w, err := fuzz.FindWorkload("v2-gpu")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^pid_[0-9]+_luid_0x[0-9A-F]{8}_0x[0-9A-F]{8}_phys_0_eng_[0-9]_engtype_[0-9A-Za-z_]+$`)
	names, ids, lengths := map[string]bool{}, map[uint32]bool{}, map[int]bool{}
	instances := w.Block().(*builder.QueryData).Results[0].Instances
	for _, in := range instances {
		if !form.MatchString(in.Name) {
			t.Fatalf("an engine has the name %q", in.Name)
		}
		names[in.Name], ids[in.InstanceId], lengths[len(in.Name)] = true, true, true
	}
	if len(names) != len(instances) || len(ids) != len(instances) || len(lengths) < 10 {
		t.Errorf("%d names with %d lengths and %d ids for %d instances", len(names), len(lengths), len(ids), len(instances))
	}
}
