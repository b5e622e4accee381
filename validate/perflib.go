package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var perflibRules = []*Rule{
	{
		ID: "PERF2001", Name: "v2-trailing-bytes", Severity: Info, Since: "v0.1.0",
		Doc:     "nothing stands behind the end of the data",
		Why:     "The functions tell how much of the caller's buffer they have filled. Who writes out the whole buffer keeps what was there before, which readers pass over.",
		Fix:     "Write as many bytes as the function says that there are.",
		Sources: []Source{consuming, of(&layout.PERF_DATA_HEADER, "dwTotalSize")},
		check:   ends(trailingBytes),
	},
	{
		ID: "PERF2002", Name: "v2-padding-nonzero", Severity: Info, Since: "v0.1.0",
		Doc:     "padding is zeros",
		Why:     "No reader looks at it, but what stands there is what happened to be in memory: bytes of another process may leave the computer with it, and two equal samples differ.",
		Fix:     "Clear the buffer, or the padding, before it is written.",
		Sources: []Source{pcqStructures},
		check:   checks(paddingNonzero),
	},
}

// A buffer is an input of V2 as a whole.
type buffer struct{ end int64 } // where what it holds ends

func (*buffer) path() layout.Path               { return layout.Path{} }
func (*buffer) record() *layout.Record          { return nil }
func (*buffer) start() int64                    { return 0 }
func (*buffer) stage(s *staged) *stage[*buffer] { return &s.buffer }

// A gap is bytes that mean nothing.
type gap struct {
	of   subject // in which it is
	step string  // what a path calls it there
	off  int64
	b    []byte
}

func (g *gap) path() layout.Path          { return g.of.path() }
func (g *gap) record() *layout.Record     { return g.of.record() }
func (g *gap) start() int64               { return g.of.start() }
func (*gap) stage(s *staged) *stage[*gap] { return &s.gap }

// padding judges the bytes from one offset to another, which are inside the input and
// padding of the subject.
func (p *pass) padding(s subject, from, to int64) { p.unused(s, "padding", from, to) }

// unused is padding for bytes that a path calls something else.
func (p *pass) unused(s subject, step string, from, to int64) {
	if from >= to || allZero(p.b[from:to]) {
		return
	}
	p.gap = gap{s, step, from, p.b[from:to]}
	p.rules.gap.holds(p, &p.gap)
	p.gap = gap{}
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// judgePerflib judges a block of a kind of V2, and reports whether there are rules for it.
func (p *pass) judgePerflib(kind layout.Kind) bool {
	p.buffer.end = int64(len(p.b))
	judge, ok := perflibJudges[kind]
	if ok {
		judge(p)
		p.rules.buffer.end(p, &p.buffer)
	}
	return ok
}

// perflibJudges has how each kind of V2 is judged.
var perflibJudges = map[layout.Kind]func(*pass){
	layout.QueryDataKind:     (*pass).queryData,
	layout.InstancesKind:     (*pass).instanceList,
	layout.RegSetKind:        (*pass).judgeRegSet,
	layout.RegCounterKind:    (*pass).judgeRegOne,
	layout.RegStringKind:     (*pass).judgeRegOne,
	layout.RegGUIDKind:       (*pass).judgeRegOne,
	layout.TemplateKind:      (*pass).judgeTemplate,
	layout.InstanceBlockKind: (*pass).judgeInstanceBlock,
	layout.IdentifiersKind:   (*pass).judgeIdentifiers,
	layout.GUIDsKind:         (*pass).judgeGUIDs,
	layout.StringsKind:       (*pass).judgeStrings,
}

func trailingBytes(p *pass, b *buffer) {
	if n := int64(len(p.b)) - b.end; n > 0 {
		p.bytes(b, "rest", b.end, int(n), fmt.Sprintf("%d bytes stand behind the data", n), "none")
	}
}

func paddingNonzero(p *pass, g *gap) {
	for i, c := range g.b {
		if c != 0 {
			p.bytes(g, g.step, g.off+int64(i), len(g.b)-i, fmt.Sprintf("padding has the byte 0x%02x", c), "zeros")
			return
		}
	}
}
