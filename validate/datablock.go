package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// dataBlock is the PERF_DATA_BLOCK and what is known of the whole.
type dataBlock struct {
	layout.DataBlock        // the 88 bytes of the structure
	end              int64  // of the bytes in which objects stand
	first            int64  // where the first object starts
	sought           bool   // HeaderLength does not lead there
	n                int64  // objects to read, -1 for all to the end
	crowded          bool   // there is no room for NumObjectTypes objects
	chain            chain  // the objects by their lengths alone
	cut              bool   // the input ends before TotalByteLength
	usesFreq         string // a counter that is computed with PerfFreq, "" for none
}

var onDataBlock = subjectsIn[*dataBlock](layout.DataBlockKind)

func (h *dataBlock) path() layout.Path { return layout.Path{} }

func (h *dataBlock) record() *layout.Record { return &layout.PERF_DATA_BLOCK }

func (h *dataBlock) start() int64 { return 0 }

var dataBlockRules = []*Rule{
	{
		ID: "PERF1101", Name: "data-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "a data block has at least the 88 bytes of a PERF_DATA_BLOCK",
		Why:     "These bytes hold every length and offset of the block. A shorter input was cut off or is not a data block. An empty one often means that RegQueryValueEx failed and the program used the buffer anyway.",
		Fix:     "Capture the block again, and use as many bytes as the successful call returned.",
		Sources: []Source{headerFile, netdata},
		check:   onDataBlock.guard(dataTruncated),
	},
	{
		ID: "PERF1102", Name: "data-signature", Severity: Error, Since: "v0.1.0",
		Doc:     `a data block starts with "PERF" in UTF-16, 50 00 45 00 52 00 46 00`,
		Why:     "The signature is the only field that tells a reader that the bytes are a data block.",
		Fix:     "If the bytes are the objects that a Collect function wrote, they have no PERF_DATA_BLOCK: validate them as objects. Otherwise find the code that overwrites the start of the buffer.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "Signature"), dotnet, netdata},
		Misread: []string{"netdata, and .NET since 9.0, refuse the block", "perflib_exporter panics"},
		check:   onDataBlock.guard(dataSignature),
	},
	{
		ID: "PERF1103", Name: "data-endian-value", Severity: Error, Since: "v0.1.0",
		Doc:     "LittleEndian is 0 or 1",
		Why:     "LittleEndian gives the byte order of every number in the block. Other values have no meaning.",
		Fix:     "Write 1.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "LittleEndian")},
		check:   onDataBlock.check(dataEndianValue),
	},
	{
		ID: "PERF1104", Name: "data-big-endian", Severity: Warning, Since: "v0.1.0",
		Doc:     "LittleEndian is 1",
		Why:     "0 means that the numbers are big-endian, and no version of Windows runs on a big-endian processor. The rest of the block is validated as little-endian, because the signature has that byte order.",
		Fix:     "Write 1.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "LittleEndian")},
		Misread: []string{"nmap's msrpcperformance refuses the block", "netdata and perflib_exporter read the numbers as little-endian"},
		check:   onDataBlock.check(dataBigEndian),
	},
	{
		ID: "PERF1105", Name: "data-version", Severity: Warning, Since: "v0.1.0",
		Doc:     "Version is 1, PERF_DATA_VERSION",
		Why:     "No other version exists. A reader that checks the version refuses the block.",
		Fix:     "Write 1.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "Version"), headerFile},
		check:   onDataBlock.check(dataVersion),
	},
	{
		ID: "PERF1106", Name: "data-revision", Severity: Info, Since: "v0.1.0",
		Doc:     "Revision is 1, PERF_DATA_REVISION",
		Why:     "No other revision exists. A later revision would have the same layout, so most readers ignore the field.",
		Fix:     "Write 1.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "Revision"), headerFile},
		check:   onDataBlock.check(dataRevision),
	},
	{
		ID: "PERF1107", Name: "data-total-length", Severity: Error, Since: "v0.1.0",
		Doc:     "TotalByteLength is at least 88 and does not exceed the length of the input",
		Why:     "TotalByteLength is the end of the block. If it is too large, a reader that trusts it reads past its buffer.",
		Fix:     "If the block was cut off, capture it again with a larger buffer. If you write the header, include the header and all objects in TotalByteLength.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "TotalByteLength"), dotnet, netdata},
		Misread: []string{".NET since 9.0 and netdata refuse a value below 88"},
		check:   onDataBlock.check(dataTotalLength),
	},
	{
		ID: "PERF1108", Name: "data-trailing-bytes", Severity: Info, Since: "v0.1.0",
		Doc:     "TotalByteLength is the length of the input",
		Why:     "Bytes after TotalByteLength belong to no object. Captures made with .NET's RegistryKey.GetValue usually have them, because it returns its whole buffer. In other captures the length may be wrong.",
		Fix:     "Cut the capture at TotalByteLength, or ignore the finding.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "TotalByteLength"), dotnetReader},
		check:   onDataBlock.check(dataTrailingBytes),
	},
	{
		ID: "PERF1109", Name: "data-header-length", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength is at least 88 and does not exceed TotalByteLength",
		Why:     "HeaderLength is the offset of the first object. Outside these bounds a reader finds no object.",
		Fix:     "Write 88 plus the bytes of the system name, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "HeaderLength"), dotnet},
		Misread: []string{".NET since 9.0 refuses the block", "netdata finds no object"},
		check:   onDataBlock.check(dataHeaderLength),
	},
	{
		ID: "PERF1110", Name: "data-header-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "HeaderLength is a multiple of 8",
		Why:     "All objects follow the header. If its length is not a multiple of 8, no 8-byte value in the block is aligned. Some processors fault on such values, others read them more slowly.",
		Fix:     "Write the end of the system name, rounded up to a multiple of 8, and fill the padding with zeros.",
		Sources: []Source{alignment, wine},
		check:   onDataBlock.check(dataHeaderAlign),
	},
	{
		ID: "PERF1111", Name: "data-object-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength plus the lengths of NumObjectTypes objects is TotalByteLength",
		Why:     "Some readers stop at TotalByteLength and others after NumObjectTypes objects. If the two differ, some readers miss objects and others read bytes that are no object. Samba does not include the header in TotalByteLength.",
		Fix:     "Include the header and every object in TotalByteLength, and count every object in NumObjectTypes.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "TotalByteLength"), collect, eventPage},
		Misread: []string{"netdata does not read an object that ends after TotalByteLength", "perflib_exporter, netdata and .NET do not read objects that NumObjectTypes does not count"},
		check:   onDataBlock.check(dataObjectSum),
	},
	{
		ID: "PERF1112", Name: "data-object-count", Severity: Error, Since: "v0.1.0",
		Doc:     "the block has as many objects as NumObjectTypes declares",
		Why:     "A reader that counts to NumObjectTypes reads past the last object.",
		Fix:     "Write the number of objects that follow the header.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "NumObjectTypes")},
		Misread: []string{"perflib_exporter allocates NumObjectTypes objects before it reads one, and returns the missing ones as empty objects"},
		check:   onDataBlock.check(dataObjectCount),
	},
}

// totalHolds reports whether TotalByteLength is a length this input can have.
func (h *dataBlock) totalHolds(p *pass) bool {
	t := int64(h.TotalByteLength())
	return t >= int64(layout.PERF_DATA_BLOCK.Size) && t <= int64(len(p.b))
}

// headerHolds reports whether HeaderLength is inside the block.
func (h *dataBlock) headerHolds() bool {
	return h.first >= int64(layout.PERF_DATA_BLOCK.Size) && h.first <= max(h.end, h.claimed())
}

// found reports whether the place at which the objects start is there.
func (h *dataBlock) found() bool { return h.headerHolds() && h.first <= h.end }

func (p *pass) checkDataBlock() {
	h := &p.dataBlock
	size := int64(layout.PERF_DATA_BLOCK.Size)
	h.end = int64(len(p.b))
	if h.end >= size {
		h.DataBlock = layout.DataBlock{Span: layout.NewSpan(p.b[:size], 0)}
		h.first, h.n = int64(h.HeaderLength()), int64(h.NumObjectTypes())
		total := int64(h.TotalByteLength())
		h.cut = total > h.end
		if h.totalHolds(p) {
			h.end = total
		}
	}
	if h.end >= size {
		p.seek(h)
	}
	if h.end >= size && h.first >= size && h.first <= int64(len(p.b)) {
		p.chain(h)
	}
	if !onDataBlock.guarded(p, h) {
		return
	}
	onDataBlock.checked(p, h)
	if h.found() {
		p.objects(h)
	}
	onDataBlock.end(p, h)
}

func (p *pass) checkObjectsOnly() {
	h := &p.dataBlock
	h.end, h.n = int64(len(p.b)), -1
	h.chain = p.follow(0, h.end, -1)
	p.index(h)
	p.objects(h)
}

// objects validates one object after the other, as far as their lengths lead. Where
// those fill the block there are no more and no fewer, whatever NumObjectTypes says.
func (p *pass) objects(h *dataBlock) {
	n := h.n
	if h.chain.end == h.end {
		n = h.chain.n
	}
	at := h.first
	for i := int64(0); n < 0 && at < h.end || i < n; i++ {
		o := &p.object
		o.reset(p.b[at:h.end], at, int(i))
		known := i < int64(len(p.extents))
		if known && p.extents[i].repaired {
			o.setEnd(p, p.extents[i].end)
		}
		p.checkObject(o)
		switch {
		case known:
			at = p.extents[i].end
		case o.whole:
			at = o.end
		default:
			return
		}
	}
}

func dataTruncated(p *pass, h *dataBlock) bool {
	n, size := len(p.b), int(layout.PERF_DATA_BLOCK.Size)
	if n < size {
		p.bytes(h, "", 0, n, fmt.Sprintf("the input has %d bytes", n), "must have at least 88")
	}
	return n >= size
}

// dataSignature goes on without a signature where the lengths hold: it alone is wrong then.
func dataSignature(p *pass, h *dataBlock) bool {
	if layout.HasSignature(p.b) {
		return true
	}
	p.field(h, "Signature", fmt.Sprintf("% x", p.b[:8]), "must be 50 00 45 00 52 00 46 00")
	return h.totalHolds(p) && h.headerHolds() && !h.sought
}

func dataEndianValue(p *pass, h *dataBlock) {
	if v := h.LittleEndian(); v > 1 {
		p.field(h, "LittleEndian", v, "must be 1")
	}
}

func dataBigEndian(p *pass, h *dataBlock) {
	if h.LittleEndian() == 0 {
		p.field(h, "LittleEndian", 0, "must be 1")
	}
}

func dataVersion(p *pass, h *dataBlock) {
	if v := h.Version(); v != 1 {
		p.field(h, "Version", v, "must be 1")
	}
}

func dataRevision(p *pass, h *dataBlock) {
	if v := h.Revision(); v != 1 {
		p.field(h, "Revision", v, "must be 1")
	}
}

func dataTotalLength(p *pass, h *dataBlock) {
	switch {
	case h.totalHolds(p):
	case h.chain.whole && h.chain.n > 0:
		p.field(h, "TotalByteLength", h.TotalByteLength(), "must be %d, where the last of the objects ends", h.chain.end)
	default:
		p.field(h, "TotalByteLength", h.TotalByteLength(), "must be %s, the bytes there are", between(int64(layout.PERF_DATA_BLOCK.Size), int64(len(p.b))))
	}
}

// dataTrailingBytes counts from the end of the objects where TotalByteLength, which
// another rule speaks of then, is too small for them. Where that is no length at all
// nothing stands after it.
func dataTrailingBytes(p *pass, h *dataBlock) {
	if n := int64(len(p.b)) - h.end; n > 0 {
		p.bytes(h, "rest", h.end, int(n), "the block is followed by "+byteCount(int64(n)), "must be none")
	}
}

// dataHeaderLength does not report a header that is only cut short with the input.
func dataHeaderLength(p *pass, h *dataBlock) {
	switch {
	case h.sought:
		p.field(h, "HeaderLength", h.HeaderLength(), "must be %d, where the first object starts", h.first)
	case !h.headerHolds():
		p.field(h, "HeaderLength", h.first, "must be %s, inside the block", between(int64(layout.PERF_DATA_BLOCK.Size), max(h.end, h.claimed())))
	}
}

func dataHeaderAlign(p *pass, h *dataBlock) {
	if h.headerHolds() && h.first%layout.Align != 0 && !h.sought {
		p.field(h, "HeaderLength", h.first, "must be a multiple of 8")
	}
}

// dataObjectSum blames NumObjectTypes where more objects, and nothing else, stand
// after those that it counts.
func dataObjectSum(p *pass, h *dataBlock) {
	total := int64(h.TotalByteLength())
	switch {
	case !h.found():
	case h.chain.n > h.n:
		p.field(h, "NumObjectTypes", h.n, "must be %d, the objects that fill the block", h.chain.n)
	case !h.totalHolds(p) || h.chain.end == total || !h.chain.whole && h.chain.end != h.end:
	case h.chain.n == 0:
		p.field(h, "TotalByteLength", total, "must be %d, where the header ends, as there are no objects", h.chain.end)
	default:
		p.field(h, "TotalByteLength", total, "must be %d, where the last of the objects ends", h.chain.end)
	}
}

// dataObjectCount asks for the objects there are where nothing is after them, and
// else for no more than have room. What was cut off with the input may be objects.
func dataObjectCount(p *pass, h *dataBlock) {
	switch {
	case !h.found():
	case !h.chain.whole && h.chain.end == h.end && !h.cut:
		p.field(h, "NumObjectTypes", h.n, "must be %d, the objects that there are", h.chain.n)
	case h.crowded:
		p.field(h, "NumObjectTypes", h.n, "must be at most %d, for which there is room", h.room())
	}
}
