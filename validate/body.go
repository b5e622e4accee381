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
		Why:     "Of the negative values only -1, -2 and -3 have a meaning. With another value a reader cannot know what follows the definitions, and a reader that takes it for a large number reads past the object.",
		Fix:     "Write the number of instances, or -1, PERF_NO_INSTANCES, for an object that never has instances.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "NumInstances"), otherEntries},
		check:   onBody.guard(objectInstancesDomain),
	},
	{
		ID: "PERF1215", Name: "obj-single-length", Severity: Error, Since: "v0.1.0",
		Doc:     "the counter block of an object without instances ends inside the object",
		Why:     "The bytes after the object belong to the next object or are outside the buffer.",
		Fix:     "Write into ByteLength of the counter block its own 4 bytes, the values and the padding, and include the block in TotalByteLength of the object.",
		Sources: []Source{dataFormat, of(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check:   onCounterBlock.guard(objectSingleLength),
	},
	{
		ID: "PERF1216", Name: "obj-single-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object without instances ends where its counter block ends",
		Why:     "The bytes after the counter block have no meaning. Perflib does not check such objects for them, so they often show that ByteLength of the block or TotalByteLength is computed wrongly.",
		Fix:     "Write DefinitionLength plus ByteLength of the counter block into TotalByteLength. If instances follow the definitions, correct NumInstances.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "TotalByteLength"), dataFormat},
		check:   onObject.atEnd(objectSingleSlack),
	},
	{
		ID: "PERF1217", Name: "obj-empty-length", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with NumInstances 0 ends where its definitions end",
		Why:     "The object has no instances at the moment, so nothing follows the definitions. Readers that count instances never see those that do.",
		Fix:     "Count the instances in NumInstances. If there are none, write DefinitionLength into TotalByteLength and store the next object there.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "NumInstances"), of(&layout.PERF_OBJECT_TYPE, "TotalByteLength")},
		Misread: []string{"perflib_exporter reads the bytes as one instance"},
		check:   onBody.guard(objectEmptyLength),
	},
	{
		ID: "PERF1218", Name: "obj-empty-block", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with NumInstances 0 has no counter block",
		Why:     "The values of the block belong to no instance. Some readers show them as the values of an instance that does not exist, others ignore them.",
		Fix:     "Do not write the block. If the object never has instances, write -1, PERF_NO_INSTANCES.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "NumInstances"), values},
		Misread: []string{"perflib_exporter reads the block as one instance without a name", ".NET and netdata do not read it"},
		check:   onObject.atEnd(objectEmptyBlock),
	},
	{
		ID: "PERF1219", Name: "obj-multi-length", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with instances ends where the last of NumInstances instances and its counter block end",
		Why:     "Perflib adds up these lengths when it tests a provider, and drops all data of the provider if the sum is not TotalByteLength.",
		Fix:     "Count every instance in NumInstances. Write into TotalByteLength the sum of DefinitionLength and both lengths of each instance.",
		Sources: []Source{collect, eventPage},
		Event:   1004,
		check:   onObject.atEnd(objectMultiLength),
	},
	{
		ID: "PERF1220", Name: "obj-instance-count-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "NumInstances instances fit between the definitions and the end of the object",
		Why:     "An instance has at least the 24 bytes of a PERF_INSTANCE_DEFINITION and the 4 bytes of a PERF_COUNTER_BLOCK. A reader that counts further reads past the object, or allocates memory for instances that do not exist.",
		Fix:     "Write the number of instances that follow the definitions.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "NumInstances"), dotnet},
		check:   onBody.guard(objectInstanceCount),
	},
	{
		ID: "PERF1221", Name: "obj-metadata-body", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with NumInstances -2, PERF_METADATA_MULTIPLE_INSTANCES, ends where its definitions end",
		Why:     "-2 is the answer to a metadata query, which asks for definitions and not for instances. No field gives the number of instances that follow.",
		Fix:     "Do not write the instances and write DefinitionLength into TotalByteLength, or write the number of instances into NumInstances.",
		Sources: []Source{otherEntries},
		check:   onBody.guard(objectMetadataBody),
	},
	{
		ID: "PERF1222", Name: "obj-metadata-single-body", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with NumInstances -3, PERF_METADATA_NO_INSTANCES, ends where its definitions end",
		Why:     "-3 is the answer to a metadata query, which asks for definitions and not for values. The documentation does not mention the counter block of such an object, and readers do not look for one.",
		Fix:     "Do not write the counter block and write DefinitionLength into TotalByteLength, or write -1, PERF_NO_INSTANCES, into NumInstances.",
		Sources: []Source{otherEntries},
		check:   onBody.guard(objectMetadataSingleBody),
	},
	{
		ID: "PERF1223", Name: "obj-metadata-unasked", Severity: Error, Since: "v0.1.0",
		Doc:     "NumInstances is -2 or -3 only in the answer to a metadata query",
		Why:     "A reader that asks for values gets none. Older readers do not know the two values, which Windows 10 2004 introduced.",
		Fix:     "Check the first word of the query, and return values unless it starts with Metadata.",
		Sources: []Source{otherEntries, dotnetReader},
		Misread: []string{".NET allocates -2 instances and fails", "perflib_exporter reads one instance"},
		Needs:   "the query",
		check:   onObject.check(objectMetadataUnasked),
	},
}

func objectInstancesDomain(p *pass, o body) bool {
	if n := o.NumInstances(); n < layout.PERF_METADATA_NO_INSTANCES {
		p.field(o, "NumInstances", n, "must be at least -3")
		return false
	}
	return true
}

// objectSingleLength checks the counter block of an object without instances. The rules
// for counter blocks report a block without room for ByteLength, whose length is 0 here.
func objectSingleLength(p *pass, b *counterBlock) bool {
	if b.instance < 0 && b.of.repaired {
		p.field(b.of, "TotalByteLength", b.of.TotalByteLength(), "must be %d, where the counter block ends", b.of.length())
		return true
	}
	if b.instance < 0 && b.length > b.of.end-b.off {
		p.field(b, "ByteLength", b.length, "must be at most %d, the bytes that TotalByteLength leaves", b.of.end-b.off)
		return false
	}
	return true
}

// objectSingleSlack ignores a block whose ByteLength is wrong if the right length ends at
// TotalByteLength. Other rules report such a ByteLength.
func objectSingleSlack(p *pass, o *object) {
	if o.NumInstances() != layout.PERF_NO_INSTANCES || o.content == 0 || o.content == o.end {
		return
	}
	right := max(o.shortest.length, o.need)
	if p.rules.aligned {
		right = aligned(right)
	}
	switch n := o.filling(o.body()); {
	case right == o.end-o.body():
	case n > 0:
		p.field(o, "NumInstances", o.NumInstances(), "must be %d, the instances that fill TotalByteLength", n)
	default:
		p.field(o, "TotalByteLength", o.length(), "must be %d, where the counter block ends", o.content-o.off)
	}
}

func objectEmptyLength(p *pass, o body) bool {
	if o.NumInstances() == 0 && o.repaired {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, the DefinitionLength, as there are no instances", o.DefinitionLength())
		return true
	}
	if o.NumInstances() != 0 || o.end == o.body() || o.lone {
		return true
	}
	if n := o.filling(o.body()); n > 0 {
		p.field(o, "NumInstances", 0, "must be %d, the instances that fill TotalByteLength", n)
	} else {
		p.field(o, "TotalByteLength", o.length(), "must be %d, the DefinitionLength, as there are no instances", o.DefinitionLength())
	}
	return false
}

func objectEmptyBlock(p *pass, o *object) {
	if o.lone {
		n := o.end - o.body()
		p.bytes(o, "rest", o.body(), int(n), fmt.Sprintf("a counter block of %d bytes follows the definitions", n), "must not be there, as NumInstances is 0")
	}
}

func objectMultiLength(p *pass, o *object) {
	if o.NumInstances() > 0 && o.repaired {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, where the last instance ends", o.length())
		return
	}
	if o.NumInstances() <= 0 || o.content == 0 || o.content == o.end {
		return
	}
	if more := o.filling(o.content); more > 0 {
		p.field(o, "NumInstances", o.NumInstances(), "must be %d, the instances that fill TotalByteLength", int64(o.NumInstances())+more)
	} else {
		p.field(o, "TotalByteLength", o.length(), "must be %d, where the last instance ends", o.content-o.off)
	}
}

// objectInstanceCount uses the shortest possible instance: a definition without a name,
// 24 bytes, and a counter block that has only ByteLength, 4 bytes.
func objectInstanceCount(p *pass, o body) bool {
	least := instanceSize + layout.SizeofCounterBlock
	room := (o.end - o.body()) / least
	if n := int64(o.NumInstances()); n > room {
		p.field(o, "NumInstances", n, "must be at most %d, for which TotalByteLength has room", room)
		return false
	}
	return true
}

func objectMetadataBody(p *pass, o body) bool {
	return metadataBody(p, o.object, layout.PERF_METADATA_MULTIPLE_INSTANCES, "PERF_METADATA_MULTIPLE_INSTANCES")
}

func objectMetadataSingleBody(p *pass, o body) bool {
	return metadataBody(p, o.object, layout.PERF_METADATA_NO_INSTANCES, "PERF_METADATA_NO_INSTANCES")
}

func metadataBody(p *pass, o *object, n int32, name string) bool {
	if o.NumInstances() == n && (o.end > o.body() || o.repaired) {
		p.field(o, "TotalByteLength", o.TotalByteLength(), "must be %d, the DefinitionLength, as %s has no values", o.DefinitionLength(), name)
		return o.repaired
	}
	return true
}

func objectMetadataUnasked(p *pass, o *object) {
	n := o.NumInstances()
	if n != layout.PERF_METADATA_MULTIPLE_INSTANCES && n != layout.PERF_METADATA_NO_INSTANCES {
		return
	}
	if p.ctx.Query != nil && !asksMetadata(*p.ctx.Query) {
		p.field(o, "NumInstances", n, "must be at least 0, or -1, because %q is not a metadata query", *p.ctx.Query)
	}
}

// asksMetadata reports whether the first word of a query starts with Metadata, with or
// without the prefix OLD_.
func asksMetadata(query string) bool {
	const old, metadata = "OLD_", "Metadata"
	query = strings.TrimLeft(query, " ")
	if len(query) >= len(old) && strings.EqualFold(query[:len(old)], old) {
		query = query[len(old):]
	}
	return len(query) >= len(metadata) && strings.EqualFold(query[:len(metadata)], metadata)
}

// bodyEnd returns the end of a body that starts at an offset, computed from NumInstances
// and the lengths in the body. It returns 0 if a length exceeds the object or NumInstances
// is invalid.
func (o *object) bodyEnd(at int64) int64 {
	switch n := o.NumInstances(); {
	case n > 0:
		for range n {
			if at = o.pairEnd(at); at == 0 {
				break
			}
		}
		return at
	case n == layout.PERF_NO_INSTANCES:
		return o.blockEnd(at)
	case n < layout.PERF_METADATA_NO_INSTANCES:
		return 0
	case n == 0 && loneBlock(o.Bytes()[at-o.off:]):
		return o.end
	}
	return at
}

// filling returns the number of instances that exactly fill the bytes from at to the end
// of the object, or 0 if the instances there do not end at the end of the object.
func (o *object) filling(at int64) int64 {
	n := int64(0)
	for ; at < o.end; n++ {
		if at = o.pairEnd(at); at == 0 {
			return 0
		}
	}
	return n
}

// pairEnd returns the end of the instance at an offset and its counter block, or 0 if
// they are not inside the object.
func (o *object) pairEnd(at int64) int64 {
	if o.end-at < instanceSize {
		return 0
	}
	n := int64(le.Uint32(o.Bytes()[at-o.off:]))
	if n < instanceSize {
		return 0
	}
	return o.blockEnd(at + n)
}

// blockEnd returns the end of the counter block at an offset, or 0 if it is not inside
// the object.
func (o *object) blockEnd(at int64) int64 {
	if o.end-at < 4 {
		return 0
	}
	if n := int64(le.Uint32(o.Bytes()[at-o.off:])); n >= 4 && n <= o.end-at {
		return at + n
	}
	return 0
}
