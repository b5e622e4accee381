package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		args   []string
		want   string // of the error
	}{
		{"nothing has to be said", nil, ""},
		{"what the usage shows", []string{"-time", "90m", "-turn", "30s", "-targets", "fuzz.Fuzz"}, ""},
		{"no time", []string{"-time", "0s"}, "a second at least"},
		{"turns that would never end", []string{"-turn", "-1s"}, "a second at least"},
		{"a number without a unit", []string{"-time", "60"}, "-time"},
		{"a number of inputs", []string{"-inputs", "2000", "-targets", "fuzz.Fuzz"}, ""},
		{"no inputs", []string{"-inputs", "0"}, "one at least"},
		{"inputs and a time", []string{"-inputs", "2000", "-time", "1h"}, "in place of"},
		{"no regular expression", []string{"-targets", "("}, "-targets"},
		{"an argument", []string{"./fuzz"}, "./fuzz"},
		{"a flag that there is not", []string{"-fast"}, "-fast"},
	} {
		_, err := parse(tt.args)
		switch {
		case err == nil && tt.want != "":
			t.Errorf("%s: no error", tt.reason)
		case err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}

// Where nothing can be kept, nothing is begun: what is found would be lost.
func TestNothingCanBeKept(t *testing.T) {
	inModule(t, map[string]string{"b/b_test.go": sample["b/b_test.go"], "b/testdata": ""})
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-time", "1s"}, &out, &progress); code != exitFailed || out.Len() > 0 || !strings.Contains(progress.String(), "what b.FuzzFails fails on could not be kept: ") {
		t.Errorf("the exit status is %d: %s%s", code, out.String(), progress.String())
	}
}

func TestCanKeep(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		path   string // of a file, or of a folder
		ok     bool
	}{
		{"a package", "a_test.go", true},
		{"one with testdata", "testdata/", true},
		{"with what was found before", "testdata/fuzz/FuzzOther/", true},
		{"of the target", "testdata/fuzz/FuzzA/", true},
		{"a file in place of testdata", "testdata", false},
		{"in place of testdata/fuzz", "testdata/fuzz", false},
		{"in place of the folder of the target", "testdata/fuzz/FuzzA", false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, tt.path)
		if strings.HasSuffix(tt.path, "/") {
			path = filepath.Join(path, "kept")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		if err := (&target{dir: dir, test: "FuzzA"}).canKeep(); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.reason, err)
		}
		var left []string
		if err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if !d.IsDir() {
				left = append(left, p)
			}
			return err
		}); err != nil || len(left) != 1 || left[0] != path {
			t.Errorf("%s: %v, there is %q", tt.reason, err, left)
		}
	}
}

// sample is a module with a target that is sound, and one that fails.
var sample = map[string]string{
	"a/a_test.go": `package a

import (
	"os"
	"testing"
	"time"
)

var began = time.Now()

func FuzzSound(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if time.Since(began) > time.Second { // a worker counts what it has done ten times a second
			_ = os.WriteFile("started", nil, 0o644)
		}
	})
}
`,
	"b/b_test.go": `package b_test

import "testing"

func FuzzFails(f *testing.F) {
	f.Add([]byte("x"))
	f.Add([]byte("y"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 1 {
			t.Log("seen to fail")
			for range 300 {
				t.Log("at length")
			}
			t.FailNow()
		}
	})
}
`,
}

// inModule goes to a new module of these files.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module sample\n\ngo 1.26\n")
	for name, text := range files {
		write(name, text)
	}
	t.Chdir(dir)
}

func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs targets, for seconds")
	}
	inModule(t, sample)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-time", "10s", "-turn", "2s"}, &out, &progress); code != exitFailed {
		t.Errorf("the exit status is %d", code)
	}
	crashers, err := filepath.Glob("b/testdata/fuzz/FuzzFails/*")
	if err != nil || len(crashers) != 1 {
		t.Errorf("the corpus has %v, %v", crashers, err)
	}
	for _, want := range []string{"a.FuzzSound", "b.FuzzFails failed, in ", "seen to fail", " lines are left out]", "Failing input written to testdata"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the summary lacks %q", want)
		}
	}
	// What failed is not tried again, as it would fail at once; the other goes on.
	if n := strings.Count(progress.String(), "b.FuzzFails failed"); n != 1 {
		t.Errorf("it failed %d times", n)
	}
	if n := strings.Count(progress.String(), "a.FuzzSound: "); n < 2 {
		t.Errorf("the sound one had %d turns", n)
	}
	if t.Failed() {
		t.Logf("%s\n%s", progress.String(), out.String())
	}
}

// Of so many inputs there is one turn, and what fails keeps the others from nothing.
func TestInputs(t *testing.T) {
	inModule(t, sample)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-inputs", "700"}, &out, &progress); code != exitFailed {
		t.Errorf("the exit status is %d", code)
	}
	var sound []string
	for line := range strings.Lines(out.String()) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "a.FuzzSound" {
			sound = fields
		}
	}
	if len(sound) == 0 || sound[1] != "1" || len(sound[2]) != 3 || sound[2] < "700" {
		t.Errorf("the sound one had %q, which is not one turn of 700", sound)
	}
	if n := strings.Count(progress.String(), "b.FuzzFails failed"); n != 1 {
		t.Errorf("the other failed %d times", n)
	}
	if strings.Contains(out.String(), "No new input") {
		t.Error("it is said that none was new")
	}
	if t.Failed() {
		t.Logf("%s\n%s", progress.String(), out.String())
	}
}

// Where there are fewer inputs than seeds, what fails on others is not found, and that is said.
func TestSeedsAlone(t *testing.T) {
	inModule(t, sample)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-inputs", "1", "-targets", "FuzzFails"}, &out, &progress); code != exitFailed {
		t.Errorf("the exit status is %d: %s", code, progress.String())
	}
	if fields := strings.Fields(out.String()); len(fields) < 14 || fields[10] != "1" || fields[13] != "2" || !strings.HasSuffix(out.String(), ": b.FuzzFails\n") {
		t.Errorf("%s", out.String())
	}
}

func TestNoTarget(t *testing.T) {
	inModule(t, sample)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-targets", "nothing"}, &out, &progress); code != exitFailed || !strings.Contains(progress.String(), "no such target") {
		t.Errorf("the exit status is %d: %s", code, progress.String())
	}
}
