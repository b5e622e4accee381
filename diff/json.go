package diff

import (
	"bufio"
	"encoding/hex"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
)

// jsonSchema is the version of the format that docs/diff-json.md describes. A new member of an object
// does not change the version.
const jsonSchema = 1

type jsonHead struct {
	Schema    int            `json:"schema"`
	Kind      string         `json:"kind"`
	Detected  bool           `json:"detected,omitempty"`
	A         jsonFile       `json:"a"`
	B         jsonFile       `json:"b"`
	Ignored   []string       `json:"ignored,omitempty"`
	Counts    map[string]int `json:"counts"`
	Truncated bool           `json:"truncated"`
}

type jsonFile struct {
	Path  string `json:"path"`
	Input string `json:"input,omitempty"`
	Bytes int    `json:"bytes"`
}

type jsonDifference struct {
	Sort     string `json:"sort"`
	Change   string `json:"change"`
	Identity string `json:"identity"`

	Object  identity.Title `json:"object,omitzero"`
	Counter identity.Title `json:"counter,omitzero"`

	A *jsonPart `json:"a,omitempty"`
	B *jsonPart `json:"b,omitempty"`
}

type jsonPart struct {
	Path    string `json:"path"`
	Offset  int64  `json:"offset"`
	Length  int    `json:"length"`
	Value   string `json:"value,omitempty"`
	Meaning string `json:"meaning,omitempty"`
	At      *int   `json:"at,omitempty"`
	Bytes   string `json:"bytes,omitempty"`
}

// writeJSON writes each difference on a separate line.
func writeJSON(w *bufio.Writer, r *Result, o WriteOptions) {
	head := jsonHead{
		Schema: jsonSchema, Kind: r.Kind.String(), Detected: o.Detected, A: jsonFile{o.A.Path, o.A.Input, r.SizeA}, B: jsonFile{o.B.Path, o.B.Input, r.SizeB},
		Counts: make(map[string]int), Truncated: r.Truncated(),
	}
	for _, s := range r.Ignored {
		head.Ignored = append(head.Ignored, s.String())
	}
	for s, n := range r.Counts {
		head.Counts[Sort(s).String()] = n
	}
	encoded := terminal.JSON(head, "")
	_, _ = w.Write(encoded[:len(encoded)-1]) // the writer keeps the error
	_, _ = w.WriteString(`,"differences":[`)
	for i := range r.Differences {
		if i > 0 {
			_ = w.WriteByte(',')
		}
		_ = w.WriteByte('\n')
		_, _ = w.Write(terminal.JSON(jsonOf(&r.Differences[i], r.Kind, o), ""))
	}
	if len(r.Differences) > 0 {
		_ = w.WriteByte('\n')
	}
	_, _ = w.WriteString("]}\n")
}

func jsonOf(d *Difference, kind layout.Kind, o WriteOptions) jsonDifference {
	j := jsonDifference{Sort: d.Sort.String(), Change: d.Change.String(), Identity: d.Identity}
	j.Object, j.Counter = identity.Titles(kind, d.Identity, o.Names)
	if d.Change != Added {
		j.A = jsonPartOf(d.A)
	}
	if d.Change != Removed {
		j.B = jsonPartOf(d.B)
	}
	if d.Change == Changed && (j.A.Value == j.B.Value || j.A.Value == "" || j.B.Value == "") {
		at, a, b := firstDifference(d.A, d.B)
		j.A.At, j.B.At = &at, &at
		j.A.Bytes, j.B.Bytes = hex.EncodeToString(a), hex.EncodeToString(b)
	}
	return j
}

func jsonPartOf(p layout.Part) *jsonPart {
	j := jsonPart{Path: p.Path.String(), Offset: p.Off(), Length: p.Len()}
	j.Value, j.Meaning = value(p)
	return &j
}
