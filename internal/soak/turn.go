package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// graceful is how long a target that is told to end may take for it: the engine waits for
// its workers.
const graceful = 20 * time.Second

// shorter is how long the engine may try to make an input smaller. It does so for each that
// reaches what is new, and would take a minute of the turn for one of them if it were let; one
// that fails has no longer either.
const shorter = 2 * time.Second

// A turn is how long a target runs, and may make an input smaller: a time, or a number of
// inputs with an x behind it.
type turn struct {
	long, shorter string
	left          func(report) string              // of all that is to be done
	early         func(report, time.Duration) bool // whether one that ended with this was not yet over
}

// turn runs the target for so long, or until ctx is done.
func (t *target) turn(ctx context.Context, its turn, s *screen) {
	// The engine counts from the first input that is new, so each turn starts from none.
	var now report
	cmd := exec.CommandContext(ctx, t.bin, "-test.run=^$", "-test.fuzz=^"+t.test+"$",
		"-test.fuzztime="+its.long, "-test.fuzzminimizetime="+its.shorter, "-test.fuzzcachedir="+t.cache, "-test.timeout=0")
	cmd.Dir = t.dir
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil { // no system but Windows lacks it
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = graceful
	var what said
	before := t.failing()
	began := time.Now()
	err := listen(cmd, func(line string) {
		if now.read(line) {
			s.progress(t, now, its.left(now))
		} else if !strings.HasPrefix(line, "fuzz: ") {
			what.add(line)
		}
	})
	wall := time.Since(began)
	t.turns++
	t.execs += now.execs
	t.fresh += now.fresh
	t.corpus = max(now.total, now.first)
	t.begun = t.begun || now.begun()
	t.wall += wall
	if p := cmd.ProcessState; p != nil {
		t.cpu += p.UserTime() + p.SystemTime()
	}
	t.failed = t.failure(&what, err, ctx.Err() != nil, before)
	t.ended = err == nil && ctx.Err() == nil && its.early(now, wall)
	s.turned(t, now)
}
