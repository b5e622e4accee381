package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// instanceHeader is a PERF_INSTANCE_HEADER with its name, in a result or in a list.
type instanceHeader struct {
	of       *result // nil in a list
	index    int
	off, end int64
	lim      int64 // the instance must end at or before lim
	declared int64 // Size
	wrong    bool  // off+Size is not end
	ended    bool  // the name has a NUL
	text     []byte
}

var onInstanceHeader = subjectsIn[*instanceHeader](layout.QueryDataKind, layout.InstancesKind)

func (in *instanceHeader) path() layout.Path {
	var path layout.Path
	if in.of != nil {
		path = in.of.path()
	}
	return path.At("instance", in.index)
}

func (in *instanceHeader) record() *layout.Record { return &layout.PERF_INSTANCE_HEADER }

func (in *instanceHeader) start() int64 { return in.off }

// listTail is the bytes at the end of a list that are too few for the instance that starts there.
type listTail struct{ *instanceHeader }

var onListTail = subjectsIn[*listTail](layout.InstancesKind)

var instanceHeaderRules = []*Rule{
	{
		ID: "PERF2407", Name: "v2-instance-header-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an instance is at least 16 and does not exceed the bytes left",
		Why:     "Size is the distance to the values of the instance, or to the next instance. If it is too large a reader reads past the data, and with 0 it does not advance.",
		Fix:     "Write 8 bytes plus 2 for each UTF-16 code unit of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size"), consuming},
		check:   onInstanceHeader.guard(instanceHeaderBounds),
	},
	{
		ID: "PERF2408", Name: "v2-instance-header-align", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an instance is a multiple of 8",
		Why:     "The following record must be aligned to 8, because values are read as 8-byte numbers.",
		Fix:     "Include the padding after the name in Size.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size"), pcqInstance},
		check:   onInstanceHeader.check(instanceHeaderAlign),
	},
	{
		ID: "PERF2409", Name: "v2-instance-header-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of an instance is not larger than its name requires",
		Why:     "Bytes after the NUL have no meaning. Space reserved for a longer name is copied with every sample.",
		Fix:     "Write 8 bytes plus 2 for each UTF-16 code unit of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   onInstanceHeader.check(instanceHeaderSlack),
	},
	{
		ID: "PERF2410", Name: "v2-instance-name-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the name of an instance ends in a NUL inside its Size",
		Why:     "No field holds the length of the name: a reader looks for the NUL, and without it reads on into the values.",
		Fix:     "Write a NUL after the name and include it in Size.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size"), pcqInstance},
		check:   onInstanceHeader.check(instanceHeaderUnterminated),
	},
	{
		ID: "PERF2411", Name: "v2-instance-name-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance is not empty",
		Why:     "In a set with many instances the name identifies the instance. One without a name is shown as a blank and cannot be queried.",
		Fix:     "Write a name, or return PERF_SINGLE_COUNTER or PERF_MULTIPLE_COUNTERS if the set has a single instance.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   onInstanceHeader.check(instanceHeaderEmpty),
	},
	{
		ID: "PERF2412", Name: "v2-instance-name-too-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has at most 1023 UTF-16 code units",
		Why:     "PERF_MAX_INSTANCE_NAME is 1024, NUL included. A longer name is cut or refused, and names that differ only after the limit become the same.",
		Fix:     "Shorten the name, and keep the part that distinguishes it from others.",
		Sources: []Source{maxName, of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   onInstanceHeader.check(instanceHeaderTooLong),
	},
	{
		ID: "PERF2413", Name: "v2-instance-name-utf16", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has no unpaired surrogate",
		Why:     "Such a name is not valid text. Conversion to UTF-8 loses the character or fails, and two names can become the same.",
		Fix:     "Cut names between characters, not inside a surrogate pair.",
		Sources: []Source{pcqInstance},
		check:   onInstanceHeader.check(instanceHeaderUTF16),
	},
	{
		ID: "PERF2414", Name: "v2-instance-name-wildcard", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has neither * nor ?",
		Why:     "In an identifier these characters match any instance, so an instance that has them in its name cannot be queried alone. A name that is only * is often copied from the identifier by mistake.",
		Fix:     "Replace these characters before you create the instance.",
		Sources: []Source{consuming, of(&layout.PERF_COUNTER_IDENTIFIER, "InstanceId")},
		check:   onInstanceHeader.check(instanceHeaderWildcard),
	},
	{
		ID: "PERF2415", Name: "v2-instance-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two instances have the same name, ignoring case, and the same InstanceId",
		Why:     "Name and InstanceId together identify an instance in the next sample. Windows does not check that they are unique.",
		Fix:     "Give instances with the same name different ids.",
		Sources: []Source{function("PerfCreateInstance"), aboutSets},
		check:   onDuplicateName.check(instanceHeaderTwice),
	},
	{
		ID: "PERF2416", Name: "v2-instance-name-case-duplicate", Severity: Info, Since: "v0.1.0",
		Doc:     "no two names differ only in case",
		Why:     "Names are compared without case, so most readers take these for two instances with the same name, and only the ids distinguish them.",
		Fix:     "Write a name the same way each time, or choose names that differ in more than case.",
		Sources: []Source{aboutSets},
		check:   onDuplicateName.check(instanceHeaderCase),
	},
	{
		ID: "PERF2417", Name: "v2-instance-id-wildcard", Severity: Warning, Since: "v0.1.0",
		Doc:     "InstanceId of an instance is not 0xFFFFFFFF",
		Why:     "In an identifier 0xFFFFFFFF requests instances with any id, so an instance with this id cannot be queried alone.",
		Fix:     "Give the instance another id.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "InstanceId"), of(&layout.PERF_INSTANCE_HEADER, "InstanceId")},
		check:   onInstanceHeader.check(instanceHeaderAnyID),
	},
	{
		ID: "PERF2701", Name: "v2-instance-list-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "the instances of a list end where the list ends",
		Why:     "The list has no count: a reader steps by Size until the bytes end. If a Size is wrong, the reader loses the remaining instances.",
		Fix:     "Write into Size the length of the instance with its name and padding, and pass the sum of these sizes as the length of the list.",
		Sources: []Source{function("PerfEnumerateCounterSetInstances"), of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   several{onInstanceHeader.check(listCover), onListTail.atEnd(listEnd)},
	},
}

// id returns InstanceId.
func (in *instanceHeader) id(p *pass) uint32 { return le.Uint32(p.b[in.off+4:]) }

// sizeHolds reports whether Size is in range.
func (in *instanceHeader) sizeHolds() bool {
	return in.declared >= shortestInstance && in.declared <= in.lim-in.off
}

// instanceHeaderBounds does not report a list that ends inside an instance: listEnd does.
func instanceHeaderBounds(p *pass, in *instanceHeader) bool {
	rest := in.lim - in.off
	switch {
	case in.sizeHolds():
	case in.of == nil && (rest < instanceHeaderSize || in.declared > rest) && in.end == in.off:
	case rest < instanceHeaderSize:
		p.bytes(in, "", in.off, int(rest), byteCount(rest)+" left", "must be at least 8, the size of PERF_INSTANCE_HEADER")
	case in.wrong:
		p.field(in, "Size", in.declared, "must be %d, for the name", in.end-in.off)
	default:
		p.field(in, "Size", in.declared, "must be %s", room(rest))
	}
	return in.end > in.off
}

// room returns text for the valid Size of an instance if rest bytes are left.
func room(rest int64) string {
	if rest < shortestInstance {
		return fmt.Sprintf("at least 16, though %d bytes are left", rest)
	}
	return eights(shortestInstance, rest) + ", the bytes left"
}

func instanceHeaderAlign(p *pass, in *instanceHeader) {
	if in.sizeHolds() && in.declared%layout.Align != 0 {
		p.field(in, "Size", in.declared, "must be %s", multiple(in.wrong, in.end-in.off))
	}
}

func instanceHeaderSlack(p *pass, in *instanceHeader) {
	if need := aligned(instanceHeaderSize + int64(len(in.text)) + 2); in.ended && !in.wrong && in.declared%layout.Align == 0 && in.declared > need {
		p.field(in, "Size", in.declared, "must be %d, for the name", need)
	}
}

func instanceHeaderUnterminated(p *pass, in *instanceHeader) {
	if !in.ended {
		p.bytes(in, "Name", in.off+instanceHeaderSize, len(in.text), fmt.Sprintf("the %d bytes of the name have no NUL", len(in.text)), "must end in a NUL")
	}
}

// sizeMisleads reports a Size that is in range and a multiple of 8, but after which no
// record starts.
func (p *pass) sizeMisleads(in *instanceHeader) {
	if in.wrong && in.sizeHolds() && in.declared%layout.Align == 0 {
		p.field(in, "Size", in.declared, "must be %d, for the name", in.end-in.off)
	}
}

func listCover(p *pass, in *instanceHeader) {
	if in.of == nil {
		p.sizeMisleads(in)
	}
}

// listEnd checks the instance that the end of a list cuts off.
func listEnd(p *pass, in *listTail) {
	switch rest := in.lim - in.off; {
	case rest < instanceHeaderSize:
		p.bytes(in, "", in.off, int(rest), byteCount(rest)+" left in the list", "must be none, or an instance")
	case in.declared > rest:
		p.field(in, "Size", in.declared, "must be %s in the list", room(rest))
	}
}

// checkInstanceHeader checks the instance at an offset, without its values, and returns its end. f
// is the kind of record that must follow.
func (p *pass) checkInstanceHeader(a *result, i int, at, lim int64, f follower) (int64, bool) {
	in := &p.instanceHeader
	*in = instanceHeader{of: a, index: i, off: at, lim: lim}
	if lim-at >= instanceHeaderSize {
		in.declared = int64(le.Uint32(p.b[at:]))
	}
	s := p.instanceHeaderStep(at, lim, f)
	in.end, in.wrong = at+s.n, s.wrong
	nameEnd := in.end
	if s.n >= shortestInstance {
		in.text = p.b[at+instanceHeaderSize : in.end]
		if nul := nulIn(in.text); nul >= 0 {
			in.text, in.ended = in.text[:nul:nul], true
			nameEnd = at + instanceHeaderSize + nul + 2
		}
	}
	if !onInstanceHeader.holds(p, in) {
		return 0, false
	}
	if a != nil {
		a.lack(p, i, s.n)
	}
	p.padding(in, nameEnd, in.end)
	if in.ended && len(in.text) > 0 {
		p.sameNames(in)
	}
	return in.end, true
}

// checkInstanceList checks a list of instances.
func (p *pass) checkInstanceList() {
	all := int64(len(p.b))
	p.literal = false
	p.beginNames(all/shortestInstance, all)
	at := int64(0)
	for i := 0; at < all; i++ {
		end, ok := p.checkInstanceHeader(nil, i, at, all, instanceFollows)
		if !ok {
			onListTail.end(p, &listTail{&p.instanceHeader})
			return
		}
		at = end
	}
}

// inHeaderName reports n bytes of the text of a name, at byte i.
func (p *pass) inHeaderName(in *instanceHeader, i, n int, got, want string) {
	p.bytes(in, "Name", in.off+instanceHeaderSize+int64(i), n, got, want)
}

func instanceHeaderEmpty(p *pass, in *instanceHeader) {
	if in.ended && len(in.text) == 0 {
		p.inHeaderName(in, 0, 2, "the name is empty", "must be a name before the NUL")
	}
}

func instanceHeaderTooLong(p *pass, in *instanceHeader) {
	if n := len(in.text) / 2; in.ended && n > longestName {
		p.inHeaderName(in, 2*longestName, len(in.text)-2*longestName, fmt.Sprintf("the name has %d characters", n), "must have at most 1023")
	}
}

func instanceHeaderUTF16(p *pass, in *instanceHeader) {
	if i := unpaired(in.text); in.ended && i >= 0 {
		p.inHeaderName(in, i, 2, fmt.Sprintf("U+%04X is half of a surrogate pair", le.Uint16(in.text[i:])), "must be the pair, or neither half")
	}
}

func instanceHeaderWildcard(p *pass, in *instanceHeader) {
	if i := pattern(in.text); in.ended && i >= 0 {
		p.inHeaderName(in, i, 2, fmt.Sprintf("the name has %c, which asks for several", in.text[i]), "must have neither * nor ?")
	}
}

func instanceHeaderTwice(p *pass, t *duplicateName) {
	if t.same != 0 {
		p.inHeaderName(t.instanceHeader, 0, len(t.text), fmt.Sprintf("the instance at 0x%x has this name and the InstanceId %d too", t.same-1, t.id(p)), "must have a name or an InstanceId of its own")
	}
}

func instanceHeaderCase(p *pass, t *duplicateName) {
	if t.same == 0 && t.differs {
		p.inHeaderName(t.instanceHeader, 0, len(t.text), fmt.Sprintf("the instance at 0x%x has this name in another case", t.first), "must have a name that differs in more, or not at all")
	}
}

func instanceHeaderAnyID(p *pass, in *instanceHeader) {
	const anyID = 0xFFFFFFFF
	if in.id(p) == anyID {
		p.field(in, "InstanceId", uint32(anyID), "must be another id")
	}
}
