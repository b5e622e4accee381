package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// A fleetFile is a file of the test, in a folder or in an archive.
type fleetFile struct {
	name     string
	contents []byte
}

// randomTexts returns random definitions, which often contradict each other, and the files made from them.
func randomTexts(t *testing.T, r *rand.Rand, folder string) (list []fleetFile) {
	t.Helper()
	pick := func(words ...string) string { return words[r.IntN(len(words))] } // a short list causes contradictions
	for i := range 2 + r.IntN(5) {
		name := pick("Shop", "Store", "Mill")
		var b strings.Builder
		fmt.Fprintf(&b, "provider: %s\nguid: \"{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7a0%d}\"\nservice: %s\nfirstCounter: 5000\ncounterSets:\n", name, r.IntN(3), pick(name, "Shop"))
		for i := range 1 + r.IntN(3) {
			fmt.Fprintf(&b, "  - name: %s %d\n    guid: \"{8c1e0d6a-52b4-4d35-9d1f-0f1f3c2b7b0%d}\"\n    help: Help.\n    counters:\n", pick("Queues", "Lines"), i, 3*i+r.IntN(3))
			for j := range 1 + r.IntN(12) {
				fmt.Fprintf(&b, "      - {name: %s %d, type: %s, %s}\n", pick("Depth", "Age"), j, pick("PERF_COUNTER_RAWCOUNT", "PERF_COUNTER_COUNTER"), pick("help: Help.", "help: Other.", "scale: 11"))
			}
		}
		text := b.String()
		p, err := definition.Parse("random.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		base := fmt.Sprint(pick("a", "a.b", "shop", "z"), i)
		files := []fleetFile{{base + ".yaml", []byte(text)}}
		if r.IntN(3) > 0 {
			files = nil
		}
		for _, ext := range []string{".man", ".ini", ".reg"} {
			made, err := p.Output(base+ext, nil)
			if r.IntN(2) == 0 || err != nil {
				continue
			}
			for _, o := range made {
				if i := bytes.Index(o.Contents, []byte(`"Last Counter"=dword:`)); i >= 0 && r.IntN(2) == 0 {
					copy(o.Contents[i:], `"Last Counter"=dword:0000138a`)
				}
				files = append(files, fleetFile{o.Name, o.Contents})
			}
		}
		for _, f := range files {
			f.name = folder + f.name
			// A file replaces an earlier file with the same name. Headers of the same service have the same name.
			list = append(slices.DeleteFunc(list, func(g fleetFile) bool { return f.name == g.name }), f)
		}
	}
	return list
}

// randomFleet writes files into a folder and returns the paths of the files and archives.
func randomFleet(t *testing.T, r *rand.Rand, dir string) (paths []string) {
	t.Helper()
	block, err := (&builder.DataBlock{SystemName: "HOST"}).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	block[layout.PERF_DATA_BLOCK.Field("Version").At] = 9
	list := slices.Concat(randomTexts(t, r, ""), randomTexts(t, r, "sub/"), randomTexts(t, r, "sub.d/"))
	list = append(list, fleetFile{"sub/broken.bin", block}, fleetFile{"sub/bad.yaml", []byte("provider: A\ncounterSets: 7\n")})
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	members := append(randomTexts(t, r, "x/"), fleetFile{"x/broken.bin", block}, fleetFile{"x/bad.yaml", []byte("provider: A\ncounterSets: 7\n")})
	// If two members have the same name, lint validates only the first.
	members = append(members, fleetFile{"x/broken.bin", block[:8]})
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Mode: 0o666, Size: int64(len(m.contents))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(m.contents); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	list = append(list, fleetFile{"members.tar", packed.Bytes()})
	config := "overrides:\n  - paths: [\"sub/**\"]\n    rules: {def-file-differs: {severity: error, reason: of the folder}, reg-index-count: off}\n"
	list = append(list, fleetFile{".perfblock.yaml", []byte(config)})
	for _, f := range list {
		path := dir + "/" + f.name
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.contents, 0o666); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(f.name, ".") {
			paths = append(paths, path)
		}
	}
	return paths
}

// TestMergeComparesTexts runs lint for parts of a fleet, and merges the reports. Some files are in two parts. The
// merged report must equal the report of one run of lint for the whole fleet, although some findings compare texts of
// different parts.
func TestMergeComparesTexts(t *testing.T) {
	t.Parallel()
	compared := make(map[string]int)
	for seed := range uint64(long.Seeds(3, 20)) {
		r := rand.New(rand.NewPCG(seed, 22))
		dir := filepath.ToSlash(filepath.Join(t.TempDir(), "fleet"))
		paths := randomFleet(t, r, dir)
		out := func(name string) string { return filepath.Join(filepath.Dir(dir), name) }
		var flags []string
		if r.IntN(2) == 0 {
			flags = append(flags, "--max-findings", fmt.Sprint(1+r.IntN(4)))
		}
		if r.IntN(2) == 0 {
			known := out("known.yaml")
			runCommand(t, "lint", dir, "--exit-zero", "--suppress-existing", known, "-o", out("known.txt"))
			forget(t, r, known)
			flags = append(flags, "--suppressions", known)
		}
		lint := func(to string, args ...string) {
			runCommand(t, slices.Concat([]string{"lint", "--exit-zero"}, args, flags, []string{"--out", "json=" + to, "--out", "sarif=" + to + ".sarif", "--out", "jsonl=" + to + "l"})...)
		}
		lint(out("one.json"), dir)
		one := readFile(t, out("one.json"))

		var parts []string
		for i, list := 0, slices.Concat(paths, paths[:r.IntN(len(paths))]); len(list) > 0; i++ {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			n := 1 + r.IntN(len(list))
			lint(out(fmt.Sprintf("part%d.json", i)), list[:n]...)
			parts = append(parts, out(fmt.Sprintf("part%d.jsonl", i)))
			list = list[n:]
		}
		for i := 0; len(parts) > 1; i++ {
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			n := 1 + r.IntN(len(parts))
			to := out(fmt.Sprintf("merged%d.jsonl", i))
			runCommand(t, slices.Concat([]string{"merge", "--exit-zero"}, parts[:n], []string{"--format", "jsonl", "-o", to})...)
			parts = append(parts[n:], to)
		}
		runCommand(t, "merge", "--exit-zero", parts[0], "--out", "json="+out("merged.json"), "--out", "sarif="+out("merged.json.sarif"))
		for _, ext := range []string{"", ".sarif"} {
			if diff := cmp.Diff(readFile(t, out("one.json"+ext)), readFile(t, out("merged.json"+ext))); diff != "" {
				t.Fatalf("seed %d, %q, %s (-one run +merged)\n%s", seed, flags, ext, diff)
			}
		}
		for _, rule := range new(definition.FileSet).Rules() {
			compared[rule.Name] += strings.Count(one, rule.ID)
		}
	}
	for _, rule := range new(definition.FileSet).Rules() {
		if compared[rule.Name] == 0 {
			t.Errorf("no file breaks %s", rule.Name)
		}
	}
}

// TestMergeOrder checks that merge has the files of a folder in the order of lint, even if a name is not UTF-8.
func TestMergeOrder(t *testing.T) {
	t.Parallel()
	block, err := new(builder.DataBlock).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a", "A", "é", "z"}
	if runtime.GOOS == "linux" { // other systems refuse names that are not UTF-8
		names = append(names, "\xff", "\xe9z", "b\xe9")
	}
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name+".bin"), block, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := func(name string) string { return filepath.Join(dir, name) }
	runCommand(t, "lint", dir, "--out", "json="+out("one.json"), "--out", "jsonl="+out("one.jsonl"))
	runCommand(t, "merge", out("one.jsonl"), "--format", "json", "-o", out("merged.json"))
	if diff := cmp.Diff(readFile(t, out("one.json")), readFile(t, out("merged.json"))); diff != "" {
		t.Errorf("(-lint +merge)\n%s", diff)
	}
}

// forget removes about a third of the entries from a list of suppressions. At least one entry remains for each file
// that the list names.
func forget(t *testing.T, r *rand.Rand, path string) {
	t.Helper()
	var kept strings.Builder
	first := true
	for line := range strings.Lines(readFile(t, path)) {
		entry := strings.HasPrefix(line, "    - ")
		if !entry || first || r.IntN(3) > 0 {
			kept.WriteString(line)
		}
		first = !entry
	}
	if err := os.WriteFile(path, []byte(kept.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
