package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var inputRules = []*Rule{
	{
		ID: "PERF2001", Name: "v2-trailing-bytes", Severity: Info, Since: "v0.1.0",
		Doc:     "no bytes follow the end of the data",
		Why:     "The functions return the number of bytes they wrote. A program that stores its whole buffer also stores its earlier contents, which readers ignore.",
		Fix:     "Store only as many bytes as the function returned.",
		Sources: []Source{consuming, of(&layout.PERF_DATA_HEADER, "dwTotalSize")},
		check:   onInput.atEnd(trailingBytes),
	},
	{
		ID: "PERF2002", Name: "v2-padding-nonzero", Severity: Info, Since: "v0.1.0",
		Doc:     "padding bytes are 0",
		Why:     "No reader uses padding, but other values are leftover memory: they may disclose data of another process, and make two equal samples differ.",
		Fix:     "Clear the buffer, or the padding, before you write it.",
		Sources: []Source{pcqStructures},
		check:   onPadding.check(paddingNonzero),
	},
}

// A input is an input of V2 as a whole.
type input struct{ end int64 } // where what it holds ends

var onInput = subjectsIn[*input](layout.QueryDataKind, layout.RegStringKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind)

func (*input) path() layout.Path { return layout.Path{} }

func (*input) record() *layout.Record { return nil }

func (*input) start() int64 { return 0 }

// A padding is bytes that mean nothing.
type padding struct {
	of   subject // in which it is
	step string  // what a path calls it there
	off  int64
	b    []byte
}

var onPadding = subjectsIn[*padding](layout.QueryDataKind, layout.InstancesKind, layout.IdentifiersKind, layout.StringsKind, layout.InstanceBlockKind)

func (g *padding) path() layout.Path { return g.of.path() }

func (g *padding) record() *layout.Record { return g.of.record() }

func (g *padding) start() int64 { return g.of.start() }

// padding validates the bytes from one offset to another, which are inside the input and
// padding of the subject.
func (p *pass) padding(s subject, from, to int64) { p.unused(s, "padding", from, to) }

// unused is padding for bytes that a path calls something else.
func (p *pass) unused(s subject, step string, from, to int64) {
	if from >= to || allZero(p.b[from:to]) {
		return
	}
	p.gap = padding{s, step, from, p.b[from:to]}
	onPadding.holds(p, &p.gap)
	p.gap = padding{}
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// checkPerflib validates a block of a kind of V2, and reports whether there are rules for it.
func (p *pass) checkPerflib(kind layout.Kind) bool {
	p.input.end = int64(len(p.b))
	check, ok := perflibKinds[kind]
	if ok {
		check(p)
		onInput.end(p, &p.input)
	}
	return ok
}

// perflibKinds has how each kind of V2 is validated.
var perflibKinds = map[layout.Kind]func(*pass){
	layout.QueryDataKind:     (*pass).checkQueryData,
	layout.InstancesKind:     (*pass).checkInstanceList,
	layout.RegSetKind:        (*pass).checkCounterSetRegInfo,
	layout.RegCounterKind:    (*pass).checkRegOne,
	layout.RegStringKind:     (*pass).checkRegOne,
	layout.RegGUIDKind:       (*pass).checkRegOne,
	layout.TemplateKind:      (*pass).checkCounterSetInfo,
	layout.InstanceBlockKind: (*pass).checkInstanceBlock,
	layout.IdentifiersKind:   (*pass).checkIdentifiers,
	layout.GUIDsKind:         (*pass).checkGUIDs,
	layout.StringsKind:       (*pass).checkStrings,
}

func trailingBytes(p *pass, b *input) {
	if n := int64(len(p.b)) - b.end; n > 0 {
		p.bytes(b, "rest", b.end, int(n), fmt.Sprintf("%d bytes follow the data", n), "must be none")
	}
}

func paddingNonzero(p *pass, g *padding) {
	for i, c := range g.b {
		if c != 0 {
			p.bytes(g, g.step, g.off+int64(i), len(g.b)-i, fmt.Sprintf("padding has the byte 0x%02x", c), "must be 0")
			return
		}
	}
}
