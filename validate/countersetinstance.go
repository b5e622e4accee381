package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// An counterSetInstance is an instance of a provider, as PerfCreateInstance makes it.
type counterSetInstance struct {
	layout.CounterSetInstance       // the structure, if it is there
	counters                  int64 // of its set, -1 for not known
	lengths                         // as its fields have them; where one is wrong and it is known what is right, that
	sure                      bool  // they agree
	wrong                     blame
}

// lengths are where an instance ends, and where its name starts and how long it is.
type lengths struct{ size, at, n int64 }

// A blame is the field that is wrong, "" for none, and what is said of it; of the name,
// also what is there, from an offset on.
type blame struct {
	field, want string
	got         string
	off         int64
}

var onCounterSetInstance = subjectsIn[*counterSetInstance](layout.InstanceBlockKind)

func (*counterSetInstance) path() layout.Path { return layout.Path{} }

func (*counterSetInstance) record() *layout.Record { return &layout.PERF_COUNTERSET_INSTANCE }

func (*counterSetInstance) start() int64 { return 0 }

const (
	counterSetInstanceSize = int64(layout.SizeofCounterSetInstance)
	slotSize               = int64(8)
)

var counterSetInstanceRules = []*Rule{
	{
		ID: "PERF2915", Name: "v2-instance-block-size", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of an instance block is the end of its name, rounded up to a multiple of 8, and does not exceed the length of the input",
		Why:     "dwSize is the length of the block that PerfCreateInstance returned. A program that copies fewer bytes loses the end of the name, and one that copies more reads past the block.",
		Fix:     "Use the block as Windows returned it. To build one, add 32, 8 for each counter, and the bytes of the name and its NUL, and round up to a multiple of 8.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INSTANCE, "dwSize")},
		check:   onCounterSetInstance.guard(instanceBlockSize),
	},
	{
		ID: "PERF2916", Name: "v2-instance-block-name-offset", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceNameOffset of an instance block is 32 plus 8 for each counter of its set, and inside dwSize",
		Why:     "Each counter has 8 bytes, and the name follows the last one. Another offset points into a value or into the name, and means another number of counters.",
		Fix:     "Write 32 plus 8 for each counter, whatever Size and Offset its template has.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INSTANCE, "InstanceNameOffset")},
		check:   onCounterSetInstance.check(func(p *pass, in *counterSetInstance) { in.tell(p, "InstanceNameOffset") }),
	},
	{
		ID: "PERF2917", Name: "v2-instance-block-name-size", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceNameSize of an instance block is even, and is the length in bytes of the name up to and including its first NUL",
		Why:     "The name is UTF-16 with a NUL. InstanceNameSize includes the NUL and no padding. With another value readers that use it and readers that look for the NUL see different names.",
		Fix:     "Write 2 for each UTF-16 code unit, plus 2 for the NUL.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INSTANCE, "InstanceNameSize")},
		check:   onCounterSetInstance.check(func(p *pass, in *counterSetInstance) { in.tell(p, "InstanceNameSize") }),
	},
}

func (p *pass) checkInstanceBlock() {
	in := &p.counterSetInstance
	*in = counterSetInstance{counters: -1}
	if int64(len(p.b)) >= counterSetInstanceSize {
		in.CounterSetInstance = layout.CounterSetInstance{Span: layout.NewSpan(p.b[:counterSetInstanceSize], 0)}
		in.lengths = lengths{int64(in.DwSize()), int64(in.InstanceNameOffset()), int64(in.InstanceNameSize())}
		if set := p.known.sets[in.CounterSetGuid()]; p.ctx.Counters > 0 {
			in.counters = int64(p.ctx.Counters)
		} else if set != nil {
			in.counters = int64(len(set.counters))
		}
		in.seek(p)
	}
	if !onCounterSetInstance.holds(p, in) || in.size < counterSetInstanceSize || in.size > int64(len(p.b)) {
		return
	}
	p.input.end = in.size
	if in.sure { // what InstanceNameSize counts is no padding, though it may be too much
		p.padding(in, in.at+max(in.n, int64(in.InstanceNameSize())), in.size)
	}
}

// seek finds which of the three fields is wrong: the one of which another value makes
// all agree, with each other and with the NUL that ends the name.
func (in *counterSetInstance) seek(p *pass) {
	if in.agrees(p, in.lengths) {
		in.sure = true
		in.counted()
		return
	}
	size, offset, n := in.lengths, in.lengths, in.lengths
	size.size = up8(in.at + in.n)
	if offset.at = in.size - up8(in.n); in.counters >= 0 {
		offset.at = in.behind()
	}
	n.n = nameAt(p, in.at, in.size)
	placed := in.counters < 0 || in.at == in.behind()
	switch {
	case placed && in.agrees(p, size):
		in.blame("dwSize", size, fmt.Sprintf("must be %d, where the name ends, rounded up to a multiple of 8", size.size))
	case in.agrees(p, offset):
		in.blame("InstanceNameOffset", offset, fmt.Sprintf("must be %d, where the name starts", offset.at))
	case placed && in.agrees(p, n):
		in.blame("InstanceNameSize", n, fmt.Sprintf("must be %d, the bytes up to and including the first NUL", n.n))
	default:
		in.plainly(p)
	}
}

func up8(n int64) int64 { return (n + 7) &^ 7 }

// nameAt returns the bytes of the name that starts at an offset, its NUL included, 0 if
// none ends before the other.
func nameAt(p *pass, from, to int64) int64 {
	for i := max(from, 0); i+2 <= min(to, int64(len(p.b))); i += 2 {
		if p.b[i]|p.b[i+1] == 0 {
			return i + 2 - from
		}
	}
	return 0
}

// agrees reports whether an instance can be laid out so in the input.
func (in *counterSetInstance) agrees(p *pass, l lengths) bool {
	return l.size <= int64(len(p.b)) && l.at >= counterSetInstanceSize && l.at%slotSize == 0 && l.n >= 2 && l.size == up8(l.at+l.n) &&
		nameAt(p, l.at, l.at+l.n) == l.n
}

// counted blames the offset where all agree on another number of counters than the set has.
func (in *counterSetInstance) counted() {
	if in.counters >= 0 && in.at != in.behind() {
		in.wrong = blame{field: "InstanceNameOffset", want: in.behindWords()}
	}
}

// after returns the offset after the values, of which it is known how many there are.
func (in *counterSetInstance) behind() int64 { return counterSetInstanceSize + slotSize*in.counters }

func (in *counterSetInstance) behindWords() string {
	return fmt.Sprintf("must be %d, after the values of %d counters", in.behind(), in.counters)
}

// blame notes the field that is wrong, and how the instance is laid out.
func (in *counterSetInstance) blame(field string, right lengths, want string) {
	in.lengths, in.sure, in.wrong = right, true, blame{field: field, want: want}
}

// plainly blames the first field that cannot be right, whatever the others are.
func (in *counterSetInstance) plainly(p *pass) {
	all := int64(len(p.b))
	field, want := "", ""
	switch {
	case in.size < counterSetInstanceSize || in.size > all:
		field, want = "dwSize", fmt.Sprintf("must be %s, the bytes there are", eights(counterSetInstanceSize, all))
	case in.counters >= 0 && in.at != in.behind():
		field, want = "InstanceNameOffset", in.behindWords()
	case in.at < counterSetInstanceSize || in.at > in.size || in.at%slotSize != 0:
		field, want = "InstanceNameOffset", fmt.Sprintf("must be a multiple of 8, %s", between(counterSetInstanceSize, in.size))
	case in.n < 2 || in.n%2 != 0 || in.n > in.size-in.at:
		field, want = "InstanceNameSize", fmt.Sprintf("must be an even number, %s", between(2, in.size-in.at))
	default:
		in.unlikely(p)
		return
	}
	in.wrong = blame{field: field, want: want}
}

// unlikely blames the name, or the length where the name is in order.
func (in *counterSetInstance) unlikely(p *pass) {
	end := in.at + in.n
	switch first := nameAt(p, in.at, end); {
	case first == in.n:
		want := fmt.Sprintf("must be %d, where the name ends, rounded up to a multiple of 8", up8(end))
		in.wrong = blame{field: "dwSize", want: want + longer(up8(end), int64(len(p.b)))}
	case le.Uint16(p.b[end-2:]) != 0:
		in.wrong = blame{"InstanceNameSize", "must end in a NUL", fmt.Sprintf("the %d bytes of the name end in % x", in.n, p.b[end-2:end]), end - 2}
	default:
		in.wrong = blame{"InstanceNameSize", "must have no other NUL", fmt.Sprintf("the name has a NUL %d bytes before the one that ends it", in.n-first), in.at + first - 2}
	}
}

func instanceBlockSize(p *pass, in *counterSetInstance) bool {
	if n := int64(len(p.b)); n < counterSetInstanceSize {
		p.bytes(in, "", 0, int(n), fmt.Sprintf("the input has %d bytes", n), "must have at least 32")
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
