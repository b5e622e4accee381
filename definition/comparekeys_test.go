package definition

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/validate"
)

// keyChanges has an entry for each key of a definition: a line of testdata/compare/shop.yaml without its indentation,
// and the changed line.
var keyChanges = []struct{ key, line, with string }{
	{"provider", "provider: Shop", "provider: Store"},
	{"guid", `guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a01}"`, `guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a11}"`},
	{"symbol", "symbol: SHOP", "symbol: Shop"},
	{"service", "service: shopsvc", "service: ShopSvc"},
	{"header", "header: shopnames.h", "header: store.h"},
	{"trusted", "trusted: true", "trusted: false"},
	{"library", "library: shopcounters.dll", "library: store.dll"},
	{"open", "open: OpenIt", "open: OpenThat"},
	{"open", "open: OpenIt", "open: OPENIT"}, // names of functions are case-sensitive
	{"collect", "collect: CollectIt", "collect: CollectThat"},
	{"close", "close: CloseIt", "close: CloseThat"},
	{"firstCounter", "firstCounter: 5000", "firstCounter: 6000"},
	{"package", "package: shop", "package: store"},
	{"binary", "binary: shop.exe", "binary: store.exe"},
	{"schemaVersion", `schemaVersion: "2.0"`, `schemaVersion: "1.1"`},
	{"providerType", "providerType: kernelMode", "providerType: userMode"},
	{"callback", "callback: custom", "callback: default"},
	{"providerName", "providerName: ShopCounters", ""},
	// A manifest of version 2.0 has no attribute resourceBase. The finding is about a nameID that is derived from
	// resourceBase.
	{"resourceBase", `schemaVersion: "2.0"`, "schemaVersion: '2.0'\nresourceBase: 7"},
	{"reference", "reference: false", "reference: true"},
	{"counterSets", "counterSets:", "counterSets:\n  - {name: More, help: More., counters: []}"},
	{"name", "- name: {string: Queues, en: Queues, de: Schlangen}", "- name: {string: Queues, en: Queues, de: Warteschlangen}"},
	{"name", "- name: Hits", "- name: Successes"},
	{"help", "help: Queues of the shop.", "help: Others."},
	{"help", "help: {string: Hits.Help, en: Lookups that found a message., de: Treffer.}", "help: Lookups that found a message."},
	{"guid", `guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a02}"`, `guid: "{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a12}"`},
	{"uri", "uri: Shop.Queues", "uri: Store.Queues"},
	{"symbol", "symbol: QUEUES", "symbol: LINES"},
	{"instances", "instances: multipleAggregate", "instances: globalAggregate"},
	{"nameID", "nameID: 101", "nameID: 201"},
	{"helpID", "helpID: 102", "helpID: 202"},
	{"title", "title: 0", "title: 16"},
	{"structs", "- {name: Values, type: VALUES}", "- {name: Values, type: STORE_VALUES}"},
	{"counters", "counters:", "counters:\n      - {name: First, type: PERF_COUNTER_RAWCOUNT, help: A number., id: 99, title: 98}"},
	{"type", "type: PERF_RAW_FRACTION", "type: PERF_LARGE_RAW_FRACTION"},
	{"id", "id: 1", "id: 11"},
	{"uri", "uri: Shop.Hits", "uri: Store.Hits"},
	{"symbol", "symbol: HITS", "symbol: SUCCESSES"},
	{"detailLevel", "detailLevel: advanced", "detailLevel: standard"},
	{"scale", "scale: 1", ""},
	{"aggregate", "aggregate: sum", "aggregate: max"},
	{"attributes", "attributes: [displayAsReal]", "attributes: [displayAsHex]"},
	{"nameID", "nameID: 111", "nameID: 211"},
	{"helpID", "helpID: 112", "helpID: 212"},
	{"title", "title: 2", "title: 18"},
	{"offset", "offset: 16", "offset: 24"}, // only generated code has the offset
	{"struct", "struct: Values", "struct: Others"},
	{"field", "field: Hits", "field: Successes"},
	{"base", "base: Lookups", "base: Gets"},
	{"perfTime", "perfTime: Time", "perfTime: Clock"},
	{"perfFreq", "perfFreq: Time", "perfFreq: Clock"},
	{"multi", "- {name: Multi, type: PERF_COUNTER_MULTI_TIMER, help: A timer., id: 7, title: 10, multi: Count}",
		"- {name: Multi, type: PERF_COUNTER_MULTI_TIMER, help: A timer., id: 7, title: 10, multi: Items}"},
}

// TestDifferentKeys changes one key at a time, and compares the old definition with the files of the changed
// definition. The golden file has the expected findings.
func TestDifferentKeys(t *testing.T) {
	t.Parallel()
	const path = "testdata/compare/shop.yaml"
	text := golden.Read(t, path)
	var all []string
	for _, keys := range [][]string{keysOf(providerMapping.Keys), keysOf(counterSetMapping.Keys), keysOf(counterMapping.Keys)} {
		all = append(all, keys...)
	}
	var b strings.Builder
	for _, change := range keyChanges {
		all = slices.DeleteFunc(all, func(key string) bool { return key == change.key })
		lines := strings.Split(text, "\n")
		i := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) == change.line })
		if i < 0 {
			t.Fatalf("no line %s", change.line)
		}
		lines[i] = strings.Replace(lines[i], change.line, change.with, 1)
		made := mustRead(t, "made.yaml", []byte(strings.Join(lines, "\n"))).Provider
		outputs, _ := made.Outputs(nil)
		outputs = slices.DeleteFunc(outputs, func(one Output) bool { return strings.HasSuffix(one.Name, ".yaml") })
		files := append([]*File{mustRead(t, "shop.yaml", []byte(text))}, readAll(t, outputs)...)
		fmt.Fprintf(&b, "== %s\n", change.line)
		for range 2 {
			var set FileSet
			var v validate.Validator
			for _, f := range files {
				for _, at := range set.Check(&v, f).Findings {
					fmt.Fprintf(&b, "%s:%d:%d: %v: %s [%s]\n", f.Path, at.Line, at.Column, at.Path, at.Message(), at.Rule.Name)
				}
			}
			slices.Reverse(files)
		}
	}
	if len(all) > 0 {
		t.Errorf("no change of the keys %s", all)
	}
	golden.File(t, "testdata/compare/findings.txt", b.String())
}

// keysOf returns the names of the keys.
func keysOf[T any](keys []form.Key[T]) (names []string) {
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return names
}
