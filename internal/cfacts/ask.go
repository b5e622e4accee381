package cfacts

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/cc"
)

//go:embed winperf.c
var winperfC string

// Ask compiles winperf.c with the cross compiler of that name, against that compiler's own winperf.h, and returns what it says, sorted by name.
func Ask(compiler string) ([]Fact, error) {
	dir, err := os.MkdirTemp("", "cfacts")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "winperf.c")
	if err := errors.Join(
		os.WriteFile(source, []byte(winperfC), 0o600),
		os.WriteFile(filepath.Join(dir, "fields.h"), []byte(fieldsH), 0o600),
	); err != nil {
		return nil, err
	}

	preprocessed, err := cc.Run(compiler, "-E", "-dD", source)
	if err != nil {
		return nil, err
	}
	names, _ := scanHeader(preprocessed)
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no PERF_ constants in its winperf.h", compiler)
	}
	var list strings.Builder
	list.WriteString("CONSTANTS(F)=")
	for _, name := range names {
		list.WriteString("F(" + name + ") ")
	}

	assembly, err := cc.Run(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-D"+list.String(), "-S", "-o", "-", source)
	if err != nil {
		return nil, err
	}
	facts, err := fromAssembly(assembly)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", compiler, err)
	}
	return facts, nil
}

// Header returns the path of the winperf.h that a compiler uses.
func Header(compiler string) (string, error) {
	// Lean, because windows.h would include it unasked otherwise; either way the line markers name the file.
	cmd := exec.Command(compiler, "-E", "-dD", "-DWIN32_LEAN_AND_MEAN", "-x", "c", "-")
	cmd.Stdin = strings.NewReader("#include <windows.h>\n#include <winperf.h>\n")
	out, err := cc.Output(cmd)
	if err != nil {
		return "", err
	}
	_, path := scanHeader(out)
	if path == "" {
		return "", fmt.Errorf("%s: no winperf.h in what it includes", compiler)
	}
	return path, nil
}

var (
	lineMarker = regexp.MustCompile(`^# \d+ "(.*)"`)
	constant   = regexp.MustCompile(`^#define (PERF_\w+) `)
	factLine   = regexp.MustCompile(`^\s*\.ascii\s+"@FACT (.+) (-?\d+)"$`)
)

// scanHeader reads the output of -E -dD and returns the PERF_ macros that winperf.h defines, and that header's path.
func scanHeader(preprocessed []byte) (names []string, path string) {
	inside := false
	for line := range strings.Lines(string(preprocessed)) {
		if m := lineMarker.FindStringSubmatch(line); m != nil {
			file := filepath.Clean(strings.ReplaceAll(m[1], `\\`, `\`))
			if inside = filepath.Base(file) == "winperf.h"; inside {
				path = file
			}
		} else if m := constant.FindStringSubmatch(line); m != nil && inside {
			names = append(names, m[1])
		}
	}
	return names, path
}

func fromAssembly(assembly []byte) ([]Fact, error) {
	var facts []Fact
	for line := range strings.Lines(string(assembly)) {
		m := factLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		value, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(m[1], constPrefix) {
			value = int64(uint32(value)) // compilers differ in whether they print a sign
		}
		facts = append(facts, Fact{Name: m[1], Value: value})
	}
	return sorted(facts)
}
