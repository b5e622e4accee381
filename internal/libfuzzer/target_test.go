package libfuzzer

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRun holds what T does against what a test may count on.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		test func(*T)
		want any // what it panics with
	}{
		{"a test that ends", func(*T) {}, nil},
		{"a skip ends the test and nothing else", func(t *T) { t.Skip(); panic("goes on") }, nil},
		{"so it does in a subtest", func(t *T) { t.Run("a", func(t *T) { t.Skipf("%d", 1) }) }, nil},
		{"an error is seen at once", func(t *T) { t.Errorf("%d bytes", 3); panic("goes on") }, "3 bytes"},
		{"a fatal one too", func(t *T) { t.Fatal("two", "words") }, "two words\n"},
		{"and one in a subtest", func(t *T) { t.Run("a", func(t *T) { t.Fatalf("%x", 255) }) }, "ff"},
		{"and one of the code under test", func(*T) { panic("index out of range") }, "index out of range"},
		{"and a failure without a word", func(t *T) { t.FailNow() }, "the test fails"},
	} {
		func() {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("%s: %v, not %v", tt.why, got, tt.want)
				}
			}()
			run(tt.test)
		}()
	}
}

// TestCleanup counts on the order of a test's end, and on a folder that is gone.
func TestCleanup(t *testing.T) {
	t.Parallel()
	var order []string
	var dir string
	run(func(t *T) {
		dir = t.TempDir()
		if _, err := os.Stat(dir); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { order = append(order, "first") })
		t.Cleanup(func() { order = append(order, "second") })
		defer func() { order = append(order, "deferred") }()
		t.Skip()
	})
	if want := []string{"deferred", "second", "first"}; !slices.Equal(order, want) {
		t.Errorf("%v, not %v", order, want)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
}

// TestTarget runs a target as libFuzzer does: its body once, where its files lie.
func TestTarget(t *testing.T) { // not parallel: it looks at the working folder
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(filepath.Dir(program), "files", "a", "room")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	bodies := 0
	var inputs []string
	target := Target("a/room", func(f *F) {
		bodies++
		if at, err := os.Getwd(); err != nil || filepath.Base(at) != "room" {
			t.Errorf("the body runs in %s: %v", at, err)
		}
		f.Add(uint8(1), []byte("seed"))
		f.Fuzz(func(t *T, n uint8, b []byte) { inputs = append(inputs, string(rune('0'+n))+string(b)) })
	})
	for _, input := range []string{"\x02ab", "", "\x03"} {
		target([]byte(input))
	}
	if bodies != 1 || !slices.Equal(inputs, []string{"2ab", "0", "3"}) {
		t.Errorf("the body ran %d times, the function with %q", bodies, inputs)
	}
	if at, err := os.Getwd(); err != nil || at != here {
		t.Errorf("the target leaves the program in %s: %v", at, err)
	}
}

func TestBody(t *testing.T) { // not parallel: it changes the working folder
	if _, err := Body(t.TempDir(), func(*F) {}); err == nil {
		t.Error("a body that calls no Fuzz is a target")
	}
	if _, err := Body(filepath.Join(t.TempDir(), "none"), func(f *F) { f.Fuzz(func(*T) {}) }); err == nil {
		t.Error("a body ran in a folder that is not there")
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "found"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "found/b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	if err := Replay(dir, func(input []byte) { got = append(got, string(input)) }); err != nil || !slices.Equal(got, []string{"a", "found/b"}) {
		t.Errorf("%q, %v", got, err)
	}
	if err := Replay(filepath.Join(dir, "none"), func([]byte) {}); err == nil {
		t.Error("a corpus that is not there was run")
	}
}
