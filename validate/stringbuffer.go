package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var stringBufferRules = []*Rule{
	{
		ID: "PERF2704", Name: "v2-strings-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize has room for the 8 bytes of the header, the dwCounters entries and their strings, and is no more than the bytes there are",
		Why:     "It is how a reader knows that an entry, or a string, is still inside the buffer. One that is too large has it read what lies behind, and strings behind one that is too small are lost.",
		Fix:     "Write the length of header, entries and strings into dwSize, rounded up to a multiple of 8, and the number of the entries into dwCounters. If the buffer was cut off, capture it again.",
		Sources: []Source{of(&layout.PERF_STRING_BUFFER_HEADER, "dwSize"), pcqStrings},
		check:   onStringBuffer.guard(stringsBounds),
	},
	{
		ID: "PERF2705", Name: "v2-strings-align", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize is a multiple of 8",
		Why:     "The protocol pads the buffer to that. A reader that holds several of them one behind the other finds the next one elsewhere.",
		Fix:     "Round dwSize up, and pad with zeros to there.",
		Sources: []Source{pcqStrings, pcqStructures},
		check:   onStringBuffer.check(stringsAlign),
	},
	{
		ID: "PERF2707", Name: "v2-strings-offset-base", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwOffset counts from the start of the buffer",
		Why:     "These offsets lead to strings only if they count from the end of the entries. The protocol's document has them so, but its header file and the functions' pages do not, and readers go by those.",
		Fix:     "Add 8 and 8 for each entry to every dwOffset.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqEntry},
		Misread: []string{"System Informer and perflib-explorer count from the start of the buffer"},
		check:   onStringBuffer.check(stringsOffsetBase),
	},
	{
		ID: "PERF2712", Name: "v2-strings-gap", Severity: Error, Since: "v0.1.0",
		Doc:     "between the last of the dwCounters entries and the first string stand no more entries",
		Why:     "A reader stops after dwCounters of them, and never finds the strings of the counters behind.",
		Fix:     "Write the number of all entries into dwCounters.",
		Sources: []Source{of(&layout.PERF_STRING_BUFFER_HEADER, "dwCounters"), pcqStrings},
		check:   onStringBuffer.check(stringsGap),
	},
	{
		ID: "PERF2713", Name: "v2-strings-slack", Severity: Info, Since: "v0.1.0",
		Doc:     "dwSize is what header, entries and strings take, rounded up to a multiple of 8",
		Why:     "Nothing leads to what is behind the last string. A reader loses nothing by it, unless there should be a string, or dwCounters counts one entry too few.",
		Fix:     "Write the length of header, entries and strings into dwSize, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_STRING_BUFFER_HEADER, "dwSize"), pcqStrings},
		check:   onStringBuffer.check(stringsSlack),
	},
}

// stringBuffer is a PERF_STRING_BUFFER_HEADER, and what is known of all behind it.
type stringBuffer struct {
	layout.StringBuffer          // its structure; of nothing where not all of that is there
	n                   int64    // entries to go by
	size                int64    // bytes to go by, 0 where neither can be told
	base                int64    // from where offsets count
	end                 int64    // where the last string ends, 0 where that is not to be told
	least               int64    // where the first string starts, size where there is none
	strayed             bool     // an offset does not lead to where a string starts
	last                [2]int64 // where the last NULs start, at an even and at an odd offset
}

var onStringBuffer = subjectsIn[*stringBuffer](layout.StringsKind)

func (*stringBuffer) path() layout.Path      { return layout.Path{} }
func (*stringBuffer) record() *layout.Record { return &layout.PERF_STRING_BUFFER_HEADER }
func (*stringBuffer) start() int64           { return 0 }

// Of the header, and of an entry.
const stringsBytes = 8

// entriesEnd returns where n entries end.
func entriesEnd(n int64) int64 { return stringsBytes + n*stringsBytes }

func (p *pass) checkStrings() {
	s := &p.stringBuffer
	p.measure(s)
	p.placeStrings(s)
	if !onStringBuffer.holds(p, s) {
		return
	}
	if int64(s.DwSize()) == s.size { // where it is wrong that has been told
		p.input.end = s.size
	}
	p.ids.reset(int(s.n))
	for i := range s.n {
		p.stringCounter = p.entryAt(i)
		p.stringCounter.place(s)
		onStringCounter.holds(p, &p.stringCounter)
	}
	if !s.strayed {
		p.betweenStrings(s)
	}
}

func stringsBounds(p *pass, s *stringBuffer) bool {
	have := int64(len(p.b))
	if have < stringsBytes {
		p.bytes(s, "", 0, int(have), fmt.Sprintf("the input is of %d bytes", have), "8 at least")
		return false
	}
	n, size := int64(s.DwCounters()), int64(s.DwSize())
	if s.size != 0 && s.n < n {
		p.field(s, "dwCounters", n, "%d, behind which a string starts", s.n)
	}
	switch least := entriesEnd(n); {
	case s.size != 0 && s.size == size:
	case s.size != 0:
		p.field(s, "dwSize", size, "%d, with which the last string ends%s", aligned(s.size), longer(aligned(s.size), have))
	case least <= size:
		p.field(s, "dwSize", size, "%d at most, the bytes there are", have)
	case least > have || size == have:
		p.field(s, "dwCounters", n, "%s, for which there is room", between(0, entries(min(size, have))))
	default:
		p.field(s, "dwSize", size, "%s, the bytes there are", eights(least, have))
	}
	return s.size != 0
}

// entries returns how many entries have room in a buffer of n bytes.
func entries(n int64) int64 { return max(0, n/stringsBytes-1) }

// stringsAlign has nothing to say of a length that is wrong anyway.
func stringsAlign(p *pass, s *stringBuffer) {
	if n := int64(s.DwSize()); n == s.size && n%layout.Align != 0 {
		p.field(s, "dwSize", n, "a multiple of 8")
	}
}

// stringsOffsetBase speaks once of what is wrong with all offsets.
func stringsOffsetBase(p *pass, s *stringBuffer) {
	for i := int64(0); s.base != 0 && i < s.n; i++ {
		p.stringCounter = p.entryAt(i)
		if n := int64(p.stringCounter.DwOffset()); n < s.base {
			p.field(&p.stringCounter, "dwOffset", n, "%d, counted from the start of the buffer", s.base+n)
			return
		}
	}
}

// stringsGap leaves what is no entry to those who look at padding.
func stringsGap(p *pass, s *stringBuffer) {
	if n := int64(s.DwCounters()); n < s.n {
		p.field(s, "dwCounters", n, "%d, as many entries as there are before the first string", s.n)
	}
}

// stringsSlack has nothing to say of a length that is wrong anyway, nor where an offset may
// lead elsewhere than to the last string.
func stringsSlack(p *pass, s *stringBuffer) {
	need := aligned(s.end)
	if n := int64(s.DwSize()); s.end != 0 && !s.strayed && n%layout.Align == 0 && n > need {
		p.field(s, "dwSize", n, "%d, what header, entries and strings take", need)
	}
}
