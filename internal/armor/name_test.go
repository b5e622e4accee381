package armor_test

import (
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/armor"
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
		{"c", "cpu", "block_cpu", "always the same form, so that none needs to be known"},
		{"c", "stdin", "block_stdin", "a macro of stdio.h"},
		{"c", "block", "block", "what standard input is called"},
		{"c", "block-7", "block_7", "no need to say it twice"},
		{"c", "blocks", "block_blocks", "another word"},
		{"c", "", "block", "no name at all"},
		{"c", "é", "block", "nor any of ASCII"},
		{"c", "_x", "block_x", "a leading _ is the compiler's"},
		{"c", "a--b", "block_a_b", "__ is so in C++, anywhere"},
		{"c", "300", "block_300", "a digit first"},
		{"go", "cpu", "cpu", "nothing is in the way"},
		{"go", "process-300", "process_300", "the same with a -"},
		{"go", "range", "block_range", "a keyword"},
		{"go", "string", "block_string", "a type, which the rest of the package may need"},
		{"go", "fmt", "fmt", "a package is shadowed by an import, not the other way round"},
	} {
		if got := nameFor(t, tt.format, tt.text); got != tt.want {
			t.Errorf("%s: %q becomes %s, want %s: %s", tt.format, tt.text, got, tt.want, tt.reason)
		}
	}
}

// The judge of what Go declares is Go.
func TestNamesShadowNothing(t *testing.T) {
	t.Parallel()
	for _, word := range types.Universe.Names() {
		if got := nameFor(t, "go", word); got == word {
			t.Errorf("%s is predeclared, and a variable is called so", word)
		}
	}
}

// Compilers are the judges of what C has a use for, with their headers before and
// behind the array.
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
	for name, program := range map[string]string{"before": includes.String() + arrays.String(), "behind": arrays.String() + includes.String()} {
		for _, cc := range [][]string{{"gcc", "-x", "c", "-std=gnu11"}, {"g++", "-x", "c++", "-std=gnu++17"}} {
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
