package layout_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/layout"
)

// facts returns numbers that a C compiler computed from a header: values of constants, or sizes and offsets.
func facts(t *testing.T, header cfacts.Header, constants bool) map[string]int64 {
	t.Helper()
	all, err := header.Facts()
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]int64{}
	for _, f := range all {
		if name, ok := strings.CutPrefix(f.Name, "const "); ok == constants {
			m[name] = f.Value
		}
	}
	return m
}

// tables has the records of each header.
var tables = map[cfacts.Header][]*layout.Record{cfacts.Winperf: layout.Winperf, cfacts.Perflib: layout.Perflib}

func TestRecordsAgainstC(t *testing.T) {
	t.Parallel()
	for header, records := range tables {
		got := map[string]int64{}
		for _, r := range records {
			got["sizeof "+r.C] = int64(r.Size)
			got["alignof "+r.C] = int64(r.Align)
			for _, f := range r.Fields {
				if f.Role.Kind == layout.Padding {
					continue
				}
				got["offsetof "+r.C+"."+f.Name] = int64(f.At)
				got["sizeof "+r.C+"."+f.Name] = int64(f.Type.Size())
				got["signed "+r.C+"."+f.Name] = 0
				if strings.HasPrefix(f.Type.Go(), "int") {
					got["signed "+r.C+"."+f.Name] = 1
				}
			}
		}
		if diff := cmp.Diff(facts(t, header, false), got); diff != "" {
			t.Errorf("the table differs from the C compiler's %s (-want +got):\n%s", header, diff)
		}
	}
}

// goConstants returns the values of the numeric PERF_ constants in the source of package layout.
func goConstants(t *testing.T) map[string]int64 {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	// No constant depends on an import, so errors about imports are ignored.
	conf := types.Config{Error: func(error) {}, IgnoreFuncBodies: true}
	pkg, _ := conf.Check("layout", fset, files, nil)
	m := map[string]int64{}
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || !strings.HasPrefix(name, "PERF_") || c.Val().Kind() == constant.String {
			continue
		}
		v, exact := constant.Int64Val(c.Val())
		if !exact {
			t.Fatalf("%s is %v", name, c.Val())
		}
		m[name] = int64(uint32(v))
	}
	return m
}

// The winperf.h of mingw-w64 does not have the constants in notInC. Package layout does not have the constants in
// notInGo, because only the function Query of a provider uses these constants. Microsoft does not document this
// function.
var (
	notInC  = []string{"PERF_METADATA_MULTIPLE_INSTANCES", "PERF_METADATA_NO_INSTANCES"}
	notInGo = []string{"PERF_QUERY_COSTLY", "PERF_QUERY_GLOBAL", "PERF_QUERY_OBJECTS"}
)

func TestConstantsAgainstC(t *testing.T) {
	t.Parallel()
	inC, inGo := facts(t, cfacts.Winperf, true), goConstants(t)
	for name, value := range facts(t, cfacts.Perflib, true) {
		if _, ok := inC[name]; ok {
			t.Errorf("both headers have %s", name)
		}
		inC[name] = value
	}
	for name, m := range map[string]struct {
		in    map[string]int64
		names []string
	}{"Go": {inGo, notInC}, "C": {inC, notInGo}} {
		for _, n := range m.names {
			if _, ok := m.in[n]; !ok {
				t.Errorf("%s has no %s", name, n)
			}
			delete(m.in, n)
		}
	}
	if diff := cmp.Diff(inC, inGo); diff != "" {
		t.Errorf("the constants differ from the C compiler's (-want +got):\n%s", diff)
	}
	if got := [...]int32{layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES}; got != [...]int32{-2, -3} {
		t.Errorf("the metadata constants are %v", got)
	}
}

// notCounterTypes has the constants of winperf.h that name neither a counter type nor bits of a counter type.
var notCounterTypes = []string{
	"PERF_DATA_REVISION", "PERF_DATA_VERSION",
	"PERF_DETAIL_ADVANCED", "PERF_DETAIL_EXPERT", "PERF_DETAIL_NOVICE", "PERF_DETAIL_WIZARD",
	"PERF_NO_INSTANCES", "PERF_NO_UNIQUE_ID",
	"PERF_QUERY_COSTLY", "PERF_QUERY_GLOBAL", "PERF_QUERY_OBJECTS",
}

func TestCounterTypeNamesAgainstC(t *testing.T) {
	t.Parallel()
	inC := facts(t, cfacts.Winperf, true)
	for _, name := range slices.Sorted(maps.Keys(inC)) {
		got, err := layout.ParseCounterType(name)
		if slices.Contains(notCounterTypes, name) {
			if err == nil {
				t.Errorf("%s was read as the counter type %v", name, got)
			}
			continue
		}
		if err != nil || int64(got) != inC[name] {
			t.Errorf("%s is 0x%08x, %v; C says 0x%08x", name, uint32(got), err, inC[name])
		}
	}
}
