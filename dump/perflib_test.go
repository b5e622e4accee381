package dump_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
)

// An example is a V2 buffer from a worked example in the documentation.
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
	{"strings-from-entries", layout.StringsKind, "28 00 00 00 02 00 00 00 01 00 00 00 00 00 00 00  02 00 00 00 06 00 00 00" +
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

// TestGoldenPerflib compares dumps of the examples with the files in testdata/perflib.
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
			golden.File(t, file, out.String())
		}
		checkHex(t, e.kind, b)
		checkJSON(t, e.kind, b)
		checkRebuilt(t, e.kind, b)
	}
}

// TestAllocationsOfPerflib checks that writing an instance of V2 or an identifier does not
// allocate.
func TestAllocationsOfPerflib(t *testing.T) {
	instance := "10 00 00 00 00 00 00 00 43 00 3a 00 00 00 00 00  08 00 00 00 10 00 00 00 0a 00 00 00 00 00 00 00"
	query := func(n int) example {
		b := le.AppendUint32(nil, uint32(48+24+32*n))
		b = append(le.AppendUint32(b, 1), make([]byte, 40)...)
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, 0), 4), uint32(24+32*n))
		b = le.AppendUint32(le.AppendUint32(append(b, 0, 0, 0, 0), uint32(8+32*n)), uint32(n))
		return example{kind: layout.QueryDataKind, hex: hex.EncodeToString(b) + strings.Repeat(instance, n)}
	}
	identifier := setGUID + "00 00 00 00 30 00 00 00 ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 2a 00 00 00 00 00 00 00"
	identifiers := func(n int) example { return example{kind: layout.IdentifiersKind, hex: strings.Repeat(identifier, n)} }
	for _, f := range dump.Formats() {
		for _, of := range []func(n int) example{query, identifiers} {
			cost := func(n int) float64 {
				b, kind := of(n).bytes(t), of(n).kind
				// A garbage collection would empty the pools of fmt, and fmt would allocate
				// again.
				defer debug.SetGCPercent(debug.SetGCPercent(-1))
				return testing.AllocsPerRun(3, func() {
					if faults, err := f.Write(discard{}, kind, b, dump.Options{}); faults > 0 || err != nil {
						t.Error(faults, err)
					}
				})
			}
			if few, many := cost(10), cost(1000); many > few+5 {
				t.Errorf("%s, %v: %v allocations for 10, and %v for 1000", f.Name, of(1).kind, few, many)
			}
		}
	}
}

// TestPerflibWords compares lines of dumps with lines that were written by hand from the documentation.
func TestPerflibWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ example, format, want string }{
		{"query-data", "hex", "0030 | 69 10 00 00 | result[0].dwStatus = 4201   ERROR_WMI_INSTANCE_NOT_FOUND\n"},
		{"query-data", "hex", "00a0 | 88 77 66 55 44 33 22 11 | result[2].data[1].value = 1234605616436508552\n"},
		{"query-data", "hex", "011c | 06 00 00 00 | result[4].dwType = 6   PERF_COUNTERSET\n"},
		{"query-data", "hex", "0010 | 50 7c 55 b7 b4 79 dd 01 | PerfTime100NSec = 134397380967890000   2026-11-21 12:34:56.7890000 UTC\n"},
		{"query-data", "hex", "007c | 02 00 00 00 | result[2].ids.id[1] = 2\n"},
		{"query-data", "json", `{"path":"result[3].instance[1].Name","offset":248,"length":14,"sort":"name","text":"_Total"}`},
		{"query-data", "json", `{"path":"result[1].data[0].value","offset":88,"length":4,"sort":"value","value":42}`},
		{"query-data", "tree", "\n    instance[1] \"_Total\", id 5\n      data[0] = 11\n"},
		{"query-empty", "tree", "\n  result[0] PERF_COUNTERSET\n    ids of 2 counters: 1, 2\n    instances 0\n"},
		{"query-broken", "tree", "\n  result[3] PERF_MULTIPLE_COUNTERS\n    ids of 9 counters\n      ! 64 bytes at 0x00a0 unread: "},
		{"identifiers", "hex", "0000 | 1a 72 fc b4 78 03 6f 47 89 ba a5 a7 9f 81 0b 36 | identifier[0].CounterSetGuid = {b4fc721a-0378-476f-89ba-a5a79f810b36}\n"},
		{"identifiers", "hex", "CounterId = 4294967295   all of the set\n"},
		{"identifiers", "hex", "InstanceId = 4294967295   any\n"},
		{"strings", "hex", "000c | 20 00 00 00 | entry[0].dwOffset = 32   -> 0x0020\n"},
		{"strings", "json", `"type":"DWORD","value":38,"target":38}`},
		{"strings-from-entries", "hex", "000c | 00 00 00 00 | entry[0].dwOffset = 0   -> 0x0018\n"},
		{"strings", "hex", "001c | ff ff ff ff | entry[2].dwOffset = 4294967295   none\n"},
		{"strings", "hex", "0026 | 43 00 64 00 65 00 00 00 | entry[1].Text = \"Cde\"\n"},
		{"reg-counter", "hex", "0004 | 00 04 02 30 | counter[0].Type = 0x30020400   PERF_AVERAGE_TIMER\n"},
		{"reg-counter", "hex", "counter[0].Attrib = 8   PERF_ATTRIB_DISPLAY_AS_REAL\n"},
		{"reg-counter", "hex", "counter[0].DetailLevel = 200   PERF_DETAIL_ADVANCED\n"},
		{"reg-set", "hex", "counter[1].Attrib = 9223372036854775827   PERF_ATTRIB_BY_REFERENCE|PERF_ATTRIB_NO_DISPLAYABLE|PERF_ATTRIB_DISPLAY_AS_HEX|0x8000000000000000\n"},
		{"reg-set", "hex", "counter[1].AggregateFunc = 4   PERF_AGGREGATE_MAX\n"},
		{"reg-set", "hex", "InstanceType = 2   PERF_COUNTERSET_MULTI_INSTANCES\n"},
		{"template", "hex", "0024 | 06 00 00 00 | InstanceType = 6   PERF_COUNTERSET_MULTI_AGGREGATE\n"},
		{"template", "hex", "counter[0].Type = 0x10410400   PERF_COUNTER_COUNTER\n"},
		{"instance-block", "hex", "0018 | 30 00 00 00 | InstanceNameOffset = 48   -> 0x0030\n"},
		{"instance-block", "json", `{"path":"slot[1]","offset":40,"length":8,"sort":"value","value":"18446744073709551615"}`},
	} {
		for _, e := range examples {
			if e.name != tt.example {
				continue
			}
			f, err := dump.FormatNamed(tt.format)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if _, err := f.Write(&out, e.kind, e.bytes(t), dump.Options{}); err != nil || !strings.Contains(out.String(), tt.want) {
				t.Errorf("%s as %s, %v: no %q in\n%s", tt.example, tt.format, err, tt.want, out.String())
			}
		}
	}
}
