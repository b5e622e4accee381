package definition_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/validate"
)

// A textFile is a file of a test.
type textFile struct{ name, text string }

// yamlOf returns a definition of a provider with one set.
func yamlOf(name, provider, guid, setGUID string) textFile {
	return textFile{name, fmt.Sprintf(`provider: %s
guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a%s}"
counterSets:
  - name: %[1]s Queues
    guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7b%[3]s}"
    counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT}]
`, provider, guid, setGUID)}
}

// madeOf returns the file with the given name that is generated from a definition.
func madeOf(t *testing.T, from textFile, name string) textFile {
	t.Helper()
	p, err := definition.Parse(from.name, []byte(from.text))
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Output(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return textFile{name, string(list[0].Contents)}
}

// regOf returns the registry values of a service with indexes from 5000.
func regOf(name, service string, lastCounter, lastHelp uint32) textFile {
	return textFile{name, fmt.Sprintf("Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\%s\\Performance]\n"+
		"\"First Counter\"=dword:00001388\n\"Last Counter\"=dword:%08x\n\"First Help\"=dword:00001389\n\"Last Help\"=dword:%08x\n", service, lastCounter, lastHelp)}
}

// checkSet returns the findings of a FileSet about the files, one on each line.
func checkSet(t *testing.T, files []textFile) string {
	t.Helper()
	var set definition.FileSet
	var v validate.Validator
	var b strings.Builder
	for _, file := range files {
		f, err := definition.Read(file.name, []byte(file.text), func(string) ([]byte, error) { return nil, errors.New("no such file") })
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range set.Check(&v, f).Findings {
			fmt.Fprintf(&b, "%s:%d:%d: %v: %s, %s [%s]\n", file.name, f.Line, f.Column, f.Path, f.Got, f.Want, f.Rule.Name)
		}
	}
	return b.String()
}

func TestFileSet(t *testing.T) {
	t.Parallel()
	shop, store := yamlOf("shop.yaml", "Shop", "01", "01"), yamlOf("store.yaml", "Store", "02", "02")
	driver := textFile{"driver.yaml", strings.Replace(yamlOf("", "Shop driver", "03", "03").text, "counterSets:", "providerType: kernelMode\nbinary: shop.sys\ncounterSets:", 1)}
	wide := textFile{"wide.yaml", "provider: Shop\ncounterSets:\n  - name: Queues\n    counters:\n      - {name: A, type: PERF_COUNTER_RAWCOUNT, title: 4294967294}\n"}
	for _, tt := range []struct {
		reason string
		files  []textFile
		want   string
	}{
		{"different providers have different GUIDs", []textFile{shop, store}, ""},
		{"files made from one definition are one provider", []textFile{shop, madeOf(t, shop, "shop.man"), madeOf(t, shop, "again.yaml")}, ""},
		{"a driver without a symbol is the provider of its manifest, which has no name", []textFile{driver, madeOf(t, driver, "driver.man")}, ""},
		{"two versions of a definition are one provider, although a set has another name", []textFile{shop, {"old/shop.yaml", strings.Replace(shop.text, "Shop Queues", "Waiting Lines", 1)}}, ""},
		{"the same file twice is one provider", []textFile{shop, shop}, ""},
		{"providers with equal names have equal derived GUIDs, like two versions of one definition", []textFile{{"a.yaml", "provider: A\ncounterSets: []\n"}, {"b.yaml", "provider: A\ncounterSets: []\n"}}, ""},
		{"if the GUID of the provider is copied too, only the provider is reported, and not its sets", []textFile{shop, yamlOf("copy.yaml", "Copy", "01", "01")},
			"copy.yaml:2:7: guid: the provider \"Copy\" has the GUID {8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a01} of the provider \"Shop\" in shop.yaml:2:7, must have its own GUID [def-guid-collision]\n"},
		{"sets of a manifest are compared with sets of a definition", []textFile{store, madeOf(t, yamlOf("", "Shop", "01", "02"), "shop.man")},
			"shop.man:13:13: counterSet[0].guid: the set \"Shop Queues\" has the GUID {8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7b02} of the set \"Store Queues\" of another provider in store.yaml:5:11, must have its own GUID [def-guid-collision]\n"},
		{"a file is compared with all earlier files", []textFile{shop, store, yamlOf("third.yaml", "Third", "01", "03")},
			"third.yaml:2:7: guid: the provider \"Third\" has the GUID {8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a01} of the provider \"Shop\" in shop.yaml:2:7, must have its own GUID [def-guid-collision]\n"},

		{"the range has all titles, and the case of the name of the service does not matter", []textFile{shop, regOf("shop.reg", "SHOP", 5002, 5003)}, ""},
		{"the range of another service is not compared", []textFile{shop, regOf("store.reg", "Store", 5000, 5001)}, ""},
		{"another rule reports a range that ends before it starts", []textFile{shop, regOf("shop.reg", "Shop", 4998, 4999)}, ""},
		{"a manifest has no titles of V1", []textFile{madeOf(t, shop, "shop.man"), regOf("shop.reg", "SHOP", 5000, 5001)}, ""},
		{"a symbol needs an index for its name", []textFile{shop, regOf("shop.reg", "Shop", 5000, 5003)},
			"shop.reg:5:1: : Last Counter is 5000, and SHOP_QUEUES_DEPTH is 2 in shop.yaml:6:16, must be at least 5002 [reg-index-count]\n"},
		{"a symbol needs an index for its help text", []textFile{shop, regOf("shop.reg", "Shop", 5002, 5001)},
			"shop.reg:7:1: : Last Help is 5001, and SHOP_QUEUES_DEPTH is 2 in shop.yaml:6:16, must be at least 5003 [reg-index-count]\n"},
		{"the second file gets the finding, also if it is the definition", []textFile{regOf("shop.reg", "Shop", 5000, 5001), shop},
			"shop.yaml:6:16: : SHOP_QUEUES_DEPTH is 2, but the service \"Shop\" in shop.reg:5:1 has the indexes 5000 to 5000 for names and 5001 to 5001 for help texts, must be at most 0, or the service must have more indexes [reg-index-count]\n"},
		{"the symbols must fit into the shortest of two ranges", []textFile{regOf("old.reg", "Shop", 5000, 5001), regOf("new.reg", "Shop", 5002, 5003), shop},
			"shop.yaml:6:16: : SHOP_QUEUES_DEPTH is 2, but the service \"Shop\" in old.reg:5:1 has the indexes 5000 to 5000 for names and 5001 to 5001 for help texts, must be at most 0, or the service must have more indexes [reg-index-count]\n"},
		{"the index that is required can have more than 32 bits", []textFile{wide, regOf("shop.reg", "Shop", 5000, 5001)},
			"shop.reg:5:1: : Last Counter is 5000, and QUEUES_A is 4294967294 in wide.yaml:5:9, must be at least 4294972294 [reg-index-count]\n"},
	} {
		if diff := cmp.Diff(tt.want, checkSet(t, tt.files)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestFileSetLinear checks that each file is compared with only one earlier file, even if all files contradict each
// other.
func TestFileSetLinear(t *testing.T) {
	t.Parallel()
	var files []textFile
	n := long.Count(100, 10_000)
	for i := range n {
		files = append(files, yamlOf(fmt.Sprintf("%d.yaml", i), fmt.Sprintf("Shop%d", i), "01", "01"), regOf("shop.reg", fmt.Sprintf("Shop%d", i), 5000, 5001))
	}
	if got := strings.Count(checkSet(t, files), "\n"); got != 2*n-1 {
		t.Errorf("%d findings, want %d", got, 2*n-1)
	}
}
