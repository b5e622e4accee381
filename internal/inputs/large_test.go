package inputs_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/perfblock/perfblock/internal/inputs"
)

// noise returns n random bytes, which compression does not make shorter.
func noise(n int) string {
	b := make([]byte, n)
	random := rand.NewChaCha8([32]byte{})
	random.Read(b)
	return string(b)
}

// TestLargeMembers checks that large members can be read after the stream has ended. All keeps some of them in
// memory. Read opens the others.
func TestLargeMembers(t *testing.T) {
	a, b := noise(200_000), noise(300_000)
	files := map[string]string{
		"1": a, "2.zip": zipOf(testMember{name: "a", text: a}, testMember{name: "b", text: b}),
		"3.zip": zipOf(testMember{name: "i.zip", text: zipOf(testMember{name: "a", text: a})}, testMember{name: "i.tgz", text: gzipOf(tarOf(testMember{name: "b", text: b}))}),
		"4.tar": tarOf(testMember{name: "a", text: a}, testMember{name: "i.zip", text: zipOf(testMember{name: "b", text: b})}), "5.gz": gzipOf(a),
		"6.zip": zipOf(testMember{name: "damaged", text: strings.Repeat("1", 200_000)}, testMember{name: "a", text: a}),
	}
	files["6.zip"] = edit(files["6.zip"], 30+len("damaged"), "\xff")
	enter(t, files)
	want := map[string]string{
		"1": a, "2.zip!/a": a, "2.zip!/b": b, "3.zip!/i.zip!/a": a, "3.zip!/i.tgz!/b": b, "4.tar!/a": a, "4.tar!/i.zip!/b": b, "5.gz!/5": a, "6.zip!/a": a,
	}
	var members []inputs.Member
	for m, err := range (inputs.List{Args: []string{"."}}).All(t.Context()) {
		if err != nil {
			if m.Path != "6.zip!/damaged" {
				t.Error(err)
			}
			continue
		}
		members = append(members, m)
	}
	if len(members) != len(want) {
		t.Errorf("there are %d members, want %d", len(members), len(want))
	}
	for i := len(members) - 1; i >= 0; i-- {
		m := members[i]
		got, err := m.Read()
		if err != nil || string(got) != want[m.Path] || m.Size() != int64(len(got)) {
			t.Errorf("%s: %d bytes, Size is %d, error %v", m.Path, len(got), m.Size(), err)
		}
	}
	if err := os.Remove("2.zip"); err != nil {
		t.Fatalf("an archive is open after its members are read: %v", err)
	}
	for _, m := range members {
		if _, err := m.Read(); m.Path == "2.zip!/a" && (err == nil || err.Error() != "2.zip!/a: "+missing) {
			t.Errorf("reading a member of a removed archive: %v", err)
		}
	}
}

// TestLongStoredMember checks that the limit on the directory of a zip is not a limit on its members.
func TestLongStoredMember(t *testing.T) {
	text := strings.Repeat("1", 2<<20)
	enter(t, map[string]string{"x": zipOf(testMember{name: "a", text: text, kind: stored})})
	for m, err := range (inputs.List{Args: []string{"x"}, Limits: inputs.Limits{Members: 1}}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if b, err := m.Read(); string(b) != text {
			t.Errorf("%s: %d bytes, error %v", m.Path, len(b), err)
		}
	}
}

// bomb returns a zip with members of 64 MiB of zeros.
func bomb(members int) string {
	const size, part = 64 << 20, 1 << 20
	zeros := make([]byte, size)
	var deflated, b bytes.Buffer
	w, err := flate.NewWriter(&deflated, flate.BestSpeed)
	if err != nil {
		panic(err)
	}
	w.Write(zeros[:part])
	w.Flush()
	// The compressed part has no references to earlier bytes, so it can be repeated.
	deflated.Write(bytes.Repeat(deflated.Bytes(), size/part-1))
	w.Reset(&deflated)
	w.Close()
	z := zip.NewWriter(&b)
	for i := range members {
		w, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(zeros), CompressedSize64: uint64(deflated.Len()), UncompressedSize64: size})
		if err != nil {
			panic(err)
		}
		w.Write(deflated.Bytes())
	}
	z.Close()
	return b.String()
}

func TestBomb(t *testing.T) {
	enter(t, map[string]string{"x": bomb(5)})
	members := 0
	var last error
	for _, err := range (inputs.List{Args: []string{"x"}}).All(t.Context()) {
		if last = err; err == nil {
			members++
		}
	}
	if text := read(t, inputs.List{Args: []string{"x!/0"}}); text != lines("x!/0 (named) = "+strings.Repeat("\x00", 40)+"...") {
		t.Errorf("one member of the bomb: %q", text)
	}
	if members != 4 || last == nil || !strings.Contains(last.Error(), "bytes to 335544320 or more, the limit is 250 times the size of the archive; it may be a zip bomb") {
		t.Errorf("%d members and the error %v", members, last)
	}
}

// TestLongDirectory checks that a zip with too many members is refused before its directory is read in full.
func TestLongDirectory(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for range 30_000 {
		if _, err := z.CreateRaw(&zip.FileHeader{}); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	enter(t, map[string]string{"x": b.String()})
	want := lines("error: x: the archive's list of members is too long; unpack the archive, and pass the folder with its files as an argument")
	if got := read(t, inputs.List{Args: []string{"x"}, Limits: inputs.Limits{Members: 10}}); got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

// TestPieces checks that an input of unknown size has all its bytes in order. Such an input is read in pieces.
func TestPieces(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 512, 513, 514, 1026, 1<<20 + 3} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i*i>>8 + i)
		}
		for m, err := range (inputs.List{Args: []string{"-"}, Stdin: iotest.OneByteReader(bytes.NewReader(want))}).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if got, err := m.Read(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes: got %d, equal: %v, error %v", n, len(got), bytes.Equal(got, want), err)
			}
		}
	}
}
