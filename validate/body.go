package validate

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

var bodyRules = []*Rule{
	{
		ID: "PERF1214", Name: "obj-num-instances-domain", Severity: Error, Since: "v0.1.0",
		Doc:     "NumInstances is at least -3",
		Why:     "Only the negative values -1, -2 and -3 have a meaning. If the field has another negative value, a reader cannot know what follows the definitions. A reader that treats the field as unsigned gets a large number of instances and reads past the object.",
		Fix:     "Write the number of instances, or -1, PERF_NO_INSTANCES, for an object that never has instances.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances"), otherEntries},
		check: onBody.guard(func(p *pass, o body) bool {
			if n := o.NumInstances(); n < layout.PERF_METADATA_NO_INSTANCES {
				p.field(o, "NumInstances", n, "must be at least -3")
				return false
			}
			return true
		}),
	},
	{
		ID: "PERF1215", Name: "obj-single-length", Severity: Error, Since: "v0.1.0",
		Doc:     "the counter block of an object without instances ends inside the object",
		Why:     "The bytes after the object belong to the next object or are outside the buffer.",
		Fix:     "Set ByteLength of the counter block to 4 plus the length of the values and the padding in bytes. Include the block in TotalByteLength of the object.",
		Sources: []Source{dataFormat, sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check: onCounterBlock.guard(func(p *pass, b *counterBlock) bool {
			if b.instance < 0 && b.of.repaired {
				p.reportTotalLength(b.of, b.off+b.length, "where the counter block ends")
				return true
			}
			if b.instance < 0 && b.length > b.of.end-b.off {
				b.reportLength(p)
				return false
			}
			return true
		}),
	},
	{
		ID: "PERF1216", Name: "obj-single-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object without instances ends where its counter block ends",
		Why:     "The bytes after the counter block have no meaning, and Perflib does not report them. The cause is often a wrong ByteLength of the block or a wrong TotalByteLength.",
		Fix:     "Write DefinitionLength plus ByteLength of the counter block into TotalByteLength. If instances follow the definitions, correct NumInstances.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "TotalByteLength"), dataFormat},
		check:   onObject.atEnd(objectSingleSlack),
	},
	{
		ID: "PERF1217", Name: "obj-empty-length", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with NumInstances 0 ends where its definitions end",
		Why:     "The object currently has no instances, so nothing follows the definitions. If instances follow nevertheless, a reader that uses NumInstances does not read them.",
		Fix:     "Write the number of instances into NumInstances. If there are no instances, write DefinitionLength into TotalByteLength, and store the next object directly after the definitions.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances"), sourceOf(&layout.PERF_OBJECT_TYPE, "TotalByteLength")},
		Misread: []string{"perflib_exporter reads the bytes as one instance"},
		check:   onBody.guard(objectEmptyLength),
	},
	{
		ID: "PERF1218", Name: "obj-empty-block", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with NumInstances 0 has no counter block",
		Why:     "The values of the block belong to no instance. Some readers show them as the values of an instance that does not exist. Others ignore them.",
		Fix:     "Do not write the block. If the object never has instances, write -1, PERF_NO_INSTANCES, into NumInstances.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances"), values},
		Misread: []string{"perflib_exporter reads the block as one instance without a name", ".NET and netdata do not read the block"},
		check: onObject.atEnd(func(p *pass, o *object) {
			if o.extraBlock {
				n := o.end - o.body()
				p.reportBytes(o, "rest", o.body(), int(n), fmt.Sprintf("a counter block of %d bytes follows the definitions", n), "must not follow, because NumInstances is 0")
			}
		}),
	},
	{
		ID: "PERF1219", Name: "obj-multi-length", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with instances ends after NumInstances instances, each with its counter block",
		Why:     "When Perflib tests a provider, it adds up the lengths of the definitions, the instances and their counter blocks. If the sum is not TotalByteLength, Perflib drops all data of the provider.",
		Fix:     "Count every instance in NumInstances. Write into TotalByteLength the sum of DefinitionLength, the ByteLength of each instance and the ByteLength of each counter block.",
		Sources: []Source{collect, eventPage},
		Event:   1004,
		check:   onObject.atEnd(objectMultiLength),
	},
	{
		ID: "PERF1220", Name: "obj-instance-count-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "the bytes between the definitions and the end of the object have space for NumInstances instances",
		Why:     "An instance has at least 28 bytes: the 24 of a PERF_INSTANCE_DEFINITION and the 4 of a PERF_COUNTER_BLOCK. If NumInstances is too large, a reader reads past the object, or allocates memory for instances that do not exist. The rule does not count padding, because a reader can read instances without padding. Other rules report missing padding.",
		Fix:     "Write the number of instances that follow the definitions.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances"), dotnet},
		check: onBody.guard(func(p *pass, o body) bool {
			// The shortest instance has no name, and its counter block has no values.
			most := (o.end - o.body()) / (instanceDefinitionSize + counterBlockSize)
			n := int64(o.NumInstances())
			if n <= most {
				return true
			}
			if fit := o.instancesToEnd(o.body()); fit > 0 {
				p.field(o, "NumInstances", n, "must be %d, the number of instances up to TotalByteLength", fit)
			} else {
				p.field(o, "NumInstances", n, "must be at most %d, because TotalByteLength has no space for more instances", most)
			}
			return false
		}),
	},
	{
		ID: "PERF1221", Name: "obj-metadata-body", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with NumInstances -2, PERF_METADATA_MULTIPLE_INSTANCES, ends where its definitions end",
		Why:     "An object with NumInstances -2 is an answer to a metadata query. It has definitions, but no instances. If instances follow nevertheless, no field has their number.",
		Fix:     "Either remove the instances and write DefinitionLength into TotalByteLength, or write the number of instances into NumInstances.",
		Sources: []Source{otherEntries},
		check: onBody.guard(func(p *pass, o body) bool {
			return metadataBody(p, o.object, layout.PERF_METADATA_MULTIPLE_INSTANCES, "PERF_METADATA_MULTIPLE_INSTANCES", o.repaired)
		}),
	},
	{
		ID: "PERF1222", Name: "obj-metadata-single-body", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with NumInstances -3, PERF_METADATA_NO_INSTANCES, ends where its definitions end",
		Why:     "An object with NumInstances -3 is an answer to a metadata query. It has definitions, but no values. The documentation does not mention a counter block after these definitions, and readers do not look for a counter block.",
		Fix:     "Either remove the counter block and write DefinitionLength into TotalByteLength, or write -1, PERF_NO_INSTANCES, into NumInstances.",
		Sources: []Source{otherEntries},
		check: onBody.guard(func(p *pass, o body) bool {
			// The rule obj-definition-bound already reports a TotalByteLength that is less than
			// DefinitionLength. With o.repaired instead of false, this rule would report it again.
			return metadataBody(p, o.object, layout.PERF_METADATA_NO_INSTANCES, "PERF_METADATA_NO_INSTANCES", false)
		}),
	},
	{
		ID: "PERF1223", Name: "obj-metadata-unasked", Severity: Error, Since: "v0.1.0",
		Doc:     "NumInstances is -2 or -3 only in the answer to a metadata query",
		Why:     "An object with NumInstances -2 or -3 has definitions, but no counter values. A reader that queries counter values gets none. Windows 10 2004 introduced these two numbers, so older readers do not know them.",
		Fix:     "Return metadata only if the first word of the query starts with Metadata or OLD_Metadata. Return values for all other queries.",
		Sources: []Source{otherEntries, dotnetReader},
		Misread: []string{".NET allocates -2 instances and fails", "perflib_exporter reads one instance"},
		Needs:   "the query",
		check: onObject.check(func(p *pass, o *object) {
			n := o.NumInstances()
			if n != layout.PERF_METADATA_MULTIPLE_INSTANCES && n != layout.PERF_METADATA_NO_INSTANCES {
				return
			}
			if p.ctx.Query != nil && !asksMetadata(*p.ctx.Query) {
				p.field(o, "NumInstances", n, "must be at least -1, because %q is not a metadata query", *p.ctx.Query)
			}
		}),
	},
}

// objectSingleSlack reports bytes between the counter block and the end of the object.
func objectSingleSlack(p *pass, o *object) {
	if o.NumInstances() != layout.PERF_NO_INSTANCES || o.contentEnd == 0 || o.contentEnd == o.end || o.repaired {
		return // the rule obj-single-length reports a repaired TotalByteLength
	}
	right := roundUp(max(o.shortest.length, o.need), p.rules.unit())
	switch n := o.instancesToEnd(o.body()); {
	case right == o.end-o.body():
		// TotalByteLength is right. Another rule reports ByteLength of the block or a field of a counter.
	case n > 0:
		p.field(o, "NumInstances", o.NumInstances(), "must be %d, the number of instances up to TotalByteLength", n)
	default:
		p.reportTotalLength(o, o.contentEnd, "where the counter block ends")
	}
}

func objectEmptyLength(p *pass, o body) bool {
	if o.NumInstances() == 0 && o.repaired && !o.extraBlock {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, the DefinitionLength, because there are no instances", o.DefinitionLength())
		return true
	}
	if o.NumInstances() != 0 || o.end == o.body() || o.extraBlock {
		return true
	}
	if n := o.instancesToEnd(o.body()); n > 0 {
		p.field(o, "NumInstances", 0, "must be %d, the number of instances up to TotalByteLength", n)
	} else {
		p.field(o, "TotalByteLength", o.length(), "must be %d, the DefinitionLength, because there are no instances", o.DefinitionLength())
	}
	return false
}

func objectMultiLength(p *pass, o *object) {
	if o.NumInstances() > 0 && o.repaired {
		p.reportTotalLength(o, o.contentEnd, "where the last instance ends")
		return
	}
	if o.NumInstances() <= 0 || o.contentEnd == 0 || o.contentEnd == o.end {
		return
	}
	if more := o.instancesToEnd(o.contentEnd); more > 0 {
		p.field(o, "NumInstances", o.NumInstances(), "must be %d, the number of instances up to TotalByteLength", int64(o.NumInstances())+more)
	} else {
		p.reportTotalLength(o, o.contentEnd, "where the last instance ends")
	}
}

// reportTotalLength reports a wrong TotalByteLength. The content of the object ends at contentEnd, and reason says what
// this end is. If a ByteLength in the object is not a multiple of 8, the required value includes the missing padding.
func (p *pass) reportTotalLength(o *object, contentEnd int64, reason string) {
	if o.repaired && contentEnd != o.end {
		contentEnd, reason = o.end, toNextObject
	}
	content, total := contentEnd-o.off, int64(o.TotalByteLength())
	switch required := roundUp(content, p.rules.unit()); {
	case required == content:
		p.field(o, "TotalByteLength", total, "must be %d, %s", required, reason)
	case required == total:
		p.field(o, "TotalByteLength", total, "must be %s: this is %d, because a ByteLength in the object is not a multiple of 8", reason, content)
	default:
		p.field(o, "TotalByteLength", total, "must be %d, %s, rounded up to a multiple of 8", required, reason)
	}
}

// metadataBody checks TotalByteLength of an object if its NumInstances is n. It reports
// TotalByteLength in two cases:
//   - corrected is true: TotalByteLength is wrong, and o.end is the corrected end of the object.
//     metadataBody returns true.
//   - corrected is false, and bytes follow the definitions: the right end of the object is not known.
//     metadataBody returns false.
//
// Otherwise it reports nothing and returns true.
func metadataBody(p *pass, o *object, n int32, name string, corrected bool) bool {
	if o.NumInstances() == n && (o.end > o.body() || corrected) {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, the DefinitionLength, because an object with %s has no values", o.DefinitionLength(), name)
		return corrected // without the right end, the object cannot be read
	}
	return true
}

// asksMetadata reports whether a query is a metadata query: its first word starts with
// Metadata or OLD_Metadata.
func asksMetadata(query string) bool {
	const old, metadata = "OLD_", "Metadata"
	query = strings.TrimLeft(query, " ")
	if len(query) >= len(old) && strings.EqualFold(query[:len(old)], old) {
		query = query[len(old):]
	}
	return len(query) >= len(metadata) && strings.EqualFold(query[:len(metadata)], metadata)
}

// bodyEnd returns the end of the instances or the counter block that start at an offset. It returns
// 0 if a record is not inside the object or NumInstances is invalid.
func (o *object) bodyEnd(at int64) int64 {
	end, whole := o.readBody(at)
	if !whole {
		return 0
	}
	return end
}

// readBody returns the end of the instances, or of the counter block, that start at the offset at.
// whole is false if a record is not inside the object or NumInstances is invalid. In this case, end
// is the end of the last instance before the fault. If there is no such instance, end is equal to at.
func (o *object) readBody(at int64) (end int64, whole bool) {
	switch n := o.NumInstances(); {
	case n > 0:
		for range n {
			next := o.instanceEnd(at)
			if next == 0 {
				return at, false
			}
			at = next
		}
	case n == layout.PERF_NO_INSTANCES:
		end := o.blockEnd(at)
		return max(at, end), end != 0
	case n < layout.PERF_METADATA_NO_INSTANCES:
		return at, false
	case n == 0 && isCounterBlock(o.Bytes()[at-o.off:]):
		return o.end, true
	}
	return at, true
}

// instancesToEnd returns the number of instances that exactly fill the bytes from an offset to the
// end of the object. It returns 0 if instances do not fill these bytes.
func (o *object) instancesToEnd(at int64) int64 {
	n := int64(0)
	for ; at < o.end; n++ {
		if at = o.instanceEnd(at); at == 0 {
			return 0
		}
	}
	return n
}

// instanceEnd returns the end of the counter block of the instance at an offset, or 0 if ByteLength
// of the instance or of the block is out of range.
func (o *object) instanceEnd(at int64) int64 {
	if o.end-at < instanceDefinitionSize {
		return 0
	}
	n := int64(le.Uint32(o.Bytes()[at-o.off:]))
	if n < instanceDefinitionSize {
		return 0
	}
	return o.blockEnd(at + n)
}

// blockEnd returns the end of the counter block that starts at an offset, or 0 if the block is not
// inside the object.
func (o *object) blockEnd(at int64) int64 {
	if o.end-at < counterBlockSize {
		return 0
	}
	if n := int64(le.Uint32(o.Bytes()[at-o.off:])); n >= counterBlockSize && n <= o.end-at {
		return at + n
	}
	return 0
}
