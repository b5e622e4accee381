package inputs_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/inputs"
)

func TestArchives(t *testing.T) {
	a, b, c := testMember{name: "a.bin", text: "1"}, testMember{name: "d/b.bin", text: "2"}, testMember{name: "c.bin", text: "3"}
	enter(t, map[string]string{
		"x.zip": zipOf(a, testMember{name: "d/"}, b), "x.tar": tarOf(a, testMember{name: "d/", kind: tar.TypeDir}, b), "x.tgz": gzipOf(tarOf(a, b)),
		"x.bin.gz": gzipOf("1"), "no extension": zipOf(a), "picture.zip": "GIF89a", "twice.gz": gzipOf("1") + gzipOf("2"), "empty.zip": zipOf(),
		"in.zip": zipOf(a, testMember{name: "i.tar.gz", text: gzipOf(tarOf(c))}, testMember{name: "j.zip", text: zipOf(c, testMember{name: "k.gz", text: gzipOf("4")})}, b),
		"in.tar": tarOf(testMember{name: "i.zip", text: zipOf(c)}, testMember{name: "j.tar", text: tarOf(a)}, b), "name!": zipOf(testMember{name: "d!/e!", text: zipOf(c)}),
		"hidden.zip": zipOf(testMember{name: ".a", text: "1"}, testMember{name: "__MACOSX/._b", text: "2"}, testMember{name: "./c", text: "3"}, testMember{name: ".d/e", text: "4"}),
		"old.tar":    v7(tarOf(a)), "damaged.tar": cut(tarOf(a, b), 1600), "zeros.tar": strings.Repeat("\x00", 1024), ".hidden.gz": gzipOf("5"),
	})
	for _, row := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"the members of a zip are read", []string{"x.zip"}, lines("x.zip!/a.bin = 1", "x.zip!/d/b.bin = 2")},
		{"the members of a tar are read", []string{"x.tar"}, lines("x.tar!/a.bin = 1", "x.tar!/d/b.bin = 2")},
		{"a tar in gzip is one archive in the path", []string{"x.tgz"}, lines("x.tgz!/a.bin = 1", "x.tgz!/d/b.bin = 2")},
		{"the file in a named gzip is a named file", []string{"x.bin.gz"}, lines("x.bin.gz!/x.bin (named) = 1")},
		{"a hidden gzip is read if it is named", []string{".hidden.gz"}, lines(".hidden.gz!/.hidden (named) = 5")},
		{"the file in a gzip that a glob matches is not named", []string{"x.*.gz"}, lines("x.bin.gz!/x.bin = 1")},
		{"a gzip of several parts is one file", []string{"twice.gz"}, lines("twice.gz!/twice (named) = 12")},
		{"by content", []string{"no extension", "picture.zip"}, lines("no extension!/a.bin = 1", "picture.zip (named) = GIF89a")},
		{"a zip without members gives nothing", []string{"empty.zip"}, ""},
		{"a tar from before POSIX is a tar", []string{"old.tar"}, lines("old.tar!/a.bin = 1")},
		{"zeros could be a tar without members, and are read as a file", []string{"zeros.tar"}, lines("zeros.tar (named) = " + strings.Repeat("\x00", 40) + "...")},
		{"archives in a zip are read in its order", []string{"in.zip"}, lines("in.zip!/a.bin = 1", "in.zip!/i.tar.gz!/c.bin = 3", "in.zip!/j.zip!/c.bin = 3", "in.zip!/j.zip!/k.gz!/k = 4", "in.zip!/d/b.bin = 2")},
		{"archives in a tar are read in its order", []string{"in.tar"}, lines("in.tar!/i.zip!/c.bin = 3", "in.tar!/j.tar!/a.bin = 1", "in.tar!/d/b.bin = 2")},
		{"each ! at the end of a name is doubled", []string{"name!"}, lines("name!!!/d!!/e!!!/c.bin = 3")},
		{"hidden members are skipped like hidden files", []string{"hidden.zip"}, lines("hidden.zip!/.a: skipped: hidden", "hidden.zip!/__MACOSX/._b: skipped: hidden", "hidden.zip!/c = 3", "hidden.zip!/.d/e: skipped: hidden")},

		{"one member of a zip is read", []string{"x.zip!/d/b.bin"}, lines("x.zip!/d/b.bin (named) = 2")},
		{"one member of a tar is read", []string{"x.tar!/a.bin"}, lines("x.tar!/a.bin (named) = 1")},
		{"one member of a tar in gzip is read", []string{"x.tgz!/a.bin"}, lines("x.tgz!/a.bin (named) = 1")},
		{"the file in a gzip has a path too", []string{"x.bin.gz!/x.bin"}, lines("x.bin.gz!/x.bin (named) = 1")},
		{"a folder of a zip is read", []string{"x.zip!/d"}, lines("x.zip!/d/b.bin = 2")},
		{"a member of an archive in an archive is read", []string{"in.zip!/j.zip!/k.gz!/k"}, lines("in.zip!/j.zip!/k.gz!/k (named) = 4")},
		{"an archive in an archive is read", []string{"in.zip!/j.zip"}, lines("in.zip!/j.zip!/c.bin = 3", "in.zip!/j.zip!/k.gz!/k = 4")},
		{"a member below names that end in ! is read", []string{"name!!!/d!!/e!!!/c.bin"}, lines("name!!!/d!!/e!!!/c.bin (named) = 3")},
		{"a hidden member is read if it is named", []string{"hidden.zip!/.a"}, lines("hidden.zip!/.a (named) = 1")},
		{"a hidden folder of a zip is read if it is named", []string{"hidden.zip!/.d"}, lines("hidden.zip!/.d/e = 4")},
		{"a zip without the named member gives an error", []string{"x.zip!/none"}, lines(`error: x.zip: has no member "none"`)},
		{"a tar without the named member gives an error", []string{"x.tgz!/none"}, lines(`error: x.tgz: has no member "none"`)},
		{"the rest of the path is a part if a member is no archive", []string{"x.zip!/a.bin!/b"}, lines("x.zip!/a.bin (named), part b = 1")},
		{"a member before the damaged part of a tar can be read", []string{"damaged.tar!/a.bin"}, lines("damaged.tar!/a.bin (named) = 1")},
		{"a member that is named twice is read once", []string{"x.zip!/a.bin", "x.zip!/a.bin", "x.zip"}, lines(
			"x.zip!/a.bin (named) = 1", "x.zip!/a.bin: skipped: named or found twice", "x.zip!/a.bin: skipped: named or found twice", "x.zip!/d/b.bin = 2")},
		{"an archive is opened once, and its members come in its order", []string{"x.zip!/d", "x.tar!/d/b.bin", "x.zip!/none", "x.zip!/a.bin", "x.tar!/a.bin"}, lines(
			"x.zip!/a.bin (named) = 1", "x.zip!/d/b.bin = 2", `error: x.zip: has no member "none"`, "x.tar!/a.bin (named) = 1", "x.tar!/d/b.bin (named) = 2")},
		{"members of archives in an archive come in its order", []string{"in.zip!/j.zip!/k.gz!/k", "in.zip!/d/b.bin", "in.zip!/j.zip!/none", "in.zip!/j.zip!/c.bin"}, lines(
			"in.zip!/j.zip!/c.bin (named) = 3", "in.zip!/j.zip!/k.gz!/k (named) = 4", "in.zip!/d/b.bin (named) = 2", `error: in.zip: has no member "j.zip!/none"`)},
		{"parts of a member can be named with the whole member", []string{"x.zip!/a.bin!/b", "x.zip!/a.bin", "x.zip!/a.bin!/c"}, lines(
			"x.zip!/a.bin (named) = 1", "x.zip!/a.bin (named), part b = 1", "x.zip!/a.bin (named), part c = 1")},
		{"a member is skipped if its archive was named before", []string{"x.zip", "x.zip!/a.bin"}, lines("x.zip!/a.bin = 1", "x.zip!/d/b.bin = 2", "x.zip!/a.bin: skipped: named or found twice")},
	} {
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: row.args})); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", row.reason, row.args, diff)
		}
	}
}

// v7 returns a copy of a tar. The first header of the copy has the format from before POSIX, with a correct checksum
// and without a magic number.
func v7(archive string) string {
	b := []byte(archive)
	clear(b[257:265])
	sum := 0
	copy(b[148:156], "        ")
	for _, c := range b[:512] {
		sum += int(c)
	}
	copy(b[148:], octal(sum))
	return string(b)
}

func octal(n int) string {
	digits := ""
	for range 6 {
		digits = string(rune('0'+n%8)) + digits
		n /= 8
	}
	return digits + "\x00 "
}

// TestEveryPathNamesItsMember passes the reported path of each member as an argument. The argument must name this
// member and no other.
func TestEveryPathNamesItsMember(t *testing.T) {
	deep := zipOf(testMember{name: "a!", text: "1"}, testMember{name: "c!/b", text: "2"}, testMember{name: "!", text: gzipOf("3")}, testMember{name: "!!/!", text: tarOf(testMember{name: "x!y/z!!", text: "4"})})
	enter(t, map[string]string{"f!/g!!/h": "5", "a": deep, "a!": deep, "a!!": deep, "d/b.zip": deep, "d!/b.zip!": deep})
	seen := map[string]bool{}
	for m, err := range (inputs.List{Args: []string{"."}}).All(t.Context()) {
		if err != nil || m.Skipped != "" {
			t.Fatalf("%s: %v, %s", m.Path, err, m.Skipped)
		}
		b, err := m.Read()
		if err != nil {
			t.Fatal(err)
		}
		if seen[m.Path] {
			t.Errorf("two members have the path %s", m.Path)
		}
		seen[m.Path] = true
		if got, want := read(t, inputs.List{Args: []string{m.Path}}), lines(m.Path+" (named) = "+string(b)); got != want {
			t.Errorf("%s names\n%swant\n%s", m.Path, got, want)
		}
	}
	if len(seen) != 5*4+1 {
		t.Errorf("there are %d members", len(seen))
	}
}

func TestHostileArchives(t *testing.T) {
	const damaged = "is damaged or truncated"
	a := testMember{name: "a", text: "1"}
	for _, row := range []struct{ reason, archive, want string }{
		{"a name must not lead to a parent folder", zipOf(testMember{name: "../a"}, a), lines(`error: x: has a member with a name that contains "..", must be below the archive: "../a"`, "x!/a = 1")},
		{"a name must not contain .. anywhere", tarOf(testMember{name: "b/../a"}, a), lines(`error: x: has a member with a name that contains "..", must be below the archive: "b/../a"`, "x!/a = 1")},
		{"backslashes separate folders too", zipOf(testMember{name: `b\..\..\a`}), lines(`error: x: has a member with a name that contains "..", must be below the archive: "b\\..\\..\\a"`)},
		{"a name must not be an absolute path", tarOf(testMember{name: "/etc/a"}), lines(`error: x: has a member with a name that is an absolute path, must be relative: "/etc/a"`)},
		{"a name must not be the path of a server", zipOf(testMember{name: `\\server\share\a`}), lines(`error: x: has a member with a name that is an absolute path, must be relative: "\\\\server\\share\\a"`)},
		{"a name must not have a drive letter", zipOf(testMember{name: `C:\a`}), lines(`error: x: has a member with a name that has a drive letter, must be a relative path: "C:\\a"`)},
		{"a name must not contain a NUL", zipOf(testMember{name: "a\x00.bin"}), lines(`error: x: has a member with a name that contains a NUL: "a\x00.bin"`)},
		{"a name must not be empty", zipOf(testMember{name: "", text: "1"}), lines(`error: x: has a member with a name that is empty: ""`)},
		{"a name must not be longer than 4096 bytes", zipOf(testMember{name: strings.Repeat("a", 5000)}), lines(`error: x: has a member with a name that has 5000 bytes, must have at most 4096: "` + strings.Repeat("a", 60) + `"...`)},
		{"old programs for Windows write backslashes", zipOf(testMember{name: `b\c`, text: "1"}), lines("x!/b/c = 1")},
		{"two members of a zip must not have one name", zipOf(a, testMember{name: "./a", text: "2"}), lines("x!/a = 1", "error: x!/a: is the name of several members of the archive; only the first one is read")},
		{"two members of a tar must not have one name", tarOf(a, testMember{name: "a", text: "2"}), lines("x!/a = 1", "error: x!/a: is the name of several members of the archive; only the first one is read")},
		{"control characters stay, and are escaped on output", zipOf(testMember{name: "a\n\x1b[2J\u202e", text: "1"}), lines("x!/a\n\x1b[2J\u202e = 1")},
		{"links and devices in a tar are skipped", tarOf(testMember{name: "s", kind: tar.TypeSymlink}, testMember{name: "h", kind: tar.TypeLink}, testMember{name: "c", kind: tar.TypeChar}, testMember{name: "f", kind: tar.TypeFifo}, a), lines(
			"x!/s: skipped: link in an archive", "x!/h: skipped: link in an archive", "x!/c: skipped: device, pipe or socket", "x!/f: skipped: device, pipe or socket", "x!/a = 1")},
		{"a link in a zip is skipped", zipMode("s", fs.ModeSymlink), lines("x!/s: skipped: link in an archive")},
		{"a device in a zip is skipped", zipMode("s", fs.ModeDevice), lines("x!/s: skipped: device, pipe or socket")},
		{"a sparse file of 1 TiB is an error", sparse(), lines("error: x!/s: is a sparse file, which can unpack to any size; pack it without --sparse")},
		{"a member must have a known type", tarOf(testMember{name: "a", kind: 'Z'}), lines(`error: x!/a: has type 'Z' in the archive, must be a file; pack it again as a plain file`)},

		{"a member must not be encrypted", edit(zipOf(a), directoryAt+8, "\x01"), lines("error: x!/a: is encrypted; pack it without a password")},
		{"a member must have a known compression", edit(zipOf(a), directoryAt+10, "\x0e"), lines("error: x!/a: is compressed by method 14, must be deflated or stored; pack it again")},
		{"deflate cannot give so many bytes", edit(zipOf(a), directoryAt+24, "\xff\xff\xff\x00"), lines("error: x!/a: declares 16777215 bytes unpacked and 7 packed, which is impossible; the archive is damaged")},
		{"the size in the directory is larger than the member", edit(zipOf(a), directoryAt+24, "\x09"), lines("error: x!/a: " + damaged + " (unexpected EOF)")},
		{"the size in the directory is smaller than the member", edit(zipOf(testMember{name: "a", text: "12345"}), directoryAt+24, "\x02"), lines("error: x!/a: " + damaged + " (zip: not a valid zip file)")},
		{"a stored member must have one size", edit(edit(zipOf(a), directoryAt+10, "\x00"), directoryAt+24, "\x02"), lines("error: x!/a: declares 2 bytes unpacked and 7 packed, which is impossible; the archive is damaged")},
		{"the checksum of a member must be right", edit(zipOf(a), directoryAt+16, "\x00\x01"), lines("error: x!/a: " + damaged + " (zip: checksum error)")},
		{"a zip must not be truncated", cut(zipOf(a), 30), lines("error: x: " + damaged + " (zip: not a valid zip file)")},
		{"members must not share bytes", overlapping(), lines(`error: x: has members that share bytes, "a" and "b"; it may be a zip bomb`)},
		{"a tar must not be truncated in the padding after a member", cut(tarOf(a, testMember{name: "b"}), 1536+100), lines("x!/a = 1", "error: x: is truncated")},
		{"the zeros at the end of a tar may be missing", cut(tarOf(a), 1024), lines("x!/a = 1")},
		{"a tar must not be truncated", cut(tarOf(testMember{name: "a", text: strings.Repeat("1", 600)}), 1700), lines(`error: x!/a: is truncated after 348 bytes; nothing after it in the archive is read`)},
		{"a header of a tar must not be damaged", edit(tarOf(a, testMember{name: "b"}), 1024, "c"), lines("x!/a = 1", "error: x: is damaged (archive/tar: invalid tar header)")},
		{"a gzip must not be truncated", cut(gzipOf("1"), 4), lines("error: x: is truncated after 1 byte")},
		{"the checksum of a gzip must be right", edit(gzipOf("1"), -8, "\x00"), lines("error: x: is damaged (gzip: invalid checksum)")},
		{"nothing may follow a gzip", gzipOf("1") + "more than ten", lines("error: x: has bytes after the end of the gzip; remove these bytes")},
		{"not even a few bytes", gzipOf("1") + "junk", lines("error: x: has bytes after the end of the gzip; remove these bytes")},
		{"nothing may follow a tar in gzip", gzipOf(tarOf(a)) + "\x00", lines("x!/a = 1", "error: x: has bytes after the end of the gzip; remove these bytes")},
		{"the second part of a gzip must not be truncated", gzipOf("1") + "\x1f\x8b\x08", lines("error: x: is truncated after 1 byte")},
		{"the checksum of a gzip is checked after its tar", edit(gzipOf(tarOf(a)), -8, "\x00"), lines("x!/a = 1", "error: x: is damaged (gzip: invalid checksum)")},
		{"the error of a truncated gzip follows the members of its tar", cut(gzipOf(tarOf(a, testMember{name: "b"})), 9), lines("x!/a = 1", "x!/b = ", "error: x: is truncated")},
	} {
		enter(t, map[string]string{"x": row.archive})
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: []string{"x"}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

// directoryAt is the offset of the central directory in a zip with one member, counted from the end of the zip.
const directoryAt = -(22 + 46 + 1)

// edit returns s with the text written at an offset. A negative offset counts from the end of s.
func edit(s string, at int, text string) string {
	if at < 0 {
		at += len(s)
	}
	return s[:at] + text + s[at+len(text):]
}

// cut returns s without the last n bytes.
func cut(s string, n int) string { return s[:len(s)-n] }

func zipMode(name string, mode fs.FileMode) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name}
	h.SetMode(mode)
	if _, err := z.CreateHeader(h); err != nil {
		panic(err)
	}
	z.Close()
	return b.String()
}

// sparse returns a tar with a sparse file. The size of the file is 1 TiB, but the tar stores no bytes of it.
func sparse() string {
	pax := tarOf(testMember{name: "s"})[:1024]
	b := []byte(pax)
	copy(b, "s\x00")
	b[156] = tar.TypeGNUSparse
	copy(b[257:], "ustar  \x00")
	copy(b[386:], "00000000000\x0000000000000\x00")
	copy(b[483:], "20000000000000\x00"[:12])
	copy(b[483:495], []byte{0x80, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0})
	clear(b[345:386])
	sum := 0
	copy(b[148:156], "        ")
	for _, c := range b[:512] {
		sum += int(c)
	}
	copy(b[148:], octal(sum))
	return string(b)
}

// overlapping returns a zip with two members that share their packed bytes.
func overlapping() string {
	z := zipOf(testMember{name: "a", text: "1"}, testMember{name: "b", text: "1"})
	second := len(z) - 22 - 47
	return edit(z, second+42, string(binary.LittleEndian.AppendUint32(nil, 0)))
}

func TestLimits(t *testing.T) {
	a := testMember{name: "a", text: "123456789"}
	long := testMember{name: "a", text: strings.Repeat("0", 1000)}
	nest := func(n int) string {
		s := "1"
		for range n {
			s = zipOf(testMember{name: "a", text: s})
		}
		return s
	}
	for _, row := range []struct {
		reason, archive string
		limits          inputs.Limits
		want            string
	}{
		{"a file must not be longer than the limit", "123456789", inputs.Limits{Bytes: 8}, lines("error: x: is longer than 8 bytes, the limit of one input")},
		{"a file may be as long as the limit", "123456789", inputs.Limits{Bytes: 9}, lines("x (named) = 123456789")},
		{"a large file must not be longer than the limit", strings.Repeat("0", 200_000), inputs.Limits{Bytes: 199_999}, lines("error: x: is longer than 199999 bytes, the limit of one input")},
		{"a member of a zip must not be longer than the limit", zipOf(a, testMember{name: "b", text: "1"}), inputs.Limits{Bytes: 8}, lines("error: x!/a: is longer than 8 bytes, the limit of one input", "x!/b = 1")},
		{"a member of a tar must not be longer than the limit", tarOf(a, testMember{name: "b", text: "1"}), inputs.Limits{Bytes: 8}, lines("error: x!/a: is longer than 8 bytes, the limit of one input", "x!/b = 1")},
		{"the file in a gzip must not be longer than the limit", gzipOf(a.text), inputs.Limits{Bytes: 8}, lines("error: x: is longer than 8 bytes, the limit of one input")},
		{"a zip must not have too many members", zipOf(a, a, a), inputs.Limits{Members: 2}, lines("error: x: has 3 members or more, the limit of an archive is 2; unpack it and pass the unpacked folder as an argument")},
		{"a tar must not have too many members", tarOf(a, testMember{name: "b"}, testMember{name: "c"}), inputs.Limits{Members: 2}, lines("x!/a = 123456789", "x!/b = ", "error: x: has 3 members or more, the limit of an archive is 2; unpack it and pass the unpacked folder as an argument")},
		{"the members of all archives in an archive count", tarOf(testMember{name: "a", text: tarOf(a)}, testMember{name: "b", text: tarOf(a)}, a), inputs.Limits{Members: 3}, lines("x!/a!/a = 123456789", "error: x: has 4 members or more, the limit of an archive is 3; unpack it and pass the unpacked folder as an argument")},
		{"four levels of archives are read", nest(4), inputs.Limits{}, lines("x!/a!/a!/a!/a = 1")},
		{"a fifth level is an error", nest(5), inputs.Limits{}, lines("error: x!/a!/a!/a!/a: archives are nested deeper than 4, the limit; unpack x and pass the unpacked folder as an argument")},
		{"an archive in an archive must not be too long", zipOf(testMember{name: "b", text: tarOf(a)}, a), inputs.Limits{Nested: 1000}, lines("error: x!/b: has 2048 bytes, the limit of an archive in an archive is 1000; unpack x and pass the unpacked folder as an argument", "x!/a = 123456789")},
		{"a zip must not unpack to too many bytes", zipOf(a, testMember{name: "b", text: "123456789"}), inputs.Limits{Total: 10}, lines("x!/a = 123456789", "error: x: unpacks to 18 bytes or more, the limit of an archive is 10; unpack it and pass the unpacked folder as an argument")},
		{"a gzip must not unpack to too many bytes", gzipOf(long.text), inputs.Limits{Total: 999}, lines("error: x: unpacks to 1000 bytes or more, the limit of an archive is 999; unpack it and pass the unpacked folder as an argument")},
		{"all archives in an archive count, and give one error", tarOf(testMember{name: "g", text: gzipOf(long.text)}, testMember{name: "h", text: gzipOf(long.text)}), inputs.Limits{Total: 1000}, lines(
			"x!/g!/g = "+long.text[:40]+"...", "error: x: unpacks to 2000 bytes or more, the limit of an archive is 1000; unpack it and pass the unpacked folder as an argument")},
		{"a tar in gzip gives one error, although both are too long", gzipOf(tarOf(long)), inputs.Limits{Total: 999}, lines("error: x: unpacks to 2560 bytes or more, the limit of an archive is 999; unpack it and pass the unpacked folder as an argument")},
	} {
		enter(t, map[string]string{"x": row.archive})
		if diff := cmp.Diff(row.want, read(t, inputs.List{Args: []string{"x"}, Limits: row.limits})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}
