package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// instanceHeader is a PERF_INSTANCE_HEADER with its name, in a result or in a list.
type instanceHeader struct {
	extent
	result *result // nil in a list
	index  int
	ended  bool   // the name has a NUL
	text   []byte // the name without its NUL; without a NUL all bytes up to end
}

var onInstanceHeader = subjectsIn[*instanceHeader](layout.QueryDataKind, layout.InstancesKind)

func (in *instanceHeader) path() layout.Path {
	var path layout.Path
	if in.result != nil {
		path = in.result.path()
	}
	return path.At("instance", in.index)
}

func (in *instanceHeader) record() *layout.Record { return &layout.PERF_INSTANCE_HEADER }

// listTail is the instance at which the check of a list stops, because the end of this instance is not
// known.
type listTail struct{ *instanceHeader }

var onListTail = subjectsIn[*listTail](layout.InstancesKind)

var instanceHeaderRules = []*Rule{
	{
		ID: "PERF2407", Name: "v2-instance-header-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an instance is at least 16 and at most the number of bytes left in the PERF_MULTI_INSTANCES or in the list of instances",
		Why:     "Size is the distance to the values of the instance, or to the next instance. If it is too large, a reader reads past the data. If it is 0, the reader does not advance.",
		Fix:     "Set Size to 8 bytes, plus 2 for each UTF-16 code unit of the name and 2 for the NUL, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_HEADER, "Size"), consuming},
		check:   onInstanceHeader.guard(instanceHeaderBounds),
	},
	{
		ID: "PERF2408", Name: "v2-instance-header-align", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an instance is a multiple of 8",
		Why:     "The following record must be aligned to 8, because values are read as 8-byte numbers.",
		Fix:     "Include the padding after the name in Size.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_HEADER, "Size"), pcqInstance},
		check:   onInstanceHeader.check(func(p *pass, in *instanceHeader) { p.requireAligned(in, "Size", &in.extent) }),
	},
	{
		ID: "PERF2409", Name: "v2-instance-header-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of an instance is not larger than its name requires",
		Why:     "Bytes after the NUL have no meaning. Space reserved for a longer name is copied with every sample.",
		Fix:     "Set Size to 8 bytes, plus 2 for each UTF-16 code unit of the name and 2 for the NUL, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_HEADER, "Size")},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			if need := aligned(instanceHeaderSize + int64(len(in.text)) + 2); in.ended && !in.wrong && in.size%layout.Align == 0 && in.size > need {
				p.field(in, "Size", in.size, "must be %d, the size that the name requires", need)
			}
		}),
	},
	{
		ID: "PERF2410", Name: "v2-instance-name-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the name of an instance ends in a NUL, and Size includes the NUL",
		Why:     "No field has the length of the name. A reader searches for the NUL, and without one it reads the following values as a part of the name.",
		Fix:     "Write a NUL after the name and include it in Size.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_HEADER, "Size"), pcqInstance},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			if !in.ended {
				p.reportName(in, 0, len(in.text), fmt.Sprintf("the %d bytes of the name have no NUL", len(in.text)), "must end in a NUL")
			}
		}),
	},
	{
		ID: "PERF2411", Name: "v2-instance-name-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance is not empty",
		Why:     "In a set with several instances the name identifies the instance. Readers show an instance without a name as a blank, and cannot query it.",
		Fix:     "Write a name, or return PERF_SINGLE_COUNTER or PERF_MULTIPLE_COUNTERS if the set has a single instance.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_HEADER, "Size")},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			if in.ended && len(in.text) == 0 {
				p.reportName(in, 0, 2, "the name is empty", "must have at least one character before the NUL")
			}
		}),
	},
	{
		ID: "PERF2412", Name: "v2-instance-name-too-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has at most 1023 UTF-16 code units",
		Why:     "PERF_MAX_INSTANCE_NAME is 1024, NUL included. Readers may refuse a longer name or cut it. Names that differ only after the limit then become the same.",
		Fix:     "Shorten the name, and keep the part that distinguishes it from others.",
		Sources: []Source{maxName, sourceOf(&layout.PERF_INSTANCE_HEADER, "Size")},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			if n := len(in.text) / 2; in.ended && n > longestName {
				p.reportName(in, 2*longestName, len(in.text)-2*longestName, fmt.Sprintf("the name has %d characters", n), fmt.Sprintf("must have at most %d", longestName))
			}
		}),
	},
	{
		ID: "PERF2413", Name: "v2-instance-name-utf16", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has no unpaired surrogate",
		Why:     "A name with an unpaired surrogate is not valid text. A conversion to UTF-8 fails or loses the character, and two names can become the same.",
		Fix:     "Cut names between characters, not inside a surrogate pair.",
		Sources: []Source{pcqInstance},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			if i := unpaired(in.text); in.ended && i >= 0 {
				p.reportName(in, i, 2, fmt.Sprintf("U+%04X is an unpaired surrogate", le.Uint16(in.text[i:])), "must be part of a surrogate pair")
			}
		}),
	},
	{
		ID: "PERF2414", Name: "v2-instance-name-wildcard", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has neither * nor ?",
		Why:     "In an identifier these characters are wildcards. An instance with a wildcard in its name cannot be queried alone. A name that is only * was probably copied from the identifier by mistake.",
		Fix:     "Replace these characters before you create the instance.",
		Sources: []Source{consuming, sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "InstanceId")},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			if i := wildcard(in.text); in.ended && i >= 0 {
				p.reportName(in, i, 2, fmt.Sprintf("the name has the wildcard %c", in.text[i]), "must have neither * nor ?")
			}
		}),
	},
	{
		ID: "PERF2415", Name: "v2-instance-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two instances have the same name, ignoring case, and the same InstanceId",
		Why:     "Name and InstanceId together identify an instance in the next sample. Windows does not check that they are unique.",
		Fix:     "Give instances with the same name different ids.",
		Sources: []Source{function("PerfCreateInstance"), aboutSets},
		check: onDuplicateName.check(func(p *pass, t *duplicateName) {
			if t.same != 0 {
				p.reportName(t.instanceHeader, 0, len(t.text), fmt.Sprintf("the name and the InstanceId, %d, are the same as those of the instance at 0x%x", t.id(p), t.same-1), "must have another name or another InstanceId")
			}
		}),
	},
	{
		ID: "PERF2416", Name: "v2-instance-name-case-duplicate", Severity: Info, Since: "v0.1.0",
		Doc:     "no two names of instances differ only in case",
		Why:     "Most readers ignore case when they compare names, so for them the two instances have the same name, and only InstanceId distinguishes them.",
		Fix:     "Write the same name always in the same case, or choose names that differ in more than case.",
		Sources: []Source{aboutSets},
		check: onDuplicateName.check(func(p *pass, t *duplicateName) {
			if t.same == 0 && t.differs {
				p.reportName(t.instanceHeader, 0, len(t.text), fmt.Sprintf("the name differs only in case from the name of the instance at 0x%x", t.first), "must have the same case, or differ in more than case")
			}
		}),
	},
	{
		ID: "PERF2417", Name: "v2-instance-id-wildcard", Severity: Warning, Since: "v0.1.0",
		Doc:     "InstanceId of an instance is not 0xFFFFFFFF",
		Why:     "If InstanceId of an identifier is 0xFFFFFFFF, the identifier requests instances with any id. An instance with this id cannot be queried alone.",
		Fix:     "Give the instance another id.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "InstanceId"), sourceOf(&layout.PERF_INSTANCE_HEADER, "InstanceId")},
		check: onInstanceHeader.check(func(p *pass, in *instanceHeader) {
			const anyID = 0xFFFFFFFF
			if in.id(p) == anyID {
				p.field(in, "InstanceId", uint32(anyID), "must be another id")
			}
		}),
	},
	{
		ID: "PERF2701", Name: "v2-instance-list-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "the instances of a list end where the list ends",
		Why:     "The list has no count: a reader steps by Size until the bytes end. If a Size is wrong, the reader loses the remaining instances.",
		Fix:     "Set Size to the length of the instance with its name and padding. Pass the sum of these sizes as the length of the list.",
		Sources: []Source{function("PerfEnumerateCounterSetInstances"), sourceOf(&layout.PERF_INSTANCE_HEADER, "Size")},
		check: checkList(
			onListTail.atEnd(func(p *pass, in *listTail) {
				rest := in.lim - in.off
				switch {
				case !p.requireSize(in, rest, "has %s before the end of the list", "have") || in.size <= rest:
				case in.cutOff(p.b):
					p.reportBytes(in, "", in.off, int(rest), fmt.Sprintf("has %s before the end of the list", plural(rest, "byte")), fmt.Sprintf("must have %d, the Size: the list is %s too short", in.size, plural(in.size-rest, "byte")))
				default:
					p.reportSize(in.instanceHeader, rest, " in the list")
				}
			}),
			onInstanceHeader.check(func(p *pass, in *instanceHeader) {
				if in.result == nil {
					in.reportWrongSize(p)
				}
			}),
		),
	},
}

// id returns InstanceId.
func (in *instanceHeader) id(p *pass) uint32 { return instanceHeaderAt(p.b, in.off).InstanceId() }

// instanceHeaderBounds reports a Size that is out of range.
func instanceHeaderBounds(p *pass, in *instanceHeader) bool {
	rest, where := in.lim-in.off, " in the list"
	if in.result != nil {
		where = " in the PERF_MULTI_INSTANCES"
	}
	switch {
	case in.sizeInRange():
	// If a list has too few bytes left for the instance, and the end of the instance is not known,
	// the rule v2-instance-list-cover reports the instance.
	case in.result == nil && (rest < instanceHeaderSize || in.size > rest) && in.end == in.off:
	case rest < instanceHeaderSize:
		p.requireSize(in, rest, "%s left"+where, "be")
	case in.wrong:
		p.field(in, "Size", in.size, "must be %d, the size that the name requires", in.length())
	default:
		p.reportSize(in, rest, where)
	}
	return in.end > in.off
}

// cutOff reports whether the list seems to be cut off inside the instance. It returns false if Size seems to be wrong.
// Call cutOff only if Size is larger than the number of bytes left.
func (in *listTail) cutOff(b []byte) bool {
	rest := in.lim - in.off
	whole := rest >= shortestInstance && rest%layout.Align == 0 && nulIn(b[in.lim-layout.Align:in.lim]) >= 0
	return !whole && in.size%layout.Align == 0 && in.size <= longestInstance
}

// reportSize reports a Size that is out of range. rest is the number of bytes left. The argument
// where, such as " in the list", follows the word "left" in the message.
func (p *pass) reportSize(in *instanceHeader, rest int64, where string) {
	if rest < shortestInstance {
		p.reportBytes(in, "", in.off, int(rest), plural(rest, "byte")+" left"+where, fmt.Sprintf("must be at least %d, the smallest Size", shortestInstance))
		return
	}
	p.field(in, "Size", in.size, "must be %s", upTo(shortestInstance, rest, layout.Align, bytesLeft+where))
}

// reportWrongSize reports a Size that is not the distance to the next record. Other rules report a
// Size that is out of range or not a multiple of 8.
func (in *instanceHeader) reportWrongSize(p *pass) {
	if in.wrong && in.sizeInRange() && in.size%layout.Align == 0 {
		p.field(in, "Size", in.size, "must be %d, the size that the name requires", in.length())
	}
}

// checkInstanceHeader checks instance i, but not its values. It returns the end of the instance,
// and whether the end is known.
func (p *pass) checkInstanceHeader(r *result, i int, at, lim int64, f follower) (int64, bool) {
	in := &p.instanceHeader
	*in = instanceHeader{extent: p.extentOf(&instanceHeaderRecord, at, lim, f), result: r, index: i}
	nameEnd := in.end
	if in.length() >= shortestInstance {
		in.text = p.b[at+instanceHeaderSize : in.end]
		if nul := nulIn(in.text); nul >= 0 {
			in.text, in.ended = in.text[:nul:nul], true
			nameEnd = at + instanceHeaderSize + nul + 2
		}
	}
	if !onInstanceHeader.run(p, in) {
		return 0, false
	}
	if r != nil {
		r.addMissing(p, i, in.length())
	}
	p.padding(in, nameEnd, in.end)
	if in.ended && len(in.text) > 0 {
		p.sameNames(in)
	}
	return in.end, true
}

// checkInstanceList checks a block of instances without values.
func (p *pass) checkInstanceList() {
	all := int64(len(p.b))
	p.beginNames(all/shortestInstance, all)
	at := int64(0)
	for i := 0; at < all; i++ {
		end, ok := p.checkInstanceHeader(nil, i, at, all, follower{&instanceHeaderRecord, all})
		if !ok {
			onListTail.runEnds(p, &listTail{&p.instanceHeader})
			return
		}
		at = end
	}
}

// reportName reports n bytes of a name, starting at index i.
func (p *pass) reportName(in *instanceHeader, i, n int, got, want string) {
	p.reportBytes(in, "Name", in.off+instanceHeaderSize+int64(i), n, got, want)
}

var instanceHeaderRecord = recordType{
	field: layout.PERF_INSTANCE_HEADER.Field("Size").At, least: shortestInstance, aligned: true,
	plausible: plausibleInstanceHeader,
	required: func(p *pass, at, lim int64) (int64, int64) {
		size := int64(instanceHeaderAt(p.b, at).Size())
		if plausibleInstanceHeader(p.b, at, lim) && nulIn(p.b[at+instanceHeaderSize:at+size-layout.Align]) < 0 {
			return size, 0 // Size is right: the first NUL is in the last 8 bytes of the instance
		}
		if nul := p.nameEnd(at+instanceHeaderSize, lim); nul >= 0 {
			return aligned(nul + 2 - at), 0
		}
		return 0, 0
	},
}

// plausibleInstanceHeader reports whether an instance seems to start at an offset: Size must be
// valid, and the last 8 bytes of the instance must contain a NUL.
func plausibleInstanceHeader(b []byte, at, lim int64) bool {
	if lim-at < shortestInstance {
		return false
	}
	size := int64(instanceHeaderAt(b, at).Size())
	return size >= shortestInstance && size <= lim-at && size%layout.Align == 0 && nulIn(b[at+size-layout.Align:at+size]) >= 0
}

// nameEnd returns the offset of the NUL that ends the name at an offset, or -1 if it finds no NUL
// before lim.
func (p *pass) nameEnd(at, lim int64) int64 {
	// Wrong lengths can cause many searches, so all searches of a pass together read at most
	// p.searchable bytes.
	lim = min(lim, at+longestNameBytes, at+p.searchable)
	if lim <= at {
		return -1
	}
	i := nulIn(p.b[at:lim])
	if i < 0 {
		p.searchable -= lim - at
		return -1
	}
	p.searchable -= i
	return at + i
}
