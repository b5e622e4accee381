package bench_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// readPerflib reads the block n times with the parser of perflib_exporter, in another process.
func (l *load) readPerflib(n int) error {
	program, file := filepath.Join(l.dir, "reader"), filepath.Join(l.dir, "block.bin")
	if _, err := os.Stat(program); err != nil {
		if err := errors.Join(os.WriteFile(file, l.block, 0o600), buildPerflib(l.dir, program, "block.go")); err != nil {
			return err
		}
	}
	got, err := run(program, file, strconv.Itoa(n))
	want := 0
	for _, instances := range l.instances {
		want += len(instances)
	}
	if err == nil && got != strconv.Itoa(want) {
		return fmt.Errorf("perflib_exporter reads %s instances, want %d", got, want)
	}
	return err
}

// buildPerflib compiles mainFile, a file in testdata, together with the parser of perflib_exporter. In the parser, the
// declarations of testdata/syscall.go replace package syscall.
func buildPerflib(dir, program, mainFile string) error {
	const version = "github.com/leoluk/perflib_exporter@v0.2.1"
	text, err := run("go", "mod", "download", "-json", version)
	if err != nil {
		return fmt.Errorf("%w: %s is not available: %w", errors.ErrUnsupported, version, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal([]byte(text), &module); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "perflib", "*[^t].go")) // without tests
	if err != nil {
		return err
	}
	args := []string{"build", "-o", program}
	parser := strings.NewReplacer("package perflib", "package main", `"syscall"`, "", "syscall.", "")
	ours := []string{filepath.Join("testdata", "syscall.go"), filepath.Join("testdata", mainFile)}
	for _, file := range slices.Concat(files, ours) {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := string(b)
		if !slices.Contains(ours, file) {
			text = parser.Replace(text)
		}
		args = append(args, filepath.Join(dir, filepath.Base(file)))
		if err := os.WriteFile(args[len(args)-1], []byte(text), 0o600); err != nil {
			return err
		}
	}
	_, err = run("go", args...)
	return err
}

// run returns what a command prints.
func run(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	b, err := c.Output()
	return string(b), err
}
