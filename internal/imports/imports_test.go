// Package imports contains only a test. The test checks the imports of each package.
package imports

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/perfblock/perfblock"

// allowed lists the imports of each package: packages of this module, and packages of other modules. The standard
// library is always allowed. Tests may import any package.
var allowed = map[string]struct{ own, others []string }{
	"layout":                 {[]string{"internal/cname", "internal/quote", "internal/suggest", "internal/utf16le"}, []string{"golang.org/x/text/encoding/unicode"}},
	"builder":                {[]string{"layout", "internal/cname", "internal/quote", "internal/utf16le", "internal/wire"}, nil},
	"validate":               {[]string{"layout"}, nil},
	"samples":                {[]string{"layout", "validate", "internal/quote"}, nil},
	"perftest":               {[]string{"definition/titles", "layout"}, nil},
	"validate/report":        {[]string{"layout", "validate", "internal/comparison", "internal/identity", "internal/lines", "internal/quote", "internal/rulepage", "internal/suggest", "internal/terminal"}, nil},
	"diff":                   {[]string{"layout", "validate", "dump", "internal/identity", "internal/quote", "internal/suggest", "internal/terminal"}, nil},
	"validate/report/page":   {[]string{"dump", "layout", "validate", "validate/report", "internal/identity", "internal/lazy", "internal/lines", "internal/quote", "internal/rulepage", "internal/terminal"}, nil},
	"dump":                   {[]string{"layout", "validate", "internal/cname", "internal/quote", "internal/suggest", "internal/terminal"}, nil},
	"provider/internal/shop": {[]string{"builder", "layout", "provider"}, nil},
	"definition": {[]string{"builder", "provider", "definition/titles", "layout", "validate", "internal/armor", "internal/form", "internal/lazy", "internal/lines", "internal/quote", "internal/suggest", "internal/utf16le", "internal/yamltext"},
		[]string{"github.com/tc-hib/winres", "go.yaml.in/yaml/v4", "golang.org/x/text/encoding", "golang.org/x/text/encoding/charmap", "golang.org/x/text/encoding/japanese", "golang.org/x/text/encoding/korean", "golang.org/x/text/encoding/simplifiedchinese", "golang.org/x/text/encoding/traditionalchinese", "golang.org/x/text/encoding/unicode"}},
	"provider":              {[]string{"builder", "layout", "validate", "internal/dll", "internal/identity", "internal/quote", "internal/registration", "internal/utf16le"}, []string{"golang.org/x/sys/windows"}},
	"fuzz":                  {[]string{"layout", "builder", "validate", "internal/cname", "internal/suggest", "internal/utf16le"}, nil},
	"validate/config":       {[]string{"layout", "validate", "definition", "provider", "samples", "internal/form", "internal/quote", "internal/suggest", "internal/yamltext"}, []string{"github.com/bmatcuk/doublestar/v4", "go.yaml.in/yaml/v4"}},
	"spec":                  {[]string{"layout", "builder", "internal/cname", "internal/form", "internal/quote", "internal/lazy", "internal/suggest", "internal/wire", "internal/yamltext"}, []string{"go.yaml.in/yaml/v4"}},
	"capture":               {[]string{"builder", "definition/titles", "layout", "internal/quote", "internal/registration", "internal/suggest"}, []string{"golang.org/x/sys/windows"}},
	"internal/form":         {[]string{"layout", "internal/quote", "internal/suggest", "internal/yamltext"}, []string{"go.yaml.in/yaml/v4"}},
	"definition/titles":     {[]string{"layout", "internal/armor", "internal/lazy", "internal/quote"}, []string{"golang.org/x/text/encoding/charmap", "golang.org/x/text/encoding/unicode"}},
	"internal/comparison":   {[]string{"validate"}, nil},
	"internal/registration": {[]string{"layout"}, []string{"golang.org/x/sys/windows"}},
	"internal/lazy":         {nil, nil},
	"internal/quote":        {nil, nil},
	"internal/suggest":      {nil, nil},
	"internal/wire":         {[]string{"layout"}, nil},
	"internal/yamltext":     {[]string{"internal/lazy", "internal/quote"}, []string{"go.yaml.in/yaml/v4"}},
	"internal/cname":        {nil, nil},
	"internal/utf16le":      {nil, nil},
	"internal/exporters":    {[]string{"internal/cc", "internal/wine"}, nil},
	"internal/wine":         {[]string{"internal/cfacts", "internal/long"}, []string{"github.com/rogpeppe/go-internal/lockedfile"}},
	"internal/walktest":     {[]string{"layout"}, nil},
	"internal/armor":        {[]string{"layout", "internal/lazy", "internal/lines", "internal/quote", "internal/suggest"}, []string{"golang.org/x/text/encoding/charmap", "golang.org/x/text/encoding/unicode"}},
	"internal/block":        {[]string{"layout", "spec", "internal/armor", "internal/inputs", "internal/quote"}, nil},
	"internal/inputs":       {[]string{"internal/quote"}, []string{"github.com/bmatcuk/doublestar/v4", "golang.org/x/text/encoding/unicode", "golang.org/x/text/transform"}},
	"internal/outfile":      {nil, nil},
	"internal/cc":           {nil, nil},
	"internal/dll":          {nil, nil},
	"internal/dll/dlltest":  {nil, nil},
	"internal/cfacts":       {[]string{"internal/cc"}, nil},
	"internal/oracle":       {[]string{"layout", "internal/cc", "internal/cfacts"}, nil},
	"provider/bridge":       {[]string{"internal/cc", "internal/quote"}, nil},
	"internal/bridgegen":    {[]string{"layout"}, nil},
	"internal/layoutgen":    {[]string{"layout"}, nil},
	"internal/fixture":      {[]string{"layout", "spec", "validate"}, []string{"golang.org/x/tools/txtar"}},
	"internal/hostiletext":  {nil, nil},
	"internal/rulepage":     {[]string{"validate", "internal/terminal"}, []string{"golang.org/x/tools/txtar"}},
	"internal/identity":     {[]string{"layout", "validate", "internal/quote"}, nil},
	"internal/lines":        {nil, nil},
	"internal/suppression":  {[]string{"validate", "internal/form", "internal/quote", "internal/yamltext"}, []string{"go.yaml.in/yaml/v4"}},
	"internal/terminal":     {[]string{"validate"}, []string{"github.com/fatih/color"}},
	"internal/golden":       {[]string{"internal/outfile"}, []string{"github.com/google/go-cmp/cmp"}},
	"internal/kaitai":       {nil, nil},
	"internal/long":         {nil, nil},
	"internal/docs":         {nil, nil},
	"internal/windowstest":  {nil, nil},
	"internal/imports":      {nil, nil},
	"internal/systems":      {nil, nil},
	"cmd/perfblock": {[]string{"capture", "definition", "definition/titles", "layout", "builder", "provider", "provider/bridge", "validate", "validate/config", "validate/report", "validate/report/page", "samples", "spec", "diff", "dump", "fuzz", "internal/armor", "internal/block", "internal/comparison", "internal/dll", "internal/inputs", "internal/identity", "internal/lines", "internal/outfile", "internal/quote", "internal/registration", "internal/rulepage", "internal/suggest", "internal/suppression", "internal/terminal"},
		[]string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/fatih/color", "github.com/mattn/go-isatty", "github.com/vbauerster/mpb/v8", "github.com/vbauerster/mpb/v8/decor", "golang.org/x/sys/windows"}},
}

// TestImports checks that each package of the module is in allowed, and that it imports only the packages listed there.
func TestImports(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("../..", func(dir string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		name, err := filepath.Rel("../..", dir)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if base := e.Name(); base == "testdata" || strings.HasPrefix(base, ".") && name != "." || name != "." && hasModule(dir) {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(dir, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		rule, known := allowed[name]
		if !known {
			t.Errorf("%s is not in allowed", name)
		}
		found++
		for _, path := range p.Imports {
			own, isOwn := strings.CutPrefix(path, module+"/")
			switch {
			case isOwn && !slices.Contains(rule.own, own):
				t.Errorf("%s imports %s, which allowed does not list", name, own)
			case !isOwn && strings.Contains(path, ".") && !slices.ContainsFunc(rule.others, func(other string) bool { return path == other || strings.HasPrefix(path, other+"/") }):
				t.Errorf("%s imports %s, which allowed does not list", name, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < len(allowed) {
		t.Errorf("there are %d packages, allowed has %d", found, len(allowed))
	}
}

// hasModule reports whether the directory is the root of a nested module.
func hasModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
