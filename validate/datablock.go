package validate

import (
	"fmt"
	"unicode"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

// dataBlock is the PERF_DATA_BLOCK and facts about the whole block.
type dataBlock struct {
	atStart
	layout.DataBlock       // the bytes of the structure
	end              int64 // end of the objects
	first            int64 // offset of the first object
	searched         bool  // HeaderLength is wrong, and findFirst found the first object
	n                int64 // NumObjectTypes, unlimited if the input has no PERF_DATA_BLOCK
	objects          series
	truncated        bool   // the input ends before TotalByteLength
	usesFreq         string // type of a counter that is computed with PerfFreq, "" if there is none
}

var onDataBlock = subjectsIn[*dataBlock](layout.DataBlockKind)

func (h *dataBlock) record() *layout.Record { return &layout.PERF_DATA_BLOCK }

var dataBlockRules = []*Rule{
	{
		ID: "PERF1101", Name: "data-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "a data block has at least the 88 bytes of a PERF_DATA_BLOCK",
		Why:     "The PERF_DATA_BLOCK has the length of the block and the offset of the first object. A shorter input is truncated or is not a data block. An empty input often means that RegQueryValueEx failed and the program ignored the error.",
		Fix:     "Capture the block again, and store as many bytes as the successful call returned.",
		Sources: []Source{headerFile, netdata},
		check: onDataBlock.guard(func(p *pass, h *dataBlock) bool {
			return p.requireSize(h, int64(len(p.b)), "the input has %s", "have")
		}),
	},
	{
		ID: "PERF1102", Name: "data-signature", Severity: Error, Since: "v0.1.0",
		Doc:     `a data block starts with "PERF" in UTF-16, 50 00 45 00 52 00 46 00`,
		Why:     "The signature is the only field that identifies the bytes as a data block.",
		Fix:     "If a Collect function wrote the bytes, they have no PERF_DATA_BLOCK: validate them as objects. Otherwise find the code that overwrites the start of the buffer.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "Signature"), dotnet, netdata},
		Misread: []string{"netdata, and .NET since 9.0, refuse the block", "perflib_exporter panics"},
		check: onDataBlock.guard(func(p *pass, h *dataBlock) bool {
			if layout.HasSignature(p.b) {
				return true
			}
			p.field(h, "Signature", fmt.Sprintf("% x", p.b[:8]), "must be 50 00 45 00 52 00 46 00")
			// If TotalByteLength or HeaderLength is invalid too, the input is probably not a data block.
			// The guard then returns false, so that no other rule checks the input.
			return h.totalValid(p) && h.headerValid() && !h.searched
		}),
	},
	{
		ID: "PERF1103", Name: "data-endian-value", Severity: Error, Since: "v0.1.0",
		Doc:     "LittleEndian is 0 or 1",
		Why:     "LittleEndian gives the byte order of every number in the block. Other values have no meaning.",
		Fix:     "Write 1.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "LittleEndian")},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			require(p, h, "LittleEndian", h.LittleEndian(), h.LittleEndian() <= 1, "must be 1")
		}),
	},
	{
		ID: "PERF1104", Name: "data-big-endian", Severity: Warning, Since: "v0.1.0",
		Doc:     "LittleEndian is 1",
		Why:     "0 means that the numbers are big-endian, and no version of Windows runs on a big-endian processor. The rest of the block is validated as little-endian, because the signature is little-endian.",
		Fix:     "Write 1.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "LittleEndian")},
		Misread: []string{"nmap's msrpcperformance refuses the block", "netdata and perflib_exporter read the numbers as little-endian"},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			require(p, h, "LittleEndian", h.LittleEndian(), h.LittleEndian() != 0, "must be 1")
		}),
	},
	{
		ID: "PERF1105", Name: "data-version", Severity: Warning, Since: "v0.1.0",
		Doc:     "Version is 1, PERF_DATA_VERSION",
		Why:     "No other version exists. A reader that checks the version refuses the block.",
		Fix:     "Write 1.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "Version"), headerFile},
		check:   onDataBlock.check(func(p *pass, h *dataBlock) { require(p, h, "Version", h.Version(), h.Version() == 1, "must be 1") }),
	},
	{
		ID: "PERF1106", Name: "data-revision", Severity: Info, Since: "v0.1.0",
		Doc:     "Revision is 1, PERF_DATA_REVISION",
		Why:     "No other revision exists. A later revision would have the same layout, so most readers ignore the field.",
		Fix:     "Write 1.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "Revision"), headerFile},
		check:   onDataBlock.check(func(p *pass, h *dataBlock) { require(p, h, "Revision", h.Revision(), h.Revision() == 1, "must be 1") }),
	},
	{
		ID: "PERF1107", Name: "data-total-length", Severity: Error, Since: "v0.1.0",
		Doc:     "TotalByteLength is at least 88 and does not exceed the length of the input",
		Why:     "TotalByteLength is the length of the block. If it is too large, a reader that uses it reads past its buffer.",
		Fix:     "If the block is truncated, capture it again with a larger buffer. If you write the header, include the header and all objects in TotalByteLength.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "TotalByteLength"), dotnet, netdata},
		Misread: []string{".NET since 9.0 and netdata refuse a value below 88"},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			switch {
			case h.totalValid(p):
			case h.firstInside() && h.objects.whole && h.objects.end%p.rules.unit() == 0:
				h.reportTotal(p)
			default:
				p.field(h, "TotalByteLength", h.TotalByteLength(), "must be %s, the length of the input", between(dataBlockSize, int64(len(p.b))))
			}
		}),
	},
	{
		ID: "PERF1108", Name: "data-trailing-bytes", Severity: Info, Since: "v0.1.0",
		Doc:     "TotalByteLength is the length of the input",
		Why:     "Bytes after TotalByteLength belong to no object. A capture made with .NET's RegistryKey.GetValue usually has such bytes, because GetValue returns its whole buffer. In other captures TotalByteLength may be wrong.",
		Fix:     "Truncate the capture to TotalByteLength bytes, or ignore the finding.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "TotalByteLength"), dotnetReader},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			// If TotalByteLength is too small for the objects, h.end is the end of the last object. If
			// TotalByteLength is out of range, h.end is the end of the input.
			if n := int64(len(p.b)) - h.end; n > 0 {
				p.reportBytes(h, "rest", h.end, int(n), "the block is followed by "+plural(n, "byte"), "must be followed by none")
			}
		}),
	},
	{
		ID: "PERF1109", Name: "data-header-length", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength is at least 88 and does not exceed TotalByteLength",
		Why:     "HeaderLength is the offset of the first object. An object cannot start inside the PERF_DATA_BLOCK or after the end of the block.",
		Fix:     "Write 88 plus the bytes of the system name, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "HeaderLength"), dotnet},
		Misread: []string{".NET since 9.0 refuses the block", "netdata finds no object"},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			switch {
			case h.searched:
				p.field(h, "HeaderLength", h.HeaderLength(), "must be %d, the offset of the first object", h.first)
			case !h.headerValid():
				p.field(h, "HeaderLength", h.first, "must be %s, an offset inside the block", multiples(dataBlockSize, h.declaredEnd(), p.rules.unit()))
			}
		}),
	},
	{
		ID: "PERF1110", Name: "data-header-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "HeaderLength is a multiple of 8",
		Why:     "All objects follow the header. If HeaderLength is not a multiple of 8, all 8-byte values in the block are misaligned. Some processors fault on such values, others read them more slowly.",
		Fix:     "Write the offset after the system name, rounded up to a multiple of 8, and fill the padding with zeros.",
		Sources: []Source{alignment, wine},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			if h.headerValid() && h.first%layout.Align != 0 && !h.searched {
				p.field(h, "HeaderLength", h.first, "must be a multiple of 8")
			}
		}),
	},
	{
		ID: "PERF1111", Name: "data-object-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength plus the lengths of NumObjectTypes objects is TotalByteLength",
		Why:     "Some readers stop at TotalByteLength and others after NumObjectTypes objects. If these two ends differ, some readers miss objects, and others read bytes that are not an object. Samba does not include the header in TotalByteLength.",
		Fix:     "Include the header and every object in TotalByteLength, and count every object in NumObjectTypes.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "TotalByteLength"), collect, eventPage},
		Misread: []string{"netdata does not read an object that ends after TotalByteLength", "perflib_exporter, netdata and .NET read at most NumObjectTypes objects"},
		check:   onDataBlock.check(dataObjectSum),
	},
	{
		ID: "PERF1112", Name: "data-object-count", Severity: Error, Since: "v0.1.0",
		Doc:     "the block has as many objects as NumObjectTypes declares",
		Why:     "If NumObjectTypes is too large, a reader that counts the objects reads past the last object.",
		Fix:     "Write the number of objects that follow the header.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "NumObjectTypes")},
		Misread: []string{"perflib_exporter first allocates NumObjectTypes objects, and returns missing objects as empty objects"},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			// If the input is truncated, the objects cannot be counted. NumObjectTypes is then
			// compared only with the space for objects.
			switch {
			case !h.firstInside():
			case h.objects.whole && h.objects.count() < h.n:
				p.field(h, "NumObjectTypes", h.n, "must be %d, the number of objects in the block", h.objects.count())
			case h.n > h.mostObjects():
				p.field(h, "NumObjectTypes", h.n, "must be at most %d, because the block has no space for more objects", h.mostObjects())
			}
		}),
	},
	{
		ID: "PERF1113", Name: "data-system-name-range", Severity: Error, Since: "v0.1.0",
		Doc:     "the system name, if there is one, is between the 88 bytes of the structure and HeaderLength",
		Why:     "If the name is elsewhere, a reader of the computer name reads other bytes: the structure, an object, or memory outside the buffer.",
		Fix:     "Store the name at offset 88, and include it in HeaderLength. Set SystemNameOffset to 88, and SystemNameLength to the length of the name in bytes. If there is no name, set SystemNameOffset and SystemNameLength to 0.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), sourceOf(&layout.PERF_DATA_BLOCK, "SystemNameLength"), netdata},
		Misread: []string{"netdata refuses a block whose name ends after TotalByteLength", "nmap's msrpcperformance always reads the name at offset 88"},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			// If the name is longer than the space between the structure and HeaderLength, SystemNameLength
			// is wrong. Otherwise SystemNameOffset is wrong.
			at, n := int64(h.SystemNameOffset()), int64(h.SystemNameLength())
			switch space := h.first - dataBlockSize; {
			case n == 0 || !h.headerValid() || h.systemNameValid():
			case n > space:
				p.field(h, "SystemNameLength", n, "must be at most %d, the number of bytes between the structure and HeaderLength", space)
			default:
				p.field(h, "SystemNameOffset", at, "must be %s, so that the name is inside the header", between(dataBlockSize, h.first-n))
			}
		}),
	},
	{
		ID: "PERF1114", Name: "data-system-name-even", Severity: Warning, Since: "v0.1.0",
		Doc:     "the system name is valid UTF-16: its length and offset are even, and every surrogate is part of a pair",
		Why:     "UTF-16 has code units of 2 bytes, and some characters are pairs of code units. If a decoder finds only half of a code unit or of a pair, it drops or replaces this half, or refuses the name.",
		Fix:     "Write the name as UTF-16 at an even offset. Write its number of bytes, not of characters, into SystemNameLength.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), sourceOf(&layout.PERF_DATA_BLOCK, "SystemNameLength")},
		check:   onDataBlock.check(dataSystemNameEven),
	},
	{
		ID: "PERF1115", Name: "data-system-name-terminator", Severity: Info, Since: "v0.1.0",
		Doc:     "the system name is not empty and ends in exactly one NUL, which SystemNameLength includes",
		Why:     "A reader that uses the name as a C string needs the NUL. A reader that removes the last code unit loses a character of the name if the NUL is missing. Wine writes the NUL and includes it in SystemNameLength. A second NUL often means that SystemNameLength includes padding, or that SystemNameOffset is wrong. A name that has only a NUL identifies no computer.",
		Fix:     "End the name with one NUL, and include its two bytes in SystemNameLength. If there is no name, set SystemNameOffset and SystemNameLength to 0.",
		Sources: []Source{wine},
		check:   onDataBlock.check(dataSystemNameTerminator),
	},
}

func (h *dataBlock) totalValid(p *pass) bool {
	t := int64(h.TotalByteLength())
	return t >= dataBlockSize && t <= int64(len(p.b))
}

// headerValid reports whether HeaderLength is at least 88 and not larger than the block.
func (h *dataBlock) headerValid() bool {
	// HeaderLength may be larger than a truncated input, but not larger than TotalByteLength.
	return h.first >= dataBlockSize && h.first <= h.declaredEnd()
}

// declaredEnd returns the end of the block. If the input is truncated, this is TotalByteLength, which
// is after the end of the input.
func (h *dataBlock) declaredEnd() int64 {
	if h.truncated {
		return int64(h.TotalByteLength())
	}
	return h.end
}

func (h *dataBlock) firstInside() bool { return h.headerValid() && h.first <= h.end }

// dataObjectSum compares TotalByteLength with the end of the objects, or of those that could be read.
// If more objects than NumObjectTypes fill the block, it reports NumObjectTypes.
func dataObjectSum(p *pass, h *dataBlock) {
	s, total := &h.objects, int64(h.TotalByteLength())
	if !h.firstInside() || !s.whole {
		switch {
		case !h.firstInside() || !h.totalValid(p) || s.end <= total:
		case s.count() == 0:
			p.field(h, "TotalByteLength", total, "must be at least %d, the HeaderLength", s.end)
		default:
			p.field(h, "TotalByteLength", total, "must be at least %d, the end of object[%d]", s.end, s.count()-1)
		}
		return
	}
	if s.count() > h.n {
		p.field(h, "NumObjectTypes", h.n, "must be %d, the number of objects up to the end of the block", s.count())
	}
	if h.totalValid(p) && s.end != total {
		h.reportTotal(p)
	}
}

// reportTotal reports a TotalByteLength that is not the end of the objects. All objects are found.
func (h *dataBlock) reportTotal(p *pass) {
	end := "the end of the last object"
	if h.objects.count() == 0 {
		end = "the end of the header, because there are no objects"
	}
	p.field(h, "TotalByteLength", h.TotalByteLength(), "must be %d, %s", h.objects.end, end)
}

// systemName returns the bytes of the system name. It returns nil if the name is not inside the
// header, or not inside the input.
func (h *dataBlock) systemName(p *pass) []byte {
	at, n := int64(h.SystemNameOffset()), int64(h.SystemNameLength())
	if !h.systemNameValid() || at+n > int64(len(p.b)) {
		return nil
	}
	return p.b[at : at+n]
}

// systemNameValid reports whether there is a system name and it is inside the header.
func (h *dataBlock) systemNameValid() bool {
	at, n := int64(h.SystemNameOffset()), int64(h.SystemNameLength())
	return n > 0 && h.headerValid() && at >= dataBlockSize && at+n <= h.first
}

func dataSystemNameEven(p *pass, h *dataBlock) {
	if !h.systemNameValid() {
		return
	}
	at, n := h.SystemNameOffset(), h.SystemNameLength()
	if n%2 != 0 {
		p.field(h, "SystemNameLength", n, "must be even (UTF-16 code units)")
	}
	if at%2 != 0 {
		p.field(h, "SystemNameOffset", at, "must be even (UTF-16 code units)")
	}
	if at%2 != 0 || n%2 != 0 {
		return // the boundaries of the code units are not known
	}
	name := h.systemName(p)
	if i := unpaired(name); i >= 0 {
		p.reportBytes(h, "SystemName", int64(at)+int64(i), 2, fmt.Sprintf("U+%04X is an unpaired surrogate", le.Uint16(name[i:])), "must be part of a surrogate pair")
	}
}

// unpaired returns the index of the first surrogate in b without its other half, or -1 if
// there is none.
func unpaired(b []byte) int {
	for i := 0; i+1 < len(b); i += 2 {
		u := rune(le.Uint16(b[i:]))
		if !utf16.IsSurrogate(u) {
			continue
		}
		if len(b)-i < 4 || utf16.DecodeRune(u, rune(le.Uint16(b[i+2:]))) == unicode.ReplacementChar {
			return i
		}
		i += 2
	}
	return -1
}

func dataSystemNameTerminator(p *pass, h *dataBlock) {
	name := h.systemName(p)
	if len(name) == 0 || len(name)%2 != 0 {
		return
	}
	start, at := int64(h.SystemNameOffset()), int64(len(name)-2)
	switch last, nul := le.Uint16(name[at:]), nulIn(name); {
	case last != 0:
		p.reportBytes(h, "SystemName", start+at, 2, fmt.Sprintf("the last code unit of the name is U+%04X", last), "must be a NUL, which SystemNameLength includes")
	case at == 0:
		p.reportBytes(h, "SystemName", start, 2, "the name has only a NUL", "must have a character before the NUL, or SystemNameLength must be 0")
	case nul < at:
		p.reportBytes(h, "SystemName", start+nul, len(name)-int(nul), fmt.Sprintf("the name has a NUL %d bytes before its last code unit", at-nul), "must have a NUL only at its end")
	}
}
