package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var namedLengthRules = []*Rule{
	{
		ID: "PERF2407", Name: "v2-instance-header-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "the Size of an instance is at least 16 and no more than the bytes left",
		Why:     "Size leads to the values of the instance, or to the next one. A reader that trusts it reads past the end, and one of 0 keeps it where it is.",
		Fix:     "Write 8 bytes, 2 for each character of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size"), consuming},
		check:   onInstanceHeader.guard(namedBounds),
	},
	{
		ID: "PERF2408", Name: "v2-instance-header-align", Severity: Error, Since: "v0.1.0",
		Doc:     "the Size of an instance is a multiple of 8",
		Why:     "What follows has to stand on a multiple of 8: values are read as numbers of 8 bytes.",
		Fix:     "Count the padding behind the name into Size.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size"), pcqInstance},
		check:   onInstanceHeader.check(namedAlign),
	},
	{
		ID: "PERF2409", Name: "v2-instance-header-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "the Size of an instance is what its name needs, and no more",
		Why:     "What is behind the NUL means nothing. Bytes that are kept for a longer name are carried along with every sample.",
		Fix:     "Write 8 bytes, 2 for each character of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   onInstanceHeader.check(namedSlack),
	},
	{
		ID: "PERF2410", Name: "v2-instance-name-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the name of an instance ends in a NUL inside its Size",
		Why:     "The length of a name stands nowhere: a reader looks for the NUL, and without one reads on into the values.",
		Fix:     "Write a NUL behind the name and count it into Size.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size"), pcqInstance},
		check:   onInstanceHeader.check(namedUnterminated),
	},
	{
		ID: "PERF2701", Name: "v2-instance-list-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "the instances of a list end where the list does",
		Why:     "How many there are stands nowhere: a reader goes from one to the next by Size until the bytes end. A Size that leads elsewhere, and the rest is lost.",
		Fix:     "Write the Size of each instance with its name and padding, and hand over as many bytes as those add up to.",
		Sources: []Source{function("PerfEnumerateCounterSetInstances"), of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   several{onInstanceHeader.check(listCover), onListTail.atEnd(listEnd)},
	},
}

// sizeHolds reports whether Size could be that of the instance.
func (in *instanceHeader) sizeHolds() bool {
	return in.said >= shortestNamed && in.said <= in.lim-in.off
}

// namedBounds leaves a list that ends in the middle of an instance to the rule for that.
func namedBounds(p *pass, in *instanceHeader) bool {
	rest := in.lim - in.off
	switch {
	case in.sizeHolds():
	case in.of == nil && (rest < namedSize || in.said > rest) && in.end == in.off:
	case rest < namedSize:
		p.bytes(in, "", in.off, int(rest), fmt.Sprintf("%d bytes are left", rest), "the 8 of a PERF_INSTANCE_HEADER")
	case in.wrong:
		p.field(in, "Size", in.said, "%d, for the name", in.end-in.off)
	default:
		p.field(in, "Size", in.said, "%s", room(rest))
	}
	return in.end > in.off
}

// room says which Size an instance may have where so many bytes are left.
func room(rest int64) string {
	if rest < shortestNamed {
		return fmt.Sprintf("16 at least, though %d bytes are left", rest)
	}
	return eights(shortestNamed, rest) + ", the bytes left"
}

func namedAlign(p *pass, in *instanceHeader) {
	if in.sizeHolds() && in.said%layout.Align != 0 {
		p.field(in, "Size", in.said, "%s", multiple(in.wrong, in.end-in.off))
	}
}

func namedSlack(p *pass, in *instanceHeader) {
	if need := aligned(namedSize + int64(len(in.text)) + 2); in.ended && !in.wrong && in.said%layout.Align == 0 && in.said > need {
		p.field(in, "Size", in.said, "%d, for the name", need)
	}
}

func namedUnterminated(p *pass, in *instanceHeader) {
	if !in.ended {
		p.bytes(in, "Name", in.off+namedSize, len(in.text), fmt.Sprintf("the %d bytes of the name have no NUL", len(in.text)), "a NUL behind the name")
	}
}

// namedMisleads reports a Size that leads nowhere, though it could be one.
func (p *pass) namedMisleads(in *instanceHeader) {
	if in.wrong && in.sizeHolds() && in.said%layout.Align == 0 {
		p.field(in, "Size", in.said, "%d, for the name", in.end-in.off)
	}
}

func listCover(p *pass, in *instanceHeader) {
	if in.of == nil {
		p.namedMisleads(in)
	}
}

// listEnd is about an instance that the list ends in.
func listEnd(p *pass, in *listTail) {
	switch rest := in.lim - in.off; {
	case rest < namedSize:
		p.bytes(in, "", in.off, int(rest), fmt.Sprintf("%d bytes are left in the list", rest), "none, or an instance")
	case in.said > rest:
		p.field(in, "Size", in.said, "%s in the list", room(rest))
	}
}
