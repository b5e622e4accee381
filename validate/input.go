package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var inputRules = []*Rule{
	{
		ID: "PERF2001", Name: "v2-trailing-bytes", Severity: Info, Since: "v0.1.0",
		Doc:     "no bytes follow the end of the data",
		Why:     "The functions return the number of bytes that they wrote. A program that stores its whole buffer also stores old bytes after the data. Readers ignore the old bytes.",
		Fix:     "Store only as many bytes as the function returned.",
		Sources: []Source{consuming, sourceOf(&layout.PERF_DATA_HEADER, "dwTotalSize")},
		check: onInput.atEnd(func(p *pass, b *input) {
			if n := int64(len(p.b)) - b.end; n > 0 {
				p.reportBytes(b, "rest", b.end, int(n), "the data is followed by "+plural(n, "byte"), "must be followed by none")
			}
		}),
	},
	{
		ID: "PERF2002", Name: "v2-padding-nonzero", Severity: Info, Since: "v0.1.0",
		Doc:     "padding bytes are 0",
		Why:     "No reader uses padding. Bytes other than 0 are leftover memory: they may disclose data of another process, and make two equal samples differ.",
		Fix:     "Clear the buffer, or the padding, before you write it.",
		Sources: []Source{pcqStructures},
		check: onPadding.check(func(p *pass, g *padding) {
			for i, c := range g.b {
				if c != 0 {
					p.reportBytes(g, g.step, g.off+int64(i), len(g.b)-i, fmt.Sprintf("padding has the byte 0x%02x", c), "must be 0")
					return
				}
			}
		}),
	},
}

// An input is a whole V2 buffer, for rules that check the buffer and not a record in it.
type input struct {
	atStart
	end int64 // offset after the data
}

var onInput = subjectsIn[*input](layout.QueryDataKind, layout.RegStringKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind)

func (*input) record() *layout.Record { return nil }

// A padding is a range of bytes without meaning.
type padding struct {
	subject        // the record that contains the bytes
	step    string // the last part of the path of a finding
	off     int64
	b       []byte
}

var onPadding = subjectsIn[*padding](layout.QueryDataKind, layout.InstancesKind, layout.IdentifiersKind, layout.StringsKind, layout.InstanceBlockKind)

// padding checks that the padding of the record s, from offset `from` to offset `to`, is 0. Both
// offsets must be inside the input.
func (p *pass) padding(s subject, from, to int64) { p.unused(s, "padding", from, to) }

// unused checks that the unused bytes of the record s, from offset `from` to offset `to`, are 0. The
// path of a finding ends with step, such as "padding".
func (p *pass) unused(s subject, step string, from, to int64) {
	if from >= to || allZero(p.b[from:to]) {
		return
	}
	p.gap = padding{s, step, from, p.b[from:to]}
	onPadding.run(p, &p.gap)
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// checkInput checks the input. It returns an error for a kind without rules, and for a Context with an invalid buffer.
func (p *pass) checkInput() error {
	if err := p.known.read(p.ctx); err != nil {
		return err
	}
	check, ok := kinds[p.kind]
	if !ok {
		return layout.Faultf(layout.ErrRange, "no rules for the kind %v", p.kind)
	}
	p.input.end = int64(len(p.b))
	check(p)
	onInput.runEnds(p, &p.input)
	return nil
}

// kinds maps each kind of block to the function that checks a block of this kind.
var kinds = map[layout.Kind]func(*pass){
	layout.DataBlockKind:     (*pass).checkDataBlock,
	layout.ObjectsKind:       (*pass).checkObjectsOnly,
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
