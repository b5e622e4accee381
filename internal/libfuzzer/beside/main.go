// Package beside writes what stands beside a target under libFuzzer: its seeds, its
// dictionary, its options.
package beside

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/perfblock/perfblock/internal/libfuzzer"
)

// A Target is a fuzz target's name in its package, and its body.
type Target struct {
	Function string
	Body     func(*libfuzzer.F)
}

// Main writes the files of a package's targets, by their names.
func Main(folder string, targets map[string]Target) {
	root := flag.String("root", ".", "the folder of the module, and of the dictionaries")
	out := flag.String("o", "", "the folder of the programs")
	flag.Parse()
	if err := os.MkdirAll(filepath.Join(*out, "files", filepath.FromSlash(folder)), 0o777); err != nil {
		fail(err)
	}
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if err := write(*root, folder, targets[name], filepath.Join(*out, name)); err != nil {
			fail(fmt.Errorf("%s: %w", name, err))
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// largest is the input that a target is given. What shows with a longer one shows with
// one of this length, which already holds each record several times over.
const largest = 4096

// texts are the packages whose targets read text. All others read blocks, or what
// blocks are made of.
var texts = []string{"spec", "validate/config"}

func write(root, folder string, t Target, path string) error {
	dir := filepath.Join(root, filepath.FromSlash(folder))
	f, err := libfuzzer.Body(dir, t.Body)
	if err != nil {
		return err
	}
	inputs, err := f.Seeds()
	if err != nil {
		return err
	}
	kept, err := f.Kept(filepath.Join(dir, "testdata", "fuzz", t.Function))
	if err != nil {
		return err
	}
	if err := zipped(path+"_seed_corpus.zip", append(inputs, kept...)); err != nil {
		return err
	}
	dictionary := "binary.dict"
	if slices.Contains(texts, folder) {
		dictionary = "text.dict"
	}
	words, err := os.ReadFile(filepath.Join(root, dictionary))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".dict", words, 0o666); err != nil {
		return err
	}
	return os.WriteFile(path+".options", fmt.Appendf(nil, "[libfuzzer]\nmax_len = %d\n", largest), 0o666)
}
