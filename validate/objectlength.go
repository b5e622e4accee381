package validate

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/layout"
)

var objectLengthRules = []*Rule{
	{
		ID: "PERF1201", Name: "obj-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "an object has at least the 64 bytes of a PERF_OBJECT_TYPE",
		Why:     "The remaining bytes are too few for an object. A reader that takes them for one reads past its buffer.",
		Fix:     "Return the number of bytes and objects that were written, and let TotalByteLength of each object be the distance to the next one.",
		Sources: []Source{dotnet, headerFile},
		Event:   1003,
		check:   onObject.guard(objectTruncated),
	},
	{
		ID: "PERF1202", Name: "obj-offset-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "the offset of an object in the buffer is a multiple of 8",
		Why:     "A misaligned object misaligns its 8-byte values and those of the objects after it. The cause is a wrong length before it.",
		Fix:     "Round the length of the preceding object or header up to a multiple of 8.",
		Sources: []Source{alignment, collect},
		check:   onObject.check(objectOffsetAlign),
	},
	{
		ID: "PERF1203", Name: "obj-total-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "TotalByteLength of an object is at least 64",
		Why:     "TotalByteLength is the distance to the next object, and an object has at least its PERF_OBJECT_TYPE. With 0 a reader does not advance.",
		Fix:     "Write the length of the object with everything in it. If there is no object at this offset, check the length of the preceding object, or HeaderLength.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "TotalByteLength"), dotnet},
		Misread: []string{"perflib_exporter reads an object of length 0 NumObjectTypes times"},
		check:   onObject.guard(objectTotalMin),
	},
	{
		ID: "PERF1204", Name: "obj-total-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "an object ends inside the block",
		Why:     "TotalByteLength is the distance to the next object. If it ends outside the buffer, a reader that trusts it reads other memory.",
		Fix:     "Write the length of the object with everything in it.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "TotalByteLength"), dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		Event:   1003,
		check:   onObject.guard(objectTotalBound),
	},
	{
		ID: "PERF1205", Name: "obj-total-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "TotalByteLength of an object is a multiple of 8",
		Why:     "The data that a provider returns must be a multiple of 8 bytes long. If it is not, Windows logs a warning and misaligns the 8-byte values of the next provider's objects.",
		Fix:     "Round every instance and counter block up to a multiple of 8 bytes. The object is then a multiple of 8 as well.",
		Sources: []Source{collect, alignment, event1016},
		Event:   1016,
		check:   onObject.check(objectTotalAlign),
	},
	{
		ID: "PERF1206", Name: "obj-header-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength of an object is at least 64 and does not exceed DefinitionLength",
		Why:     "HeaderLength is the offset of the first counter definition. It is after the PERF_OBJECT_TYPE and before the end of the definitions.",
		Fix:     "Write 64.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "HeaderLength"), dotnet, netdata},
		check:   onObject.guard(objectHeaderMin),
	},
	{
		ID: "PERF1207", Name: "obj-header-length-exact", Severity: Warning, Since: "v0.1.0",
		Doc:     "HeaderLength of an object is 64",
		Why:     "64 is the size of the structure. A reader that uses HeaderLength accepts a longer header, but some readers assume 64.",
		Fix:     "Write 64, and store the counter definitions directly after the PERF_OBJECT_TYPE.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "HeaderLength")},
		Misread: []string{"perflib_exporter reads the first counter definition at byte 64"},
		check:   onObject.check(objectHeaderExact),
	},
	{
		ID: "PERF1208", Name: "obj-definition-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "DefinitionLength is at least HeaderLength and does not exceed TotalByteLength",
		Why:     "DefinitionLength is the end of the counter definitions and the start of the instances or the counter block. Outside these bounds it points into another object or out of the buffer.",
		Fix:     "Write 64 plus 40 for each counter definition, bases included.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), dotnet, netdata},
		check:   onObject.guard(objectDefinitionBound),
	},
	{
		ID: "PERF1209", Name: "obj-definition-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength plus the lengths of NumCounters definitions is DefinitionLength",
		Why:     "Readers use either the sum or DefinitionLength as the start of the instances. If the two differ, some readers read the instances from wrong bytes.",
		Fix:     "Write 64 plus 40 for each counter definition into DefinitionLength, and count every definition in NumCounters, bases included.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), eventTitles, dotnetReader},
		Event:   1019,
		Misread: []string{".NET reads the first instance where the last definition ends, and ignores DefinitionLength"},
		check:   onBody.guard(objectDefinitionSum),
	},
	{
		ID: "PERF1210", Name: "obj-definition-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "DefinitionLength is a multiple of 8",
		Why:     "Instances and counter blocks follow the definitions and are misaligned otherwise. DefinitionLength is a multiple of 8 if header and definitions have their documented sizes.",
		Fix:     "Write 64 as HeaderLength, and 40 as ByteLength of each counter definition.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), of(&layout.PERF_COUNTER_BLOCK, "ByteLength"), alignment},
		check:   onDefinitions.check(objectDefinitionAlign),
	},
	{
		ID: "PERF1211", Name: "obj-num-counters", Severity: Error, Since: "v0.1.0",
		Doc:     "NumCounters definitions of 40 bytes fit between HeaderLength and DefinitionLength",
		Why:     "A reader that counts to NumCounters takes instances, and the bytes after them, for definitions.",
		Fix:     "Write the number of definitions that follow the header, bases included.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "NumCounters"), dotnet},
		check:   onObject.guard(objectNumCounters),
	},
	{
		ID: "PERF1212", Name: "obj-no-counters", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object has at least one counter",
		Why:     "An object without counters has no values to read.",
		Fix:     "Define a counter, or do not write the object.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "NumCounters")},
		check:   onObject.check(objectNoCounters),
	},
	{
		ID: "PERF1213", Name: "obj-all-base", Severity: Warning, Since: "v0.1.0",
		Doc:     "at least one counter of an object is not a base",
		Why:     "A base is the denominator of the preceding counter and is never shown. An object that has only bases shows nothing.",
		Fix:     "Define the counters that the bases belong to, each directly before its base.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterType"), baseTypes},
		check:   onDefinitions.check(objectAllBase),
	},
}

const objectSize = int64(layout.SizeofObjectType)

func objectTruncated(p *pass, o *object) bool {
	left := o.end - o.off
	if left < objectSize && !o.fits(p, objectSize) {
		p.bytes(o, "", o.off, int(left), byteCount(left)+" left for it", "must be at least 64, the size of PERF_OBJECT_TYPE")
	}
	return left >= objectSize
}

// objectOffsetAlign reports the first misaligned object. It skips the objects that are
// misaligned only because an object before them is.
func objectOffsetAlign(p *pass, o *object) {
	if o.off%layout.Align != 0 && !o.pushed {
		p.bytes(o, "", o.off, layout.Align, fmt.Sprintf("it starts at %d", o.off), "must be a multiple of 8")
	}
}

func objectTotalMin(p *pass, o *object) bool {
	if n := int64(o.TotalByteLength()); n < objectSize {
		p.field(o, "TotalByteLength", n, "must be at least 64")
		return false
	}
	return true
}

func objectTotalBound(p *pass, o *object) bool {
	if !o.whole && !o.fits(p, int64(o.TotalByteLength())) {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be at most %d, the bytes that are left", o.end-o.off)
	}
	return o.whole
}

// objectTotalAlign skips a length that differs from that of the content where another
// rule reports that as an error. Bytes after the content are only a warning where
// NumInstances is -1 or -3: an object that follows them is displaced, which is an error of
// its own, but without one this is the only error.
func objectTotalAlign(p *pass, o *object) {
	if o.length()%layout.Align == 0 {
		return
	}
	n := o.NumInstances()
	warned := n == layout.PERF_NO_INSTANCES || n == layout.PERF_METADATA_NO_INSTANCES
	if end := o.bodyEnd(o.body()); end == 0 || end == o.end || warned && o.end == p.dataBlock.end {
		p.field(o, "TotalByteLength", o.length(), "must be a multiple of 8")
	}
}

// objectHeaderMin leaves a HeaderLength that only a wrong DefinitionLength makes too
// large to the rule for that.
func objectHeaderMin(p *pass, o *object) bool {
	h, d := int64(o.HeaderLength()), int64(o.DefinitionLength())
	possible := d >= objectSize && d <= o.length()
	switch {
	case possible && (h < objectSize || h > d):
		p.field(o, "HeaderLength", h, "must be %s, the DefinitionLength", between(objectSize, d))
	case h < objectSize:
		p.field(o, "HeaderLength", h, "must be 64")
	default:
		return true
	}
	return false
}

// length is TotalByteLength, or the bytes there are.
func (o *object) length() int64 { return o.end - o.off }

func objectHeaderExact(p *pass, o *object) {
	if h := int64(o.HeaderLength()); h != objectSize {
		p.field(o, "HeaderLength", h, "must be 64")
	}
}

func objectDefinitionBound(p *pass, o *object) bool {
	h, d := int64(o.HeaderLength()), int64(o.DefinitionLength())
	if d >= h && d <= o.length() {
		return true
	}
	if h > o.length() {
		p.field(o, "DefinitionLength", d, "must be at most %d, the TotalByteLength", o.length())
	} else {
		p.field(o, "DefinitionLength", d, "must be %s, from HeaderLength to TotalByteLength", between(h, o.length()))
	}
	return false
}

// objectDefinitionSum trusts DefinitionLength if what it leads to ends with the
// object, and leaves the body otherwise. It blames NumCounters where more definitions
// stand after those that it counts.
func objectDefinitionSum(p *pass, o body) bool {
	if o.defined == o.body() {
		return true
	}
	trusted := o.bodyEnd(o.body()) == o.end
	if more := o.uncounted(); trusted && more > 0 {
		p.field(o, "NumCounters", o.NumCounters(), "must be %d, the definitions that fill DefinitionLength", int64(o.NumCounters())+more)
		o.need = unknownNeed
		return true
	}
	p.field(o, "DefinitionLength", o.DefinitionLength(), "must be %d, where the last definition ends", o.defined-o.off)
	return trusted
}

// unknownNeed is more than any counter block can have, and no sum of it overflows.
const unknownNeed = math.MaxInt64 / 2

// uncounted returns how many definitions fill the bytes from the last that NumCounters
// counts to DefinitionLength, 0 if none do.
func (o *object) uncounted() int64 {
	n := int64(0)
	for at := o.defined; at < o.body(); n++ {
		b := o.Bytes()[at-o.off : o.DefinitionLength()]
		if int64(len(b)) < counterSize {
			return 0
		}
		length := int64(le.Uint32(b))
		if length < counterSize || length > int64(len(b)) {
			return 0
		}
		at += length
	}
	return n
}

// objectDefinitionAlign leaves a DefinitionLength that the definitions do not add up
// to to the rule for that.
func objectDefinitionAlign(p *pass, o definitions) {
	if d := o.DefinitionLength(); d%layout.Align != 0 && o.defined == o.body() {
		p.field(o, "DefinitionLength", d, "must be a multiple of 8")
	}
}

// objectNumCounters blames HeaderLength where the counters fit without what it has
// too much, and DefinitionLength where a body that ends with the object stands after
// them.
func objectNumCounters(p *pass, o *object) bool {
	h, d, n := int64(o.HeaderLength()), int64(o.DefinitionLength()), int64(o.NumCounters())
	room, right := (d-h)/counterSize, h+n*counterSize
	switch {
	case n <= room:
		return true
	case objectSize+n*counterSize == d:
		p.field(o, "HeaderLength", h, "must be 64, after which DefinitionLength has room for the %d of NumCounters", n)
	case right <= o.length() && o.bodyEnd(o.off+right) == o.end:
		p.field(o, "DefinitionLength", d, "must be %d, the HeaderLength and the %d definitions of NumCounters", right, n)
	default:
		p.field(o, "NumCounters", n, "must be at most %d, for which DefinitionLength has room", room)
	}
	return false
}

// objectNoCounters leaves definitions that are there and not counted to the rule
// for the sum.
func objectNoCounters(p *pass, o *object) {
	if o.NumCounters() == 0 && o.HeaderLength() == o.DefinitionLength() {
		p.field(o, "NumCounters", 0, "must be at least 1")
	}
}

func objectAllBase(p *pass, o definitions) {
	for i := range o.counters {
		if !o.counters[i].typ.IsBase() {
			return
		}
	}
	if n := len(o.counters); n > 0 {
		p.field(o, "NumCounters", n, "must be larger: all counters are bases")
	}
}
