package block_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/layout"
)

// TestDecode checks which blocks a file has, and their kinds.
func TestDecode(t *testing.T) {
	t.Parallel()
	bytesOf := func(k layout.Kind) []byte {
		b, err := fuzz.Model(k, fuzz.Seed(7), fuzz.Config{}).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	data, query := bytesOf(layout.DataBlockKind), bytesOf(layout.QueryDataKind)
	values := strings.ReplaceAll(fmt.Sprintf("% x", data), " ", ",")
	export := "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\A]\n\"Block\"=hex:" + values + "\n\"Other\"=hex:01,02,03\n"
	wide := func(text string) (b []byte) {
		for _, r := range text {
			b = binary.LittleEndian.AppendUint16(b, uint16(r))
		}
		return b
	}
	for _, tt := range []struct {
		reason, path, part string
		contents           []byte
		want               []string
	}{
		{"the signature gives the kind", "a", "", data, []string{"a data-block"}},
		{"the file name gives the kind", "a.query-data.bin", "", query, []string{"a.query-data.bin query-data"}},
		{"the bytes fit one kind only", "a", "", query, []string{"a query-data detected"}},
		{"an address is a path", "gs://x/a.bin", "", data, []string{"gs://x/a.bin data-block"}},
		{"a block as hex is decoded", "a", "", []byte(hex.EncodeToString(data)), []string{"a (read as hex) data-block"}},
		{"a .reg file with two values has two blocks", "a", "", []byte(export), []string{`a!/HKEY_LOCAL_MACHINE\A\Block (read as reg) data-block`, `a!/HKEY_LOCAL_MACHINE\A\Other (read as reg) no block`}},
		{"one of two values is selected", "a", "block", []byte(export), []string{`a!/HKEY_LOCAL_MACHINE\A\Block (read as reg) data-block`}},
		{"the text must have the selected value", "a", "none", []byte(export), []string{"error"}},
		{"an empty file is no block", "a", "", nil, []string{"a no block"}},
		{"an empty file is a list, if the kind may be empty", "a.guids.bin", "", nil, []string{"a.guids.bin guids"}},
		{"bytes that fit no kind are no block", "a", "", []byte{1, 2, 3}, []string{"a no block"}},
		{"text of no form is no block", "a", "", []byte("a note"), []string{"no block"}},
		{"a spec is no block", "a", "", []byte("kind: data-block\n"), []string{"a spec"}},
		{"a valid spec in UTF-16", "a", "", wide("SystemName: A\nobjects: []\n"), []string{"a spec"}},
		{"a faulty spec in UTF-16", "a", "", wide("\uFEFFobjects: 12\n"), []string{"a spec"}},
		{"UTF-16 without a byte order mark", "a", "", wide("objects: 12\n"), []string{"a spec"}},
		{"UTF-16 without a byte order mark, with letters outside ASCII", "a", "", wide("objects: 12 # Ü\n"), []string{"a spec"}},
		{"damaged UTF-16", "a", "", append(wide("\uFEFFobjects: 12\n"), 'x'), []string{"a spec"}},
		{"a key in single quotes", "a", "", []byte("PerfTime: 1\n'objects': 12\n"), []string{"a spec"}},
		{"a key in double quotes", "a", "", []byte("PerfTime: 1\n\"objects\": 12\n"), []string{"a spec"}},
		{"a key with a capital letter", "a", "", []byte("# A block.\n---\nObjects: 12\n"), []string{"a spec"}},
		{"a key in a brace", "a", "", []byte("{objects: 12}\n"), []string{"a spec"}},
		{"a spec without objects", "a", "", []byte("SystemName: A\n"), []string{"a spec"}},
		{"JSON without objects", "a", "", []byte("{\n  \"SystemName\": \"A\"\n}\n"), []string{"a spec"}},
		{"a definition is no spec", "a", "", []byte("# Objects: 1\nname: A\nprovider: B\ncounterSets:\n  - name: C\n    objects: 1\n"), []string{"no block"}},
		{"a configuration is no spec", "a", "", wide("overrides:\n  - kind: objects\n    paths: [a]\n"), []string{"no block"}},
		{"a list of Windows PowerShell is no spec", "a", "", wide("\uFEFF\r\n\r\nKind    : 1\r\nObjects : {1, 2}\r\n"), []string{"no block"}},
		{"hex with a line that begins with a key is no spec", "a", "", []byte("00 01 02 03\nobjects: 3\n"), []string{"error"}},
		{"a dump with a line that begins with a key is no spec", "a", "", []byte("00000000: 5000 4500  P.E.\nkind: block\n"), []string{"error"}},
		{"hex with a line of other text is no spec", "a", "", []byte("00 01 02 03\nObjects: 3\nSystemName: A\n"), []string{"error"}},
	} {
		var got []string
		list, err := block.Decode(tt.path, tt.part, tt.contents, armor.Inputs()[0])
		if err != nil {
			got = append(got, "error")
			if _, is := errors.AsType[block.NotBlock](err); is {
				got[0] = "no block"
			}
			if strings.Contains(err.Error(), ": is a spec ") {
				got[0] = "a spec"
			}
		}
		for _, s := range list {
			kind, detected, err := s.Kind("")
			text := s.Name() + " " + kind.String()
			if detected {
				text += " detected"
			}
			if _, is := errors.AsType[block.NotBlock](err); is {
				text = s.Name() + " no block"
			} else if err != nil {
				t.Errorf("%s: %v", tt.reason, err)
			}
			got = append(got, text)
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: got %q, want %q, error %v", tt.reason, got, tt.want, err)
		}
	}
}

// TestSplitPath checks the file and the name that SplitPath returns. In reported paths, a folder named "folder!" is
// written as "folder!!".
func TestSplitPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, file, name string }{
		{"a.bin", "a.bin", ""},
		{`a.reg!/KEY\Block`, "a.reg", `KEY\Block`},
		{"a.zip!/b.reg!/Block", "a.zip", "b.reg!/Block"},
		{"gs://x/a.zip!/b.bin", "gs://x/a.zip", "b.bin"},
		{"folder!!/a.bin", "folder!/a.bin", ""},
		{"folder!!/a.zip!/b.bin", "folder!/a.zip", "b.bin"},
		{"!/a", "!/a", ""},
		{"-!/Block", "-", "Block"},
	} {
		if file, name := block.SplitPath(tt.path); file != tt.file || name != tt.name {
			t.Errorf("%s: %q and %q, want %q and %q", tt.path, file, name, tt.file, tt.name)
		}
	}
}
