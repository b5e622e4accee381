package definition

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestShopC compares the generated C of the shop definition with golden files.
func TestShopC(t *testing.T) {
	t.Parallel()
	files, err := shopDefinition(t).Output("shop_counters.c", nil)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		golden.File(t, "testdata/generated/"+f.Name+".txt", string(f.Contents))
		if !Generated(f.Contents) {
			t.Errorf("%s: Generated returns false", f.Name)
		}
	}
}

// strict has the compiler options for C99 that turn all warnings into errors.
var strict = []string{"-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"}

// TestCSource compiles generated C, and checks the objects and templates that the C functions write.
func TestCSource(t *testing.T) {
	t.Parallel()
	native, err := cc.Find()
	if err != nil {
		cfacts.Absent(t, err.Error())
	}
	cross := cfacts.Compilers()
	if len(cross) < len(cfacts.Known()) && cfacts.Required() {
		t.Errorf("only %v of %v are installed", cross, cfacts.Known())
	}
	cross = cross[:min(len(cross), long.Count(0, 2))]
	precompiled := make(map[string][]string)
	if long.Enabled() {
		for _, compiler := range cross {
			precompiled[compiler] = precompile(t, compiler)
		}
	}
	for name, p := range cProviders(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files, err := p.Output("made.c", nil)
			if err != nil {
				t.Fatal(err)
			}
			sets, _, err := p.cSets()
			if err != nil {
				t.Fatal(err)
			}
			header, err := p.AppendHeader(nil)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, Output{Name: "main.c", Contents: cMain(p.HeaderName(), sets)}, Output{Name: p.HeaderName(), Contents: header},
				// The cross compilers need most of their time for windows.h, so they compile only one file.
				Output{Name: "both.c", Contents: []byte("#include \"main.c\"\n#include \"made.c\"\n")})
			for _, f := range files {
				if err := os.WriteFile(filepath.Join(dir, f.Name), f.Contents, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, compiler := range cross {
				check := slices.Concat(strict, []string{"-fsyntax-only"})
				_, err := cc.Run(compiler, slices.Concat(check, precompiled[compiler], []string{filepath.Join(dir, "both.c")})...)
				if err == nil && name == "shop.yaml" { // checks that the C source includes all headers that it needs
					_, err = cc.Run(compiler, append(check, filepath.Join(dir, "made.c"))...)
				}
				if err != nil {
					t.Errorf("%v\n%s", err, files[0].Contents)
				}
			}
			program := filepath.Join(dir, "made.exe")
			if _, err := cc.Run(native, slices.Concat(strict, []string{"-g", "-fsanitize=address,undefined", "-o", program, filepath.Join(dir, "made.c"), filepath.Join(dir, "main.c")})...); err != nil {
				t.Fatalf("%v\n%s\n%s", err, files[1].Contents, files[0].Contents)
			}
			least := validate.Info
			if strings.HasPrefix(name, "random") {
				least = validate.Error // random definitions have obsolete types and others that cause warnings
			}
			check := func(kind layout.Kind, arg int) {
				block, err := cc.Output(exec.Command(program, fmt.Sprint(arg)))
				if err == nil {
					err = validate.Bytes(kind, block, validate.Context{}).Err(least)
				}
				if err != nil {
					t.Errorf("%v: %v", kind, err)
				}
			}
			check(layout.ObjectsKind, -1)
			for i := range sets {
				if len(sets[i].set.Counters) > 0 {
					check(layout.TemplateKind, i)
				}
			}
		})
	}
}

// precompile compiles the headers of Windows. It returns the compiler options that load the result. With these options,
// the compiler warns if it cannot use the result.
func precompile(t *testing.T, compiler string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "headers.h")
	if err := os.WriteFile(path, []byte("#include <windows.h>\n#include <winperf.h>\n#include <perflib.h>\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := cc.Run(compiler, slices.Concat(strict, []string{"-x", "c-header", "-o", path + ".gch", path})...); err != nil {
		t.Fatal(err)
	}
	return []string{"-Winvalid-pch", "-include", path}
}

// TestCExample checks that the C example on the page about definitions compiles without warnings, even if wchar_t has 4
// bytes.
func TestCExample(t *testing.T) {
	t.Parallel()
	native, err := cc.Find()
	if err != nil {
		cfacts.Absent(t, err.Error())
	}
	page, err := os.ReadFile("../docs/definitions.md")
	if err != nil {
		t.Fatal(err)
	}
	const first = "#include \"shop_counters.h\"\n"
	_, example, is := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), first)
	if !is {
		t.Fatal("the page has no example")
	}
	example, _, _ = strings.Cut(example, "```")
	files, err := shopDefinition(t).Output("shop_counters.c", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range append(files, Output{Name: "example.c", Contents: []byte(first + example)}) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := cc.Run(native, slices.Concat(strict, []string{"-fsyntax-only", filepath.Join(dir, "example.c")})...); err != nil {
		t.Error(err)
	}
}

// cProviders returns the definitions to test, by test name.
func cProviders(t *testing.T) map[string]*Provider {
	list := map[string]*Provider{"hostile": hostileProvider()}
	files := definitionFiles(t)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		p, err := Parse(path, files[path])
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		if long.Enabled() || slices.Contains([]string{"shop.yaml", "clock.yaml"}, name) {
			list[name] = p
		}
	}
	for seed := range uint64(long.Count(0, 10)) {
		list[fmt.Sprint("random ", seed)] = newRandom(seed).provider()
	}
	return list
}

// cMain returns a C program. Without an argument, the program writes the V1 objects of all sets. With the index of a
// set as argument, it writes the V2 template of this set. The program includes titleHeader before made.h, to test that
// made.h compiles after the macros of titleHeader.
func cMain(titleHeader string, sets []cSet) []byte {
	var b bytes.Buffer
	b.WriteString(`#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#include <winperf.h>
#include <perflib.h>
#endif
#include "` + titleHeader + `"
#include "made.h"

static unsigned char buffer[1 << 16];

int main(int argc, char **argv)
{
    static const WCHAR one[] = {'o', 'n', 'e', 0}, two[] = {0x20AC, 0};
    size_t used = 0;
    int set = argc > 1 ? atoi(argv[1]) : -1;

    (void)one;
    (void)two;
`)
	for i := range sets {
		s := &sets[i]
		if len(s.set.Counters) > 0 {
			fmt.Fprintf(&b, "    if (set == %d) {\n        fwrite(&%s, sizeof %[2]s, 1, stdout);\n        return 0;\n    }\n", i, s.templateName)
		}
		if s.values == nil {
			continue
		}
		titles := "5000, 5001"
		if s.clock {
			titles += ", 1000, 10000000"
		}
		fmt.Fprintf(&b, "    {\n        %s values;\n\n        memset(&values, 0xFF, sizeof values);\n", s.block)
		calls := []string{fmt.Sprintf("%s(%%s, %s, &values)", s.write, titles)}
		if s.set.hasInstances() {
			calls = []string{
				fmt.Sprintf("%s(%%s, %s)", s.begin, titles),
				fmt.Sprintf("%s(%%s, 0, 0, one, &values)", s.add), fmt.Sprintf("%s(%%s, 0, 0, two, &values)", s.add),
			}
		}
		b.WriteString("        size_t n = 0;\n")
		for _, call := range calls {
			// Call the function with each size that is too small. The buffer has exactly this size, so a sanitizer
			// finds each write after the end.
			fmt.Fprintf(&b, `        for (size_t size = 0;; size++) {
            unsigned char *at = malloc(size + 1);
            size_t length;
            if (size >= n) {
                memcpy(at, buffer + used, n);
            }
            at = realloc(at, size == 0 ? 1 : size);
            length = size < n ? 0 : %s;
            if (length != 0) {
                if (length != size) {
                    return 2;
                }
                memcpy(buffer + used, at, size);
                n = length;
                free(at);
                break;
            }
            free(at);
        }
`, fmt.Sprintf(call, "at, size"))
		}
		b.WriteString("        used += n;\n    }\n")
	}
	b.WriteString("    (void)set;\n    fwrite(buffer, used, 1, stdout);\n    return 0;\n}\n")
	return b.Bytes()
}

// TestCSymbol checks that a symbol that is not an identifier is refused, and that names do not collide.
func TestCSymbol(t *testing.T) {
	t.Parallel()
	p := shopDefinition(t)
	p.CounterSets[0].Symbol = "a b"
	if _, err := p.Output("x.c", nil); err == nil || !strings.Contains(err.Error(), `the symbol of "Shop Queues" is "a b", must be an identifier of C`) {
		t.Errorf("error %v", err)
	}
	p = shopDefinition(t)
	for name, want := range map[string]string{"shop.c": "shop_counters.h", "x.c": "x.h", "SHOP.c": "SHOP_counters.h"} {
		files, err := p.Output(name, nil)
		if err != nil || files[0].Name != name || files[1].Name != want || !strings.Contains(string(files[0].Contents), `#include "`+want+`"`) {
			t.Errorf("%s: %v, files %q, want the header %s, which is not the header of the numbers", name, err, files, want)
		}
	}
}
