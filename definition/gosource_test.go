package definition

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// TestShopGo compares the generated Go of the shop definition with a golden file.
func TestShopGo(t *testing.T) {
	t.Parallel()
	text, losses, err := shopDefinition(t).goSource()
	if err != nil || len(losses) > 0 {
		t.Fatal(losses, err)
	}
	golden.File(t, "testdata/generated/shop.go.txt", string(text))
}

// shopDefinition returns testdata/definitions/shop.yaml.
func shopDefinition(t *testing.T) *Provider {
	t.Helper()
	const path = "../testdata/definitions/shop.yaml"
	p, err := Parse(path, []byte(golden.Read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// madeStruct matches a struct in a generated file, together with the constant that has its title.
var madeStruct = regexp.MustCompile(`builder\.Define\[(\w+)\]\((\w+)\)(?s:.*?)type (\w+) struct`)

// madeSet matches the variable of a V2 counter set in a generated file.
var madeSet = regexp.MustCompile(`(?m)^var (\w+) = &provider\.CounterSet`)

// TestGoSource checks that generated Go is formatted and passes vet, and that its structs and providers work.
func TestGoSource(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod":   "module example.com/structs\n\ngo 1.26\n",
		"go.work":  fmt.Sprintf("go 1.26.0\n\nuse %q\nuse %q\n", ".", filepath.ToSlash(root)), // the go command finds package builder in root
		"check.go": golden.Read(t, "testdata/structs/check.go"),
	}
	var imports, calls strings.Builder
	structs, started := 0, 0
	for i, p := range goProviders(t) {
		p.Package, p.Reference = fmt.Sprint("p", i), true
		text, _, err := p.goSource()
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
			t.Errorf("%s: %v, or the text is not formatted:\n%s", p.Name, err, text)
		}
		if !Generated(text) {
			t.Errorf("%s: Generated returns false:\n%s", p.Name, text)
		}
		files[p.Package+"/x.go"] = string(text)
		least := "validate.Error" // random definitions have types that are obsolete
		if i < len(definitionFiles(t)) {
			least = "validate.Info"
		}
		name := "_"
		for _, m := range madeStruct.FindAllStringSubmatch(string(text), -1) {
			name = p.Package
			structs++
			fmt.Fprintf(&calls, "\tcheck[%[1]s.%[2]s](%[3]q, %[1]s.%[4]s, %[5]t, %[6]t, %[7]s)\n",
				name, m[1], p.Name+" "+m[1], m[2], strings.Contains(m[0], "no instances"), strings.Contains(m[0], "Fill.PerfTime"), least)
		}
		if sets := madeSet.FindAllStringSubmatch(string(text), -1); len(sets) > 0 {
			name = p.Package
			fmt.Fprintf(&calls, "\t%[1]sProvider := start(%[2]q, %[1]s.Provider)\n", name, p.Name)
			for _, m := range sets {
				started++
				fmt.Fprintf(&calls, "\tcreate(%[1]sProvider, %[1]s.%[2]s, %[3]s)\n", name, m[1], least)
			}
		}
		fmt.Fprintf(&imports, "import %s %q\n", name, "example.com/structs/"+p.Package)
	}
	if structs < 16 || started < 16 {
		t.Errorf("only %d structs and %d started sets: too many sets have none", structs, started)
	}
	files["main.go"] = fmt.Sprintf("package main\n\n%s\nimport \"github.com/perfblock/perfblock/validate\"\n\nfunc main() {\n%s}\n", &imports, &calls)
	all, err := shopDefinition(t).Outputs(nil) // with the files for C, which the go command must ignore
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		files["all/"+f.Name] = string(f.Contents)
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	// With -trimpath, the compiler's output does not depend on the folder, so later runs of this test find the
	// output in the build cache.
	for _, args := range [][]string{{"vet", "-trimpath", "./..."}, {"run", "-trimpath", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// TestGoFields checks that a counter has the same field name in the structs of V1 and V2.
func TestGoFields(t *testing.T) {
	t.Parallel()
	p, err := Parse("a.yaml", []byte(`provider: P
reference: true
counterSets:
- name: S
  instances: multiple
  counters:
  - {name: Name, type: PERF_COUNTER_RAWCOUNT}
  - {name: name, type: PERF_COUNTER_RAWCOUNT}
  - {name: Delete, type: PERF_COUNTER_RAWCOUNT}
  - {name: Instance, type: PERF_COUNTER_RAWCOUNT}
  - {name: X, type: PERF_COUNTER_RAWCOUNT}
  - {name: x, type: PERF_COUNTER_RAWCOUNT}
`))
	if err != nil {
		t.Fatal(err)
	}
	text, losses, err := p.goSource()
	if err != nil || len(losses) > 0 {
		t.Fatal(losses, err)
	}
	for _, field := range []*regexp.Regexp{regexp.MustCompile(`(\w+) +atomic\.Uint32`), regexp.MustCompile(`(\w+) +provider\.Uint32`)} {
		var got []string
		for _, m := range field.FindAllStringSubmatch(string(text), -1) {
			got = append(got, m[1])
		}
		if diff := cmp.Diff([]string{"Name2", "Name3", "Delete2", "Instance2", "X", "X2"}, got); diff != "" {
			t.Errorf("%v: -want +got\n%s", field, diff)
		}
	}
}

// goProviders returns the definitions in testdata/definitions, a definition with hostile names, and random definitions.
func goProviders(t *testing.T) []*Provider {
	var list []*Provider
	files := definitionFiles(t)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		p, err := Parse(path, files[path])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	list = append(list, hostileProvider())
	for seed := range uint64(long.Count(2, 20)) {
		list = append(list, newRandom(seed).provider())
	}
	return list
}

// hostileProvider returns a definition with names that collide, and with names that could end a comment, a string or a
// tag.
func hostileProvider() *Provider {
	p := &Provider{Name: "func", CounterSets: []CounterSet{
		{Name: Text{Neutral: "Provider GUID"}, Help: Text{Neutral: "*/ /* \r\n#error \\"}},
		{Name: Text{Neutral: "A"}, Symbol: "PERF_COUNTER"},
		{Name: Text{Neutral: "A Title"}},
		{Name: Text{Neutral: ""}},
	}}
	for i := range p.CounterSets {
		for j, name := range []string{
			"type", "Type", "a/b", "a per b", "`", "'", "a, b", "'a'", " a ", `"`, `\`, "*/", "//", "??/", "\u202e", "\ufeff", "\u2028", "int", "Block", "Reserved", "Values", "\x00", "%s", "NULL", "DELETE", "ERROR", "IN",
		} {
			p.CounterSets[i].Counters = append(p.CounterSets[i].Counters, Counter{
				Name: Text{Neutral: name}, Help: Text{Neutral: name + " ??/"}, ID: uint32(j), Symbol: fmt.Sprint("S", i, "_", j), Type: layout.PERF_COUNTER_LARGE_RAWCOUNT,
			})
		}
	}
	// These symbols are also names of members and types in the generated C.
	counters := p.CounterSets[0].Counters
	counters[0].Symbol, counters[1].Symbol = "Values", "PERF_COUNTER_VALUES"
	return p
}

// TestPackageName checks that the name of a package is an identifier and not a keyword of Go.
func TestPackageName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Shop": "shop", "Shop Queues": "shopqueues", "func": "countersfunc", "7 up": "counters7up", "main": "countersmain", "": "counters", "日本": "u65e5u672c"} {
		if got := (&Provider{Name: name}).PackageName(); got != want {
			t.Errorf("%q: package %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"a b", "type", "_", "x-y", "a\nb"} {
		if _, _, err := (&Provider{Package: name}).goSource(); err == nil || !strings.Contains(err.Error(), "package: ") {
			t.Errorf("package %q: error %v", name, err)
		}
	}
}

// TestBaseLevel checks the DetailLevel of a base in V1. If the definition gives no level, or PERF_DETAIL_NOVICE, the
// level is 0, which builder.Define uses for a base without a level.
func TestBaseLevel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ given, want layout.DetailLevel }{
		{0, 0},
		{layout.PERF_DETAIL_NOVICE, 0}, // a manifest requires a level for each counter
		{layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_ADVANCED},
	} {
		p := &Provider{Name: "P", CounterSets: []CounterSet{{Name: Text{Neutral: "S"}, Counters: []Counter{
			{Name: Text{Neutral: "F"}, Type: layout.PERF_RAW_FRACTION, Base: "B"},
			{Name: Text{Neutral: "B"}, Type: layout.PERF_RAW_BASE, DetailLevel: tt.given},
			{Name: Text{Neutral: "M"}, Type: layout.PERF_COUNTER_MULTI_TIMER, Multi: "N", DetailLevel: tt.given},
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT},
		}}}}
		objects, _ := p.objects("V1 struct")
		for _, v := range objects[0].values {
			if v.of != nil && v.level != tt.want {
				t.Errorf("the level of %s is %v for %v, want %v", v.name, v.level, tt.given, tt.want)
			}
		}
	}
}

// TestObjects checks the order of counters and bases in an object of V1, and the messages about counters that V1 cannot
// hold.
func TestObjects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		counters []Counter
		want     string // names of the values
		lost     string
	}{
		{"a base that is defined first follows its counter", []Counter{
			{Name: Text{Neutral: "B"}, Type: layout.PERF_RAW_BASE}, {Name: Text{Neutral: "F"}, Type: layout.PERF_RAW_FRACTION, Base: "B"}, {Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT},
		}, "F B N", ""},
		{"a shared base is repeated", []Counter{
			{Name: Text{Neutral: "F"}, Type: layout.PERF_RAW_FRACTION, Base: "B"}, {Name: Text{Neutral: "G"}, Type: layout.PERF_RAW_FRACTION, Base: "B"}, {Name: Text{Neutral: "B"}, Type: layout.PERF_RAW_BASE},
		}, "F B G G B", ""},
		{"a multi timer gets a base, which V2 does not have", []Counter{
			{Name: Text{Neutral: "M"}, Type: layout.PERF_COUNTER_MULTI_TIMER, Multi: "N"}, {Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT},
		}, "M M Base N", ""},
		{"a base that no counter uses is lost", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT}, {Name: Text{Neutral: "B"}, Type: layout.PERF_RAW_BASE},
		}, "N", "no counter is computed with it"},
		{"a lost base without a name is named by its id", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT}, {ID: 7, Type: layout.PERF_RAW_BASE},
		}, "N", "the base #7: no counter is computed with it"},
		{"a fraction requires a base", []Counter{{Name: Text{Neutral: "F"}, Type: layout.PERF_RAW_FRACTION}}, "", `"F" has no base`},
		{"a base must have the width of its fraction", []Counter{
			{Name: Text{Neutral: "F"}, Type: layout.PERF_RAW_FRACTION, Base: "B"}, {Name: Text{Neutral: "B"}, Type: layout.PERF_LARGE_RAW_BASE},
		}, "", "which is not a valid base of a PERF_RAW_FRACTION"},
		{"V1 has no texts", []Counter{{Name: Text{Neutral: "T"}, Type: layout.PERF_COUNTER_TEXT}, {Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT}}, "", `"T" is a PERF_COUNTER_TEXT, whose value is not a number`},
		{"V1 has no counters without a value", []Counter{{Name: Text{Neutral: "L"}, Type: layout.PERF_COUNTER_NODATA}}, "", "whose value is not a number"},
		{"a scale that V1 does not have is limited", []Counter{{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT, Scale: -9}}, "N", "the scale -9"},
		{"two counters must not have one title", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT, Title: new(uint32(4))}, {Name: Text{Neutral: "O"}, Type: layout.PERF_COUNTER_RAWCOUNT, Title: new(uint32(4))},
		}, "", `the title of "O" is 4, which is also the title of "N"`},
		{"a value can be before the value of an earlier counter", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT, Offset: new(uint32(16))}, {Name: Text{Neutral: "O"}, Type: layout.PERF_COUNTER_RAWCOUNT, Offset: new(uint32(8))},
		}, "N O", ""},
		{"a value is after the header of the block", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT, Offset: new(uint32(4))},
		}, "", `the offset of "N" is 4, must be a multiple of 4 from 8 to 1048576`},
		{"a value of 8 bytes is aligned", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT, Offset: new(uint32(12))},
		}, "", `the offset of "N" is 12, must be a multiple of 8 from 8`},
		{"values do not overlap", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT}, {Name: Text{Neutral: "O"}, Type: layout.PERF_COUNTER_RAWCOUNT, Offset: new(uint32(12))},
		}, "", `the offset of "O" is 12, and the value overlaps the value of "N" at 8`},
		{"a value without an offset follows the preceding value and can overlap another value", []Counter{
			{Name: Text{Neutral: "N"}, Type: layout.PERF_COUNTER_RAWCOUNT}, {Name: Text{Neutral: "O"}, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT},
			{Name: Text{Neutral: "P"}, Type: layout.PERF_COUNTER_RAWCOUNT, Offset: new(uint32(12))}, {Name: Text{Neutral: "Q"}, Type: layout.PERF_COUNTER_RAWCOUNT},
		}, "", `the offset of "O" is 16, and the value overlaps the value of "Q" at 16`},
		{"a base that V1 repeats has its offset once", []Counter{
			{Name: Text{Neutral: "F"}, Type: layout.PERF_RAW_FRACTION, Base: "B"}, {Name: Text{Neutral: "G"}, Type: layout.PERF_RAW_FRACTION, Base: "B"}, {Name: Text{Neutral: "B"}, Type: layout.PERF_RAW_BASE, Offset: new(uint32(32))},
		}, "F B G G B", ""},
		{"a set needs a counter that is not a base", nil, "", "the set has no counters, or only bases"},
	} {
		p := &Provider{Name: "P", CounterSets: []CounterSet{{Name: Text{Neutral: "S"}, Counters: tt.counters}}}
		objects, losses := p.objects("V1 struct")
		var got []string
		for _, v := range objects[0].values {
			got = append(got, v.name)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: values (-want +got):\n%s", tt.reason, diff)
		}
		if all := fmt.Sprint(losses); (len(losses) > 0) != (tt.lost != "") || !strings.Contains(all, tt.lost) {
			t.Errorf("%s: losses %s, want %q", tt.reason, all, tt.lost)
		}
	}
}
