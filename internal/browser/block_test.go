package browser

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

// encode returns the bytes of a model.
func encode(t *testing.T, m encoding.BinaryMarshaler) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// set changes a DWORD of a data block.
func set(t *testing.T, b []byte, path string, value uint32) {
	t.Helper()
	at, err := layout.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	part, err := layout.Find(layout.DataBlockKind, b, at)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(b[part.Off():], value)
}

// small returns a data block with findings of three rules: two errors, a warning and an info.
func small(t *testing.T) report.File {
	t.Helper()
	o := builder.NewObject(238).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Counter(8, layout.PERF_COUNTER_LARGE_RAWCOUNT).
		Instance("first", 1, 2).Instance("<script>alert(1)</script>", 3, 4).Instance("evil\u202egpj.exe", 5, 6)
	b := encode(t, builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*o}})
	set(t, b, "object[0].counter[0].DefaultScale", 9)
	set(t, b, "object[0].counter[1].CounterNameTitle", 1)
	set(t, b, "Version", 7)
	return checked("captures/a <b>.bin", b, layout.DataBlockKind)
}

// checked validates a block with all rules, and returns the block with all its findings.
func checked(path string, b []byte, kind layout.Kind) report.File {
	v, err := validate.New(validate.Options{MaxFindings: -1})
	if err != nil {
		panic(err) // the options are valid
	}
	return report.File{Path: path, Kind: kind, Block: b, Result: v.Bytes(kind, b, validate.Context{})}
}

// clean returns a block without findings.
func clean(t *testing.T) report.File {
	t.Helper()
	o := builder.NewObject(238).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Instance("first", 1)
	f := checked("clean.bin", encode(t, builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*o}}), layout.DataBlockKind)
	f.Result.Findings, f.Result.Counts = nil, validate.Counts{}
	return f
}

// many returns a block with n instances of about 104 bytes. Each of the first `faulty` instances
// has a finding.
func many(t *testing.T, n, faulty int) report.File {
	t.Helper()
	o := builder.NewObject(238)
	for i := range 8 {
		o.Counter(uint32(6+2*i), layout.PERF_COUNTER_LARGE_RAWCOUNT)
	}
	values := make([]uint64, 8)
	for i := range n {
		name := fmt.Sprintf("a/%d", i)
		if i >= faulty {
			name = fmt.Sprintf("a-%d", i)
		}
		o.Instance(name, values...)
	}
	return checked("many.bin", encode(t, builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*o}}), layout.DataBlockKind)
}

// write writes a file for the browser, and returns its URL.
func write(t *testing.T, dir, name string, fill func(io.Writer) error) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// pageOf writes the page of a file, and returns its URL.
func pageOf(t *testing.T, f report.File) string {
	t.Helper()
	return write(t, t.TempDir(), "page.html", func(w io.Writer) error { return page.Write(w, f, page.Options{}) })
}

// folder writes the pages and the index of files, and returns the URL of the index.
func folder(t *testing.T, unchecked []report.Unchecked, files ...report.File) string {
	t.Helper()
	dir := t.TempDir()
	var index page.Index
	for _, f := range files {
		write(t, dir, index.Add(f), func(w io.Writer) error { return page.Write(w, f, page.Options{Index: page.IndexName}) })
	}
	for _, u := range unchecked {
		index.Unchecked(u)
	}
	var first string
	for name, fill := range index.Pages(report.End{}) {
		if at := write(t, dir, name, fill); name == page.IndexName {
			first = at
		}
	}
	return first
}
