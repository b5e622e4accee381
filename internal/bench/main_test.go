package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		exit int
		want string // on standard error
	}{
		{[]string{"-h"}, exitDone, "-workload REGEXP"},
		{[]string{"-h"}, exitDone, "thread-30000"},
		{[]string{"tiny"}, exitUsage, `no argument is expected, not "tiny"`},
		{[]string{"-worklod", "tiny"}, exitUsage, "-worklod; see bench -h"},
		{[]string{"-workload"}, exitUsage, "needs an argument: -workload"},
		{[]string{"-workload", "("}, exitUsage, "missing closing )"},
		{[]string{"-workload", "huge"}, exitUsage, `"huge" matches none of tiny, cpu, `},
		{[]string{"-commands=perhaps"}, exitUsage, "-commands"},
		{[]string{"-workload", "tiny", "-o", filepath.Join(t.TempDir(), "none", "page.md")}, exitUsage, "none"},
	} {
		var stdout, stderr bytes.Buffer
		if exit := run(tt.args, &stdout, &stderr); exit != tt.exit || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
			t.Errorf("%v: exit status %d, %q, and %d bytes; want %d and %q", tt.args, exit, stderr.String(), stdout.Len(), tt.exit, tt.want)
		}
		if lines := strings.Count(strings.TrimSpace(tt.want), "\n"); tt.exit == exitUsage && lines > 0 {
			t.Errorf("%v: %d lines for one mistake", tt.args, lines+1)
		}
	}
}

func TestWorkloadFlag(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]int{"": len(workloads()), "tiny": 1, "^process-[0-9]": 2, "^(cap|cpu)$": 2} {
		if o, err := parse([]string{"-workload", pattern}, os.Stderr); err != nil || len(o.workloads) != want {
			t.Errorf("%q: %d workloads, error %v; want %d", pattern, len(o.workloads), err, want)
		}
	}
}

// The whole of it on the smallest workload, in samples that are shorter than those to go by.
func TestBench(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "page.md")
	o, err := parse([]string{"-workload", "tiny", "-o", file}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	o.by = sampling{2, time.Microsecond}
	var stdout, stderr bytes.Buffer
	if err := bench(o, &stdout, &stderr); err != nil || stdout.Len() > 0 {
		t.Fatalf("%v, %q and %q", err, stderr.String(), stdout.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| `perfblock version` | 10 | "}
	for _, s := range subjects {
		rows = append(rows, "| tiny | 984 | "+s.name+" | ")
	}
	for _, row := range rows {
		if strings.Count(string(text), "\n"+row) != 1 {
			t.Errorf("no row %q, or several, in\n%s", row, text)
		}
	}

	o.out, o.commands = "", false
	if err := bench(o, &stdout, &stderr); err != nil || !strings.HasPrefix(stdout.String(), "| workload |") || strings.Contains(stdout.String(), "perfblock") {
		t.Errorf("the tables alone: %v and\n%s", err, stdout.String())
	}
}
