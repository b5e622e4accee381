package inputs_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/inputs"
)

// A testMember is a member of a test archive.
type testMember struct {
	name, text string
	kind       byte // type in the header of a tar, or the constant stored for a zip; 0 is a file
}

const stored = 's'

func zipOf(members ...testMember) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		h := zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.kind == stored {
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(&h)
		if err == nil {
			_, err = w.Write([]byte(m.text))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func tarOf(members ...testMember) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Typeflag: cmp.Or(m.kind, tar.TypeReg), Size: int64(len(m.text)), Mode: 0o600}
		if h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink {
			h.Linkname = "target"
		}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = w.Write([]byte(m.text))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func gzipOf(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// enter makes the files in a new folder, which is the working folder until the test ends. The contents "-> x" make
// a symbolic link to x.
func enter(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, files)
}

func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		target, link := strings.CutPrefix(text, "-> ")
		var err error
		if link {
			err = os.Symlink(target, name)
		} else {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil && link {
			t.Skipf("the system has no symbolic links: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// read returns a line for each member of the list, such as "a.zip!/b.bin (named) = text". For a member that is not
// read, the line has the error, or the reason to skip the member.
func read(t testing.TB, list inputs.List) string {
	t.Helper()
	var b strings.Builder
	for m, err := range list.All(context.Background()) {
		text := ""
		if err == nil && m.Skipped == "" {
			var read []byte
			read, err = m.Read()
			text = string(read)
			if int64(len(text)) != m.Size() && err == nil {
				t.Errorf("%s: Size is %d, Read returns %d bytes", m.Path, m.Size(), len(text))
			}
			if len(text) > 40 {
				text = text[:40] + "..."
			}
		}
		switch {
		case err != nil:
			b.WriteString("error: " + err.Error())
		case m.Skipped != "":
			b.WriteString(m.Path + ": skipped: " + string(m.Skipped))
		case m.Part != "":
			b.WriteString(m.Path + " (named), part " + m.Part + " = " + text)
		case m.Named:
			b.WriteString(m.Path + " (named) = " + text)
		default:
			b.WriteString(m.Path + " = " + text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// lines joins lines in the form that the function read returns: a newline follows each line.
func lines(lines ...string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
