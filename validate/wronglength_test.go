package validate_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// validBuffers are valid V2 buffers.
var validBuffers = map[layout.Kind][]byte{
	layout.RegSetKind:        setWithClocks().bytes(),
	layout.RegCounterKind:    registered(1, layout.PERF_COUNTER_COUNTER).Append(nil),
	layout.RegStringKind:     append(text16("Set"), 0, 0),
	layout.RegGUIDKind:       wire.GUID(someSet).Append(nil),
	layout.TemplateKind:      validTemplate().bytes(),
	layout.InstanceBlockKind: validSetInstance().bytes(),
	layout.IdentifiersKind:   identifiersOf("*\x00", "", "_Total\x00", ""),
	layout.GUIDsKind:         wire.GUID(gpu).Append(nil),
	layout.StringsKind:       stringsOf(text("Ab\x00"), text("Cde\x00"), ""), // at 32 and 38 of 48 bytes
}

// valuesWithoutError lists the wrong lengths and counts that are no error, with the reason and
// the values.
var valuesWithoutError = map[string]struct {
	why   string
	legal func(is, was uint32) bool
}{
	"template NumCounters": {"Windows accepts a template with bytes after its counters", func(is, was uint32) bool { return is > 0 && is < was }},
	"strings dwSize":       {"it leaves padding out: it is a warning", func(is, _ uint32) bool { return is == 46 || is == 47 }},
	"strings dwOffset":     {"it leads to text as well, or says that there is none", func(is, _ uint32) bool { return is >= 32 && is < 48 || is == layout.NoString }},
	"template Size":        {"Windows does not look at it: it is a warning", func(uint32, uint32) bool { return true }},
}

// TestEveryWrongLengthIsError writes wrong numbers into each length, count and offset of a valid
// buffer.
func TestEveryWrongLengthIsError(t *testing.T) {
	t.Parallel()
	for kind, sound := range validBuffers {
		if r := validate.Bytes(kind, sound, validate.Context{}); r.Err(validate.Info) != nil {
			t.Fatalf("%v: %v", kind, r.Err(validate.Info))
		}
		for part := range layout.Walk(kind, sound) {
			if f := part.Field; f != nil && f.Type == layout.U32 && slices.Contains([]layout.RoleKind{layout.Length, layout.Count, layout.Offset}, f.Role.Kind) {
				checkWrongNumbers(t, kind, sound, part)
			}
		}
	}
}

func checkWrongNumbers(t *testing.T, kind layout.Kind, sound []byte, part layout.Part) {
	t.Helper()
	was := binary.LittleEndian.Uint32(part.Bytes())
	for _, is := range []uint32{0, 1, was - 8, was - 4, was - 2, was - 1, was + 1, was + 2, was + 4, was + 8, 2 * was, was << 8, 1 << 31, 1<<32 - 8, 1<<32 - 1} {
		if is == was {
			continue
		}
		b := bytes.Clone(sound)
		binary.LittleEndian.PutUint32(b[part.Off():], is)
		r := validate.Bytes(kind, b, validate.Context{})
		other, named := valuesWithoutError[fmt.Sprint(kind, " ", part.Field.Name)]
		legal := named && other.legal(is, was)
		switch {
		case !legal && r.Counts.Error == 0:
			t.Errorf("%v: %v is %d and was %d, which is no error: %v", kind, part.Path, is, was, r.Err(validate.Info))
		case legal && r.Counts.Error > 0:
			t.Errorf("%v: %v is %d and was %d, which is an error, though %s: %v", kind, part.Path, is, was, other.why, r.Err(validate.Info))
		case len(r.Findings) == 0:
			t.Errorf("%v: no finding at %v, which is %d and was %d", kind, part.Path, is, was)
		}
	}
}
