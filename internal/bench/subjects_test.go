package main

import (
	"testing"
	"time"
)

// Every subject does what it should, on blocks that have more to them than the workloads too.
func TestSubjects(t *testing.T) {
	t.Parallel()
	for _, l := range smallLoads(t) {
		for _, s := range subjects {
			run, err := s.prepare(l)
			if err == nil {
				err = run()
			}
			if err != nil {
				t.Errorf("%s: %s: %v", l.name, s.name, err)
			}
		}
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	program := needTwin(t, false)
	l := loadOf(t, "odd", odd())
	figures, err := measureLoad(l, program, sampling{3, time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := measureLoad(l, "", sampling{3, time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != len(subjects) || len(alone) != len(subjects) {
		t.Fatalf("%d and %d figures of %d subjects", len(figures), len(alone), len(subjects))
	}
	for i, f := range figures {
		s := subjects[i]
		if f.subject != s.name || f.workload != "odd" || f.bytes != len(l.block) {
			t.Errorf("figure %d is %s of %s, %d bytes", i, f.subject, f.workload, f.bytes)
		}
		with, without := hasTwin, noCompiler
		if s.twin == "" {
			with, without = noTwin, noTwin
		}
		if f.c != with || alone[i].c != without || (f.toC.median > 0) != (with == hasTwin) || alone[i].toC.median != 0 {
			t.Errorf("%s: %d with the C program and %d without, want %d and %d", s.name, f.c, alone[i].c, with, without)
		}
		if f.perByte.median <= 0 || f.toCopy.least <= 0 {
			t.Errorf("%s: %v a byte, %v to copy", s.name, f.perByte, f.toCopy)
		}
	}
}

func TestFigureOfSamples(t *testing.T) {
	t.Parallel()
	f := figure{bytes: 10, c: hasTwin}
	f.from([][]float64{{10, 20, 40}, {50, 60, 80}, {100, 60, 20}})
	for _, tt := range []struct {
		name      string
		got, want spread
	}{
		{"a byte", f.perByte, spread{6, 5, 8}},
		{"to copy", f.toCopy, spread{3, 2, 5}},
		{"a byte in C", f.perByteC, spread{6, 2, 10}},
		{"to C", f.toC, spread{1, 0.5, 4}},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}
