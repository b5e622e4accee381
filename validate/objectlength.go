package validate

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var objectLengthRules = []*Rule{
	{
		ID: "PERF1201", Name: "obj-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "an object has at least the 64 bytes of a PERF_OBJECT_TYPE",
		Why:     "The bytes up to the end of the block are too few for an object. A reader that reads an object there reads past its buffer.",
		Fix:     "Return the number of bytes and objects that the provider wrote, and write the distance to the next object into TotalByteLength of each object.",
		Sources: []Source{dotnet, headerFile},
		Event:   1003,
		check: onObject.guard(func(p *pass, o *object) bool {
			left := o.end - o.off
			if o.fits(p, objectTypeSize) {
				return left >= objectTypeSize
			}
			return p.requireSize(o, left, "the space left in the block is %s", "be")
		}),
	},
	{
		ID: "PERF1202", Name: "obj-offset-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "the offset of an object in the buffer is a multiple of 8",
		Why:     "If an object is misaligned, its 8-byte values and those of the following objects are misaligned too. The cause is a wrong length before the object.",
		Fix:     "Round the length of the preceding object or header up to a multiple of 8.",
		Sources: []Source{alignment, collect},
		check: onObject.check(func(p *pass, o *object) {
			// The objects after a misaligned object are usually misaligned too, so only the first
			// misaligned object is reported. If lengthReported of the preceding object is true, this
			// rule reports nothing, because obj-total-length-align has reported that object.
			if o.off%layout.Align != 0 && !o.afterMisaligned {
				p.reportBytes(o, "", o.off, layout.Align, fmt.Sprintf("the offset of the object is %d", o.off), "must be a multiple of 8")
			}
		}),
	},
	{
		ID: "PERF1203", Name: "obj-total-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "TotalByteLength of an object is at least 64",
		Why:     "TotalByteLength is the distance to the next object, and an object has at least its PERF_OBJECT_TYPE. If TotalByteLength is 0, a reader does not advance.",
		Fix:     "Set TotalByteLength to the length of the object. The length includes all definitions, instances and counter blocks. If there is no object at this offset, check TotalByteLength of the preceding object. For the first object, check HeaderLength of the block.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "TotalByteLength"), dotnet},
		Misread: []string{"perflib_exporter reads an object whose length is 0 again and again, NumObjectTypes times"},
		check: onObject.guard(func(p *pass, o *object) bool {
			n := int64(o.TotalByteLength())
			switch {
			case n >= objectTypeSize:
				return true
			case o.distance > 0:
				p.field(o, "TotalByteLength", n, "must be %d, %s", o.distance, toNextObject)
			default:
				p.field(o, "TotalByteLength", n, "must be at least %d", objectTypeSize)
			}
			return false
		}),
	},
	{
		ID: "PERF1204", Name: "obj-total-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "an object ends inside the block",
		Why:     "TotalByteLength is the distance to the next object. If it is too large, a reader that uses it reads past its buffer.",
		Fix:     "Set TotalByteLength to the length of the object. The length includes all definitions, instances and counter blocks.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "TotalByteLength"), dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		Event:   1003,
		check: onObject.guard(func(p *pass, o *object) bool {
			switch {
			case o.validLength || o.fits(p, int64(o.TotalByteLength())):
			case o.distance > 0:
				p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, %s", o.distance, toNextObject)
			default:
				p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %s", upTo(objectTypeSize, o.end-o.off, p.rules.unit(), "the number of bytes up to the end of the block"))
			}
			return o.validLength
		}),
	},
	{
		ID: "PERF1205", Name: "obj-total-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "TotalByteLength of an object is a multiple of 8",
		Why:     "The number of bytes that a provider returns must be a multiple of 8. Otherwise Windows logs a warning, and the 8-byte values of the next provider's objects are misaligned.",
		Fix:     "Round the length of every instance and counter block up to a multiple of 8. TotalByteLength is then also a multiple of 8.",
		Sources: []Source{collect, alignment, event1016},
		Event:   1016,
		check: onObject.check(func(p *pass, o *object) {
			total, n := int64(o.TotalByteLength()), o.NumInstances()
			// If length differs from TotalByteLength, another rule reports an error. If TotalByteLength is
			// not less than DefinitionLength, the finding for PERF_METADATA_NO_INSTANCES is only a warning.
			warning := n == layout.PERF_METADATA_NO_INSTANCES && total >= int64(o.DefinitionLength())
			if total%layout.Align == 0 || o.length()%layout.Align == 0 && !warning {
				return
			}
			// This rule reports nothing if the content ends before or after TotalByteLength, because
			// another rule then reports an error. For two values of NumInstances, the other rule reports
			// only a warning:
			//   - PERF_METADATA_NO_INSTANCES: this rule reports TotalByteLength.
			//   - PERF_NO_INSTANCES: obj-offset-align usually reports the next object. It reports nothing if
			//     there is no next object, or if o is misaligned. This rule then reports TotalByteLength.
			end := o.bodyEnd(o.body())
			if end == 0 || end == o.end || n == layout.PERF_METADATA_NO_INSTANCES || n == layout.PERF_NO_INSTANCES && (o.end == p.dataBlock.end || o.off%layout.Align != 0) {
				p.field(o, "TotalByteLength", total, "must be a multiple of 8")
				o.lengthReported = true
			}
		}),
	},
	{
		ID: "PERF1206", Name: "obj-header-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength of an object is at least 64 and does not exceed DefinitionLength",
		Why:     "HeaderLength is the offset of the first counter definition, which is after the PERF_OBJECT_TYPE and before DefinitionLength.",
		Fix:     "Write 64.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "HeaderLength"), dotnet, netdata},
		check:   onObject.guard(objectHeaderMin),
	},
	{
		ID: "PERF1207", Name: "obj-header-length-exact", Severity: Warning, Since: "v0.1.0",
		Doc:     "HeaderLength of an object is 64",
		Why:     "64 is the size of the structure. A reader that uses HeaderLength accepts a longer header, but some readers assume 64.",
		Fix:     "Set HeaderLength to 64, and store the counter definitions directly after the PERF_OBJECT_TYPE.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "HeaderLength")},
		Misread: []string{"perflib_exporter reads the first counter definition at byte 64"},
		check: onObject.check(func(p *pass, o *object) {
			if n := o.HeaderLength(); int64(n) != objectTypeSize {
				p.field(o, "HeaderLength", n, "must be %d", objectTypeSize)
			}
		}),
	},
	{
		ID: "PERF1208", Name: "obj-definition-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "DefinitionLength is at least HeaderLength and does not exceed TotalByteLength",
		Why:     "DefinitionLength is the offset of the instances or the counter block, after the counter definitions. If DefinitionLength is less than HeaderLength or greater than TotalByteLength, a reader reads other bytes as instances, such as another object or memory after the buffer.",
		Fix:     "Set DefinitionLength to 64 plus 40 for each counter definition, bases included.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), dotnet, netdata},
		check:   onObject.guard(objectDefinitionBound),
	},
	{
		ID: "PERF1209", Name: "obj-definition-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "HeaderLength plus the lengths of NumCounters definitions is DefinitionLength",
		Why:     "Some readers look for the instances where the last definition ends, and others at DefinitionLength. If these two offsets differ, some readers read wrong bytes as instances.",
		Fix:     "Set DefinitionLength to 64 plus 40 for each counter definition, and count every definition in NumCounters, bases included.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), eventTitles, dotnetReader},
		Event:   1019,
		Misread: []string{".NET reads the first instance where the last definition ends, and ignores DefinitionLength"},
		check:   onBody.guard(objectDefinitionSum),
	},
	{
		ID: "PERF1210", Name: "obj-definition-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "DefinitionLength is a multiple of 8",
		Why:     "Instances and counter blocks follow the definitions. If DefinitionLength is not a multiple of 8, they are misaligned. DefinitionLength is a multiple of 8 if HeaderLength is 64 and ByteLength of each definition is 40.",
		Fix:     "Write 64 as HeaderLength, and 40 as ByteLength of each counter definition.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength"), alignment},
		check: onDefinitions.check(func(p *pass, o definedObject) {
			// The rule obj-definition-sum reports a DefinitionLength that is not the end of the last definition.
			if d := o.DefinitionLength(); d%layout.Align != 0 && o.definitionsEnd == o.body() {
				p.field(o, "DefinitionLength", d, "must be a multiple of 8")
			}
		}),
	},
	{
		ID: "PERF1211", Name: "obj-num-counters", Severity: Error, Since: "v0.1.0",
		Doc:     "the bytes between HeaderLength and DefinitionLength have space for NumCounters definitions of 40 bytes",
		Why:     "If NumCounters is too large, a reader reads instances, and the bytes after them, as definitions.",
		Fix:     "Set NumCounters to the number of definitions that follow the header, bases included.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumCounters"), dotnet},
		check:   onObject.guard(objectNumCounters),
	},
	{
		ID: "PERF1212", Name: "obj-no-counters", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object has at least one counter",
		Why:     "An object without counters has no values to read.",
		Fix:     "Define a counter, or do not write the object.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumCounters")},
		check: onObject.check(func(p *pass, o *object) {
			// If DefinitionLength is larger than HeaderLength, the rule obj-definition-sum reports the object.
			if o.NumCounters() == 0 && o.HeaderLength() == o.DefinitionLength() {
				p.field(o, "NumCounters", 0, "must be at least 1")
			}
		}),
	},
	{
		ID: "PERF1213", Name: "obj-all-base", Severity: Warning, Since: "v0.1.0",
		Doc:     "at least one counter of an object is not a base",
		Why:     "A base is the denominator of the preceding counter and is never shown. An object that has only bases has nothing to show.",
		Fix:     "Define the counters that the bases belong to, each directly before its base.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterType"), baseTypes},
		check: onDefinitions.check(func(p *pass, o definedObject) {
			shown := slices.ContainsFunc(o.counters, func(c counter) bool { return !c.typ.IsBase() })
			if n := len(o.counters); n > 0 && !shown {
				p.field(o, "NumCounters", n, "must count at least one counter that is not a base")
			}
		}),
	},
}

const toNextObject = "the distance to the next object or the end of the block"

// objectHeaderMin reports a HeaderLength that is less than 64 or greater than DefinitionLength. If
// DefinitionLength itself is out of range, HeaderLength is compared with the length of the object.
func objectHeaderMin(p *pass, o *object) bool {
	h, most := int64(o.HeaderLength()), int64(o.DefinitionLength())
	if most < objectTypeSize || most > o.length() { // another rule reports DefinitionLength
		most = o.length()
	}
	if h >= objectTypeSize && h <= most {
		return true
	}
	p.field(o, "HeaderLength", h, "must be %d", objectTypeSize)
	return false
}

// length returns TotalByteLength or, if TotalByteLength is wrong, the length that the validator
// uses instead.
func (o *object) length() int64 { return o.end - o.off }

// objectDefinitionBound reports a DefinitionLength that is out of range.
func objectDefinitionBound(p *pass, o *object) bool {
	h, d := int64(o.HeaderLength()), int64(o.DefinitionLength())
	// An object with PERF_METADATA_NO_INSTANCES ends at DefinitionLength. If TotalByteLength is
	// wrong (o.repaired is true) and less than DefinitionLength, the finding is about
	// TotalByteLength.
	if o.repaired && int64(o.TotalByteLength()) < d && d <= o.length() && o.NumInstances() == layout.PERF_METADATA_NO_INSTANCES {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, the DefinitionLength", d)
		return true
	}
	if d >= h && d <= o.length() {
		return true
	}
	if right := o.countedEnd(); o.fitsBody(right) {
		o.reportDefinitionLength(p, right)
	} else {
		unit := p.rules.unit()
		if roundUp(h, unit) > o.length() {
			unit = 1 // no multiple of 8 is in the range, so HeaderLength or TotalByteLength is wrong too
		}
		p.field(o, "DefinitionLength", d, "must be %s, between HeaderLength and TotalByteLength", multiples(roundUp(h, unit), o.length(), unit))
	}
	return false
}

// countedEnd returns HeaderLength plus the size of NumCounters definitions.
func (o *object) countedEnd() int64 {
	return int64(o.HeaderLength()) + counterDefinitionSize*int64(o.NumCounters())
}

// fitsBody reports whether DefinitionLength can be d: the instances or the counter block then end where the object
// ends.
func (o *object) fitsBody(d int64) bool { return d <= o.length() && o.bodyEnd(o.off+d) == o.end }

// reportDefinitionLength reports a wrong DefinitionLength. The argument right is the required value,
// the result of countedEnd.
func (o *object) reportDefinitionLength(p *pass, right int64) {
	p.field(o, "DefinitionLength", o.DefinitionLength(), "must be %d, the HeaderLength plus %d times NumCounters", right, counterDefinitionSize)
}

// objectDefinitionSum reports NumCounters or DefinitionLength if the last definition does not end
// at DefinitionLength.
func objectDefinitionSum(p *pass, o body) bool {
	if o.definitionsEnd == o.body() {
		return true
	}
	accepted := o.bodyEnd(o.body()) == o.end // the instances or the counter block end with the object
	if more := o.definitionsFrom(o.definitionsEnd); accepted && more > 0 {
		p.field(o, "NumCounters", o.NumCounters(), "must be %d, the number of definitions up to DefinitionLength", int64(o.NumCounters())+more)
		o.need = unknownNeed
		return true
	}
	switch right := o.definitionsEnd - o.off; {
	case right%p.rules.unit() == 0:
		p.field(o, "DefinitionLength", o.DefinitionLength(), "must be %d, the end of the last definition", right)
	default:
		p.field(o, "DefinitionLength", o.DefinitionLength(), "must be the end of the last definition: this is %d, because HeaderLength or a ByteLength in the object is not a multiple of 8", right)
	}
	return accepted
}

// unknownNeed is larger than any counter block. Sums with it do not overflow.
const unknownNeed = math.MaxInt64 / 2

// definitionsFrom returns how many definitions fill the bytes from an offset to DefinitionLength. It returns 0 if
// definitions do not fill these bytes.
func (o *object) definitionsFrom(at int64) int64 {
	n := int64(0)
	for ; at < o.body(); n++ {
		b := o.Bytes()[at-o.off : o.DefinitionLength()]
		if int64(len(b)) < counterDefinitionSize {
			return 0
		}
		length := int64(le.Uint32(b))
		if length < counterDefinitionSize || length > int64(len(b)) {
			return 0
		}
		at += length
	}
	return n
}

// objectNumCounters checks that NumCounters definitions fit between HeaderLength and
// DefinitionLength. If they do not fit, objectNumCounters reports the field that seems to be wrong.
func objectNumCounters(p *pass, o *object) bool {
	h, d, n := int64(o.HeaderLength()), int64(o.DefinitionLength()), int64(o.NumCounters())
	most, right := (d-h)/counterDefinitionSize, o.countedEnd()
	switch {
	case n <= most:
		return true
	case objectTypeSize+n*counterDefinitionSize == d:
		p.field(o, "HeaderLength", h, "must be %d, the DefinitionLength minus %d times NumCounters", objectTypeSize, counterDefinitionSize)
	// DefinitionLength is wrong: with the right value, the instances or the counter block end where
	// the object ends.
	case o.fitsBody(right):
		o.reportDefinitionLength(p, right)
	default:
		if filled := o.definitionsFrom(o.off + h); filled > 0 {
			p.field(o, "NumCounters", n, "must be %d, the number of definitions up to DefinitionLength", filled)
			break
		}
		p.field(o, "NumCounters", n, "must be at most %d, the number of definitions between HeaderLength and DefinitionLength", most)
	}
	return false
}
