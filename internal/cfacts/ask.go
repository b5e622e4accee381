package cfacts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/cc"
)

// Ask compiles the header's program with the named cross compiler and returns the facts, sorted by name.
func (h Header) Ask(compiler string) ([]Fact, error) {
	dir, err := os.MkdirTemp("", "cfacts")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := cc.Unpack(dir, files, "*.c", "*.h"); err != nil {
		return nil, err
	}
	source := filepath.Join(dir, h.name+".c")

	preprocessed, err := cc.Run(compiler, "-E", "-dD", source)
	if err != nil {
		return nil, err
	}
	names, _ := scanHeader(preprocessed, h.constants)
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: the header %s defines no PERF_ constants", compiler, h.constants)
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

// Path returns the path of the header that a compiler uses.
func (h Header) Path(compiler string) (string, error) {
	// windows.h includes winperf.h unless WIN32_LEAN_AND_MEAN is defined.
	cmd := exec.Command(compiler, "-E", "-dD", "-DWIN32_LEAN_AND_MEAN", "-x", "c", "-")
	cmd.Stdin = strings.NewReader("#include <windows.h>\n#include <" + h.String() + ">\n")
	out, err := cc.Output(cmd)
	if err != nil {
		return "", err
	}
	_, path := scanHeader(out, h.String())
	if path == "" {
		return "", fmt.Errorf("%s does not include %s", compiler, h)
	}
	return path, nil
}

var (
	lineMarker = regexp.MustCompile(`^# \d+ "(.*)"`)
	constant   = regexp.MustCompile(`^(?:#define (PERF_\w+) |\s+(PERF_\w+)(?:\s*=.*)?,?\s*$)`) // a macro or an enumerator
	factLine   = regexp.MustCompile(`^\s*\.ascii\s+"@FACT (.+) (-?\d+)"$`)
)

// scanHeader returns the path of the header with the given name, and the names of the PERF_ macros and enumerators in
// this header. preprocessed is the output of a compiler with -E -dD.
func scanHeader(preprocessed []byte, header string) (names []string, path string) {
	inside := false
	for line := range strings.Lines(string(preprocessed)) {
		if m := lineMarker.FindStringSubmatch(line); m != nil {
			file := filepath.Clean(strings.ReplaceAll(m[1], `\\`, `\`))
			if inside = filepath.Base(file) == header; inside {
				path = file
			}
		} else if m := constant.FindStringSubmatch(line); m != nil && inside {
			names = append(names, m[1]+m[2])
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
			value = int64(uint32(value)) // some compilers print a value from 1<<31 on as a negative number
		}
		facts = append(facts, Fact{Name: m[1], Value: value})
	}
	return sorted(facts)
}
