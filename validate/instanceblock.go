package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var instanceBlockRules = []*Rule{
	{
		ID: "PERF2915", Name: "v2-instance-block-size", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of an instance is where its name ends, rounded up to a multiple of 8, and no more than the bytes there are",
		Why:     "It is the length of the block that PerfCreateInstance made. Who copies less loses the end of the name, and who copies more reads what is behind it.",
		Fix:     "Take the block as Windows made it. To make one, add 32, 8 for each counter and the bytes of the name with its NUL, and round up.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INSTANCE, "dwSize")},
		check:   onCounterSetInstance.guard(instanceBlockSize),
	},
	{
		ID: "PERF2916", Name: "v2-instance-block-name-offset", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceNameOffset of an instance is 32 and 8 for each counter of its set, inside dwSize",
		Why:     "Each counter has 8 bytes, and the name follows the last. Another offset leads into a value or the middle of the name, and leaves room for another number of counters.",
		Fix:     "Write 32 and 8 for each counter, whatever Size and Offset its template has.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INSTANCE, "InstanceNameOffset")},
		check:   onCounterSetInstance.check(func(p *pass, in *counterSetInstance) { in.tell(p, "InstanceNameOffset") }),
	},
	{
		ID: "PERF2917", Name: "v2-instance-block-name-size", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceNameSize of an instance is even, and counts the bytes of the name to its first NUL, and that",
		Why:     "The name is UTF-16 with a NUL, which is counted and padding is not. By another number some readers have another name than those that stop at the NUL.",
		Fix:     "Write 2 for each character, and 2 for the NUL.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INSTANCE, "InstanceNameSize")},
		check:   onCounterSetInstance.check(func(p *pass, in *counterSetInstance) { in.tell(p, "InstanceNameSize") }),
	},
}

func instanceBlockSize(p *pass, in *counterSetInstance) bool {
	if n := int64(len(p.b)); n < instanceBlockMin {
		p.bytes(in, "", 0, int(n), fmt.Sprintf("the input is of %d bytes", n), "32 at least")
		return false
	}
	in.tell(p, "dwSize")
	return true
}

// tell reports what is wrong, if it is with that field.
func (in *counterSetInstance) tell(p *pass, field string) {
	switch {
	case in.wrong.field != field:
	case in.wrong.got != "":
		p.bytes(in, "Name", in.wrong.off, int(in.at+in.n-in.wrong.off), in.wrong.got, in.wrong.want)
	default:
		p.field(in, field, le.Uint32(in.Bytes()[in.record().Field(field).At:]), "%s", in.wrong.want)
	}
}
