package fuzz

import (
	"iter"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

// New returns a model of type T: New[builder.DataBlock](fuzz.Seed(7), fuzz.Config{}) returns a *builder.DataBlock.
func New[T any, M interface {
	*T
	builder.Model
}](s *Source, c Config) *T {
	return Model(M(new(T)).Kind(), s, c).(any).(*T)
}

// Model returns a model of the given kind, or nil if the kind is unknown.
func Model(kind layout.Kind, s *Source, c Config) builder.Model {
	g := newGenerator(s, c)
	switch kind {
	case layout.DataBlockKind:
		return new(g.dataBlock())
	case layout.ObjectsKind:
		g.makeObjects()
		return new(builder.Objects(g.objects))
	case layout.QueryDataKind:
		return new(g.queryData())
	case layout.InstancesKind:
		return new(g.instanceList())
	case layout.IdentifiersKind:
		return new(g.identifiers())
	case layout.RegSetKind:
		return new(g.counterSetRegInfo())
	case layout.RegCounterKind:
		return new(g.counterRegInfo())
	case layout.RegStringKind:
		return new(builder.RegString(g.text()))
	case layout.RegGUIDKind:
		return new(builder.RegGUID(g.guid()))
	case layout.StringsKind:
		return new(g.stringBuffer())
	case layout.GUIDsKind:
		return new(g.guids())
	case layout.TemplateKind:
		return new(g.counterSetInfo())
	case layout.InstanceBlockKind:
		return new(g.counterSetInstance())
	}
	return nil
}

// nilModels are the nil pointers to all model types.
var nilModels = []builder.Model{
	(*builder.DataBlock)(nil), (*builder.Objects)(nil), (*builder.QueryData)(nil), (*builder.InstanceList)(nil), (*builder.Identifiers)(nil),
	(*builder.CounterSetRegInfo)(nil), (*builder.CounterRegInfo)(nil), (*builder.RegString)(nil), (*builder.RegGUID)(nil), (*builder.StringBuffer)(nil),
	(*builder.GUIDs)(nil), (*builder.CounterSetInfo)(nil), (*builder.CounterSetInstance)(nil),
}

// checkNotNil returns an error if m is nil or a nil pointer.
func checkNotNil(m builder.Model) error {
	if m == nil || slices.Contains(nilModels, m) {
		return layout.Faultf(layout.ErrRange, "the model is nil, must be a model of package builder")
	}
	return nil
}

// A generator makes the parts of one block.
type generator struct {
	*Source
	Config
	now     int64            // PerfTime100nSec of the block
	objects []builder.Object // the objects made so far, to which instances may refer
}

func newGenerator(s *Source, c Config) *generator {
	return &generator{Source: s.orEmpty(), Config: c.withDefaults(), now: builder.DefaultTime}
}

// eachPart yields a generator for each part of the given sort. It yields at least `least` and at most `most`
// generators. A generator uses only the bytes of its part.
func (g *generator) eachPart(sort partSort, least, most int) iter.Seq[*generator] {
	return func(yield func(*generator) bool) {
		for n := range most {
			s, ok := g.Source.part(sort, n < least)
			if !ok {
				return
			}
			of := *g
			of.Source = s
			if !yield(&of) {
				return
			}
		}
	}
}

// gives returns true with a probability of n/256, but never if Computed is set. If it returns true, the caller sets a
// field that the encoder would otherwise compute.
func (g *generator) gives(n int) bool { return g.chance(n) && !g.Computed }

// avoid returns v, or v+1 if v is equal to `unwanted`.
func avoid[T ~int64 | ~uint32](v, unwanted T) T {
	if v == unwanted {
		return v + 1
	}
	return v
}

var alphabets = []string{"abcXYZ019 _", "äßÅéЖ漢字", "𝄞😀𐍈a", "\uFEFF\uFFFE\uFFFFĀ\u2028", "\x01\t\n\"'\\/()#*%:", "_Total"}

// text returns a name in UTF-8 that UTF-16 can encode. Letters of ASCII are frequent.
func (g *generator) text() string {
	alphabet := pick(g.Source, alphabets...)
	if g.ASCII && (alphabet[0] < ' ' || alphabet[0] > '~') {
		alphabet = `"'\/()#*%:`
	}
	runes := []rune(alphabet)
	var s []rune
	for len(s) < g.MaxText && g.chance(210) {
		s = append(s, runes[g.upTo(len(runes))])
	}
	return string(s)
}

// codePageText returns a text in an unknown code page: any bytes except NUL.
func (g *generator) codePageText() string {
	var s []byte
	for len(s) < g.MaxText && g.chance(200) {
		s = append(s, byte(1+g.upTo(255)))
	}
	return string(s)
}

// guid returns a GUID, sometimes the zero GUID.
func (g *generator) guid() layout.GUID {
	none := g.chance(8)
	id := layout.GUID{Data1: g.uint32(), Data2: uint16(g.uint32()), Data3: uint16(g.uint32()), Data4: [8]byte(g.bytes(8))}
	if none {
		return layout.GUID{}
	}
	return id
}

func (g *generator) guids() (list builder.GUIDs) {
	for of := range g.eachPart(objectPart, 0, g.MaxObjects) {
		list = append(list, of.guid())
		if duplicate := of.chance(12); duplicate && len(list) > 1 {
			list[len(list)-1] = list[len(list)-2]
		}
	}
	return list
}

// padding returns the number of bytes by which a record is longer than required. It is often 0.
func (g *generator) padding() uint32 {
	if n := 8 * uint32(1+g.upTo(3)); g.gives(24) {
		return n
	}
	return 0
}

// lengthWith returns a length that exceeds the required length by padding. It returns 0 if padding is 0, so that the
// encoder computes the length.
func lengthWith(padding, required uint32) uint32 {
	if padding == 0 {
		return 0
	}
	return align8(required) + padding
}

func align8(n uint32) uint32 { return (n + 7) / 8 * 8 }

// utf16Size returns the number of bytes of a name in UTF-16 with its NUL.
func utf16Size(name string) uint32 { return uint32(utf16le.Len(name)) + 2 }

// A usedKeys maps each used key, such as an id, to the next key to try. Without the next key, n searches that start
// from the same key would take quadratic time.
type usedKeys[K comparable] map[K]K

// take returns the first unused key among k, after(k), after(after(k)) and so on, and marks this key as used.
func (t usedKeys[K]) take(k K, after func(K) K) K {
	first := k
	for next, ok := t[k]; ok; next, ok = t[k] {
		k = next
	}
	t[k] = after(k)
	t[first] = t[k]
	return k
}
