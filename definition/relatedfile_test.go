package definition

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/validate"
)

// readAll reads the files that Detect recognises. It skips other files, such as Go files.
func readAll(t *testing.T, files []Output) (list []*File) {
	t.Helper()
	for _, one := range files {
		if _, ok := Detect(one.Name, one.Contents); !ok {
			continue
		}
		f, err := Read(one.Name, one.Contents, func(name string) ([]byte, error) {
			i := slices.IndexFunc(files, func(f Output) bool { return f.Name == name })
			if i < 0 {
				return noFile(name)
			}
			return files[i].Contents, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}

// TestGeneratedAgree checks that generated files do not differ from their definition, and add no errors or warnings.
func TestGeneratedAgree(t *testing.T) {
	t.Parallel()
	all := make(map[string]*Provider)
	for _, pattern := range []string{"*.yaml", "*.man"} {
		for name, text := range filesNamed(t, pattern) {
			all[name] = mustRead(t, name, text).Provider
		}
	}
	for seed := range uint64(long.Count(50, 1000)) {
		all[fmt.Sprint("seed ", seed)] = newRandom(seed).provider()
	}
	var v validate.Validator
	for name, p := range all {
		outputs, _ := p.Outputs(nil) // some forms cannot hold all values
		if i := slices.IndexFunc(outputs, func(one Output) bool { return strings.HasSuffix(one.Name, ".yaml") }); i != 0 {
			t.Fatalf("%s: no definition in YAML", name)
		}
		files := readAll(t, outputs)
		clean := files[0].Check(&v).Counts.AtLeast(validate.Warning) == 0
		for range 2 {
			var set FileSet
			for _, f := range files {
				findings := set.Check(&v, f).Findings
				if clean {
					findings = append(findings, f.Check(&v).Findings...)
				}
				for _, at := range findings {
					if at.Severity > validate.Info || at.Rule == &differsRule.Rule {
						t.Errorf("%s: %s:%d:%d: %v", name, f.Path, at.Line, at.Column, at)
					}
				}
			}
			slices.Reverse(files)
		}
	}
}

// outputsAgree checks that the files that are made from a definition do not differ from the definition. It skips forms
// that cannot hold the definition. If two titles have the same number, outputsAgree checks only the manifest: in an
// .ini file, the number of a counter decides to which set the counter belongs. The rule sym-values (PERF4211) reports
// equal numbers.
func outputsAgree(t *testing.T, p *Provider) {
	t.Helper()
	var set FileSet
	var v validate.Validator
	set.Check(&v, &File{Path: "a.yaml", Form: YAML, Provider: p})
	names, numbers := []string{"a.man", "a.ini", "a.reg"}, make(map[uint32]bool)
	for _, title := range p.Titles() {
		if numbers[title.Number] {
			names = names[:1]
		}
		numbers[title.Number] = true
	}
	for _, name := range names {
		list, err := p.Output(name, nil)
		if err != nil {
			continue
		}
		for _, f := range readAll(t, list) {
			for _, at := range set.Check(&v, f).Findings {
				if at.Rule == &differsRule.Rule {
					yaml, _ := p.AppendYAML(nil)
					t.Fatalf("%s:%d:%d: %v\n%s\n%q", f.Path, at.Line, at.Column, at, yaml, list[0].Contents)
				}
			}
		}
	}
}

// TestRelatedFiles checks which files of a run are compared with a definition.
func TestRelatedFiles(t *testing.T) {
	t.Parallel()
	const depth = "\n  - name: Queues\n    help: Queues.\n    counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT, help: Messages.}]\n"
	const shop, long, store = "provider: Shop\nfirstCounter: 5000\ncounterSets:" + depth, "provider: Shop\nfirstCounter: 5000\ncounterSets:\n  - name: Queues\n    help: Queues.\n    counters: [{name: Length, type: PERF_COUNTER_RAWCOUNT, help: Messages.}]\n", "provider: Store\ncounterSets:" + depth
	for _, tt := range []struct {
		reason, files string // NAME=TEXT for a file with the text; NAME<TEXT for a file that is made from the definition TEXT
		want          string
	}{
		{"a manifest is compared with the definition before it", "shop.yaml=shop shop.man<long", "shop.man"},
		{"a definition is compared with the manifest before it", "shop.man<long shop.yaml=shop", "shop.yaml"},
		{"files in a subfolder are compared", "shop.yaml=shop made/shop.man<long made/shop.ini<long", "made/shop.man made/shop.ini"},
		{"the definition in the same folder is preferred", "a/shop.yaml=shop b/shop.yaml=long a/shop.man<shop b/shop.man<long", ""},
		{"the manifest in the same folder is preferred", "a/shop.man<shop b/shop.man<long a/shop.yaml=shop b/shop.yaml=long", ""},
		{"two versions of a definition are not compared", "shop.yaml=shop old.yaml=long", ""},
		{"two versions of a manifest are not compared", "shop.man<shop old.man<long", ""},
		{"a manifest with another GUID belongs to another provider", "a/shop.yaml=shop b/shop.man<guid", ""},
		{"a manifest with another GUID is compared if it is in the same folder", "shop.yaml=shop shop.man<guid", "shop.man"},
		{"files of other providers are not compared", "shop.yaml=shop store.man<store store.ini<store store.h<store store.reg<store", ""},
		{"a header is compared, also without its .ini file", "shop.yaml=shop shop.h<long", "shop.h"},
		{"a wrong number in a header is reported once", "shop.yaml=shop shop.h=#define|QUEUES|0;#define|QUEUES_DEPTH|4; shop.ini<shop", "shop.h"},
		{"a wrong number is reported once, also if the definition is the last file", "shop.h=#define|QUEUES|0;#define|QUEUES_DEPTH|4; shop.ini<shop shop.yaml=shop", "shop.yaml"},
		{"a header without any symbol of the definition belongs to another provider", "shop.yaml=shop shop.h=#define|OTHER|0;", ""},
		{"registry values are compared", "shop.reg<shop shop.yaml=" + strings.ReplaceAll(strings.ReplaceAll(strings.Replace(shop, "5000", "6000", 1), " ", "|"), "\n", ";"), "shop.yaml"},
	} {
		texts := map[string]string{"shop": shop, "long": long, "store": store, "guid": "guid: 8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a01\n" + shop}
		var files []Output
		for word := range strings.FieldsSeq(tt.files) {
			name, text, made := strings.Cut(word, "<")
			if !made {
				name, text, _ = strings.Cut(word, "=")
			}
			contents := texts[text]
			if contents == "" {
				contents = strings.NewReplacer("|", " ", ";", "\n").Replace(text)
			}
			if made {
				list, err := mustRead(t, "x.yaml", []byte(contents)).Provider.Output(name, nil)
				if err != nil {
					t.Fatal(err)
				}
				contents = string(list[0].Contents)
			}
			files = append(files, Output{Name: name, Contents: []byte(contents)})
		}
		var set, apart FileSet
		apart.Apart = true
		var v validate.Validator
		var got []string
		for _, one := range files {
			f, err := Read(one.Name, one.Contents, func(name string) ([]byte, error) {
				i := slices.IndexFunc(files, func(f Output) bool { return f.Name == name })
				if i < 0 { // the header that is made with the .ini file
					list, err := mustRead(t, "x.yaml", []byte(long)).Provider.Output(name, nil)
					return list[0].Contents, err
				}
				return files[i].Contents, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			differs := func(at validate.Finding) bool { return at.Rule == &differsRule.Rule }
			if slices.ContainsFunc(set.Check(&v, f).Findings, differs) {
				got = append(got, one.Name)
			}
			if slices.ContainsFunc(apart.Check(&v, f).Findings, differs) {
				t.Errorf("%s: there are findings, but the files are not compared", tt.reason)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: findings in %v, want %s", tt.reason, got, tt.want)
		}
	}
}
