// Command layoutgen generates code and documents from the record table of package layout, for "go generate ./layout".
package main

import (
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: layoutgen REPOSITORY")
	}
	for name, text := range outputs() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// overwritten has the records that package builder reads and overwrites in encoded blocks. Packages write the other
// records only at the end of a buffer.
var overwritten = []*layout.Record{&layout.PERF_DATA_BLOCK, &layout.PERF_OBJECT_TYPE}

// outputs maps the path of each generated file in the repository to its text.
func outputs() map[string][]byte {
	perflib := slices.DeleteFunc(slices.Clone(layout.Perflib), func(r *layout.Record) bool { return r.Name == "" })
	return map[string][]byte{
		"layout/winperf_gen.go":        layoutCode(layout.Winperf),
		"layout/perflib_gen.go":        layoutCode(perflib),
		"internal/wire/winperf_gen.go": wireCode(layout.Winperf, overwritten...),
		"internal/wire/perflib_gen.go": wireCode(perflib),
		"layout/offsets_gen.go":        offsetCode("layout", &layout.PERF_INSTANCE_DEFINITION, &layout.PERF_COUNTER_DATA),
		"builder/offsets_gen.go":       offsetCode("builder", &layout.PERF_INSTANCE_DEFINITION),
		"validate/offsets_gen.go":      offsetCode("validate", &layout.PERF_COUNTER_DEFINITION, &layout.PERF_INSTANCE_DEFINITION),
		"docs/layout.md":               winperfPage(),
		"docs/layout-v2.md":            perflibPage(),
	}
}
