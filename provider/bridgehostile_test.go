//go:build unix

package provider

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestBridgeFields checks that Write and the bridge refuse field values that can make a consumer fail.
func TestBridgeFields(t *testing.T) {
	t.Parallel()
	const first, last = FirstCounter, FirstCounter + 1<<20
	s := newFileSharing(t)
	h := newBridge(t, s, "copy")
	wide := registered
	wide.lastCounter = registered.firstCounter + last - first
	h.register(wide)
	for _, tt := range []struct {
		reason, path string
		value        uint32
		right        bool
	}{
		{"a consumer copies CounterSize bytes to a variable of 8 bytes", "object[0].counter[0].CounterSize", 4000, false},
		{"CounterSize is 4 or 8", "object[0].counter[0].CounterSize", 6, false},
		{"a consumer reads a number, so it needs bytes", "object[0].counter[0].CounterSize", 0, false},
		{"CounterSize can differ from the size of the type, if the block has bytes for both", "object[3].counter[0].CounterSize", 4, true},
		{"a value after the end of a block", "object[0].counter[0].CounterOffset", 24, false},
		{"10 to the power of the scale overflows", "object[0].counter[0].DefaultScale", 400, false},
		{"a negative scale is -7 or more", "object[0].counter[0].DefaultScale", 1<<32 - 8, false},
		{"the largest scale", "object[0].counter[0].DefaultScale", 7, true},
		{"the smallest scale", "object[0].counter[0].DefaultScale", 1<<32 - 7, true},
		{"a consumer of 32 bits can use the word as a pointer", "object[0].counter[0].CounterNameTitle", 1, false},
		{"a consumer of 32 bits can use the word as a pointer", "object[0].counter[0].CounterHelpTitle", 1, false},
		{"a consumer of 32 bits can use the word as a pointer", "object[0].ObjectNameTitle", 1, false},
		{"a consumer of 32 bits can use the word as a pointer", "object[0].ObjectHelpTitle", 1, false},
		{"names are in UTF-16, without a conversion that can fail", "object[0].CodePage", 65001, false},
		{"there is no counter at the position", "object[0].DefaultCounter", 2, false},
		{"a position of another object", "object[0].DefaultCounter", 238, false},
		{"no default counter is -1", "object[0].DefaultCounter", 1<<32 - 2, false},
		{"there is no default counter", "object[0].DefaultCounter", 1<<32 - 1, true},
		{"the position of the last counter", "object[0].DefaultCounter", 1, true},
		{"the title of a counter", "object[0].DefaultCounter", first + 4, true},
		{"a consumer reads the definition after the last one as the base", "object[0].counter[1].CounterType", uint32(layout.PERF_RAW_FRACTION), false},
		{"a consumer divides by PerfFreq", "object[3].counter[0].CounterType", uint32(layout.PERF_ELAPSED_TIME), false},
		{"a consumer searches for an instance that does not exist", "object[1].instance[0].ParentObjectInstance", 2, false},
		{"the position of a parent is not negative", "object[1].instance[1].ParentObjectInstance", 1<<32 - 1, false},
		{"the last instance", "object[1].instance[0].ParentObjectInstance", 1, true},
		{"the object of the parents has no instances", "object[1].instance[0].ParentObjectTitleIndex", first + 10, false},
		{"the object of the parents is of another Write", "object[1].instance[0].ParentObjectTitleIndex", last, true},
		{"without a parent, the position means nothing", "object[0].instance[0].ParentObjectInstance", 7, true},
	} {
		block := shopObjects(t, first, 7)
		path, err := layout.ParsePath(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		part, err := layout.Find(layout.ObjectsKind, block, path)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(part.Bytes(), tt.value)

		p, err := publish(s, testService)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Write(block); (err == nil) != tt.right || err != nil && !strings.Contains(err.Error(), path.String()) && !strings.Contains(err.Error(), "PERF1") {
			t.Errorf("%s: %s is %d: Write returns %v", tt.reason, tt.path, tt.value, err)
		}
		if err := p.Write(shopObjects(t, first, 7)); err != nil { // generation 1 now exists; it is overwritten below
			t.Fatal(err)
		}
		overwrite(t, s.path("root-00000001"), generationOf(block, uint32(len(block))))
		if got := len(h.collectAll("Global")); (got == len(block)) != tt.right {
			t.Errorf("%s: %s is %d: the bridge returns %d bytes, and reports %q", tt.reason, tt.path, tt.value, got, h.open())
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBridgeManyParents checks that Write and the bridge accept mostParents changes of ParentObjectTitleIndex, and
// refuse more changes. An instance counts as a change if it is the first, or if its ParentObjectTitleIndex differs from
// that of the previous instance. The number is limited because the bridge searches all objects after each change.
func TestBridgeManyParents(t *testing.T) {
	t.Parallel()
	s := newFileSharing(t)
	h, p := newBridge(t, s, "copy"), startPublisher(t, s)
	for _, tt := range []struct {
		reason    string
		instances int
		sorted    bool
		right     bool
	}{
		{"the limit", mostParents, false, true},
		{"one change too many", mostParents + 1, false, false},
		{"instances that are sorted by the object of their parents change it once", 2 * mostParents, true, true},
	} {
		child := builder.NewObject(FirstCounter+8).Counter(FirstCounter+10, layout.PERF_COUNTER_RAWCOUNT)
		for i := range tt.instances {
			which := uint32(i % 2)
			if tt.sorted {
				which = uint32(2 * i / tt.instances)
			}
			child.Child(FirstCounter+4*which, 0, fmt.Sprint(i), 1)
		}
		objects := builder.Objects{*child}
		for _, title := range []uint32{FirstCounter, FirstCounter + 4} {
			objects = append(objects, *builder.NewObject(title).Counter(title+2, layout.PERF_COUNTER_RAWCOUNT).Instance("a", 1))
		}
		block, err := objects.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Write(block); (err == nil) != tt.right || err != nil && !strings.Contains(err.Error(), "sort the instances") {
			t.Errorf("%s: Write returns %v", tt.reason, err)
		}
		if err := p.Write(nil); err != nil {
			t.Fatal(err)
		}
		memory := generationOf(block, uint32(len(block)))
		binary.LittleEndian.PutUint32(memory[generationNumberAt:], p.number)
		overwrite(t, s.path(fmt.Sprintf("root-%08x", p.number)), memory)
		if got := len(h.collectAll("5008")); (got == len(block)) != tt.right {
			t.Errorf("%s: the bridge returns %d bytes, and reports %q", tt.reason, got, h.open())
		}
	}
}

// randomObjects returns objects for Write. A quarter of the results come from shopObjects, and the others are random.
func randomObjects(t *testing.T, r *rand.Rand) []byte {
	t.Helper()
	if r.IntN(4) == 0 {
		return shopObjects(t, FirstCounter, r.Uint64N(1000))
	}
	objects := *fuzz.New[builder.Objects](fuzz.Seed(r.Uint64()), fuzz.Config{})
	rebase := func(title *uint32, base uint32) {
		if *title != 0 {
			*title = base + *title%500*2
		}
	}
	for i := range objects {
		o := &objects[i]
		if r.IntN(8) != 0 { // Write refuses other code pages, and titles in DefaultCounter that were not rebased
			o.CodePage, o.DefaultCounter = 0, nil
		}
		rebase(&o.ObjectNameTitleIndex, FirstCounter)
		rebase(&o.ObjectHelpTitleIndex, FirstHelp)
		for j := range o.Counters {
			rebase(&o.Counters[j].CounterNameTitleIndex, FirstCounter)
			rebase(&o.Counters[j].CounterHelpTitleIndex, FirstHelp)
		}
		for j := range o.Instances {
			o.Instances[j].Name = strings.ToValidUTF8(o.Instances[j].Name, "?")
			rebase(&o.Instances[j].ParentObjectTitleIndex, FirstCounter)
		}
	}
	b, err := objects.MarshalBinary()
	if err != nil {
		return nil
	}
	return b
}

// TestBridgeAcceptsWhatWriteAccepts checks that the bridge returns all objects that Write has accepted.
func TestBridgeAcceptsWhatWriteAccepts(t *testing.T) {
	t.Parallel()
	s := newFileSharing(t)
	h, p := newBridge(t, s, "share"), startPublisher(t, s)
	all := performanceKey{firstCounter: 5000, lastCounter: 1<<32 - 2, firstHelp: 5001, lastHelp: 1<<32 - 1, seconds: 1000}
	h.register(all) // all titles are registered, because Write does not check the registration
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for i := range long.Count(500, 5000) {
		block := randomObjects(t, r)
		if i%2 == 1 {
			block = fuzz.Damage(fuzz.Seed(r.Uint64()), block)
		}
		if p.Write(block) != nil {
			continue
		}
		data := h.collectAll("Global")
		if len(data) != len(block) {
			t.Fatalf("block %d of %d bytes: the bridge returns %d bytes, and reports %q\n%x", i, len(block), len(data), h.open(), block)
		}
		if len(block) > 0 {
			accepted++
		}
	}
	if accepted < 100 {
		t.Errorf("Write has accepted %d blocks, too few for a test", accepted)
	}
}

// generationOf returns the bytes of a generation, which is the mapping with the objects. The block is in the first
// buffer, and the second buffer is empty.
func generationOf(block []byte, costly uint32) []byte {
	size := (len(block) + 7) / 8 * 8
	b := make([]byte, generationDataAt+bufferCount*size)
	for at, value := range map[int]uint32{
		generationMagicAt: generationMagic, generationVersionAt: mappingVersion, generationNumberAt: 1, generationSizeAt: uint32(size),
		generationBuffersAt + bufferSequenceAt: 2, generationBuffersAt + bufferLengthAt: uint32(size), generationBuffersAt + bufferCostlyAt: costly,
	} {
		binary.LittleEndian.PutUint32(b[at:], value)
	}
	copy(b[generationDataAt:], block)
	return b
}

// semantic lists rules that the bridge does not check. If an object breaks such a rule, a reader computes wrong values,
// but does not read outside the object.
var semantic = []string{"ctr-base-first", "ctr-base-mismatch", "ctr-base-orphan", "obj-timer-perftime"}

// TestBridgeHostileMemory damages the shared memory. The objects that the bridge returns must not make a reader read
// outside the data. The sanitizers of the C compiler check the bridge itself.
func TestBridgeHostileMemory(t *testing.T) {
	t.Parallel()
	s, h, _ := startShop(t, "copy")
	off := make(map[*validate.Rule]bool)
	for _, pattern := range semantic {
		rules, err := validate.MatchRules(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range rules {
			off[rule] = true
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	queries := []string{"Global", "Costly", "MetadataGlobal", "5000", "5006 5014 5010"}
	passed := 0
	var valid []byte
	for i := range long.Count(1000, 8000) {
		if i%8 == 0 {
			valid = randomObjects(t, r)
		}
		block, costly := valid, uint32(0)
		if i%3 != 0 {
			block = fuzz.Damage(fuzz.Seed(r.Uint64()), block)
		}
		if r.IntN(2) == 0 {
			costly = uint32(len(block))
		}
		memory := generationOf(block, costly)
		switch i % 4 {
		case 0: // damaged anywhere, also truncated
			memory = fuzz.Damage(fuzz.Seed(r.Uint64()), memory)
		case 1: // a damaged header
			copy(memory, fuzz.Damage(fuzz.Seed(r.Uint64()), memory[:generationDataAt]))
		}
		overwrite(t, s.path("root-00000001"), memory)
		_, _, data := h.collect(queries[i%len(queries)], 16<<10)
		var rows layout.Rows
		for o, err := range layout.ReadObjects(data) {
			if err == nil && o.NumInstances() >= -1 {
				err = rows.Open(o)
			}
			if err != nil {
				t.Fatalf("memory %d: %v\n%x", i, err, memory)
			}
			for o.NumInstances() >= -1 && rows.Next() {
				rows.AppendValues(nil)
			}
			if err := rows.Err(); o.NumInstances() >= -1 && err != nil {
				t.Fatalf("memory %d: %v\n%x", i, err, memory)
			}
			passed++
		}
		for _, f := range validate.Bytes(layout.ObjectsKind, data, validate.Context{}).Findings {
			if f.Severity == validate.Error && !off[f.Rule] {
				t.Fatalf("memory %d: %v\n%x", i, f, memory)
			}
		}
	}
	if passed < 100 {
		t.Errorf("the bridge has returned %d objects, too few for a test", passed)
	}
	if data := h.open(); len(data) > 1000 {
		t.Errorf("a report of %d bytes", len(data))
	}
}
