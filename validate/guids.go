package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var guidsRules = []*Rule{
	{
		ID: "PERF2702", Name: "v2-guid-list-size", Severity: Error, Since: "v0.1.0",
		Doc:     "the length of a list of GUIDs is a multiple of 16",
		Why:     "The last bytes are not a whole GUID: the list was cut off, or it starts at another offset. A common mistake is to use the result of PerfEnumerateCounterSet, a number of GUIDs, as a number of bytes.",
		Fix:     "Give the validator exactly 16 bytes for each GUID that the function returned.",
		Sources: []Source{function("PerfEnumerateCounterSet")},
		check: onGUID.check(func(p *pass, g *guid) {
			p.requireSize(g, int64(len(g.b)), "has %s before the end of the list", "have")
		}),
	},
	{
		ID: "PERF2703", Name: "v2-guid-list-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two GUIDs of a list are the same",
		Why:     "A counter set has one GUID and is listed once. If it is listed twice, a reader collects the set twice and adds its values twice.",
		Fix:     "Remove the second GUID, or look for a second provider that was installed with the same GUID.",
		Sources: []Source{function("PerfEnumerateCounterSet"), aboutSets},
		check: onGUID.check(func(p *pass, g *guid) {
			// The list can end inside its last GUID. g.b then has fewer than 16 bytes and is equal
			// to no other GUID.
			seed := &p.names.seed
			first := p.names.add(seed.addName(seed.start, g.b), uint32(g.index+1), func(ref uint32) bool {
				return string(p.b[int(ref-1)*guidSize:][:guidSize]) == string(g.b)
			})
			if first != 0 {
				p.reportBytes(g, "", g.start(), guidSize, fmt.Sprintf("the GUID is the same as guid[%d]", first-1), "must be listed once")
			}
		}),
	},
}

// guid is a GUID of a list. The last GUID has fewer than 16 bytes if the list ends inside the GUID.
type guid struct {
	index int
	b     []byte
}

var onGUID = subjectsIn[*guid](layout.GUIDsKind)

func (g *guid) path() layout.Path { return layout.Path{}.At("guid", g.index) }

func (*guid) record() *layout.Record { return &layout.GUIDRecord }

func (g *guid) start() int64 { return int64(g.index) * guidSize }

func (p *pass) checkGUIDs() {
	p.names.reset(len(p.b) / guidSize)
	for i := 0; i*guidSize < len(p.b); i++ {
		p.guid = guid{i, p.b[i*guidSize : min((i+1)*guidSize, len(p.b))]}
		onGUID.run(p, &p.guid)
	}
}
