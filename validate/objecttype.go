package validate

import "github.com/perfblock/perfblock/layout"

// object is the current PERF_OBJECT_TYPE with the facts that its rules use. Offsets count from the
// start of the input.
type object struct {
	layout.Object       // the bytes from off to end
	index           int // position in the block
	off, end        int64
	validLength     bool  // end is computed from TotalByteLength; otherwise end is the end of the block
	repaired        bool  // TotalByteLength is wrong, and end is the end of the content
	distance        int64 // if validLength is false: the distance to the next object or the end of the block; 0 if not known
	lengthReported  bool  // obj-total-length-align has reported the object, so obj-offset-align does not report the next object
	afterMisaligned bool  // the preceding object is misaligned, or its lengthReported is true

	skipped        bool      // the scan skipped the counters: counters is empty
	counters       []counter // the counters whose definitions could be read
	definitionsEnd int64     // end of the last counter definition, 0 if not all could be read
	need           int64     // bytes of a counter block that has all values, unknownNeed if not all counters are known
	needUncertain  bool      // a counter has an invalid CounterOffset or CounterSize, so the right value of need can be larger
	texts          []int     // indexes of the counters whose values are texts, one for each CounterOffset
	objectClock    bool      // a counter is computed with PerfTime and PerfFreq of the object

	contentEnd       int64        // end of the last instance or counter block, 0 if not all could be read
	extraBlock       bool         // NumInstances is 0, but a counter block follows the definitions
	blocks           int          // number of counter blocks read
	shortest         counterBlock // the first of the shortest counter blocks
	firstLength      uint32       // length of the first counter block
	total            total        // the last instance named _Total
	firstID          int32        // UniqueID of the first instance
	mixedReported    bool         // the rule inst-unique-id-mixed has a finding for this object
	codePageReported bool         // the rule inst-name-codepage has a finding for this object
}

// total is an instance named _Total.
type total struct {
	seen   bool // an instance named _Total was read, and inst-total-last has not reported it
	inst   instance
	parent [2]uint32
}

type (
	// definedObject is an object whose counter definitions were all read. Its atEnd checks run only
	// if a counter block of the object was read.
	definedObject struct{ *object }

	// body is an object whose instances or counter block are not read yet.
	body struct{ *object }
)

var (
	onObject      = subjectsIn[*object](v1Kinds...)
	onDefinitions = subjectsIn[definedObject](v1Kinds...)
	onBody        = subjectsIn[body](v1Kinds...)
)

func (o *object) path() layout.Path { return layout.Path{}.At("object", o.index) }

func (o *object) record() *layout.Record { return &layout.PERF_OBJECT_TYPE }

func (o *object) start() int64 { return o.off }

var objectTypeRules = []*Rule{
	{
		ID: "PERF1229", Name: "obj-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of an object is 100, 200, 300 or 400",
		Why:     "A tool shows the objects up to the level that the user chose. Tools know only these four levels, and differ in how they treat other levels.",
		Fix:     "Set DetailLevel of the object to the lowest DetailLevel of its counters.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "DetailLevel")},
		check: onObject.check(func(p *pass, o *object) {
			require(p, o, "DetailLevel", o.DetailLevel(), o.DetailLevel().Valid(), "must be 100, 200, 300 or 400")
		}),
	},
	{
		ID: "PERF1230", Name: "obj-detail-level-min", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of an object is the lowest DetailLevel of its counters, bases excepted",
		Why:     "With another level, a tool that filters objects by DetailLevel shows an object without visible counters, or hides an object with visible counters.",
		Fix:     "Set DetailLevel of the object to the lowest DetailLevel of its counters.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "DetailLevel")},
		check:   onDefinitions.check(objectDetailLevelMin),
	},
	{
		ID: "PERF1231", Name: "obj-default-counter", Severity: Warning, Since: "v0.1.0",
		Doc:     "DefaultCounter is -1, or the position or title index of a counter that is not a base",
		Why:     "Tools show this counter first. The documentation requires a title index, but older documents and some of Windows' own objects use a position. Another value selects no counter, or a counter that cannot be shown.",
		Fix:     "Set DefaultCounter to 0 for the first counter, or to -1 for none.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "DefaultCounter")},
		check:   onDefinitions.check(objectDefaultCounter),
	},
	{
		ID: "PERF1232", Name: "obj-codepage-unicode", Severity: Warning, Since: "v0.1.0",
		Doc:     "CodePage is 0: instance names are UTF-16",
		Why:     "The documentation recommends Unicode. Some readers read every name as UTF-16, and show wrong characters for a name in a code page.",
		Fix:     "Write names as UTF-16 and CodePage as 0.",
		Sources: []Source{values, sourceOf(&layout.PERF_OBJECT_TYPE, "CodePage"), dotnetReader},
		Misread: []string{".NET and perflib_exporter read every name as UTF-16"},
		check: onObject.check(func(p *pass, o *object) {
			require(p, o, "CodePage", o.CodePage(), o.CodePage() == 0 || !layout.KnownCodePage(o.CodePage()), "must be 0 (UTF-16)")
		}),
	},
	{
		ID: "PERF1233", Name: "obj-codepage-valid", Severity: Error, Since: "v0.1.0",
		Doc:     "CodePage is 0 or a code page that MultiByteToWideChar converts",
		Why:     "Readers pass CodePage to MultiByteToWideChar. If the function fails, no instance has a name. The function does not convert 1200, 1201, 12000 and 12001, the code pages of UTF-16 and UTF-32.",
		Fix:     "Set CodePage to 0 for UTF-16, to 65001 for UTF-8, or to the number of the code page of the names.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "CodePage"), codePages, values},
		check: onObject.check(func(p *pass, o *object) {
			require(p, o, "CodePage", o.CodePage(), layout.KnownCodePage(o.CodePage()), "must be 0 for UTF-16, or a code page that MultiByteToWideChar converts")
		}),
	},
}

// reset sets o to the object at the start of b. b must end at the end of the block.
func (o *object) reset(b []byte, off int64, index int) {
	afterMisaligned := o.off%layout.Align != 0 || o.lengthReported // o is still the preceding object, or empty
	o.clearCounters()
	*o = object{index: index, off: off, end: off + int64(len(b)), afterMisaligned: afterMisaligned, counters: o.counters[:0], texts: o.texts[:0]}
	o.Object = layout.Object{Span: layout.NewSpan(b, off)}
	if int64(len(b)) >= objectTypeSize {
		if n := int64(o.TotalByteLength()); n >= objectTypeSize && n <= int64(len(b)) {
			o.Object = layout.Object{Span: layout.NewSpan(b[:n:n], off)}
			o.end, o.validLength = off+n, true
		}
	}
}

// setEnd sets the end of an object with a wrong TotalByteLength.
func (o *object) setEnd(p *pass, end int64) {
	o.Object = layout.Object{Span: span(p.b, o.off, end)}
	o.end, o.repaired = end, true
}

// clearCounters removes the references of the counters to the caller's memory.
func (o *object) clearCounters() {
	// The element after the last counter is cleared too: it can be a counter that readCounters removed.
	clear(o.counters[:min(len(o.counters)+1, cap(o.counters))])
}

// fits reports whether the first n bytes of the object are inside the block. The block ends at its
// declared length, even if the input is shorter.
func (o *object) fits(p *pass, n int64) bool {
	return o.off+n <= p.dataBlock.declaredEnd()
}

// body returns the offset of the first instance or of the counter block.
func (o *object) body() int64 { return o.off + int64(o.DefinitionLength()) }

func (p *pass) checkObject(o *object) {
	if !onObject.run(p, o) {
		return
	}
	if !p.plainCounters(o) {
		if !p.readCounters(o) {
			return
		}
		p.checkCounters(o)
	}
	p.checkBody(o)
	p.readSkippedCounters(o)
	if o.blocks > 0 {
		onDefinitions.runEnds(p, definedObject{o})
	}
	onObject.runEnds(p, o)
}

// checkBody checks the instances or the counter block of an object.
func (p *pass) checkBody(o *object) {
	o.extraBlock = o.NumInstances() == 0 && isCounterBlock(o.Bytes()[o.DefinitionLength():])
	if !onBody.runGuards(p, body{o}) {
		return
	}
	switch n := o.NumInstances(); {
	case n > 0:
		p.checkInstances(o)
	case n == layout.PERF_NO_INSTANCES || o.extraBlock:
		if end, ok := p.checkBlock(o, o.body(), -1); ok {
			o.contentEnd = end
		}
	default:
		o.contentEnd = o.body()
	}
}

// isCounterBlock reports whether b is exactly one counter block.
func isCounterBlock(b []byte) bool {
	return len(b) >= layout.Align && len(b)%layout.Align == 0 && int64(le.Uint32(b)) == int64(len(b))
}

// objectDetailLevelMin reports an object whose DetailLevel is not the lowest DetailLevel of its
// counters. It ignores bases. If the DetailLevel of a counter is invalid, objectDetailLevelMin reports
// the object only if its DetailLevel is higher than the lowest valid DetailLevel of the counters.
func objectDetailLevelMin(p *pass, o definedObject) {
	level := o.DetailLevel()
	if !level.Valid() {
		return
	}
	lowest, unknown := layout.DetailLevel(0), false
	for i := range o.counters {
		c := &o.counters[i]
		switch l := c.DetailLevel(); {
		case c.typ.IsBase():
		case !l.Valid():
			unknown = true
		case lowest == 0 || l < lowest:
			lowest = l
		}
	}
	switch {
	case lowest == 0 || level == lowest:
	case !unknown:
		p.field(o, "DetailLevel", level, "must be %v, the lowest level of its counters", lowest)
	case level > lowest:
		p.field(o, "DetailLevel", level, "must be at most %v, the lowest valid level of its counters", lowest)
	}
}

// objectDefaultCounter requires that DefaultCounter is -1, or the position or title index of a
// counter that is not a base. It always accepts 0, the first counter. Other rules report a first
// counter that is a base, and an object that has no counters.
func objectDefaultCounter(p *pass, o definedObject) {
	v := int64(o.DefaultCounter())
	if v == -1 || v == 0 {
		return
	}
	for i := range o.counters {
		c := &o.counters[i]
		if !c.typ.IsBase() && (int64(i) == v || int64(c.CounterNameTitleIndex()) == v) {
			return
		}
	}
	p.field(o, "DefaultCounter", v, "must be -1, or the position or title index of a counter that is not a base")
}

var objectRecord = recordType{
	field: layout.PERF_OBJECT_TYPE.Field("TotalByteLength").At, least: objectTypeSize, proven: true,
	plausible: plausibleObject,
	required: func(p *pass, at, lim int64) (int64, int64) {
		if p.searchable <= 0 || !plausibleObject(p.b, at, lim) {
			return 0, 0
		}
		o := object{off: at, end: lim}
		o.Object = layout.Object{Span: span(p.b, at, lim)}
		end, whole := o.body(), true // with NumInstances 0, readBody could read the next object as a counter block
		if o.NumInstances() != 0 {
			end, whole = o.readBody(end)
		}
		p.searchable -= end - o.body() + objectTypeSize
		if !whole {
			return 0, 0
		}
		if o.NumInstances() == layout.PERF_METADATA_NO_INSTANCES && at+int64(o.TotalByteLength()) > end {
			return 0, 0 // no correction, because a TotalByteLength that is too large is only a warning here
		}
		return end - at, 0
	},
}

// plausibleObject requires that HeaderLength, DefinitionLength and NumCounters are consistent. Bytes
// that are not an object rarely pass this test.
func plausibleObject(b []byte, at, lim int64) bool {
	if lim-at < objectTypeSize {
		return false
	}
	o := objectAt(b, at)
	d := int64(o.DefinitionLength())
	return int64(o.HeaderLength()) == objectTypeSize && d == objectTypeSize+counterDefinitionSize*int64(o.NumCounters()) && d <= lim-at
}
