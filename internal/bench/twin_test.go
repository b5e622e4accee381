package main

import (
	"errors"
	"os/exec"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/layout"
)

// needTwin builds the C program for a test: as it is measured, or with a watch over its memory where the compiler has one.
func needTwin(t *testing.T, watched bool) string {
	t.Helper()
	if watched {
		dir := t.TempDir()
		program, err := buildTwin(dir, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
		// Only a run shows whether it works: some compilers take the flags and link to nothing.
		if usage, ok := errors.AsType[*exec.ExitError](exec.Command(program).Run()); err == nil && ok && usage.ExitCode() == 2 {
			return program
		}
		t.Log("the C program is built without sanitizers")
	}
	program, err := buildTwin(t.TempDir())
	if errors.Is(err, cc.ErrNone) {
		cfacts.Absent(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// odd has what the workloads lack and the fills know.
func odd() builder.Model {
	id := int32(-7)
	names := builder.NewObject(4002).
		Counter(4004, layout.PERF_COUNTER_RAWCOUNT).
		WithBase(4006, layout.PERF_AVERAGE_TIMER). // 4 bytes with room for 8
		Counter(4008, layout.PERF_COUNTER_BULK_COUNT).
		Counter(4010, layout.PERF_COUNTER_NODATA). // no bytes at all
		Counter(4012, layout.PERF_COUNTER_RAWCOUNT)
	for i, name := range []string{
		"a", "ab", "abc", "abcd", "naïve", "ß", "\u07ff", "\u0800", "€uro", "\ud7ff\ue000\ufffd\uffff", "\U00010000", "🂡\U0010ffff", "x🂡y",
	} {
		n := uint64(i)
		names.Instance(name, n, n+1, n+2, n<<40, 0, n+3)
	}
	names.Add(builder.Instance{UniqueID: &id, Values: []uint64{1<<32 - 1, 1, 2, 1<<64 - 1, 0, 3}})
	child := builder.NewObject(4100).Counter(4102, layout.PERF_COUNTER_RAWCOUNT).Child(4002, 3, "child", 9).Child(4002, 4, "child", 10)
	return new(builder.DataBlock{SystemName: "HÔTE"}).Add(names, child,
		builder.NewObject(4200).Counter(4202, layout.PERF_COUNTER_RAWCOUNT), // no instances now
		builder.NewObject(4300).Single(),                                    // a block without a value
		builder.NewObject(4400).Counter(4402, layout.PERF_COUNTER_RAWCOUNT).Single(5))
}

func loadOf(t *testing.T, name string, m builder.Model) *load {
	t.Helper()
	l, err := loadModel(name, m)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// smallLoads are the loads that take no time to speak of.
func smallLoads(t *testing.T) []*load {
	t.Helper()
	nothing := loadOf(t, "nothing", &builder.DataBlock{})
	loads := []*load{nothing, loadOf(t, "odd", odd())}
	for _, w := range workloads()[:3] {
		loads = append(loads, loadOf(t, w.Name, w.Block()))
	}
	return loads
}

// startTwin does the comparing.
func TestTwinMakesTheSame(t *testing.T) {
	t.Setenv("ASAN_OPTIONS", "detect_leaks=0") // what it reads it keeps to its end
	for _, watched := range []bool{false, true} {
		program := needTwin(t, watched)
		for _, l := range smallLoads(t) {
			twin, err := startTwin(program, l)
			if err != nil {
				t.Errorf("%s: %v", l.name, err)
				continue
			}
			if took, err := twin.measure("fill", 3); err != nil || took <= 0 {
				t.Errorf("%s: a fill took %v, error %v", l.name, took, err)
			}
			if err := twin.close(); err != nil {
				t.Errorf("%s: %v", l.name, err)
			}
		}
	}
}

// A comparison that finds nothing must be able to find something.
func TestTwinThatDiffers(t *testing.T) {
	t.Parallel()
	program := needTwin(t, false)
	for name, change := range map[string]func(l *load){
		"a value": func(l *load) { objectsOf(l)[0].rows[2].values[0]++ },
		"a name":  func(l *load) { objectsOf(l)[0].rows[2].name = "xyz" },
		"a link":  func(l *load) { objectsOf(l)[1].rows[0].parentPosition++ },
		"an id":   func(l *load) { objectsOf(l)[1].rows[0].uniqueID = 5 },
		"a byte":  func(l *load) { l.block[len(l.block)-1] = 1 },
	} {
		l := loadOf(t, "odd", odd())
		change(l)
		if twin, err := startTwin(program, l); err == nil {
			t.Errorf("%s differs: no error", name)
			_ = twin.close()
		}
	}
}

func objectsOf(l *load) []feedObject { return l.feed.(*objectFeed).objects }

func TestTwinWithoutCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := buildTwin(t.TempDir()); !errors.Is(err, cc.ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
}
