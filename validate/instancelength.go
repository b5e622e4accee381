package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var instanceLengthRules = []*Rule{
	{
		ID: "PERF1401", Name: "inst-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "there are the 24 bytes of a PERF_INSTANCE_DEFINITION for each of NumInstances instances",
		Why:     "Either NumInstances is too large, or a length before was, and led too far. A reader that goes on takes the next object for an instance, or what lies behind its buffer.",
		Fix:     "Write the number of instances that there are; if it is that, look at the lengths of the instance before and of its counter block.",
		Sources: []Source{dotnet, of(&layout.PERF_OBJECT_TYPE, "NumInstances")},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onInstance.guard(instanceTruncated),
	},
	{
		ID: "PERF1402", Name: "inst-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "an instance's ByteLength is at least the 24 bytes of a PERF_INSTANCE_DEFINITION",
		Why:     "The counter block starts where the instance ends. With a smaller length it would start inside the definition, and with 0 a reader that adds lengths never gets on.",
		Fix:     "Write 24 and the bytes of the name, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), dotnet},
		Misread: []string{".NET before 9.0 goes on with any length"},
		check:   onInstance.guard(instanceLengthMin),
	},
	{
		ID: "PERF1403", Name: "inst-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "an instance ends where there is still room for the length of a counter block in its object",
		Why:     "The counter block would start outside the object. A reader takes what stands there for its length and goes on from there.",
		Fix:     "Write the bytes of the instance alone: the structure, the name and padding. The counter block behind it is not counted.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), collect, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onInstance.guard(instanceLengthBound),
	},
	{
		ID: "PERF1404", Name: "inst-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "an instance's ByteLength is a multiple of 8",
		Why:     "The counter block and every instance behind it stand askew then, so that no 8-byte value is aligned, which faults on processors that mind and costs time on the others.",
		Fix:     "Write where the name ends, rounded up to a multiple of 8, and pad with zeros to there.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), alignment},
		check:   onInstance.check(instanceLengthAlign),
	},
}

const instanceSize = int64(24)

func instanceTruncated(p *pass, in *instance) bool {
	left := in.of.end - in.off
	switch {
	case left == 0:
		p.field(in.of, "NumInstances", in.of.NumInstances(), "%d, which fill TotalByteLength", in.index)
		return false
	case left < instanceSize:
		p.bytes(in, "", in.off, int(left), fmt.Sprintf("TotalByteLength leaves %d bytes for it", left), "the 24 of a PERF_INSTANCE_DEFINITION")
		return false
	}
	return true
}

func instanceLengthMin(p *pass, in *instance) bool {
	if n := in.ByteLength(); int64(n) < instanceSize {
		if in.wanted != 0 {
			p.field(in, "ByteLength", n, "%d, behind which the counter block stands", in.wanted)
		} else {
			p.field(in, "ByteLength", n, "24 at least")
		}
		return in.wanted != 0
	}
	return true
}

func instanceLengthBound(p *pass, in *instance) bool {
	n, left := int64(in.ByteLength()), in.of.end-in.off
	switch {
	case in.wanted != 0 && (n < instanceSize || n%layout.Align != 0 && n+4 <= left && p.rules.aligned):
		// which is too little, or no multiple of 8
	case in.wanted != 0:
		p.field(in, "ByteLength", n, "%d, behind which the counter block stands", in.wanted)
	case n+4 > left:
		p.field(in, "ByteLength", n, "%d at most, so that there is room for a counter block before TotalByteLength ends", left-4)
		return false
	}
	return true
}

func instanceLengthAlign(p *pass, in *instance) {
	switch n := int64(in.ByteLength()); {
	case n%layout.Align == 0 || n < instanceSize:
	case in.wanted == 0:
		p.field(in, "ByteLength", n, "a multiple of 8")
	case n+4 <= in.of.end-in.off:
		p.field(in, "ByteLength", n, "%d, a multiple of 8 behind which the counter block stands", in.wanted)
	}
}
