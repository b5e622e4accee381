// Package rooms holds nothing but the test of which package may import which.
package rooms

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/perfblock/perfblock"

// allowed says what each package may import of ours and of others, tests aside.
// What a user of a library does not need must not come with it.
var allowed = map[string]struct{ ours, others []string }{
	"layout":               {[]string{"internal/quote"}, []string{"golang.org/x/text/encoding/unicode"}},
	"builder":              {[]string{"layout", "internal/quote", "internal/wire"}, nil},
	"validate":             {[]string{"layout"}, nil},
	"validate/report":      {[]string{"layout", "validate", "internal/rulepage", "internal/suggest", "internal/terminal"}, nil},
	"fuzz":                 {[]string{"layout", "builder", "validate", "internal/suggest"}, nil},
	"validate/config":      {[]string{"layout", "validate", "internal/quote", "internal/suggest", "internal/yamltext"}, []string{"go.yaml.in/yaml/v4"}},
	"spec":                 {[]string{"layout", "builder", "internal/quote", "internal/suggest", "internal/wire", "internal/yamltext"}, []string{"go.yaml.in/yaml/v4"}},
	"internal/quote":       {nil, nil},
	"internal/suggest":     {nil, nil},
	"internal/wire":        {[]string{"layout"}, nil},
	"internal/yamltext":    {[]string{"internal/quote"}, []string{"go.yaml.in/yaml/v4"}},
	"internal/armor":       {[]string{"layout", "internal/suggest"}, nil},
	"internal/dump":        {[]string{"layout", "validate", "internal/suggest", "internal/terminal"}, nil},
	"internal/outfile":     {nil, nil},
	"internal/bench":       {[]string{"layout", "builder", "validate", "fuzz", "internal/cc", "internal/outfile", "internal/wire"}, []string{"github.com/shirou/gopsutil/v4"}},
	"internal/cc":          {nil, nil},
	"internal/cfacts":      {[]string{"internal/cc"}, nil},
	"internal/oracle":      {[]string{"layout", "internal/cc", "internal/cfacts"}, nil},
	"internal/layoutgen":   {[]string{"layout"}, nil},
	"internal/fixture":     {[]string{"layout", "spec"}, nil},
	"internal/hostiletext": {nil, nil},
	"internal/rulecase":    {[]string{"layout", "spec", "validate"}, nil},
	"internal/rulepage":    {[]string{"validate", "internal/terminal"}, []string{"golang.org/x/tools/txtar"}},
	"internal/terminal":    {[]string{"validate"}, []string{"github.com/fatih/color"}},
	"internal/golden":      {nil, nil},
	"internal/kaitai":      {nil, nil},
	"internal/long":        {nil, nil},
	"internal/docs":        {nil, nil},
	"internal/rooms":       {nil, nil},
	"examples/hostprocess": {[]string{"layout", "builder", "internal/dump"}, []string{"github.com/shirou/gopsutil/v4"}},
	"cmd/perfblock": {[]string{"layout", "builder", "validate", "validate/config", "validate/report", "spec", "fuzz", "internal/armor", "internal/dump", "internal/outfile", "internal/rulepage", "internal/suggest", "internal/terminal"},
		[]string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/fatih/color", "github.com/mattn/go-isatty"}},
}

func TestArrows(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("../..", func(dir string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if name := e.Name(); name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2 {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(dir, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		room, err := filepath.Rel("../..", dir)
		if err != nil {
			return err
		}
		room = filepath.ToSlash(room)
		rule, known := allowed[room]
		if !known {
			t.Errorf("%s is a package of no known room", room)
		}
		found++
		for _, path := range p.Imports {
			inner, ours := strings.CutPrefix(path, module+"/")
			switch {
			case ours && !slices.Contains(rule.ours, inner):
				t.Errorf("%s imports %s", room, inner)
			case !ours && strings.Contains(path, ".") && !slices.ContainsFunc(rule.others, func(a string) bool { return path == a || strings.HasPrefix(path, a+"/") }):
				t.Errorf("%s imports %s", room, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < len(allowed) {
		t.Errorf("%d packages found, %d are known", found, len(allowed))
	}
}
