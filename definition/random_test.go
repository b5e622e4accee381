package definition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/layout"
)

// sameProviders has options to compare providers. They ignore the lines and columns of values, and other unexported
// fields.
var sameProviders = cmp.Options{cmpopts.IgnoreUnexported(Provider{}, CounterSet{}, Counter{}, Struct{}), cmpopts.EquateEmpty()}

// pieces are parts of random names. They include characters that some form must quote or escape.
var pieces = []string{"Queue", "sec", "%", "/", "&", "<", `"`, `\`, ":", "#", "'", "é", "日本", "\U0001F600", "=", ";", "[", "]", "{", "}", "null", "007", "-", "$(x)", "*/", "--"}

// A random makes random definitions. Equal seeds make equal definitions.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 4))} }

// sometimes returns true once in n times.
func (r random) sometimes(n int) bool { return r.IntN(n) == 0 }

// name returns a random name. Different values of n give different names.
func (r random) name(n int) string {
	var s strings.Builder
	s.WriteString(fmt.Sprint("N", n))
	for range r.IntN(4) {
		s.WriteString(" " + pieces[r.IntN(len(pieces))])
	}
	return s.String()
}

func (r random) text(n int) Text {
	switch r.IntN(10) {
	case 0, 1:
		return Text{Languages: map[string]string{"en": r.name(n), "de": r.name(n)}}
	case 2, 3:
		return Text{Neutral: r.name(n), Languages: map[string]string{"ja": r.name(n)}}
	case 4:
		return Text{Neutral: r.name(n), Languages: map[string]string{"en-GB": r.name(n), "en-US": r.name(n), "de-DE": r.name(n), "pt-BR": r.name(n), "pt-PT": r.name(n)}}
	}
	return Text{Neutral: r.name(n)}
}

func (r random) symbol(n int) string {
	if r.sometimes(2) {
		return ""
	}
	return fmt.Sprintf("SYMBOL_%d", n)
}

func (r random) number() *uint32 {
	if !r.sometimes(3) {
		return nil
	}
	return new(r.Uint32N(5000))
}

func (r random) guid() layout.GUID {
	if r.sometimes(2) {
		return layout.GUID{}
	}
	return layout.GUID{Data1: r.Uint32(), Data2: uint16(r.Uint32()), Data4: [8]byte{1, 2, byte(r.Uint32())}}
}

// provider returns a random definition that [Parse] accepts. All references name counters of the set.
func (r random) provider() *Provider {
	p := &Provider{Name: r.name(0), GUID: r.guid(), Symbol: r.symbol(0), Service: r.symbol(1), Binary: r.symbol(2), ResourceBase: r.number(), Trusted: r.sometimes(4), Library: r.symbol(3), Open: r.symbol(4), Package: strings.ToLower(r.symbol(5)), FirstCounter: r.number(), Reference: r.sometimes(4)}
	types := slices.Collect(layout.CounterTypes())
	n := 1
	for range 1 + r.IntN(3) {
		s := CounterSet{Name: r.text(n), Help: r.text(n), GUID: r.guid(), Symbol: r.symbol(n), NameID: r.number(), Instances: instanceWords[r.IntN(len(instanceWords))].value}
		n++
		for i := range 1 + r.IntN(6) {
			c := Counter{
				Name: r.text(n), ID: uint32(i + 1), Symbol: r.symbol(n), Type: types[r.IntN(len(types))], HelpID: r.number(),
				Aggregate: aggregateWords[r.IntN(len(aggregateWords))].value, Attributes: layout.Attrib(r.IntN(32)), Scale: int32(r.IntN(21) - 10),
			}
			if r.sometimes(2) {
				c.Help = r.text(n)
			}
			if r.sometimes(2) {
				c.DetailLevel = levelWords[r.IntN(len(levelWords))].value
			}
			if r.sometimes(3) {
				c.Title = new(uint32(2 * n))
			}
			if r.sometimes(8) {
				c.Offset = new(uint32(1000 + 16*n))
			}
			n++
			s.Counters = append(s.Counters, c)
		}
		if r.sometimes(3) {
			for i, id := range r.Perm(len(s.Counters)) {
				s.Counters[i].ID = uint32(id)
			}
		}
		for i := range s.Counters {
			for _, f := range s.Counters[i].references() {
				if r.sometimes(4) {
					*f.to = s.Counters[r.IntN(len(s.Counters))].label()
				}
			}
			if c := &s.Counters[i]; i+1 < len(s.Counters) && c.Type.NeedsBase() { // YAML can define the base in the reference
				next := &s.Counters[i+1]
				c.Base, next.Type, next.Attributes = next.label(), c.references()[0].wanted, layout.PERF_ATTRIB_NO_DISPLAYABLE
			}
		}
		p.CounterSets = append(p.CounterSets, s)
	}
	return p
}
