package layout_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// perflibKinds are the kinds of the blocks in testdata/perflib.txt, by their titles.
var perflibKinds = map[string]layout.Kind{
	"query": layout.QueryDataKind, "instances": layout.InstancesKind, "identifiers": layout.IdentifiersKind, "strings": layout.StringsKind,
	"registered set": layout.RegSetKind, "registered counter": layout.RegCounterKind, "registered text": layout.RegStringKind,
	"GUIDs": layout.GUIDsKind, "template": layout.TemplateKind, "set instance": layout.InstanceBlockKind,
}

// kindOf returns the kind of the block, and whether it has one.
func (b block) kindOf() (layout.Kind, bool) {
	name, _, _ := strings.Cut(b.title, ":")
	k, ok := perflibKinds[name]
	return k, ok
}

// Walk gives what testdata/perflib.txt has, part by part, and Find finds each.
func TestWalkOfPerflibExamples(t *testing.T) {
	t.Parallel()
	for _, b := range perflibBlocks(t) {
		kind, ok := b.kindOf()
		if !ok {
			continue // what a callback is given is no buffer by itself
		}
		var got []seen
		for p := range layout.Walk(kind, b.bytes) {
			got = add(got, seen{p.Off(), p.Len(), asListed(t, p)})
			if &p.Bytes()[0] != &b.bytes[p.Off()] || cap(p.Bytes()) != p.Len() {
				t.Errorf("%s: %v is a copy, or has room", b.title, p.Path)
			}
			if isField := p.Sort == layout.FieldPart; (p.Field != nil) != isField || (p.Record != nil) != isField || p.Err != nil || p.Untyped != (p.Sort == layout.ValuePart) {
				t.Errorf("%s: %v is %+v", b.title, p.Path, p)
			}
			found(t, kind, b.bytes, p.Path, want{p.Sort.String(), "", p.Off(), p.Len(), ""})
			found(t, kind, b.bytes, parsePath(t, p.Path.String()), want{p.Sort.String(), "", p.Off(), p.Len(), ""})
		}
		if diff := cmp.Diff(b.parts, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", b.title, diff)
		}
	}
	// What the file has no block of.
	guid := perflibBytes(t, "GUIDs")[:16]
	for p := range layout.Walk(layout.RegGUIDKind, guid) {
		if g, ok := p.GUID(); !ok || g.String() != "{b4fc721a-0378-476f-89ba-a5a79f810b36}" || p.Path.String() != "guid[0]" || p.Len() != 16 {
			t.Errorf("%v is %v, %t", p.Path, g, ok)
		}
		found(t, layout.RegGUIDKind, guid, p.Path, want{"field", "", 0, 16, ""})
	}
}

// add joins to the last what the file has in one: the numbers of a time, ids.
func add(list []seen, s seen) []seen {
	name, value, _ := strings.Cut(s.What, " = ")
	sign := "{}"
	if strings.HasSuffix(name, ".ids") {
		sign = "[]"
	}
	if name != "SystemTime" && sign == "{}" {
		return append(list, s)
	}
	if n := len(list) - 1; n >= 0 && strings.HasPrefix(list[n].What, name+" = "+sign[:1]) {
		list[n].Len += s.Len
		list[n].What = strings.TrimSuffix(list[n].What, sign[1:]) + " " + value + sign[1:]
		return list
	}
	s.What = name + " = " + sign[:1] + value + sign[1:]
	return append(list, s)
}

// asListed writes a part as the file does.
func asListed(t *testing.T, p layout.Part) string {
	t.Helper()
	steps := p.Path.Elems()
	last := steps[len(steps)-1]
	parent := p.Path.Parent().String()
	switch p.Sort {
	case layout.NamePart:
		text, err := p.Name().Text()
		if err != nil {
			t.Error(err)
		}
		return strings.TrimSpace(parent+" "+strings.ToLower(last.Name)) + " = " + strconv.Quote(text)
	case layout.ValuePart:
		n, _ := p.Number()
		if last.Name == "slot" {
			return fmt.Sprintf("%v = %d", p.Path, n)
		}
		return fmt.Sprintf("%s value = %d", parent, n)
	case layout.PaddingPart:
		return "padding"
	}
	if g, ok := p.GUID(); ok {
		if _, number := p.Int(); number {
			t.Errorf("%v is a number", p.Path)
		}
		return fmt.Sprintf("%v = %v", p.Path, g)
	}
	n, ok := p.Int()
	if !ok {
		t.Errorf("%v is no number", p.Path)
	}
	if steps[0].Name == "SystemTime" || last.Name == "id" {
		return fmt.Sprintf("%s = %d", parent, n)
	}
	return fmt.Sprintf("%v = %d", p.Path, n)
}

// coveredV2 holds Walk to its promises, and Find to find what Walk shows.
func coveredV2(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	covered(t, kind, b)
	var behind error
	var shown []layout.Part
	next := int64(0)
	for p := range layout.Walk(kind, b) {
		if p.Off() != next {
			t.Fatalf("%v starts at %d, what comes before ends at %d", p.Path, p.Off(), next)
		}
		next = p.End()
		if p.Err != nil {
			behind = p.Err
		}
		if p.Sort == layout.UnreadPart {
			continue
		}
		shown = append(shown, p)
	}
	for i, q := range findAll(kind, b, shown) {
		p := shown[i]
		if q.Err != nil {
			inside(t, q.Err, len(b))
			if behind == nil {
				t.Fatalf("nothing is wrong, but %v is not found: %v", p.Path, q.Err)
			}
			continue
		}
		if q.Off() != p.Off() || q.Len() != p.Len() || q.Sort != p.Sort || q.Record != p.Record || q.Field != p.Field || q.Base != p.Base || q.Untyped != p.Untyped {
			t.Fatalf("%v is %v, %d bytes at %d; Find has %v, %d at %d", p.Path, p.Sort, p.Len(), p.Off(), q.Sort, q.Len(), q.Off())
		}
	}
}

func TestWalkOfPerflibCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, b := range perflibBlocks(t) {
		for _, kind := range layout.Kinds() {
			if kind.V1() {
				continue
			}
			for n := 0; n <= len(b.bytes); n += long.Count(7, 1) {
				coveredV2(t, kind, b.bytes[:n:n])
			}
		}
	}
}

func TestWalkOfPerflibEveryByteChanged(t *testing.T) {
	t.Parallel()
	for _, block := range perflibBlocks(t) {
		kind, ok := block.kindOf()
		if !ok {
			continue
		}
		b := block.bytes
		for at := 0; at < len(b); at += long.Count(11, 1) {
			was := b[at]
			for _, c := range []byte{0, 1, was + 1, was - 1, was + 8, was ^ 0x80, 0x7F, 0xFF} {
				b[at] = c
				coveredV2(t, kind, b)
			}
			b[at] = was
		}
	}
}

func TestWalkOfPerflibAnyBytes(t *testing.T) {
	t.Parallel()
	blocks := perflibBlocks(t)
	rnd := rand.New(rand.NewPCG(21, 22))
	for range long.Count(200, 4_000) {
		b := damagedPerflib(rnd, blocks)
		for _, kind := range layout.Kinds() {
			if !kind.V1() {
				coveredV2(t, kind, b)
			}
		}
	}
}

func FuzzWalk(f *testing.F) {
	for _, b := range perflibBlocks(f) {
		if kind, ok := b.kindOf(); ok {
			f.Add(uint8(kind), b.bytes)
		}
	}
	f.Add(uint8(layout.DataBlockKind), smallBytes(f))
	f.Add(uint8(layout.ObjectsKind), smallBytes(f)[smallObjects:])
	for _, b := range fixtures(f) {
		f.Add(uint8(b.Kind), b.Bytes)
	}
	f.Fuzz(func(t *testing.T, k uint8, b []byte) {
		kind := layout.Kinds()[int(k)%len(layout.Kinds())]
		if kind.V1() {
			covered(t, kind, b)
		} else {
			coveredV2(t, kind, b)
		}
	})
}

// fixtures returns what testdata holds, with what is broken in it.
func fixtures(t testing.TB) []fixture.Block {
	t.Helper()
	blocks, err := fixture.Blocks("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// A consumer may stop anywhere.
func TestWalkOfPerflibStopsEarly(t *testing.T) {
	t.Parallel()
	for _, b := range perflibBlocks(t) {
		for _, kind := range layout.Kinds() {
			for n := range 130 {
				for range layout.Walk(kind, b.bytes) {
					if n--; n < 0 {
						break
					}
				}
			}
		}
	}
}
