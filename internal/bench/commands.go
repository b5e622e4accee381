package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A command is a row of the second table.
type command struct {
	line     string // what is typed; perfblock is the one that is built from this module
	workload string // the one that it is about, if any
	block    string // the file that it reads: the workload's block,
	spec     string // or its spec
	rounds   int
}

// The first three are measured in turn, so that the third can be held against the other two.
const (
	startLine = "perfblock version"
	readLine  = "cat cap.bin"
	lintLine  = "perfblock lint cap.bin"
)

const (
	fewRounds  = 5 // of what takes a good part of a second
	longRounds = 3 // and of what takes seconds
)

var commands = []command{
	{line: startLine, rounds: usual.rounds},
	{line: readLine, workload: "cap", block: "cap.bin", rounds: usual.rounds},
	{line: lintLine, workload: "cap", block: "cap.bin", rounds: usual.rounds},
	{line: "perfblock gen --workload cap", workload: "cap", rounds: fewRounds},
	{line: "perfblock build cap.yaml", workload: "cap", spec: "cap.yaml", rounds: fewRounds},
	{line: "perfblock dump cap.bin", workload: "cap", block: "cap.bin", rounds: fewRounds},
	{line: "perfblock gen --workload million", workload: "million", rounds: longRounds},
	{line: "perfblock build million.yaml", workload: "million", spec: "million.yaml", rounds: longRounds},
	{line: "perfblock dump million.bin", workload: "million", block: "million.bin", rounds: longRounds},
}

// A commandFigure is a row of the second table, measured.
type commandFigure struct {
	command
	absent    string // why there are no figures
	time, cpu spread // milliseconds
	peak      spread // bytes
	toReading spread // lint's processor time to that of reading and starting
}

// measureCommands builds perfblock into dir and measures the commands of the workloads that are wanted.
func measureCommands(dir string, wanted func(workload string) bool, progress io.Writer) ([]commandFigure, error) {
	perfblock := filepath.Join(dir, "perfblock.exe") // Windows wants the suffix, others do not mind
	fmt.Fprintln(progress, "bench: building perfblock")
	if out, err := exec.Command("go", "build", "-o", perfblock, "github.com/perfblock/perfblock/cmd/perfblock").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w %s", err, strings.TrimSpace(string(out)))
	}
	var list []commandFigure
	for _, c := range commands {
		if c.workload != "" && !wanted(c.workload) {
			continue
		}
		f := commandFigure{command: c}
		var err error
		if f.absent, err = c.prepare(dir, perfblock); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	for next := list; len(next) > 0; {
		n := together(next)
		fmt.Fprintf(progress, "bench: %s\n", next[0].line)
		if err := measureTogether(next[:n], dir, perfblock); err != nil {
			return nil, err
		}
		next = next[n:]
	}
	return list, nil
}

// prepare makes the file that the command reads. The reason is why there can be none.
func (c command) prepare(dir, perfblock string) (reason string, err error) {
	if _, err := exec.LookPath("cat"); err != nil && c.line == readLine {
		return "no cat", nil
	}
	make := func(file string, args ...string) error {
		if _, err := os.Stat(filepath.Join(dir, file)); file == "" || err == nil {
			return nil
		}
		_, err := runProcess(dir, append([]string{perfblock}, append(args, "-o", file)...))
		return err
	}
	block := c.block
	if c.spec != "" {
		block = c.workload + ".bin"
	}
	if err := make(block, "gen", "--workload", c.workload); err != nil {
		return "", err
	}
	err = make(c.spec, "dump", "--format", "yaml", block)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 2 && strings.Contains(err.Error(), "no spec holds this block") {
		return "no spec: its text is over the 32 MiB that are read", nil
	}
	return "", err
}

// together returns how many of the commands are measured in turn: those that lint is held against, or one.
func together(list []commandFigure) int {
	if len(list) >= 3 && list[0].line == startLine && list[1].absent == "" && list[2].line == lintLine {
		return 3
	}
	return 1
}

// measureTogether measures the commands in turn, as many rounds as the first wants.
func measureTogether(list []commandFigure, dir, perfblock string) error {
	times, cpus, peaks := make([][]float64, len(list)), make([][]float64, len(list)), make([][]float64, len(list))
	for range list[0].rounds {
		for i, f := range list {
			if f.absent != "" {
				return nil
			}
			argv := strings.Fields(f.line)
			if argv[0] == "perfblock" {
				argv[0] = perfblock
			}
			e, err := runProcess(dir, argv)
			if err != nil {
				return err
			}
			times[i] = append(times[i], e.time.Seconds()*1e3)
			cpus[i] = append(cpus[i], e.cpu.Seconds()*1e3)
			peaks[i] = append(peaks[i], float64(e.peak))
		}
	}
	for i := range list {
		list[i].time, list[i].cpu, list[i].peak = spreadOf(times[i]), spreadOf(cpus[i]), spreadOf(peaks[i])
	}
	if len(list) == 3 {
		list[2].toReading = spreadOf(ratios(cpus[2], sums(cpus[0], cpus[1])))
	}
	return nil
}
