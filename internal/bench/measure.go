package main

import "fmt"

// A figure is a row of the table.
type figure struct {
	workload    string
	bytes       int
	subject     string
	perByte     spread // nanoseconds
	allocations uint64
	toCopy      spread
	c           twinned
	perByteC    spread // nanoseconds
	toC         spread
	pace        []float64 // nanoseconds that the same computing took beside each sample
}

// twinned says whether there is a C figure beside ours.
type twinned int

const (
	noTwin     twinned = iota // nothing in C does this work
	noCompiler                // something does, but cannot be built here
	hasTwin
)

// measureLoad measures every subject on one load. program is that of [buildTwin], empty if there is no compiler.
func measureLoad(l *load, program string, by sampling) ([]figure, error) {
	var t *twin
	if program != "" {
		var err error
		if t, err = startTwin(program, l); err != nil {
			return nil, err
		}
		defer t.close()
	}
	var figures []figure
	for _, s := range subjects {
		f, err := measureSubject(l, s, t, by)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", l.name, s.name, err)
		}
		figures = append(figures, f)
	}
	return figures, nil
}

func measureSubject(l *load, s subject, t *twin, by sampling) (figure, error) {
	f := figure{workload: l.name, bytes: len(l.block), subject: s.name}
	stick, err := yardstick.prepare(l)
	if err != nil {
		return f, err
	}
	run, err := s.prepare(l)
	if err != nil {
		return f, err
	}
	var h heap
	var p pace
	meters := []meter{p.beside(h.meter(stick)), h.meter(run)}
	switch {
	case s.twin != "" && t != nil:
		f.c = hasTwin
		meters = append(meters, t.meter(s.twin))
	case s.twin != "":
		f.c = noCompiler
	}
	samples, err := by.interleave(meters...)
	if err != nil {
		return f, err
	}
	f.from(samples)
	f.pace = p.samples
	f.allocations, err = allocated(run)
	return f, err
}

// from computes what there is to say of the samples of the yardstick, of the subject and, if there is one, of its twin.
func (f *figure) from(samples [][]float64) {
	stick, own := samples[0], samples[1]
	f.perByte = spreadOf(scaled(own, f.bytes))
	f.toCopy = spreadOf(ratios(own, stick))
	if f.c == hasTwin {
		c := samples[2]
		f.perByteC = spreadOf(scaled(c, f.bytes))
		f.toC = spreadOf(ratios(own, c))
	}
}
