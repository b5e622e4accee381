package inputs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// FuzzArchive reads any bytes as an archive, and checks the number, the size and the paths of the members.
func FuzzArchive(f *testing.F) {
	for _, seed := range archiveSeeds() {
		f.Add([]byte(seed))
	}
	limits := Limits{Bytes: 1 << 16, Depth: 3, Members: 100, Nested: 1 << 16, Total: 1 << 20}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		members, errs, total := 0, 0, 0
		paths := map[string]bool{}
		for m, err := range (List{Args: []string{"-"}, Stdin: bytes.NewReader(data), Limits: limits}).All(t.Context()) {
			if members++; members > 2*limits.Members {
				t.Fatal("there are too many members")
			}
			if err != nil {
				errs++
				continue
			}
			if paths[m.Path] && m.Skipped == "" {
				t.Fatalf("two members have the path %q", m.Path)
			}
			paths[m.Path] = true
			for name := range strings.SplitSeq(m.Path, "/") {
				if name == "" || name == "." || name == ".." || strings.Contains(name, "\x00") {
					t.Fatalf("%q is no path below a folder", m.Path)
				}
			}
			if m.Skipped != "" {
				continue
			}
			b, err := m.Read()
			if err != nil {
				errs++
				continue
			}
			if total += len(b); int64(total) > limits.Total+limits.Bytes {
				t.Fatalf("members have %d bytes or more", total)
			}
			if int64(len(b)) > limits.Bytes || int64(len(b)) != m.Size() {
				t.Fatalf("%q has %d bytes, Size is %d", m.Path, len(b), m.Size())
			}
		}
		if members == 0 && errs == 0 && formatOf(data) == plainFormat {
			t.Fatal("a file is not reported")
		}
	})
}

// archiveSeeds returns archives of each format, alone and inside archives of the other formats.
func archiveSeeds() []string {
	var z, t, g bytes.Buffer
	zw := zip.NewWriter(&z)
	w, _ := zw.Create("d/a!")
	w.Write([]byte("text"))
	zw.Close()
	tw := tar.NewWriter(&t)
	tw.WriteHeader(&tar.Header{Name: "b.zip", Size: int64(z.Len())})
	tw.Write(z.Bytes())
	tw.WriteHeader(&tar.Header{Name: strings.Repeat("long/", 40), Typeflag: tar.TypeSymlink, Linkname: "x"})
	tw.Close()
	gw := gzip.NewWriter(&g)
	gw.Write(t.Bytes())
	gw.Close()
	return []string{"", "plain", z.String(), t.String(), g.String(), z.String()[:40], g.String() + g.String()}
}

// FuzzPath checks that the reported path of a member leads back to its file and its member.
func FuzzPath(f *testing.F) {
	for _, seed := range [][3]string{{"a.zip", "b", "c"}, {"a!", "b!", "!"}, {"d!/e!!/!", "!/!!", "!!!/!"}, {"-", "-", "a"}, {"-/a", "b", "c"}} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, file, member, nested string) {
		if !fs.ValidPath(file) || !fs.ValidPath(member) || !fs.ValidPath(nested) || strings.Contains(file, `\`) {
			return
		}
		archive := reported(file)
		first := inside(archive, member)
		gotFile, gotMember := Split(inside(first, nested))
		if path.Clean(gotFile) != file {
			t.Errorf("%q, %q, %q: the file is %q", file, member, nested, gotFile)
		}
		gotMember, gotNested := Split(gotMember)
		if gotMember != member {
			t.Errorf("%q, %q, %q: the member is %q", file, member, nested, gotMember)
		}
		if gotNested, _ = Split(gotNested); gotNested != nested {
			t.Errorf("%q, %q, %q: the nested member is %q", file, member, nested, gotNested)
		}
		if at := reported(filepath.Join(path.Dir(file), path.Base(file))); at != archive {
			t.Errorf("%q: in its folder it has the path %q, as an argument %q", file, at, archive)
		}
	})
}

// FuzzGlob checks that a walk enters all folders in which a glob matches.
func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"**/*.bin", "a/b/c.bin"}, {"a/*/c", "a/b/c"}, {"{a/b,c}/*", "a/b/x"}, {"[a/b]/c", "a/c"}, {`a\/b`, "a/b"}, {"a**b/c", "axb/c"}, {"{[}]/a,b}/c", "b/c"}, {"**", "a/b"}, {"a***/b", "a/b"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, file string) {
		if !fs.ValidPath(file) || len(pattern) > 100 || len(file) > 100 {
			return
		}
		g, err := newGlob(pattern, pattern)
		if err != nil || !g.match(file) {
			return
		}
		if direct, _ := doublestar.Match(strings.TrimRight(pattern, "/"), file); !direct {
			t.Errorf("%q matches %q, but not without a walk", pattern, file)
		}
		for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
			if !g.canMatchIn(folder) && !g.match(folder) {
				t.Errorf("%q matches %q, but a walk does not enter %s", pattern, file, folder)
			}
		}
	})
}

// FuzzPaths reads the paths of a list. No path may contain a separator. It then writes a new list with a NUL after each
// path. The new list must have the same paths.
func FuzzPaths(f *testing.F) {
	for _, seed := range []string{"a\nb", "a\r\n\r\nb", "a\nb\x00c\r\x00", "\ufeffa", "\xff\xfea\x00\n\x00", "\xfe\xff\x00a", "\xff\xfe\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list := paths(text)
		for _, p := range list {
			if strings.Contains(p, "\x00") {
				t.Errorf("%q contains a NUL", p)
			}
		}
		if len(list) == 0 && len(text) > 0 {
			t.Errorf("%q has no paths", text)
		}
		again := paths([]byte(strings.Join(list, "\x00") + "\x00"))
		if len(list) > 0 && list[0] != "" && !strings.HasPrefix(list[0], "\ufeff") && !strings.HasPrefix(list[0], "\xff\xfe") && !strings.HasPrefix(list[0], "\xfe\xff") && strings.Join(again, "\n") != strings.Join(list, "\n")+"\n" {
			t.Errorf("%q gives %q, and these give %q", text, list, again)
		}
	})
}
