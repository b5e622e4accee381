package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var rawRules = []*Rule{
	{
		ID: "PERF2501", Name: "v2-counter-data-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "the dwSize of a value is at least 8 and no more than the bytes left",
		Why:     "dwSize leads to the next value. A reader that trusts it reads past the end, and one of 0 keeps it where it is.",
		Fix:     "Write 16 for a value of 4 or 8 bytes: 8 for the structure, and 8 for the value and its padding.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwSize"), consuming},
		check:   onCounterData.guard(rawBounds),
	},
	{
		ID: "PERF2502", Name: "v2-counter-data-datasize", Severity: Error, Since: "v0.1.0",
		Doc:     "the dwDataSize of a value is no more than its dwSize has room for",
		Why:     "A reader copies as many bytes as dwDataSize says: into its own variable, from behind the value.",
		Fix:     "Write the 4 or 8 bytes of the value, without padding. dwDataSize comes before dwSize in the structure; the two are easily confused.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwDataSize"), consuming},
		check:   onCounterData.check(rawDataSize),
	},
	{
		ID: "PERF2503", Name: "v2-counter-data-align", Severity: Error, Since: "v0.1.0",
		Doc:     "the dwSize of a value is a multiple of 8",
		Why:     "The next value starts behind it, and has to stand on a multiple of 8 to be read as a number of 8 bytes.",
		Fix:     "Write 16 for a value of 4 or 8 bytes.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwSize"), pcqStructures},
		check:   onCounterData.check(rawAlign),
	},
	{
		ID: "PERF2504", Name: "v2-counter-data-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "the dwSize of a value is what the value needs, and no more",
		Why:     "What is behind dwDataSize bytes means nothing, and is carried along with every sample.",
		Fix:     "Write 8 bytes and those of the value, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwSize")},
		check:   onCounterData.check(rawSlack),
	},
	{
		ID: "PERF2505", Name: "v2-counter-data-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "a value has bytes",
		Why:     "A dwDataSize of 0 is no number. A reader that does not look at it takes padding for one.",
		Fix:     "Write the value, 4 or 8 bytes.",
		Sources: []Source{consuming, of(&layout.PERF_COUNTER_DATA, "dwDataSize")},
		check:   onCounterData.check(rawEmpty),
	},
	{
		ID: "PERF2506", Name: "v2-counter-data-width", Severity: Warning, Since: "v0.1.0",
		Doc:     "a value is of 4 or 8 bytes",
		Why:     "Consumers are told to expect those two. How a text or any other value is laid out is written nowhere for perflib.h.",
		Fix:     "Write a number of 4 or 8 bytes.",
		Sources: []Source{consuming, of(&layout.PERF_COUNTER_DATA, "dwDataSize")},
		check:   onCounterData.check(rawWidth),
	},
}

// sizeHolds reports whether dwSize could be that of the value.
func (v *counterData) sizeHolds() bool { return v.said >= rawSize && v.said <= v.lim-v.off }

func rawBounds(p *pass, v *counterData) bool {
	rest := v.lim - v.off
	switch {
	case v.sizeHolds():
	case rest < rawSize:
		p.bytes(v, "", v.off, int(rest), fmt.Sprintf("%d bytes are left", rest), "the 8 of a PERF_COUNTER_DATA")
	case v.wrong:
		p.field(v, "dwSize", v.said, "%d, for a value of %d bytes", v.end-v.off, v.data)
	default:
		p.field(v, "dwSize", v.said, "%s, the bytes left", eights(rawSize, rest))
	}
	return v.end > v.off
}

func rawDataSize(p *pass, v *counterData) {
	if v.sizeHolds() && !v.wrong && v.data > v.said-rawSize {
		p.field(v, "dwDataSize", v.data, "%d at most, for which dwSize has room", v.said-rawSize)
	}
}

func rawAlign(p *pass, v *counterData) {
	if v.sizeHolds() && v.said%layout.Align != 0 {
		p.field(v, "dwSize", v.said, "%s", multiple(v.wrong, v.end-v.off))
	}
}

// rawSlack leaves a value of no bytes to the rule for that.
func rawSlack(p *pass, v *counterData) {
	if need := aligned(rawSize + v.data); v.data > 0 && !v.wrong && v.said%layout.Align == 0 && v.said > need {
		p.field(v, "dwSize", v.said, "%d, for a value of %d bytes", need, v.data)
	}
}

func rawEmpty(p *pass, v *counterData) {
	if v.data == 0 {
		p.field(v, "dwDataSize", 0, "4 or 8")
	}
}

// rawWidth leaves what is no size to the rule for that.
func rawWidth(p *pass, v *counterData) {
	if n := v.data; n != 0 && n != 4 && n != 8 && rawSize+n <= v.end-v.off {
		p.field(v, "dwDataSize", n, "4 or 8")
	}
}

// misleads reports a dwSize that leads nowhere, though it could be one.
func (p *pass) misleads(v *counterData) {
	if v.wrong && v.sizeHolds() && v.said%layout.Align == 0 {
		p.field(v, "dwSize", v.said, "%d, for a value of %d bytes", v.end-v.off, v.data)
	}
}
