package main

import (
	"bytes"
	"io"
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
		{[]string{"-h"}, exitDone, "-only REGEXP"},
		{nil, exitUsage, "no package is given; see mutants -h"},
		{[]string{"-m", "./testdata/sample"}, exitUsage, "-m"},
		{[]string{"-only", "(", "./testdata/sample"}, exitUsage, "missing closing )"},
		{[]string{"-n", "-1", "./testdata/sample"}, exitUsage, "-n -1"},
		{[]string{"-j", "0", "./testdata/sample"}, exitUsage, "-j 0"},
		{[]string{"./testdata/nothing"}, exitFailed, "go list ./testdata/nothing"},
	} {
		var stdout, stderr bytes.Buffer
		if exit := run(t.Context(), tt.args, &stdout, &stderr); exit != tt.exit || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
			t.Errorf("%v: exit status %d, %q, %q; want %d and %q", tt.args, exit, stderr.String(), stdout.String(), tt.exit, tt.want)
		}
	}
}

// Where nothing is drawn no test is run.
func TestNothingDrawn(t *testing.T) {
	t.Parallel()
	o := sampleOptions(t, "no line has this")
	var progress bytes.Buffer
	if err := try(t.Context(), o, io.Discard, &progress); err == nil || !strings.Contains(err.Error(), "no such place") || progress.Len() > 0 {
		t.Errorf("error %v, %q", err, progress.String())
	}
}

func TestOwnFlag(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args   []string
		judges int
	}{{[]string{"./x"}, len(judges)}, {[]string{"-own", "./x"}, 0}} {
		if o, err := parse(tt.args, io.Discard); err != nil || len(o.judges) != tt.judges {
			t.Errorf("%v: %d others, error %v; want %d", tt.args, len(o.judges), err, tt.judges)
		}
	}
}

// tried returns what is printed of the mutants of the sample that match.
func tried(t *testing.T, o options) (string, error) {
	t.Helper()
	var stdout bytes.Buffer
	err := try(t.Context(), o, &stdout, io.Discard)
	return stdout.String(), err
}

func sampleOptions(t *testing.T, only string) options {
	t.Helper()
	o, err := parse([]string{"-v", "-only", only, "./testdata/sample"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.judges, o.patience = []string{"./testdata/user", "./testdata/sample"}, 5*time.Second
	return o
}

const samplePlace = "internal/mutants/testdata/sample/sample.go"

func TestFates(t *testing.T) {
	t.Parallel()
	const prefix = "internal/mutants/testdata/"
	for _, tt := range []struct{ only, want, figures string }{
		{`Tested: .* a - b`, "killed by " + prefix + "sample: " + samplePlace + ":5: Tested: ", "1 0 1 0 0 0 0 100.0% 100.0%"},
		{`Used: .* a \+ b`, "killed by " + prefix + "user: " + samplePlace + ":8: Used: ", "1 0 0 1 0 0 0 100.0% 100.0%"},
		{`Untested: .* a < 6`, "lives: " + samplePlace + ":11: Untested: ", "1 0 0 0 0 1 0 0.0% 0.0%"},
		{`Greeting: .* -> .* - name`, "does not compile: " + samplePlace + ":14: Greeting: ", "1 1 0 0 0 0 0 - -"},
		{`Half: .* n \+= 2`, "killed by time in " + prefix + "sample: " + samplePlace + ":20: Half: ", "1 0 0 0 1 0 0 100.0% 100.0%"},
	} {
		t.Run(tt.only, func(t *testing.T) {
			t.Parallel()
			got, err := tried(t, sampleOptions(t, tt.only))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(got), "\n")
			figures := strings.Join(strings.Fields(lines[len(lines)-1])[1:], " ")
			if !strings.Contains(got, tt.want) || figures != tt.figures {
				t.Errorf("want %q and %q, got\n%s", tt.want, tt.figures, got)
			}
		})
	}
}

func TestEquals(t *testing.T) {
	t.Parallel()
	const same, other = samplePlace + " Larger: if a < b { -> if a <= b {", samplePlace + " Larger: if a < b { -> if a >= b {"
	for _, tt := range []struct{ name, equal, want, fault string }{
		{"one that is", same + "\n\tof two that are equal\n\teither is the larger\n", "0 1 0.0% -", ""},
		{"one that is none", other + "\n\tit looks so\n", "not equal, but killed by ", "1 of "},
		{"a place that is not there", samplePlace + " Larger: if a -> if b\n\tit was\n", "", "no such place:\n" + samplePlace},
		{"no reason", same + "\n" + other + "\n\tit looks so\n", "", "equal.txt:2: no reason for the one before it"},
		{"no reason for the last", same + "\n", "", "no reason for the last"},
		{"a reason of nothing", "\tit looks so\n", "", "equal.txt:1: a reason of nothing"},
		{"twice", same + "\n\ta\n" + same + "\n\tb\n", "", "equal.txt:3: there twice"},
		{"a note", "# that is all\n\n", "1 0 0.0% 0.0%", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			only := `Larger: .* a <= b`
			if strings.HasPrefix(tt.equal, other) {
				only = `Larger: .* a >= b`
			}
			o := sampleOptions(t, only)
			o.equal = tt.equal
			got, err := tried(t, o)
			if !strings.Contains(strings.Join(strings.Fields(got), " "), tt.want) {
				t.Errorf("no %q in\n%s", tt.want, got)
			}
			if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("fault %v, want %q", err, tt.fault)
			}
		})
	}
}

// The seed alone says which are drawn.
func TestDraw(t *testing.T) {
	t.Parallel()
	var said []string
	for _, args := range [][]string{{"-seed", "1"}, {"-seed", "1"}, {"-seed", "2"}} {
		rooms, err := loadRooms(t.Context(), []string{"./testdata/sample"})
		if err != nil {
			t.Fatal(err)
		}
		all, err := mutantsOf(rooms[0])
		if err != nil {
			t.Fatal(err)
		}
		o, err := parse(append(args, "-n", "5", "./testdata/sample"), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, m := range draw(all, o) {
			text.WriteString(m.String() + "\n")
		}
		said = append(said, text.String())
	}
	if strings.Count(said[0], "\n") != 5 || said[0] != said[1] || said[0] == said[2] {
		t.Errorf("drawn are\n%s", strings.Join(said, "\n"))
	}
}
