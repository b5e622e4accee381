package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A judge is a package whose tests are run with a mutant: those that take long behind the others, which mostly tell already.
type judge struct {
	*room
	limit       time.Duration
	quick, slow []string // flags of its binary; no slow ones if all are quick
}

// stages returns the flags of one run after the other.
func (j *judge) stages() [][]string {
	if j.slow == nil {
		return [][]string{j.quick}
	}
	return [][]string{j.quick, j.slow}
}

// measure runs the tests without a mutant, to see how long they take and that they pass; or leaves out those that fail.
func (j *judge) measure(ctx context.Context, t *trial, binary string, leave bool) error {
	start := time.Now()
	out, err := runTests(ctx, binary, j.Dir, t.dir, noMutant, time.Hour, true, "-test.v")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	failing, slow := matches(failed, out), slowTests(out)
	if err != nil && (!leave || len(failing) == 0) {
		return fmt.Errorf("%s fails as it is: %w\n%s", j.name(), err, out)
	}
	j.limit = t.patience + limitFactor*time.Since(start)
	j.quick = []string{"-test.skip=" + anyOf(append(slow, failing...))}
	if len(slow) > 0 {
		j.slow = []string{"-test.run=" + anyOf(slow), "-test.skip=" + anyOf(failing)}
	}
	return nil
}

// anyOf is the pattern of those tests and of no others.
func anyOf(list []string) string { return "^(" + strings.Join(list, "|") + ")$" }

var (
	passed = regexp.MustCompile(`(?m)^--- PASS: (\w+) \((\d+\.\d+)s\)`)
	failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+) `)
)

func matches(re *regexp.Regexp, out []byte) (list []string) {
	for _, m := range re.FindAllSubmatch(out, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

// slowShare is which part of the time of all tests makes one slow.
const slowShare = 0.04

// slowTests returns the tests that take long, by what they print.
func slowTests(out []byte) (list []string) {
	all, took := 0.0, make(map[string]float64)
	for _, m := range passed.FindAllSubmatch(out, -1) {
		if seconds, err := strconv.ParseFloat(string(m[2]), 64); err == nil {
			took[string(m[1])] = seconds
			all += seconds
		}
	}
	for _, name := range matches(passed, out) {
		if took[name] > slowShare*all && took[name] >= slowLeast {
			list = append(list, name)
		}
	}
	return list
}

// slowLeast is what no test is slow below, in seconds.
const slowLeast = 0.1

// run runs the tests, with a mutant that is in the binary or that the environment names.
func (j *judge) run(ctx context.Context, binary, dir, environment string, flags []string) (verdict, error) {
	limited, stop := context.WithTimeout(ctx, j.limit)
	defer stop()
	_, err := runTests(limited, binary, j.Dir, dir, environment, j.limit, false, flags...)
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case limited.Err() != nil:
		return verdict{timedOut, j.name()}, nil
	case err != nil:
		return verdict{killedBy, j.name()}, nil
	}
	return verdict{fate: lives}, nil
}
