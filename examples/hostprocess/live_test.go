package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestThisMachine checks the values in a block of the running processes.
func TestThisMachine(t *testing.T) {
	t.Parallel()
	h, err := gather(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d := decoded(t, h)
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	// Package builder wrote the block. Package layout reads the block independently of package builder.
	view, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	position := 0
	for o, err := range view.Objects() {
		if err != nil {
			t.Fatal(err)
		}
		switch o.ObjectNameTitleIndex() {
		case titleProcess:
			total := h.total()
			checkValues(t, o, processColumns, h, append(pointers(h.processes), &total))
		case titleThread:
			var threads []*thread
			for i := range h.processes {
				threads = append(threads, pointers(h.processes[i].threads)...)
			}
			total := h.totalThread()
			checkValues(t, o, threadColumns, h, append(threads, &total))
		}
		position++
	}
	if position != len(d.Objects) {
		t.Errorf("%d objects read, %d built", position, len(d.Objects))
	}
	checkSelf(t, h)
}

// pointers returns pointers to the elements of s.
func pointers[T any](s []T) []*T {
	out := make([]*T, len(s))
	for i := range s {
		out[i] = &s[i]
	}
	return out
}

// checkValues compares the values of an object with want. want has the process or the thread of each instance, in
// order.
func checkValues[T any](t *testing.T, o layout.Object, columns []column[T], h *host, want []*T) {
	t.Helper()
	now := layout.FileTime(h.at)
	i := 0
	for in, err := range o.Instances() {
		if err != nil {
			t.Fatal(err)
		}
		block, err := in.Block()
		if err != nil || i >= len(want) {
			t.Fatalf("instance %d of %d: %v", i, len(want), err)
		}
		c := 0
		for counter, err := range o.Counters() {
			if err != nil {
				t.Fatal(err)
			}
			value, err := block.Value(counter)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := value.Number()
			w := columns[c].value(now, want[i])
			if value.Len() == 4 {
				w &= 0xFFFF_FFFF
			}
			if n != w || counter.CounterNameTitleIndex() != columns[c].title {
				t.Errorf("%v, counter %d: got %d, want %d", in.Path(), counter.CounterNameTitleIndex(), n, w)
			}
			c++
		}
		i++
	}
	if i != len(want) {
		t.Errorf("got %d instances, want %d", i, len(want))
	}
}

// checkSelf checks the process of this test.
func checkSelf(t *testing.T, h *host) {
	t.Helper()
	if p := h.processes[0]; p.name != "Idle" || p.pid != 0 {
		t.Errorf("the first instance is %q, process %d", p.name, p.pid)
	}
	for _, p := range h.processes[1:] {
		if p.pid != uint32(os.Getpid()) {
			continue
		}
		exe := processName(filepath.Base(os.Args[0]))
		if p.name != exe || p.parent != uint32(os.Getppid()) || p.threadCount == 0 || p.workingSet == 0 || p.started.IsZero() {
			t.Errorf("this process, %s, is %+v", exe, p)
		}
		return
	}
	t.Errorf("this process, %d, is not among the %d processes", os.Getpid(), len(h.processes))
}

// TestCommandWritesOneBlock checks that run writes a block to standard output or to a file.
func TestCommandWritesOneBlock(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "block")
	var stdout, unused bytes.Buffer
	for out, w := range map[string]*bytes.Buffer{"-": &stdout, file: &unused} {
		if err := run(t.Context(), out, w); err != nil {
			t.Fatalf("-o %q: %v", out, err)
		}
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !layout.HasSignature(written) || !layout.HasSignature(stdout.Bytes()) || unused.Len() > 0 {
		t.Errorf("the file has %d bytes, standard output %d bytes, with -o FILE %d bytes", len(written), stdout.Len(), unused.Len())
	}
}

// TestOracleReadsThisMachine checks that a C program reads the same values in the block as package layout.
func TestOracleReadsThisMachine(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	h, err := gather(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := encode(t, h)
	entries, err := walker.Walk(t.Context(), layout.DataBlockKind.String(), b)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range oracle.Disagreements(layout.DataBlockKind, b, entries) {
		t.Error(line)
	}
}

// TestThisMachineIsValid checks that the block of the running processes has no error and no
// warning under the profile windows.
func TestThisMachineIsValid(t *testing.T) {
	t.Parallel()
	h, err := gather(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := encode(t, h)
	v, err := validate.New(validate.Options{Profile: validate.Windows})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Bytes(layout.DataBlockKind, b, validate.Context{}).Err(validate.Warning); err != nil {
		t.Error(err)
	}
}
