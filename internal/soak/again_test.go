package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Of an input that the engine says nothing of the target itself is asked.
func TestAgain(t *testing.T) {
	inModule(t, map[string]string{"a/a_test.go": `package a

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func FuzzFails(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		switch string(b) {
		case "bad":
			t.Fatal("seen to fail")
		case "panic":
			panic("seen to panic")
		case "exit":
			fmt.Println("seen to exit")
			os.Exit(3)
		case "exits":
			os.Exit(0)
		case "skip":
			t.Skip("seen to skip")
		case "hang":
			fmt.Println("seen to hang")
			time.Sleep(time.Hour)
		}
	})
}
`})
	targets, err := find(t.Context(), t.TempDir(), regexp.MustCompile(""))
	if err != nil || len(targets) != 1 {
		t.Fatalf("%v, %v", targets, err)
	}
	to := targets[0]
	kept := filepath.Join(to.dir, "testdata", "fuzz", to.test)
	if err := os.MkdirAll(kept, 0o755); err != nil {
		t.Fatal(err)
	}
	keep := func(input string) {
		if err := os.WriteFile(filepath.Join(kept, input), fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", input), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ reason, input, want string }{
		{"it fails", "bad", "a_test.go:14: seen to fail"},
		{"it panics", "panic", "seen to panic"},
		{"it ends the tests", "exit", "Tried again: exit status 3\nseen to exit"},
		{"it ends the tests as if all were well", "exits", "unexpected call to os.Exit(0)"},
		{"it is skipped", "skip", "Tried again, it does not fail."},
		{"it does not fail again, and no other is tried", "good", "Tried again, it does not fail."},
	} {
		before := to.failing()
		keep(tt.input)
		got := strings.Join(to.failure(&said{}, context.Canceled, true, before), "\n")
		if !strings.HasPrefix(got, "Failing input written to testdata/fuzz/FuzzFails/"+tt.input+"\n") || !strings.Contains(got, tt.want) ||
			strings.Contains(got, "Tried again, ") != strings.HasPrefix(tt.want, "Tried again, ") {
			t.Errorf("%s: %s", tt.reason, got)
		}
	}
	keep("hang")
	if got := strings.Join(to.again("hang", 3*time.Second), "\n"); got != "Tried again, it does not end in 3s.\nseen to hang" {
		t.Errorf("what hangs: %s", got)
	}
}
