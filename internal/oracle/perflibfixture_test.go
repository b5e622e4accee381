package oracle_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// perflibKinds are the kinds of the blocks in layout/testdata/perflib.txt, by their titles up to a colon.
var perflibKinds = map[string]layout.Kind{
	"query": layout.QueryDataKind, "instances": layout.InstancesKind, "identifiers": layout.IdentifiersKind, "strings": layout.StringsKind,
	"registered set": layout.RegSetKind, "registered counter": layout.RegCounterKind, "registered text": layout.RegStringKind,
	"GUIDs": layout.GUIDsKind, "template": layout.TemplateKind, "set instance": layout.InstanceBlockKind,
}

// worked returns the worked examples of perflib.h, with what stands in them as the walker says it.
func worked(t *testing.T) (list []fixture) {
	t.Helper()
	text, err := os.ReadFile("../../layout/testdata/perflib.txt")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", ""), "\n== ") {
		title, lines, _ := strings.Cut(part, "\n")
		short, _, _ := strings.Cut(title, ":")
		kind, ok := perflibKinds[short]
		if !ok {
			continue // what is before the first, and what is no buffer by itself
		}
		f := fixture{name: title, kind: kind.String()}
		for line := range strings.SplitSeq(lines, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if err := f.add(line); err != nil {
				t.Fatalf("%s: %q: %v", title, line, err)
			}
		}
		list = append(list, f)
	}
	if len(list) < len(perflibKinds) {
		t.Fatalf("%d worked examples", len(list))
	}
	return list
}

// asWalked turns an entry of the worked examples into those of the walker: there texts stand as texts, and lists and times in one.
func asWalked(e oracle.Entry, raw []byte) []oracle.Entry {
	owner, value, several := strings.Cut(e.Path, " ")
	switch {
	case several && value == "value":
		e.Path = owner + "." + value
	case several: // name or text
		e.Path, e.Value = owner+"."+strings.ToUpper(value[:1])+value[1:], "hex:"+hex.EncodeToString(raw)
	case e.Path == "name" || e.Path == "text":
		e.Path, e.Value = strings.ToUpper(e.Path[:1])+e.Path[1:], "hex:"+hex.EncodeToString(raw)
	case len(raw) == 16 && strings.Contains(e.Value, "-"):
		e.Value = "hex:" + hex.EncodeToString(raw)
	case strings.ContainsAny(e.Value, "[{"):
		return items(e)
	}
	return []oracle.Entry{e}
}

var timeFields = []string{"wYear", "wMonth", "wDayOfWeek", "wDay", "wHour", "wMinute", "wSecond", "wMilliseconds"}

func items(e oracle.Entry) (list []oracle.Entry) {
	values := strings.Fields(strings.Trim(e.Value, "[]{}"))
	for i, v := range values {
		size := e.Size / len(values)
		path := fmt.Sprintf("%s.id[%d]", e.Path, i)
		if strings.HasPrefix(e.Value, "{") {
			path = e.Path + "." + timeFields[i]
		}
		list = append(list, oracle.Entry{Path: path, Off: e.Off + int64(i*size), Size: size, Value: v})
	}
	return list
}

// longText returns strings of which n share one text of size bytes.
func longText(n, size int) []byte {
	first := 8 + 8*n
	b := wire.StringBufferHeader{DwSize: uint32(first + size), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: uint32(first)}.Append(b)
	}
	return append(append(b, strings.Repeat("x", size-2)...), 0, 0)
}
