package armor_test

import (
	"fmt"
	"go/format"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/long"
)

func nameFor(t *testing.T, format, text string) string {
	t.Helper()
	f, err := armor.FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	return f.NameFor(text)
}

func TestNameFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ format, text, want, reason string }{
		{"c", "cpu", "block_cpu", "names in C always start with block_"},
		{"c", "stdin", "block_stdin", "stdin is a macro of stdio.h, and block_stdin is not"},
		{"c", "block", "block", "the block of standard input is called block"},
		{"c", "block-7", "block_7", "a name that starts with block_ gets no second prefix"},
		{"c", "blocks", "block_blocks", "blocks does not start with block_"},
		{"c", "", "block", "an empty text gives a name"},
		{"c", "é", "block", "a text without ASCII letters gives a name"},
		{"c", "_x", "block_x", "C reserves names with _ at the start"},
		{"c", "a--b", "block_a_b", "C++ reserves names with two _ in a row"},
		{"c", "300", "block_300", "a name must not start with a digit"},
		{"go", "cpu", "cpu", "names in Go get no prefix"},
		{"go", "process-300", "process_300", "a - becomes an underscore"},
		{"go", "range", "block_range", "range is a keyword"},
		{"go", "string", "block_string", "string is a type, which the rest of the package may need"},
		{"go", "fmt", "fmt", "a variable may have the name of a package, because an import shadows it"},
	} {
		if got := nameFor(t, tt.format, tt.text); got != tt.want {
			t.Errorf("%s: %q becomes %s, want %s: %s", tt.format, tt.text, got, tt.want, tt.reason)
		}
	}
}

// TestNamesShadowNothing checks that NameFor returns no predeclared name of Go.
func TestNamesShadowNothing(t *testing.T) {
	t.Parallel()
	for _, word := range types.Universe.Names() {
		if got := nameFor(t, "go", word); got == word {
			t.Errorf("%s is predeclared, but NameFor returns it", word)
		}
	}
}

// TestNamesCompile checks that C and C++ compilers accept the names that NameFor returns, with
// the standard headers before or after the arrays.
func TestNamesCompile(t *testing.T) {
	t.Parallel()
	const headers = "assert ctype errno float limits locale math setjmp signal stdarg stddef stdint stdio stdlib string time wchar"
	const words = `main NULL errno EOF stdin stdout stderr INT_MAX strlen linux unix assert isalpha CHAR_BIT INFINITY
		signal setjmp size_t va_list SIGINT printf memcpy time_t clock offsetof i386 or bool class
		int M_PI environ index y1 gamma read write std`
	var includes, arrays strings.Builder
	for h := range strings.FieldsSeq(headers) {
		fmt.Fprintf(&includes, "#include <%s.h>\n", h)
	}
	for w := range strings.FieldsSeq(words) {
		name := nameFor(t, "c", w)
		arrays.WriteString(write(t, "c", name, []byte{1}) + "int use_" + w + "(void); int use_" + w + "(void) { return " + name + "[0]; }\n")
	}
	for name, program := range map[string]string{"before": includes.String() + arrays.String(), "after": arrays.String() + includes.String()} {
		for _, cc := range [][]string{{"gcc", "-x", "c", "-std=gnu11"}, {"g++", "-x", "c++", "-std=gnu++17"}}[:long.Count(1, 2)] {
			if _, err := exec.LookPath(cc[0]); err != nil {
				t.Logf("%s is not installed", cc[0])
				continue
			}
			file := filepath.Join(t.TempDir(), "names.c")
			if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append(cc[1:len(cc):len(cc)], "-fsyntax-only", file)
			if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
				t.Errorf("%v with the headers %s: %v\n%s", cc, name, err, out)
			}
		}
	}
}

// TestCompiles checks that C and C++ compilers accept the array without a warning.
func TestCompiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, cc := range [][]string{{"gcc", "-x", "c", "-std=c99"}, {"g++", "-x", "c++", "-std=c++11"}} {
		if _, err := exec.LookPath(cc[0]); err != nil {
			t.Logf("%s is not installed", cc[0])
			continue
		}
		for _, b := range []string{"", "x", strings.Repeat("\xff\x00", 100)} {
			file := filepath.Join(dir, "block.c")
			program := write(t, "c", "cpu_block", []byte(b)) + "char check[sizeof cpu_block >= cpu_block_len ? 1 : -1]; int f(void); int f(void) { return cpu_block[0]; }\n"
			if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append(cc[1:len(cc):len(cc)], "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", file)
			if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s\n%s", cc, err, out, program)
			}
		}
	}
}

func TestGofmtAgrees(t *testing.T) {
	t.Parallel()
	for _, b := range []string{"", "x", strings.Repeat("\xff\x00", 100)} {
		text := write(t, "go", "fixtures.Block", []byte(b))
		got, err := format.Source([]byte(text))
		if err != nil || string(got) != text {
			t.Errorf("gofmt changes it, with %v, to\n%s", err, got)
		}
		if !strings.Contains(text, "package fixtures\n") {
			t.Errorf("the package is wrong:\n%s", text)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format, name string
		ok           bool
		reason       string
	}{
		{"c", "cpu", true, ""},
		{"c", "class", false, "C++ reserves class"},
		{"c", "range", true, "only Go reserves range"},
		{"c", "a.b", false, "C has no packages"},
		{"c", "a b", false, "a name has no space"},
		{"c", "0a", false, "a name must not start with a digit"},
		{"c", "é", false, "a name must be ASCII"},
		{"c", "", false, "a name must not be empty"},
		{"c", "x[1]; int y", false, "code is not a name"},
		{"go", "range", false, "Go reserves range"},
		{"go", "class", true, "only C++ reserves class"},
		{"go", "main.block", true, "a variable may be in package main"},
		{"go", "block.main", false, "main cannot be a variable in package main"},
		{"go", "a.b.c", false, "a name has at most one package"},
		{"go", ".b", false, "the package must not be empty"},
		{"hex", "anything at all", true, "hex has no name, so any name is accepted"},
	} {
		f, err := armor.FormatNamed(tt.format)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.CheckName(tt.name); (err == nil) != tt.ok {
			t.Errorf("%s: %q: got %v: %s", tt.format, tt.name, err, tt.reason)
		}
		if tt.name != "" && !tt.ok {
			if err := f.Write(io.Discard, tt.name, nil); err == nil {
				t.Errorf("%s: %q is written: %s", tt.format, tt.name, tt.reason)
			}
		}
	}
	for _, f := range armor.Formats() {
		for _, text := range []string{"", "process-300", "class", "range", "0", "_", "_x", "é", "init", "byte", "a--b", "block"} {
			if name := f.NameFor(text); f.CheckName(name) != nil {
				t.Errorf("%s: %q becomes %q, which CheckName refuses", f.Name, text, name)
			}
		}
	}
}
