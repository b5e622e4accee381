// Package docs tests the documents. The samples must work, the output in the documents must be the real output, and
// links must lead to files and headings.
package docs

import (
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

var update = flag.Bool("update", false, "write the real output into the documents")

const root = "../.."

// patterns match the documents whose samples are checked.
var patterns = []string{"README.md", "docs/quickstart-*.md", "docs/tutorial-*.md", "docs/titles.md", "docs/definitions.md", "docs/bridge.md", "docs/fuzzing.md", "docs/rationale.md"}

var (
	fence = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	// named matches a line before a sample. The line names the file of the sample, which later samples can use.
	named = regexp.MustCompile("(?m)^Write `([^`]+)`:\n*\\z")
)

// A document is a Markdown file with samples. The samples run in order, in folders that no other document uses.
type document struct {
	path      string   // slash-separated, relative to the root of the module
	command   string   // the perfblock command
	work      string   // directory of specs, configurations and commands
	goDir     string   // directory of the named Go files
	goFiles   []string // the named Go files, which form one package that is vetted and tested at the end
	lastPrint string   // what the last unnamed Go sample printed
}

func TestSamples(t *testing.T) {
	t.Parallel()
	command := filepath.Join(t.TempDir(), "perfblock")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	run(t, root, "go", "build", "-ldflags=-s -w", "-o", command, "./cmd/perfblock")
	for _, pattern := range patterns {
		paths, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil || len(paths) == 0 {
			t.Errorf("no document matches %s: %v", pattern, err)
		}
		for _, path := range paths {
			t.Run(path, func(t *testing.T) {
				t.Parallel()
				if strings.Contains(path, "-") && !long.Enabled() && !*update {
					t.Skip("the programs of tutorials and quick starts take long to compile; set PERFBLOCK_LONG=1")
				}
				d := &document{path: path, command: command, work: t.TempDir(), goDir: t.TempDir()}
				if err := os.CopyFS(filepath.Join(d.work, "testdata", "specs"), os.DirFS(filepath.Join(root, "testdata", "specs"))); err != nil {
					t.Fatal(err)
				}
				d.check(t)
			})
		}
	}
}

// TestExample checks that three tutorials contain docs/example/shop.yaml, and that this definition has no faults.
func TestExample(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile(filepath.Join(root, "docs", "example", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := definition.Parse("shop.yaml", example)
	if err != nil {
		t.Fatal(err)
	}
	p.WriteGUIDs()
	var v validate.Validator
	if err := (&definition.File{Form: definition.YAML, Provider: p}).Check(&v).Err(validate.Info); err != nil {
		t.Error(err)
	}
	tutorials, err := filepath.Glob(filepath.Join(root, "docs", "tutorial-*.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range tutorials {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(b), "\r\n", "\n")
		for _, m := range fence.FindAllStringSubmatch(text, -1) {
			if _, is := definition.Detect("a.yaml", []byte(m[2])); !is || m[1] != "yaml" {
				continue
			}
			if n++; m[2] != strings.ReplaceAll(string(example), "\r\n", "\n") {
				t.Errorf("%s: the definition differs from docs/example/shop.yaml:\n%s", file, cmp.Diff(string(example), m[2]))
			}
		}
	}
	if n != 3 {
		t.Errorf("%d tutorials have a definition, want 3", n)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^():]+)\)`) // to a file of the repository
	heading = regexp.MustCompile("(?m)^#+ (.*)$")
	dropped = regexp.MustCompile("[^a-z0-9 _-]") // characters of a heading that are not in its fragment
)

// TestLinks checks the links in the documents. The target must be a file of the repository, and a fragment must be
// a heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	files, fragments := os.DirFS(root), map[string][]string{}
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		names, err := fs.Glob(files, pattern)
		if err != nil || len(names) == 0 {
			t.Errorf("no document matches %s: %v", pattern, err)
		}
		for _, name := range names {
			b, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = fence.ReplaceAllString(string(b), "") // without code, because f[T](x) in Go looks like a link
			for _, h := range heading.FindAllStringSubmatch(texts[name], -1) {
				fragments[name] = append(fragments[name], strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
			}
		}
	}
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			file, fragment, _ := strings.Cut(strings.Join(strings.Fields(m[1]), ""), "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := fs.Stat(files, target); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if fragment != "" && !slices.Contains(fragments[target], fragment) {
				t.Errorf("%s: %s has no heading for #%s", name, target, fragment)
			}
		}
	}
}

// check runs the samples of the document, and compares the real output with the output in the document.
func (d *document) check(t *testing.T) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(d.path))
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(string(b), "\r\n", "\n")
	got, at := "", 0
	for _, m := range fence.FindAllStringSubmatchIndex(want, -1) {
		name := ""
		if n := named.FindStringSubmatch(want[:m[0]]); n != nil {
			name = n[1]
		}
		line := 1 + strings.Count(want[:m[0]], "\n")
		got += want[at:m[4]] + d.sample(t, line, want[m[2]:m[3]], name, want[m[4]:m[5]])
		at = m[5]
	}
	got += want[at:]
	if len(d.goFiles) > 0 {
		d.addGenerated(t)
		run(t, root, "go", slices.Concat([]string{"test", "-vet=all", "-ldflags=-s -w"}, d.goFiles)...)
	}
	if *update && got != want {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("%s (-shown +real output; -update writes it):\n%s", d.path, cmp.Diff(want, got))
	}
}

// addGenerated copies the Go and YAML files in d.work to d.goDir. The tests of the document need these files.
func (d *document) addGenerated(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"*.go", "*.yaml"} {
		paths, err := filepath.Glob(filepath.Join(d.work, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range paths {
			b, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(d.goDir, filepath.Base(from))
			if err := os.WriteFile(to, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if pattern == "*.go" {
				d.goFiles = append(d.goFiles, to)
			}
		}
	}
}

// sample checks a sample. It returns the text of the sample, with the real output if the sample has output.
func (d *document) sample(t *testing.T, line int, language, name, text string) string {
	t.Helper()
	switch language {
	case "go":
		if b, err := format.Source([]byte(text)); err != nil || string(b) != text {
			t.Errorf("%s:%d: gofmt changes the sample, error %v:\n%s", d.path, line, err, b)
		}
		d.lastPrint = ""
		if name == "" {
			d.lastPrint = goSample(t, text)
		} else {
			d.goFiles = append(d.goFiles, filepath.Join(d.goDir, name))
			if err := os.WriteFile(d.goFiles[len(d.goFiles)-1], []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	case "text":
		return d.lastPrint
	case "yaml":
		if err := d.yamlSample(name, text); err != nil {
			t.Errorf("%s:%d: %v", d.path, line, err)
		}
	case "console":
		return d.console(t, line, text)
	default:
		t.Errorf("%s:%d: no test for samples of %q", d.path, line, language)
	}
	return text
}

// run returns what a command prints. The test fails if the command fails.
func run(t *testing.T, dir, command string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), command, args...)
	c.Dir = dir
	b, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", command, strings.Join(args, " "), err, b)
	}
	return string(b)
}

// program returns a main program that runs a fragment of Go code. The program imports the packages that the
// fragment uses.
func program(fragment string) string {
	var imports strings.Builder
	for _, p := range []string{"fmt", "log", "github.com/perfblock/perfblock/builder", "github.com/perfblock/perfblock/layout", "github.com/perfblock/perfblock/validate"} {
		if strings.Contains(fragment, path.Base(p)+".") {
			fmt.Fprintf(&imports, "import %q\n", p)
		}
	}
	return fmt.Sprintf("package main\n%s\nfunc main() {\n%s}\n", imports.String(), fragment)
}

// goSample runs Go code and returns its output. The code is a program, or the body of the function main. For code
// of package reader_test, goSample runs go vet instead.
func goSample(t *testing.T, text string) string {
	t.Helper()
	if !strings.HasPrefix(text, "package ") {
		text = program(text)
	}
	file, verb := filepath.Join(t.TempDir(), "sample.go"), []string{"run", "-ldflags=-s -w"}
	if strings.HasPrefix(text, "package reader_test") {
		file, verb = strings.TrimSuffix(file, ".go")+"_test.go", []string{"vet"}
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return run(t, root, "go", append(verb, file)...)
}

// yamlSample reads a definition or a configuration, or builds a spec. If name is not empty, yamlSample writes the
// text to the file with this name.
func (d *document) yamlSample(name, text string) error {
	if _, is := definition.Detect("a.yaml", []byte(text)); is {
		if _, err := definition.Parse(name, []byte(text)); err != nil {
			return err
		}
	} else if name == config.FileName {
		if _, err := config.Parse(name, []byte(text)); err != nil {
			return err
		}
	} else {
		parsed, err := spec.Parse(name, []byte(text))
		if err != nil {
			return err
		}
		if _, err := parsed.Build(); err != nil {
			return err
		}
	}
	if name == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(d.work, name), []byte(text), 0o644)
}

// console runs the commands of a sample, and returns the sample with the real output.
func (d *document) console(t *testing.T, line int, text string) (real string) {
	t.Helper()
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "$ "), "\n$ ") {
		command, want, _ := strings.Cut(strings.TrimSuffix(part, "\n"), "\n")
		args := strings.Fields(command)
		if args[0] != "perfblock" {
			t.Errorf("%s:%d: %q is not perfblock", d.path, line, command)
			continue
		}
		c := exec.CommandContext(t.Context(), d.command, args[1:]...)
		c.Dir = d.work
		b, err := c.CombinedOutput()
		if err != nil && want == "" { // a command without output in the document must succeed
			t.Errorf("%s:%d: %s: %v", d.path, line, command, err)
		}
		got := slices.Collect(strings.Lines(strings.ReplaceAll(string(b), "\r\n", "\n")))
		// A line "…" in the document replaces the rest of the output.
		if shown := strings.Count(want, "\n"); (want == "…" || strings.HasSuffix(want, "\n…")) && len(got) > shown {
			got = append(got[:shown], "…\n")
		}
		real += "$ " + command + "\n" + strings.Join(got, "")
	}
	return real
}
