package inputs_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/inputs"
)

// TestLongPaths checks paths with many "!/". A search in quadratic time would take minutes.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	const n = 1 << 19
	for _, name := range []string{"a!/", "a!!/", "!/"} {
		path := strings.Repeat(name, n)
		if got := inputs.Address(path); got != path {
			t.Errorf("%s: the path has %d bytes, and the address %d", name, len(path), len(got))
		}
		if file, member := inputs.Split(path); len(file)+len(member) < n {
			t.Errorf("%s: the file has %d bytes, and the member %d", name, len(file), len(member))
		}
	}
}

// TestFolderMark checks paths in folders whose names end in "!".
func TestFolderMark(t *testing.T) {
	archive := zipOf(testMember{name: "m.bin", text: "1"})
	enter(t, map[string]string{"a!/z.zip": archive, "a!/b.bin": "2", "a!/b!/z.zip": archive, "c!/b.bin": "3", "c": zipOf(testMember{name: "b.bin", text: "4"})})
	for _, row := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"the folder of an archive may be written as on disk", []string{"a!/z.zip!/m.bin"}, lines("a!!/z.zip!/m.bin (named) = 1")},
		{"or as reported", []string{"a!!/z.zip!/m.bin"}, lines("a!!/z.zip!/m.bin (named) = 1")},
		{"the two ways may be mixed", []string{"a!/b!!/z.zip!/m.bin", "a!/b!/z.zip!/m.bin"}, lines("a!!/b!!/z.zip!/m.bin (named) = 1", "a!!/b!!/z.zip!/m.bin: skipped: named or found twice")},
		{"a glob may have a folder as on disk", []string{"a!/*.bin"}, lines("a!!/b.bin = 2")},
		{"a folder in such a folder may be written as reported", []string{"a!!/b!"}, lines("a!!/b!!/z.zip!/m.bin = 1")},
		{"a missing file has its path in the error", []string{"a!/none"}, lines("error: a!/none: " + missing)},
		{"an existing file is no member", []string{"c!/b.bin"}, lines("c!!/b.bin (named) = 3")},
		{"an existing archive has members", []string{"c!/none.bin"}, lines(`error: c: has no member "none.bin"`)},
	} {
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: row.args})); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", row.reason, row.args, diff)
		}
	}
}

func TestArguments(t *testing.T) {
	enter(t, map[string]string{
		"a.bin": "1", "b.txt": "2", "data/a.bin": "3", "data/sub/c.bin": "4", "data/sub.bin": "5", "data/.git/x.bin": "6",
		"data/.hidden": "7", "z/z.bin": "8", "odd!/b.bin": "9", "empty/.keep": "",
	})
	for _, row := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"files come in the order of the arguments", []string{"b.txt", "a.bin"}, lines("b.txt (named) = 2", "a.bin (named) = 1")},
		{"a path is reported clean", []string{"./data/../a.bin"}, lines("a.bin (named) = 1")},
		{"files come in the order of their names, and sub.bin after the folder sub", []string{"data"}, lines(
			"data/.git: skipped: hidden", "data/.hidden: skipped: hidden", "data/a.bin = 3", "data/sub/c.bin = 4", "data/sub.bin = 5")},
		{"the working folder may be named", []string{"."}, lines(
			"a.bin = 1", "b.txt = 2", "data/.git: skipped: hidden", "data/.hidden: skipped: hidden", "data/a.bin = 3", "data/sub/c.bin = 4",
			"data/sub.bin = 5", "empty/.keep: skipped: hidden", "odd!!/b.bin = 9", "z/z.bin = 8")},
		{"a named folder may be hidden", []string{"data/.git"}, lines("data/.git/x.bin = 6")},
		{"a named file may be hidden", []string{"data/.hidden"}, lines("data/.hidden (named) = 7")},
		{"a folder without files gives only its skipped files", []string{"empty"}, lines("empty/.keep: skipped: hidden")},
		{"a file that is named twice is read once", []string{"a.bin", "./a.bin"}, lines("a.bin (named) = 1", "a.bin: skipped: named or found twice")},
		{"a file that is found first and named later is a named file", []string{"z", "z/z.bin"}, lines("z/z.bin (named) = 8", "z/z.bin: skipped: named or found twice")},
		{"the files after a missing file are read", []string{"none.bin", "a.bin"}, lines("error: none.bin: "+missing, "a.bin (named) = 1")},
		{"an empty argument is an error", []string{""}, lines(`error: "": is empty, must be a path`)},
		{"the ! at the end of a folder is doubled in the report", []string{"odd!/b.bin"}, lines("odd!!/b.bin (named) = 9")},
		{"the reported path names the same file", []string{"odd!!/b.bin"}, lines("odd!!/b.bin (named) = 9")},
		{"the archive of a member must exist", []string{"none.zip!/b.bin"}, lines("error: none.zip: " + missing)},
		{"a folder has no members", []string{"data!/a.bin"}, lines("error: data: is a folder, device, pipe or socket, must be a file or an archive")},
		{"the rest of the path is a part if the file is no archive", []string{"a.bin!/b.bin"}, lines("a.bin (named), part b.bin = 1")},

		{"a glob matches files in the working folder", []string{"*.bin"}, lines("a.bin = 1")},
		{"** matches files in all folders", []string{"**/*.bin"}, lines(
			"a.bin = 1", "data/.git: skipped: hidden", "data/a.bin = 3", "data/sub/c.bin = 4", "data/sub.bin = 5", "odd!!/b.bin = 9", "z/z.bin = 8")},
		{"a glob that matches a folder reads it, as if a shell passed it", []string{"da*"}, lines(
			"data/.git: skipped: hidden", "data/.hidden: skipped: hidden", "data/a.bin = 3", "data/sub/c.bin = 4", "data/sub.bin = 5")},
		{"alternatives may contain a slash", []string{"{data/sub,z}/*.bin"}, lines("data/.git: skipped: hidden", "data/sub/c.bin = 4", "z/z.bin = 8")},
		{"a glob with a dot matches hidden names", []string{"data/**/.g*/*.bin"}, lines("data/.git/x.bin = 6")},
		{"a bracket matches one of its characters", []string{"[ab].*"}, lines("a.bin = 1", "b.txt = 2")},
		{"a glob without a match is an error", []string{"*.evt"}, lines("error: *.evt: no file or folder matches this glob")},
		{"a glob in a missing folder is an error", []string{"none/*.bin"}, lines("error: none/*.bin: no file or folder matches this glob")},
		{"a bracket that is not closed is an error", []string{"[a.bin"}, lines("error: [a.bin: is not a file, and not a glob: a bracket is not closed; * ? ** [a-z] {a,b} are special")},
		{"a file that a glob matches is named if an argument names it", []string{"*.bin", "a.bin"}, lines("a.bin (named) = 1", "a.bin: skipped: named or found twice")},
	} {
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: row.args})); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", row.reason, row.args, diff)
		}
	}
}

// missing is the system's error text for a file that does not exist.
var missing = func() string {
	_, err := os.Lstat("a file that does not exist")
	return err.(*os.PathError).Err.Error()
}()

// TestCount checks that Count and Input count inputs on disk.
func TestCount(t *testing.T) {
	enter(t, map[string]string{"d/a.bin": "1", "d/b.zip": zipOf(testMember{name: "x"}, testMember{name: "y"}), "d/c.bin": "", "d/.git/z": "", "list": "d\nnone"})
	list := inputs.List{Args: []string{"-", "none", "d"}, From: "list", Stdin: strings.NewReader("")}
	var got []int
	for m := range list.All(t.Context()) {
		got = append(got, m.Input)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n, ok := list.Count(t.Context()); n != 11 || !ok {
		t.Errorf("Count is %d, %t", n, ok)
	}
	list.From = "-"
	if n, ok := list.Count(t.Context()); ok {
		t.Errorf("Count of a list on standard input is %d", n)
	}
}

func TestGlobCharactersInFileName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such file names")
	}
	enter(t, map[string]string{"a[1].bin": "1", "a1.bin": "2", "*": "3", "-": "4", "x\ny": "5", "b!": "7", `c\d`: "8"})
	for _, row := range []struct {
		reason, arg, want string
	}{
		{"a file of this name exists", "a[1].bin", lines("a[1].bin (named) = 1")},
		{"a star is a name if such a file exists", "*", lines("* (named) = 3")},
		{"an escaped bracket is a character", `a\[*`, lines("a[1].bin = 1")},
		{"./- is a file and not standard input", "./-", lines("./- (named) = 4")},
		{"names with such characters are found in a folder", ".", lines("* = 3", "./- = 4", "a1.bin = 2", "a[1].bin = 1", "b! = 7", `c\d = 8`, "x\ny = 5")},
	} {
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: []string{row.arg}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

func TestNamesAreBytes(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the file names of Windows and macOS are Unicode")
	}
	enter(t, map[string]string{"Z": "1", "\xff": "2", "a": "3"})
	const reason = "names need not be UTF-8; the order is that of their escapes"
	if diff := cmp.Diff(lines("Z = 1", "\xff = 2", "a = 3"), read(t, inputs.List{Args: []string{"."}})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func TestLinks(t *testing.T) {
	enter(t, map[string]string{
		"in/a.bin": "1", "out/b.bin": "2", "in/file": "-> ../out/b.bin", "in/folder": "-> ../out", "in/loop": "-> ../in",
		"in/self": "-> self", "in/none": "-> nothing", "in/z": "-> a.bin", "named": "-> out", "device": "-> /dev/null", "high/er/c.bin": "3", "high/d.bin": "4", "low": "-> high/er",
	})
	for _, row := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"links to files are followed, each file is read once, loops end", []string{"in"}, lines(
			"in/a.bin = 1", "in/file = 2", "in/folder: skipped: link to a folder", "in/loop: skipped: link to a folder",
			"in/none: skipped: broken link", "in/self: skipped: broken link", "in/z: skipped: named or found twice")},
		{"a named link to a folder is followed", []string{"named"}, lines("named/b.bin = 2")},
		{"a file is read once if a link leads to it, too", []string{"named", "out"}, lines("named/b.bin = 2", "out/b.bin: skipped: named or found twice")},
		{"a named link to a file is followed", []string{"in/file"}, lines("in/file (named) = 2")},
		{"a named link may go through a loop of links", []string{"in/loop/loop/loop/a.bin"}, lines("in/loop/loop/loop/a.bin (named) = 1")},
		{"a named link must have a target", []string{"in/none"}, lines("error: in/none: is a link that cannot be followed: " + missing)},
		{"a .. after a link is the folder above the target", []string{"low/.."}, lines("high/d.bin = 4", "high/er/c.bin = 3")},
		{"a glob after such a path", []string{"low/../*.bin"}, lines("high/d.bin = 4")},
		{"such a path in a longer path", []string{"low/../er"}, lines("high/er/c.bin = 3")},
		{"a glob does not follow links to folders", []string{"*/**/b.bin"}, lines("out/b.bin = 2")},
	} {
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: row.args})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if diff := cmp.Diff(lines("device: skipped: device, pipe or socket"), read(t, inputs.List{Args: []string{"d*"}})); diff != "" {
			t.Errorf("a device that is found is not opened (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(lines("device (named) = "), read(t, inputs.List{Args: []string{"device"}})); diff != "" {
			t.Errorf("a named device is read (-want +got):\n%s", diff)
		}
	}
}

func TestUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("every file is readable")
	}
	enter(t, map[string]string{"d/a.bin": "1", "d/closed/b.bin": "2", "d/locked.bin": "3", "d/z.bin": "4"})
	for _, name := range []string{"d/closed", "d/locked.bin"} {
		if err := os.Chmod(name, 0); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod("d/closed", 0o700)
	want := lines("d/a.bin = 1", "error: d/closed: permission denied", "error: d/locked.bin: permission denied", "d/z.bin = 4")
	if diff := cmp.Diff(want, read(t, inputs.List{Args: []string{"d"}})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExclude(t *testing.T) {
	enter(t, map[string]string{"a.bin": "1", "d/b.bin": "2", "d/no/c.bin": "3", "d/z.zip": zipOf(testMember{name: "no/x"}, testMember{name: "y"}), "no.bin": "4"})
	exclude := func(path string, folder bool) bool {
		return strings.HasPrefix(path[strings.LastIndex(path, "/")+1:], "no") || strings.Contains(path, "/no/")
	}
	for _, row := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"files, folders and members are excluded", []string{"."}, lines("a.bin = 1", "d/b.bin = 2", "d/no: skipped: excluded", "d/z.zip!/no/x: skipped: excluded", "d/z.zip!/y = ", "no.bin: skipped: excluded")},
		{"a named file is not excluded", []string{"no.bin"}, lines("no.bin (named) = 4")},
		{"a named folder is excluded", []string{"d/no"}, lines("d/no: skipped: excluded")},
		{"a named member is not excluded", []string{"d/z.zip!/no/x"}, lines("d/z.zip!/no/x (named) = ")},
		{"a glob has a match even if it is excluded", []string{"n*.bin"}, lines("no.bin: skipped: excluded")},
		{"a glob may have its matches in an excluded folder", []string{"d/n*/c.bin"}, lines("d/no: skipped: excluded")},
	} {
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: row.args, Exclude: exclude})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

func TestFrom(t *testing.T) {
	enter(t, map[string]string{"a.bin": "1", "d/b.bin": "2", "-": "3", "z.zip": zipOf(testMember{name: "m", text: "4"}), "c d.bin ": "5"})
	for _, row := range []struct {
		reason, list, want string
	}{
		{"each line is a path", "a.bin\nd/b.bin\n", lines("a.bin (named) = 1", "d/b.bin (named) = 2")},
		{"the last line needs no line end", "a.bin", lines("a.bin (named) = 1")},
		{"lines may end in CR LF, and empty lines are skipped", "\r\na.bin\r\n\r\nd/b.bin\r\n", lines("a.bin (named) = 1", "d/b.bin (named) = 2")},
		{"paths may be separated by NUL", "a.bin\x00d/b.bin\x00", lines("a.bin (named) = 1", "d/b.bin (named) = 2")},
		{"spaces belong to the name", "c d.bin \n", lines("c d.bin  (named) = 5")},
		{"paths of a list are not globs", "*.bin\n", lines("error: *.bin: " + missing)},
		{"the paths after a missing file are read", "a.bin\n\nnone\n", lines("a.bin (named) = 1", "error: none: "+missing)},
		{"a path may be a folder", "d\n", lines("d/b.bin = 2")},
		{"- in a list is a file and not standard input", "-\n", lines("./- (named) = 3")},
		{"a path may be that of a member", "z.zip!/m\n", lines("z.zip!/m (named) = 4")},
		{"a byte order mark is skipped", "\ufeffa.bin\n", lines("a.bin (named) = 1")},
		{"a list may be UTF-16, as PowerShell redirects it", "\xff\xfea\x00.\x00b\x00i\x00n\x00\r\x00\n\x00", lines("a.bin (named) = 1")},
		{"an empty list gives nothing", "", ""},
	} {
		write(t, map[string]string{"list": row.list})
		if diff := cmp.Diff(row.want, read(t, inputs.List{From: "list"})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
	got := read(t, inputs.List{Args: []string{"d"}, From: "-", Stdin: strings.NewReader("a.bin\n")})
	if diff := cmp.Diff(lines("d/b.bin = 2", "a.bin (named) = 1"), got); diff != "" {
		t.Errorf("arguments come before the list (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(lines("error: none: the list of paths cannot be read: "+missing), read(t, inputs.List{From: "none"})); diff != "" {
		t.Errorf("a missing list (-want +got):\n%s", diff)
	}
}

func TestStandardInput(t *testing.T) {
	enter(t, nil)
	for _, row := range []struct {
		reason, stdin string
		args          []string
		from, want    string
	}{
		{"standard input may be a file", "1", []string{"-"}, "", lines("- (named) = 1")},
		{"standard input may be an archive", zipOf(testMember{name: "a.bin", text: "1"}, testMember{name: "b.bin", text: "2"}), []string{"-"}, "", lines("-!/a.bin = 1", "-!/b.bin = 2")},
		{"a member of standard input may be named", zipOf(testMember{name: "a.bin", text: "1"}, testMember{name: "b.bin", text: "2"}), []string{"-!/b.bin"}, "", lines("-!/b.bin (named) = 2")},
		{"standard input may lack the member", zipOf(testMember{name: "a", text: "1"}), []string{"-!/b"}, "", lines(`error: standard input: has no member "b"`)},
		{"standard input may be a gzip", gzipOf("1"), []string{"-"}, "", lines("-!/standard-input (named) = 1")},
		{"standard input is read by one argument", "1", []string{"-", "-"}, "", lines("- (named) = 1", "error: standard input: is already read by an argument, and can be read only once")},
		{"the list and a member cannot both be standard input", "-!/a.bin\n", nil, "-", lines("error: standard input: is already read by the list of paths, and can be read only once")},
		{"the list and an argument cannot both be standard input", "1", []string{"-"}, "-", lines("- (named) = 1", "error: standard input: the list of paths cannot be read: standard input is already read by an argument, and can be read only once")},
	} {
		got := read(t, inputs.List{Args: row.args, From: row.from, Stdin: strings.NewReader(row.stdin)})
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

// TestWalks checks the result of Walks for paths of files that do not exist.
func TestWalks(t *testing.T) {
	enter(t, map[string]string{"a.bin": "1", "data/sub/c.bin": "2"})
	absolute, err := filepath.Abs("data/gone.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		arg, path string
		want      bool
		reason    string
	}{
		{"data", "data/gone.bin", true, "in the folder"},
		{"data", "data/gone/gone.bin", true, "in a folder of the folder"},
		{"data", absolute, true, "an absolute path"},
		{".", "gone.bin", true, "in the working folder"},
		{"data", "data2/gone.bin", false, "in another folder with the same start"},
		{"data/sub", "data/gone.bin", false, "above the folder"},
		{"data/*.bin", "data/gone.bin", true, "the glob matches"},
		{"data/*.bin", "data/gone.txt", false, "the glob does not match"},
		{"data/*", "data/gone/gone.bin", true, "the glob matches a folder above the file"},
		{"none/*.bin", "none/gone.bin", false, "the folder of the glob does not exist, which may be a mistake"},
		{"none", "none/gone.bin", false, "the folder does not exist"},
		{"gone.bin", "gone.bin", false, "a named file that does not exist is an error"},
		{"a.bin", "gone.bin", false, "another file is named"},
		{"[a", "gone.bin", false, "a bracket is not closed"},
	} {
		if got := (inputs.List{Args: []string{"a.bin", row.arg}}).Walks(row.path); got != row.want {
			t.Errorf("%s leads to %s: got %v, want %v: %s", row.arg, row.path, got, row.want, row.reason)
		}
	}
}
