package main

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/perfblock/perfblock/internal/cc"
)

//go:embed c/*.c c/*.h
var twinSources embed.FS

// twinFlags are those of the comparison.
var twinFlags = []string{"-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"}

// buildTwin compiles the C program into dir, with more flags if there are any, and returns its path. The error wraps [cc.ErrNone]
// where there is no compiler.
func buildTwin(dir string, flags ...string) (string, error) {
	compiler, err := cc.Find()
	if err != nil {
		return "", err
	}
	if err := cc.Unpack(dir, twinSources, "c/*"); err != nil {
		return "", err
	}
	program := filepath.Join(dir, "twin.exe") // Windows wants the suffix, others do not mind
	args := append(append([]string{}, twinFlags...), flags...)
	args = append(args, "-o", program)
	for _, name := range []string{"main.c", "input.c", "fill.c", "query.c"} {
		args = append(args, filepath.Join(dir, name))
	}
	_, err = cc.Run(compiler, args...)
	return program, err
}

// A twin is the C program at work on one load.
type twin struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
	says *bytes.Buffer // on standard error
	size int           // of the block
}

// startTwin hands a load to the program, and sees to it that the program makes the same block of it. The caller ends it with close.
func startTwin(program string, l *load) (*twin, error) {
	input := filepath.Join(filepath.Dir(program), l.name+".input")
	f, err := os.Create(input)
	if err != nil {
		return nil, err
	}
	defer os.Remove(input)
	if err := errors.Join(l.feed.writeInput(f, l.block), f.Close()); err != nil {
		return nil, err
	}
	t := &twin{cmd: exec.Command(program, input), says: new(bytes.Buffer), size: len(l.block)}
	t.cmd.Stderr = t.says
	from, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.from = bufio.NewReaderSize(from, 1<<16)
	if t.to, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	if err := t.prove(l); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// prove compares both things that the program does with the block: one that it fills, and one whose values it writes again.
func (t *twin) prove(l *load) error {
	if _, err := t.measure("fill", 1); err != nil {
		return err
	}
	if err := t.compare(l, "fill"); err != nil {
		return err
	}
	copy(l.scratch, l.block)
	if err := l.feed.blank(l.scratch); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.to, "take %d\n%s", len(l.scratch), l.scratch)
	if err != nil {
		return t.failed(err)
	}
	if _, err := t.measure("refresh", 1); err != nil {
		return err
	}
	return t.compare(l, "refresh")
}

// compare asks for the program's block.
func (t *twin) compare(l *load, did string) error {
	if _, err := fmt.Fprintln(t.to, "bytes"); err != nil {
		return t.failed(err)
	}
	if _, err := io.ReadFull(t.from, l.scratch); err != nil {
		return t.failed(err)
	}
	if !bytes.Equal(l.scratch, l.block) {
		return fmt.Errorf("%s: C's %s makes another block than Go", l.name, did)
	}
	return nil
}

// meter returns the meter of what the program does on a command.
func (t *twin) meter(command string) meter {
	return func(n int) (time.Duration, error) { return t.measure(command, n) }
}

func (t *twin) measure(command string, n int) (time.Duration, error) {
	if _, err := fmt.Fprintln(t.to, command, n); err != nil {
		return 0, t.failed(err)
	}
	line, err := t.from.ReadString('\n')
	if err != nil {
		return 0, t.failed(err)
	}
	var took time.Duration
	var size int
	if _, err := fmt.Sscan(line, &took, &size); err != nil || size != t.size {
		return 0, fmt.Errorf("the C program's %s says %q of a block of %d bytes", command, line, t.size)
	}
	return took, nil
}

// failed adds what the program said before it went silent.
func (t *twin) failed(err error) error {
	_ = t.cmd.Wait() // its end is what err is about
	return fmt.Errorf("the C program: %w: %s", err, strings.TrimSpace(t.says.String()))
}

func (t *twin) close() error {
	err := t.to.Close()
	if t.cmd.ProcessState != nil {
		return nil // failed has told
	}
	if _, rest := io.Copy(io.Discard, t.from); rest != nil {
		err = errors.Join(err, rest)
	}
	return errors.Join(err, t.cmd.Wait())
}
