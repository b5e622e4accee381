package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var identifierLengthRules = []*Rule{
	{
		ID: "PERF2601", Name: "v2-identifier-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "where an identifier starts there are at least 40 bytes, and its Size is at least 40 and no more than there are",
		Why:     "By Size a reader steps to the next identifier. With 0 it never gets on, and with more than there is it reads what lies behind the buffer.",
		Fix:     "Write 40 and the bytes of the name, its NUL among them, rounded up to a multiple of 8, and pass on as many bytes as all identifiers take.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.guard(identifierBounds),
	},
	{
		ID: "PERF2602", Name: "v2-identifier-align", Severity: Error, Since: "v0.1.0",
		Doc:     "Size is a multiple of 8",
		Why:     "Every structure of such a buffer starts on a multiple of 8. A reader that rounds Size up and one that does not find the next identifier in different places.",
		Fix:     "Round Size up, and pad with zeros to there.",
		Sources: []Source{pcqIdentifier, pcqStructures},
		check:   onCounterIdentifier.check(identifierAlign),
	},
	{
		ID: "PERF2603", Name: "v2-identifier-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "Size leads to where the next identifier starts, and that of the last to the end of the input",
		Why:     "Identifiers stand one behind the other, and nothing but Size tells them apart. What one counts as its own no reader finds.",
		Fix:     "Write 40 and the bytes of the name, its NUL among them, rounded up to a multiple of 8.",
		Sources: []Source{pcqIdentifier, of(&layout.PERF_COUNTER_IDENTIFIER, "Size")},
		check:   onCounterIdentifier.check(identifierCover),
	},
	{
		ID: "PERF2614", Name: "v2-identifier-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size is what the structure and the name take, rounded up to a multiple of 8",
		Why:     "Size is documented as just that. A reader that computes where the next identifier starts, in place of reading it, finds it elsewhere.",
		Fix:     "Write 40 and the bytes of the name, its NUL among them, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.check(identifierSlack),
	},
}

func identifierBounds(p *pass, id *counterIdentifier) bool {
	switch left := id.end - id.off; {
	case left < identifierBytes:
		p.bytes(id, "", id.off, int(left), fmt.Sprintf("%d bytes are left for it", left), "40 at least")
	case id.bounded():
	case id.mended:
		p.field(id, "Size", id.Size(), "%d, %s", id.size, id.lead())
	default:
		p.field(id, "Size", id.Size(), "%s, the bytes there are", eights(identifierBytes, left))
	}
	return id.size != 0
}

func identifierAlign(p *pass, id *counterIdentifier) {
	switch {
	case !id.bounded() || id.Size()%layout.Align == 0:
	case id.mended:
		p.field(id, "Size", id.Size(), "%d, %s", id.size, id.lead())
	default:
		p.field(id, "Size", id.Size(), "a multiple of 8")
	}
}

func identifierCover(p *pass, id *counterIdentifier) {
	if id.mended && id.bounded() && id.Size()%layout.Align == 0 {
		p.field(id, "Size", id.Size(), "%d, %s", id.size, id.lead())
	}
}

// identifierSlack has nothing to say of a length that is wrong anyway.
func identifierSlack(p *pass, id *counterIdentifier) {
	need := aligned(identifierBytes + int64(len(id.text)) + 2)
	if id.ended && !id.mended && id.size%layout.Align == 0 && id.size != need {
		p.field(id, "Size", id.size, "%d, with which its name ends", need)
	}
}
