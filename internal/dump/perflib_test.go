package dump_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/layout"
)

// An example is a buffer of V2, typed from the documentation's worked examples.
type example struct {
	name   string
	kind   layout.Kind
	hex    string
	faults int
}

const (
	setGUID = "1a 72 fc b4 78 03 6f 47  89 ba a5 a7 9f 81 0b 36" // Processor Information
	header  = "cb 04 fb 71 1f 01 00 00  50 7c 55 b7 b4 79 dd 01  80 96 98 00 00 00 00 00" +
		"ea 07 0b 00 06 00 15 00  0c 00 22 00 38 00 15 03"
	noInstances = "69 10 00 00 00 00 00 00 10 00 00 00 00 00 00 00"
	oneCounter  = "00 00 00 00 01 00 00 00 20 00 00 00 00 00 00 00  04 00 00 00 10 00 00 00 2a 00 00 00 00 00 00 00"
	ids         = "18 00 00 00 03 00 00 00 01 00 00 00 02 00 00 00  03 00 00 00 00 00 00 00"
	counters    = "00 00 00 00 02 00 00 00 58 00 00 00 00 00 00 00" + ids +
		"04 00 00 00 10 00 00 00 2a 00 00 00 00 00 00 00  08 00 00 00 10 00 00 00 88 77 66 55 44 33 22 11" +
		"04 00 00 00 10 00 00 00 07 00 00 00 00 00 00 00"
	instances = "00 00 00 00 04 00 00 00 60 00 00 00 00 00 00 00  50 00 00 00 02 00 00 00" +
		"10 00 00 00 00 00 00 00 43 00 3a 00 00 00 00 00  08 00 00 00 10 00 00 00 0a 00 00 00 00 00 00 00" +
		"18 00 00 00 05 00 00 00 5f 00 54 00 6f 00 74 00  61 00 6c 00 00 00 00 00" +
		"08 00 00 00 10 00 00 00 0b 00 00 00 00 00 00 00"
	set = "00 00 00 00 06 00 00 00 70 00 00 00 00 00 00 00" + ids + "48 00 00 00 01 00 00 00" +
		"10 00 00 00 00 00 00 00 43 00 3a 00 00 00 00 00  04 00 00 00 10 00 00 00 2a 00 00 00 00 00 00 00" +
		"08 00 00 00 10 00 00 00 64 00 00 00 00 00 00 00  04 00 00 00 10 00 00 00 07 00 00 00 00 00 00 00"
	emptySet = "00 00 00 00 06 00 00 00 28 00 00 00 00 00 00 00  10 00 00 00 02 00 00 00 01 00 00 00 02 00 00 00" +
		"08 00 00 00 00 00 00 00"
	text    = "41 00 62 00 00 00"
	counter = "02 00 00 00 00 04 02 30 08 00 00 00 00 00 00 00  c8 00 00 00 00 00 00 00 03 00 00 00 ff ff ff ff" +
		"ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00"
	base = "03 00 00 00 02 04 03 40 13 00 00 00 00 00 00 80  2c 01 00 00 fd ff ff ff ff ff ff ff 07 00 00 00" +
		"08 00 00 00 09 00 00 00 04 00 00 00 00 00 00 00"
	templateCounter = "01 00 00 00 00 04 41 10 00 00 00 00 00 00 00 00  04 00 00 00 64 00 00 00 00 00 00 00 00 00 00 00"
)

var examples = []example{
	{"query-data", layout.QueryDataKind, "88 01 00 00 05 00 00 00" + header + noInstances + oneCounter + counters + instances + set, 0},
	{"query-empty", layout.QueryDataKind, "58 00 00 00 01 00 00 00" + header + emptySet, 0},
	{"query-broken", layout.QueryDataKind, "88 01 00 00 06 00 00 00" + header + strings.Replace(noInstances, "00 10", "00 18", 1) + "01 02 03 04 05 06 07 08" +
		strings.Replace(oneCounter, "01", "03", 1) + strings.Replace(oneCounter, "04 00", "09 00", 1) + strings.Replace(counters, "03 00", "09 00", 1) + "ff ff ff", 5},
	{"instances", layout.InstancesKind, "10 00 00 00 00 00 00 00 43 00 3a 00 00 00 58 00  18 00 00 00 05 00 00 00 5f 00 54 00 6f 00 74 00 61 00 6c 00 00 00 00 00" +
		"08 00 00 00 07 00 00 00  10 00 00 00 08 00 00 00 1b 00 5b 00 00 d8 41 00", 1},
	{"identifiers", layout.IdentifiersKind, setGUID + "00 00 00 00 30 00 00 00 ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 2a 00 00 00 00 00 00 00" +
		setGUID + "6a 10 00 00 28 00 00 00 07 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00" +
		setGUID + "00 00 00 00 38 00 00 00 01 00 00 00 05 00 00 00 01 00 00 00 00 00 00 00 64 00 65 00 66 00 61 00 75 00 6c 00 74 00 00 00" + "01 02 03", 1},
	{"strings", layout.StringsKind, "30 00 00 00 03 00 00 00 01 00 00 00 20 00 00 00  02 00 00 00 26 00 00 00 03 00 00 00 ff ff ff ff" +
		text + "43 00 64 00 65 00 00 00 00 00", 0},
	{"reg-set", layout.RegSetKind, setGUID + "00 00 00 00 64 00 00 00 02 00 00 00 02 00 00 00" + counter + base, 0},
	{"reg-counter", layout.RegCounterKind, counter, 0},
	{"reg-string", layout.RegStringKind, text, 0},
	{"reg-guid", layout.RegGUIDKind, setGUID, 0},
	{"guids", layout.GUIDsKind, setGUID + "0a d3 96 f5 09 b1 48 42 a6 2f de a4 7a 46 e5 05", 0},
	{"template", layout.TemplateKind, setGUID + setGUID + "01 00 00 00 06 00 00 00" + templateCounter, 0},
	{"instance-block", layout.InstanceBlockKind, setGUID + "38 00 00 00 0b 00 00 00 30 00 00 00 06 00 00 00" +
		"2a 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff 31 00 31 00 00 00 00 00", 0},
}

func (e example) bytes(t testing.TB) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(e.hex, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The dumps of the examples are files in testdata/perflib.
func TestGoldenPerflib(t *testing.T) {
	t.Parallel()
	for _, e := range examples {
		b := e.bytes(t)
		for _, f := range dump.Formats() {
			var out bytes.Buffer
			faults, err := f.Write(&out, e.kind, b, dump.Options{})
			if err != nil || faults != e.faults {
				t.Errorf("%s: %d faults, %v, want %d", e.name, faults, err, e.faults)
			}
			file := filepath.Join("testdata", "perflib", e.name+"."+f.Name)
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), out.String()); diff != "" {
				t.Errorf("%s (-want +got)\n%s", file, diff)
			}
		}
		turnedBack(t, e.kind, b)
		checkJSON(t, e.kind, b)
		rebuilt(t, e.kind, b)
	}
}
