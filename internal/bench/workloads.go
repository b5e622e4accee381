package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/layout"
)

// measureWorkloads measures one workload after the other, and says on progress where it is.
func measureWorkloads(workloads []fuzz.Workload, dir string, by sampling, progress io.Writer) ([]figure, error) {
	program, err := buildTwin(dir)
	if errors.Is(err, cc.ErrNone) {
		program, err = "", nil
	}
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, w := range workloads {
		fmt.Fprintf(progress, "bench: %s\n", w.Name)
		l, err := newLoad(w)
		if err != nil {
			return nil, err
		}
		own, err := measureLoad(l, program, by)
		if err != nil {
			return nil, err
		}
		figures = append(figures, own...)
		debug.FreeOSMemory() // of the load, which nothing holds any more, before the next one is made
	}
	return figures, nil
}

// workloads returns the workloads that a Fill writes: data blocks.
func workloads() []fuzz.Workload {
	return slices.DeleteFunc(fuzz.Workloads(), func(w fuzz.Workload) bool { return w.Kind != layout.DataBlockKind })
}
