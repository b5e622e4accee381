package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A counterSetInstance is an instance of a provider, as PerfCreateInstance returns it.
type counterSetInstance struct {
	atStart
	layout.CounterSetInstance       // the structure, empty if the input ends inside it
	counters                  int64 // number of counters of the set, -1 if not known
	lengths                         // the declared lengths; a wrong length is corrected if this is possible
	consistent                bool  // the lengths agree with each other and with the name
	fault                     lengthFault
}

// lengths are dwSize, InstanceNameOffset and InstanceNameSize.
type lengths struct{ size, nameOffset, nameSize int64 }

// A lengthFault is a wrong length, or bytes that contradict a length.
type lengthFault struct {
	field string // "" for no fault
	want  string // the requirement
	got   string // describes the faulty bytes, "" if the field itself is wrong
	step  string // part of the structure with the faulty bytes, "" for the structure itself
	off   int64  // start of the faulty bytes
	end   int64  // end of the faulty bytes
}

var onCounterSetInstance = subjectsIn[*counterSetInstance](layout.InstanceBlockKind)

func (*counterSetInstance) record() *layout.Record { return &layout.PERF_COUNTERSET_INSTANCE }

var counterSetInstanceRules = []*Rule{
	{
		ID: "PERF2915", Name: "v2-instance-block-size", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of an instance block is the end of its name, rounded up to a multiple of 8, and does not exceed the length of the input",
		Why:     "dwSize is the length of the block that PerfCreateInstance returned. If it is too small, a program that copies dwSize bytes loses the end of the name. If it is too large, the program reads past the block.",
		Fix:     "Use the block as Windows returned it. If you build a block, add up 32, 8 times the number of counters, and the bytes of the name with its NUL. Round the sum up to a multiple of 8, and write it into dwSize.",
		Sources: []Source{wineTest, sourceOf(&layout.PERF_COUNTERSET_INSTANCE, "dwSize")},
		check: onCounterSetInstance.guard(func(p *pass, in *counterSetInstance) bool {
			if !p.requireSize(in, int64(len(p.b)), "the input has %s", "have") {
				return false
			}
			in.reportFault(p, "dwSize")
			return true
		}),
	},
	{
		ID: "PERF2916", Name: "v2-instance-block-name-offset", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceNameOffset of an instance block is 32 plus 8 for each counter of its set, and is less than dwSize",
		Why:     "Each counter has 8 bytes, and the name follows the last counter. With a wrong offset a reader reads values as the name, or loses the start of the name. If the name really starts at InstanceNameOffset, the block was built for another number of counters.",
		Fix:     "Write 32 plus 8 for each counter. Size and Offset of the counters in the template have no effect.",
		Sources: []Source{wineTest, sourceOf(&layout.PERF_COUNTERSET_INSTANCE, "InstanceNameOffset")},
		check:   onCounterSetInstance.check(func(p *pass, in *counterSetInstance) { in.reportFault(p, "InstanceNameOffset") }),
	},
	{
		ID: "PERF2917", Name: "v2-instance-block-name-size", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceNameSize of an instance block is even, and is the length in bytes of the name up to and including its first NUL",
		Why:     "The name is UTF-16 and ends in a NUL. InstanceNameSize includes the NUL, but no padding. With another value, readers that use InstanceNameSize and readers that search for the NUL get different names.",
		Fix:     "Write twice the number of UTF-16 code units, plus 2 for the NUL.",
		Sources: []Source{wineTest, sourceOf(&layout.PERF_COUNTERSET_INSTANCE, "InstanceNameSize")},
		check:   onCounterSetInstance.check(func(p *pass, in *counterSetInstance) { in.reportFault(p, "InstanceNameSize") }),
	},
}

func (p *pass) checkInstanceBlock() {
	in := &p.counterSetInstance
	*in = counterSetInstance{counters: -1}
	if int64(len(p.b)) >= counterSetInstanceSize {
		in.CounterSetInstance = layout.CounterSetInstance{Span: span(p.b, 0, counterSetInstanceSize)}
		in.lengths = lengths{int64(in.DwSize()), int64(in.InstanceNameOffset()), int64(in.InstanceNameSize())}
		if set := p.known.sets[in.CounterSetGuid()]; p.ctx.Counters > 0 {
			in.counters = int64(p.ctx.Counters)
		} else if set != nil {
			in.counters = int64(len(set.counters))
		}
		in.findFault(p)
	}
	if !onCounterSetInstance.run(p, in) || in.size < counterSetInstanceSize || in.size > int64(len(p.b)) {
		return
	}
	p.input.end = in.size
	if in.consistent { // even if InstanceNameSize is too large, the bytes that it counts are not padding
		p.padding(in, in.nameOffset+max(in.nameSize, int64(in.InstanceNameSize())), in.size)
	}
}

// findFault finds the wrong length. It corrects one length at a time. If all lengths then agree with
// each other and with the NUL of the name, the corrected length is the wrong length.
func (in *counterSetInstance) findFault(p *pass) {
	if in.agree(p, in.lengths) {
		in.consistent = true
		if !in.offsetHolds() {
			in.fault = lengthFault{field: "InstanceNameOffset", want: in.wantValuesEnd()}
		}
		return
	}
	size, offset, name := in.lengths, in.lengths, in.lengths
	size.size = aligned(in.nameOffset + in.nameSize)
	if offset.nameOffset = in.size - aligned(in.nameSize); in.counters >= 0 {
		offset.nameOffset = in.valuesEnd()
	}
	name.nameSize = p.nameLength(in.nameOffset, in.size)
	switch {
	case in.offsetHolds() && in.agree(p, size):
		in.correctLengths("dwSize", size, fmt.Sprintf("must be %d, the end of the name rounded up to a multiple of 8", size.size))
	case in.agree(p, offset):
		in.correctLengths("InstanceNameOffset", offset, fmt.Sprintf("must be %d, where the name starts", offset.nameOffset))
	case in.offsetHolds() && in.agree(p, name):
		in.correctLengths("InstanceNameSize", name, fmt.Sprintf("must be %d, the number of bytes up to and including the first NUL", name.nameSize))
	default:
		in.findOutOfRange(p)
	}
}

// nameLength returns the number of bytes of the name at an offset, including the NUL. It returns 0
// if no NUL is before end.
func (p *pass) nameLength(at, end int64) int64 {
	end = min(end, int64(len(p.b)))
	if nul := nulIn(p.b[min(at, end):end]); nul >= 0 {
		return nul + 2
	}
	return 0
}

// agree reports whether the lengths agree with each other and with the NUL of the name, and do not
// exceed the input.
func (in *counterSetInstance) agree(p *pass, l lengths) bool {
	return l.size <= int64(len(p.b)) && l.nameOffset >= counterSetInstanceSize && l.nameOffset%instanceValueSize == 0 &&
		l.nameSize >= 2 && l.size == aligned(l.nameOffset+l.nameSize) && p.nameLength(l.nameOffset, l.nameOffset+l.nameSize) == l.nameSize
}

// valuesEnd returns the offset after the values. The number of counters must be known.
func (in *counterSetInstance) valuesEnd() int64 {
	return counterSetInstanceSize + instanceValueSize*in.counters
}

// offsetHolds reports whether InstanceNameOffset agrees with the number of counters. It returns true
// if this number is not known.
func (in *counterSetInstance) offsetHolds() bool {
	return in.counters < 0 || in.nameOffset == in.valuesEnd()
}

func (in *counterSetInstance) wantValuesEnd() string {
	return fmt.Sprintf("must be %d, after the values of %s", in.valuesEnd(), plural(in.counters, "counter"))
}

// correctLengths replaces the lengths by the corrected lengths. It also sets the fault: the wrong
// field and the required value.
func (in *counterSetInstance) correctLengths(field string, corrected lengths, want string) {
	in.lengths, in.consistent, in.fault = corrected, true, lengthFault{field: field, want: want}
}

// findOutOfRange sets the fault to the first length that is out of range. If the lengths agree with each other but exceed
// the input, the fault is the length of the input.
func (in *counterSetInstance) findOutOfRange(p *pass) {
	all := int64(len(p.b))
	least := aligned(counterSetInstanceSize + 2) // the size with an empty name
	if in.counters >= 0 && in.offsetHolds() {
		least = aligned(in.valuesEnd() + 2)
	}
	short := func(need string) {
		in.fault = lengthFault{field: "dwSize", got: "the input has " + plural(all, "byte"), want: "must have " + need, end: all}
	}
	switch wrong := &in.fault; {
	case in.size > all && in.offsetHolds() && in.nameOffset >= counterSetInstanceSize && in.nameSize >= 2 && in.size == aligned(in.nameOffset+in.nameSize):
		short(fmt.Sprintf("%d, dwSize", in.size))
	case all < least:
		short(fmt.Sprintf("at least %d, the size of the instance with an empty name", least))
	case in.size < least || in.size > all:
		wrong.field, wrong.want = "dwSize", "must be "+upTo(least, all, layout.Align, inputLength)
	case !in.offsetHolds():
		wrong.field, wrong.want = "InstanceNameOffset", in.wantValuesEnd()
	case in.nameOffset < counterSetInstanceSize || in.nameOffset > in.size-2 || in.nameOffset%instanceValueSize != 0:
		wrong.field, wrong.want = "InstanceNameOffset", fmt.Sprintf("must be %s, so that the name fits into dwSize", multiples(counterSetInstanceSize, in.size-2, layout.Align))
	case in.nameSize < 2 || in.nameSize%2 != 0 || in.nameSize > in.size-in.nameOffset:
		wrong.field, wrong.want = "InstanceNameSize", "must be "+multiples(2, in.size-in.nameOffset, 2)
	default:
		in.findNameFault(p)
	}
}

// findNameFault sets the fault if all lengths are in range but contradict each other or the name.
func (in *counterSetInstance) findNameFault(p *pass) {
	end := in.nameOffset + in.nameSize
	switch first := p.nameLength(in.nameOffset, end); {
	case first == in.nameSize:
		want := fmt.Sprintf("must be %d, the end of the name rounded up to a multiple of 8", aligned(end))
		in.fault = lengthFault{field: "dwSize", want: want + longer(aligned(end), int64(len(p.b)))}
	case le.Uint16(p.b[end-2:]) != 0:
		in.fault = lengthFault{"InstanceNameSize", "must end in a NUL", fmt.Sprintf("the %d bytes of the name end in % x", in.nameSize, p.b[end-2:end]), "Name", end - 2, end}
	default:
		in.fault = lengthFault{"InstanceNameSize", "must have only the NUL at its end", fmt.Sprintf("the name has a NUL %d bytes before the NUL at its end", in.nameSize-first), "Name", in.nameOffset + first - 2, end}
	}
}

// reportFault reports the fault if it is in the given field.
func (in *counterSetInstance) reportFault(p *pass, field string) {
	switch {
	case in.fault.field != field:
	case in.fault.got != "":
		p.reportBytes(in, in.fault.step, in.fault.off, int(in.fault.end-in.fault.off), in.fault.got, in.fault.want)
	default:
		p.field(in, field, le.Uint32(in.Bytes()[in.record().Field(field).At:]), "%s", in.fault.want)
	}
}
