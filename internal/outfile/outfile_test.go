package outfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/perfblock/perfblock/internal/outfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// write writes one file.
func write(path string, fill func(io.Writer) error) error {
	return outfile.WriteAll(outfile.File{Path: path, Fill: fill})
}

var errStop = errors.New("stop")

// stop writes some bytes and fails.
func stop(w io.Writer) error {
	_, _ = io.WriteString(w, "half")
	return errStop
}

func put(t *testing.T, path, s string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(s), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// checkFile checks that the file contains the text `want`, and that the folder of the file contains exactly the given
// files.
func checkFile(t *testing.T, path, want string, files ...string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s contains %q, %v, want %q", path, got, err, want)
	}
	checkFolder(t, filepath.Dir(path), files...)
}

// checkFolder checks that the folder contains exactly the files in want.
func checkFolder(t *testing.T, path string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		got = append(got, f.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s contains %q, want %q", path, got, want)
	}
}

func TestNewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	if err := write(path, text("new")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "new", "a")
	other := filepath.Join(t.TempDir(), "b")
	put(t, other, "", 0o666&^0o022)
	want, _ := os.Create(filepath.Join(filepath.Dir(other), "c"))
	defer want.Close()
	wantInfo, _ := want.Stat()
	if info, err := os.Stat(path); err != nil || info.Mode() != wantInfo.Mode() {
		t.Errorf("mode %v, %v, want the mode of any new file, %v", info.Mode(), err, wantInfo.Mode())
	}
}

func TestErrorLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := write(filepath.Join(dir, "a"), stop); !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	checkFolder(t, dir)
	put(t, filepath.Join(dir, "a"), "old", 0o644)
	if err := write(filepath.Join(dir, "a"), stop); !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	checkFile(t, filepath.Join(dir, "a"), "old", "a")
}

// TestWriteAll checks that WriteAll writes all files, or none if one of them cannot be written.
func TestWriteAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	put(t, b, "old", 0o644)
	if err := outfile.WriteAll(outfile.File{Path: a, Fill: text("1")}, outfile.File{Path: b, Fill: stop}); !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	checkFile(t, b, "old", "b")
	missing := filepath.Join(dir, "no", "c")
	for _, last := range []string{missing, dir} {
		err := outfile.WriteAll(outfile.File{Path: a, Fill: text("1")}, outfile.File{Path: b, Fill: text("2")}, outfile.File{Path: last, Fill: text("3")})
		if at, ok := errors.AsType[*os.PathError](err); !ok || at.Path != last {
			t.Errorf("got %v, want an error that names %s", err, last)
		}
		checkFile(t, b, "old", "b")
	}
	if err := outfile.WriteAll(outfile.File{Path: a, Fill: text("1")}, outfile.File{Path: b, Fill: text("2")}); err != nil {
		t.Fatal(err)
	}
	checkFile(t, a, "1", "a", "b")
	checkFile(t, b, "2", "a", "b")
}

func TestOldFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	put(t, path, "old and longer", 0o640)
	if err := write(path, text("new")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "new", "a")
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode() != 0o640) {
		t.Errorf("mode %v, %v, want the mode of the old file", info.Mode(), err)
	}
}

func TestReadersSeeOneOrTheOther(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	put(t, path, "old", 0o644)
	err := write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		if got, _ := os.ReadFile(path); string(got) != "old" {
			t.Errorf("during the write the file holds %q", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "new", "a")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ link, to, reason string }{
		{"link", "there", "a link may point to a file in the same folder"},
		{"link", "missing", "a link may point to a missing file"},
		{"link", "chain", "a link may point to another link"},
		{"link", "loop", ""},
		{"away/link", "../there", "a relative target starts at the folder of the link, which is a link too"},
	} {
		dir := t.TempDir()
		links := [][2]string{{tt.to, tt.link}, {"there", "chain"}, {"loop", "loop"}}
		if err := os.MkdirAll(filepath.Join(dir, "deep", "er"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("deep", "er"), filepath.Join(dir, "away")); err != nil {
			t.Skipf("no links here: %v", err)
		}
		for _, l := range links {
			if err := os.Symlink(l[0], filepath.Join(dir, l[1])); err != nil {
				t.Fatal(err)
			}
		}
		put(t, filepath.Join(dir, "there"), "old", 0o644)
		err := write(filepath.Join(dir, tt.link), text("new"))
		if tt.to == "loop" {
			if err == nil {
				t.Error("a link to itself: no error")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, tt.link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link was replaced: %s", tt.reason)
		}
		if got, err := os.ReadFile(filepath.Join(dir, tt.link)); err != nil || string(got) != "new" {
			t.Errorf("the target of the link holds %q, %v: %s", got, err, tt.reason)
		}
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := write(dir, text("x")); err == nil {
		t.Error("a folder was accepted")
	}
	if err := write(filepath.Join(dir, "no", "file"), text("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
	checkFolder(t, dir)
	path := filepath.Join(dir, "protected")
	put(t, path, "old", 0o444)
	if err := write(path, text("new")); os.Getuid() > 0 && err == nil {
		t.Error("a write-protected file was replaced")
	}
}

func TestOverwrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	for _, name := range []string{"in", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("the same text"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []struct {
		make func(old, new string) error
		name string
	}{{os.Symlink, "soft"}, {os.Link, "hard"}} {
		if err := link.make(in, filepath.Join(dir, link.name)); err != nil {
			t.Skip(err) // Windows requires a privilege to create symbolic links
		}
	}
	read, err := os.Stat(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		want   bool
		reason string
	}{
		{"in", true, "a file overwrites itself"},
		{"soft", true, "a link is followed when it is written"},
		{"hard", true, "another name of the same bytes is the same file"},
		{"other", false, "another file with the same text is not the same file"},
	} {
		written, err := outfile.Stat(filepath.Join(dir, tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if got := outfile.Overwrites(written, read); got != tt.want {
			t.Errorf("%s: got %v: %s", tt.name, got, tt.reason)
		}
	}
	if _, err := outfile.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("Stat of a missing file returns no error")
	}
}

// TestPipeIsNotOverwritten checks that a pipe may be both input and output, because writing to
// a pipe destroys nothing.
func TestPipeIsNotOverwritten(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	info, err := r.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if outfile.Overwrites(info, info) {
		t.Error("Overwrites is true for a pipe")
	}
}

// TestAdd checks that files added to a batch appear with the other files of the batch, or not at all.
func TestAdd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fill   func(io.Writer) error
		err    error
		commit bool
		want   string
		files  []string
		reason string
	}{
		{text("new"), nil, true, "new", []string{"first", "other", "second"}, "all files are complete"},
		{text("new"), nil, false, "old", []string{"second"}, "a batch that is discarded leaves the old file"},
		{stop, errStop, false, "old", []string{"second"}, "a file that fails leaves no temporary file"},
	} {
		dir := t.TempDir()
		second := filepath.Join(dir, "second")
		put(t, second, "old", 0o644)
		b, err := outfile.Begin(nil, []string{filepath.Join(dir, "first")})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(outfile.File{Path: filepath.Join(dir, "other"), Fill: text("a")}); err != nil {
			t.Fatal(err)
		}
		if err := b.Add(outfile.File{Path: second, Fill: tt.fill}); !errors.Is(err, tt.err) {
			t.Errorf("%s: got %v, want %v", tt.reason, err, tt.err)
		}
		if tt.commit {
			if err := b.Commit(); err != nil {
				t.Errorf("%s: %v", tt.reason, err)
			}
		}
		b.Discard()
		checkFile(t, second, tt.want, tt.files...)
	}
}

// TestAddMany checks that a batch does not keep a file open for each file that was added.
func TestAddMany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, err := outfile.Begin(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	before := openFiles(t)
	for i := range 100 {
		if err := b.Add(outfile.File{Path: filepath.Join(dir, strconv.Itoa(i)), Fill: text("a")}); err != nil {
			t.Fatal(err)
		}
	}
	if n := openFiles(t) - before; n > 50 { // other tests open files too
		t.Errorf("%d more files are open after 100 files were added", n)
	}
}

// openFiles returns the number of files that the process has open.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system has no /proc/self/fd")
	}
	return len(list)
}
