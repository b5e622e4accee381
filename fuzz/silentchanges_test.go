package fuzz_test

import (
	"bytes"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A flip is a change of a field after which the validator reports no new finding.
type flip struct {
	*subject
	part    layout.Part         // the damaged field
	was, is uint64              // the value before and after the damage
	remains map[findingKey]bool // the findings in the damaged block
}

// fieldOf returns the name of a field as RECORD.FIELD.
func fieldOf(p layout.Part) string { return p.Record.C + "." + p.Field.Name }

// A legalChange is a class of changes of a field. The new value breaks no more rules than the old value.
type legalChange struct {
	name    string
	reason  string
	fields  string             // the fields as RECORD.FIELD, separated by spaces; "" for all fields
	applies func(f *flip) bool // reports whether a change of one of the fields belongs to the class
	moves   bool               // layout.Walk may read records at other offsets after the change
}

const (
	nameTitles = "PERF_OBJECT_TYPE.ObjectNameTitleIndex PERF_COUNTER_DEFINITION.CounterNameTitleIndex"
	helpTitles = "PERF_OBJECT_TYPE.ObjectHelpTitleIndex PERF_COUNTER_DEFINITION.CounterHelpTitleIndex"
)

// helpOfName maps the field with the title index of a name to the field with the title index of its help text.
var helpOfName = map[string]string{"ObjectNameTitleIndex": "ObjectHelpTitleIndex", "CounterNameTitleIndex": "CounterHelpTitleIndex"}

// legalChanges has all classes of legal changes. A change belongs to the first class that applies.
var legalChanges = []legalChange{
	{
		name: "fixed", reason: "the field, or a field whose check depends on it, had a finding and has none now",
		applies: (*flip).fixed,
	},
	{
		name: "ambiguous offsets", reason: "a finding reports that the offsets count from the end of the entries; with another number they point to other texts",
		fields: "PERF_STRING_BUFFER_HEADER.dwCounters PERF_STRING_COUNTER_HEADER.dwOffset", moves: true,
		applies: func(f *flip) bool { return f.model.(*builder.StringBuffer).FromEntries },
	},
	{
		name: "another title", reason: "the other title of the record is wrong, so no title fits it",
		fields: nameTitles + " " + helpTitles,
		applies: func(f *flip) bool {
			if help, isName := helpOfName[f.part.Field.Name]; isName {
				return f.hasFinding(help)
			}
			name := f.other("CounterNameTitleIndex") + f.other("ObjectNameTitleIndex")
			return name == 0 || name%2 == 1
		},
	},
	{
		name: "another parent", reason: "the parent object may be another object, or belong to another provider",
		fields:  "PERF_INSTANCE_DEFINITION.ParentObjectTitleIndex",
		applies: func(f *flip) bool { return f.kind == layout.ObjectsKind || f.hasObject(f.is) },
	},
	{
		name: "level or name of a base", reason: "no program shows a base, so its level has no effect; it may have no name, or the name of its counter",
		fields: "PERF_COUNTER_DEFINITION.DetailLevel PERF_COUNTER_DEFINITION.CounterNameTitleIndex",
		applies: func(f *flip) bool {
			fits := f.part.Field.Name == "DetailLevel" || f.is == 0 || f.hasCounter(f.is)
			return fits && layout.CounterType(f.other("CounterType")).IsBase()
		},
	},
	{
		name: "another type", reason: "the new type has the same width and requires no other base",
		fields:  "PERF_COUNTER_DEFINITION.CounterType",
		applies: func(f *flip) bool { return exchangeable(layout.CounterType(f.was), layout.CounterType(f.is)) },
	},
	{
		name: "another place", reason: "a value may have any offset in the counter block, even that of another value; the offset has no effect if there is no counter block or no value",
		fields: "PERF_COUNTER_DEFINITION.CounterOffset",
		applies: func(f *flip) bool {
			size, block := f.other("CounterSize"), f.blockLength()
			return size == 0 || block == 0 || int64(f.is) >= layout.SizeofCounterBlock && int64(f.is)+size <= block
		},
	},
	{
		name: "room of a text", reason: "the length of a text is in the counter block, so readers do not need CounterSize",
		fields: "PERF_COUNTER_DEFINITION.CounterSize",
		applies: func(f *flip) bool {
			return layout.CounterType(f.other("CounterType")).Size() == layout.PERF_SIZE_VARIABLE_LEN
		},
	},
	{
		name: "offset of no name", reason: "the length of the name is 0, so the offset has no effect",
		fields:  "PERF_DATA_BLOCK.SystemNameOffset PERF_INSTANCE_DEFINITION.NameOffset",
		applies: func(f *flip) bool { return f.other("SystemNameLength")+f.other("NameLength") == 0 },
	},
	{
		name: "no system name", reason: "a block may have no system name, and the bytes after the header may have any value",
		fields:  "PERF_DATA_BLOCK.SystemNameLength",
		applies: func(f *flip) bool { return f.is == 0 },
	},
	{
		name: "status without a role", reason: "only returned identifiers have a status, and it is unknown whether these were returned",
		fields:  "PERF_COUNTER_IDENTIFIER.Status",
		applies: func(f *flip) bool { return f.ctx.Role == validate.AnyRole },
	},
	{
		name: "another defined value", reason: "the headers or the documentation of Windows define the new value, and the other fields of the record fit it",
		fields: "PERF_COUNTER_HEADER.dwStatus PERF_COUNTERSET_REG_INFO.InstanceType PERF_COUNTERSET_INFO.InstanceType " +
			"PERF_COUNTER_REG_INFO.AggregateFunc PERF_COUNTER_REG_INFO.Type PERF_COUNTER_INFO.Type",
		applies: func(f *flip) bool {
			switch f.part.Field.Name {
			case "dwStatus":
				return f.other("dwType") == 0 && layout.StatusName(uint32(f.is)) != ""
			case "InstanceType":
				return slices.Contains([]uint64{0, 2, 4, 6, 12, 22}, f.is)
			case "AggregateFunc":
				return f.is <= 4
			}
			return layout.CounterType(f.is).Predefined()
		},
	},
	{
		name: "other attributes", reason: "the new attributes may be combined",
		fields: "PERF_COUNTER_REG_INFO.Attrib PERF_COUNTER_INFO.Attrib",
		applies: func(f *flip) bool {
			const noDisplay, others, hex, numbers = 2, 4 | 8 | 16, 16, 4 | 8
			return f.is < 32 && (f.is&noDisplay == 0 || f.is&others == 0) && (f.is&hex == 0 || f.is&numbers == 0)
		},
	},
	{
		name: "size of any value", reason: "the type does not determine the size of its values",
		fields: "PERF_COUNTER_INFO.Size",
		applies: func(f *flip) bool {
			n, _ := layout.CounterType(f.other("Type")).Width()
			return n == 0
		},
	},
	{
		name: "another text", reason: "a text may start inside another text and belong to several counters",
		fields: "PERF_STRING_COUNTER_HEADER.dwOffset",
		applies: func(f *flip) bool {
			entries := layout.SizeofStringBufferHeader + layout.SizeofStringCounterHeader*f.header("dwCounters")
			return int64(f.is) >= entries && int64(f.is) < f.header("dwSize")
		},
	},
}

// change returns the change of a field in the damaged block.
func (s *subject) change(part layout.Part) *flip {
	f := &flip{subject: s, part: part, remains: map[findingKey]bool{}}
	for i := range part.Len() {
		f.was |= uint64(s.block[part.Off()+int64(i)]) << (8 * i)
		f.is |= uint64(s.damaged[part.Off()+int64(i)]) << (8 * i)
	}
	return f
}

// legal returns the first class of legal changes to which the change belongs, or nil if there is no such class.
func (f *flip) legal() *legalChange {
	for i := range legalChanges {
		c := &legalChanges[i]
		if (c.fields == "" || slices.Contains(strings.Fields(c.fields), fieldOf(f.part))) && c.applies(f) {
			return c
		}
	}
	return nil
}

// other returns the number in another field of the same record.
func (f *flip) other(name string) int64 {
	n, _ := f.number(f.part.Path.Parent().Field(name))
	return n
}

// header returns the number in a field of the header.
func (f *flip) header(name string) int64 {
	n, _ := f.number(layout.Path{}.Field(name))
	return n
}

// fixed reports whether the damage removed a finding about the changed field or about a dependent field.
func (f *flip) fixed() bool {
	dependent := helpOfName[f.part.Field.Name]
	if f.part.Field.Name == "CounterType" {
		dependent = "CounterSize"
	}
	for r := range f.reported {
		if !f.remains[r] && (r.path == f.part.Path || dependent != "" && r.path == f.part.Path.Parent().Field(dependent)) {
			return true
		}
	}
	return false
}

// hasFinding reports whether a finding about the named field remains after the damage. The named field and the changed
// field are in the same record.
func (f *flip) hasFinding(name string) bool {
	at := f.part.Path.Parent().Field(name)
	for r := range f.remains {
		if r.path == at && f.reported[r] {
			return true
		}
	}
	return false
}

// moved reports whether layout.Walk reads other fields in the damaged block, or reads fields at other offsets.
func (f *flip) moved() bool {
	i := 0
	for part := range layout.Walk(f.kind, f.damaged) {
		if part.Sort != layout.FieldPart {
			continue
		}
		if i == len(f.fields) || part.Path != f.fields[i].Path || part.Off() != f.fields[i].Off() || part.Path != f.part.Path && !bytes.Equal(part.Bytes(), f.fields[i].Bytes()) {
			return true
		}
		i++
	}
	return i != len(f.fields)
}

// hasCounter reports whether another counter of the object has the given title.
func (f *flip) hasCounter(title uint64) bool {
	object, own := f.part.Path.Parent().Parent(), f.part.Path
	for i := 0; ; i++ {
		path := object.At("counter", i).Field("CounterNameTitleIndex")
		n, ok := f.number(path)
		switch {
		case !ok:
			return false
		case path != own && uint64(n) == title:
			return true
		}
	}
}

// hasObject reports whether the block has an object with the given title.
func (f *flip) hasObject(title uint64) bool {
	for i := 0; ; i++ {
		n, ok := f.number(layout.Path{}.At("object", i).Field("ObjectNameTitleIndex"))
		if !ok || uint64(n) == title {
			return ok
		}
	}
}

// exchangeable reports whether a counter remains valid if its type changes from a to b.
func exchangeable(a, b layout.CounterType) bool {
	widthA, _ := a.Width()
	widthB, _ := b.Width()
	baseA, _ := a.Base()
	baseB, needs := b.Base()
	return b.Predefined() && widthA == widthB && a.IsBase() == b.IsBase() && (!needs || baseB == baseA)
}

// blockLength returns the length of the shortest counter block of the object, or 0 if the object has no counter blocks.
func (f *flip) blockLength() int64 {
	object := f.part.Path.Parent().Parent()
	if n, ok := f.number(object.Field("block").Field("ByteLength")); ok {
		return n
	}
	least := int64(0)
	for i := 0; ; i++ {
		n, ok := f.number(object.At("instance", i).Field("block").Field("ByteLength"))
		if !ok {
			return least
		}
		if least == 0 || n < least {
			least = n
		}
	}
}
