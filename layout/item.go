package layout

// What stands in a list without a structure around it is a field of a record made for
// it: the list's position in a path says which one it is.
var (
	counterID = Record{
		C: "ULONG", Size: idBytes, Align: idBytes, Name: "uint32", In: "id",
		Doc:    "is the id of a counter.",
		Fields: []Field{{At: 0, Type: U32, Name: "id", Role: Role{Kind: Plain}, Doc: "of a counter of the set"}},
	}
	listedGUID = Record{
		C: "GUID", Size: GUIDRecord.Size, Align: GUIDRecord.Align, Name: "GUID", In: "guid", Source: GUIDRecord.Source,
		Doc:    "is one of a list.",
		Fields: []Field{{At: 0, Type: UUID, Name: "guid", Role: Role{Kind: Plain}, Doc: "of a counter set or a provider"}},
	}
)

// item returns the item at the start of s, the one of that index under path.
func item(r *Record, s Span, path Path, index int) Part {
	p := r.part(&r.Fields[0], s, Path{})
	p.Path = path.At(r.In, index)
	return p
}

// untyped returns the part that a value is whose type is not in the block.
func untyped(value Span, path Path) Part {
	return Part{Span: value, Path: path, Sort: ValuePart, Untyped: true}
}
