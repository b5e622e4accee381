package perftest

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/layout"
)

// A query is a parsed query string.
type query struct {
	words    queryKind
	metadata bool
	indexes  map[uint32]bool // the title indexes, if words is listWords

	table       titles.Kind // Counter or Help, if words is titleWords
	language    string
	anyLanguage bool // the query has no language
}

// A queryKind is the kind of objects that a query selects, or titleWords for a title table.
type queryKind uint8

const (
	noWords queryKind = iota // no objects
	globalWords
	costlyWords
	listWords
	titleWords // a title table
)

func parse(name string) query {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' })
	if len(words) == 0 {
		return query{words: globalWords}
	}
	switch words[0] {
	case "global", "old_global":
		return query{words: globalWords}
	case "costly":
		return query{words: costlyWords}
	case "metadataglobal", "old_metadataglobal":
		return query{words: globalWords, metadata: true}
	case "metadatacostly", "old_metadatacostly":
		return query{words: costlyWords, metadata: true}
	case "counter", "help":
		q := query{words: titleWords, table: titles.Counter, language: "009", anyLanguage: len(words) == 1}
		if words[0] == "help" {
			q.table = titles.Help
		}
		if len(words) > 1 {
			q.language = words[1]
		}
		return q
	}
	if words[0][0] < '0' || words[0][0] > '9' {
		return query{}
	}
	q := query{words: listWords, indexes: make(map[uint32]bool)}
	for _, word := range words {
		if index, err := strconv.ParseUint(word, 10, 32); err == nil {
			q.indexes[uint32(index)] = true
		}
	}
	return q
}

// filter returns the block with the objects that a query selects. If package layout cannot read the block, filter
// returns the whole block.
func (r *Registry) filter(block []byte, q query) []byte {
	d, err := layout.ReadDataBlock(block)
	if err != nil {
		return block
	}
	var objects []layout.Object
	for o, err := range d.Objects() {
		if err != nil {
			return block
		}
		objects = append(objects, o)
	}
	wanted := make([]bool, len(objects))
	for i, o := range objects {
		wanted[i] = r.selects(q, o.ObjectNameTitleIndex())
	}
	if q.words == listWords {
		addParents(objects, wanted)
	}
	for i, o := range objects {
		if r.isLost(o.ObjectNameTitleIndex()) {
			wanted[i] = false
		}
	}
	if !q.metadata && !slices.Contains(wanted, false) {
		return block
	}
	out := slices.Clone(block[:d.HeaderLength()])
	count := uint32(0)
	for i, o := range objects {
		if wanted[i] {
			out = append(out, object(o, q.metadata)...)
			count++
		}
	}
	header := &layout.PERF_DATA_BLOCK
	put(out, header, "NumObjectTypes", count)
	put(out, header, "TotalByteLength", uint32(len(out)))
	return out
}

// selects reports whether a query selects an object by its title index.
func (r *Registry) selects(q query, title uint32) bool {
	switch q.words {
	case globalWords:
		return !r.costly[title]
	case costlyWords:
		return r.costly[title]
	case listWords:
		return q.indexes[title]
	}
	return false
}

// isLost reports whether [Registry.Lose] has removed an object from the current answer.
func (r *Registry) isLost(title uint32) bool {
	return slices.ContainsFunc(r.losses, func(l loss) bool { return slices.Contains(l.titles, title) })
}

// addParents sets wanted for more objects. If an instance of a wanted object has its parent in another object, the
// other object becomes wanted too.
func addParents(objects []layout.Object, wanted []bool) {
	var children []layout.Object // whose parents are not added yet
	for i, o := range objects {
		if wanted[i] {
			children = append(children, o)
		}
	}
	for len(children) > 0 {
		parents := make(map[uint32]bool)
		for in, err := range children[0].Instances() {
			if err != nil {
				break // this is no error: the answer contains the object as it is
			}
			parents[in.ParentObjectTitleIndex()] = true
		}
		children = children[1:]
		for i, o := range objects {
			if title := o.ObjectNameTitleIndex(); title != 0 && parents[title] && !wanted[i] {
				wanted[i], children = true, append(children, o)
			}
		}
	}
}

// object returns the bytes of an object. For a metadata query, it returns only the definitions. If DefinitionLength is
// not valid, it returns the whole object.
func object(o layout.Object, metadata bool) []byte {
	if !metadata || uint64(o.DefinitionLength()) < layout.SizeofObjectType || uint64(o.DefinitionLength()) > uint64(o.Len()) {
		return o.Bytes()
	}
	b := slices.Clone(o.Bytes()[:o.DefinitionLength()])
	instances := layout.PERF_METADATA_MULTIPLE_INSTANCES
	if n := o.NumInstances(); n == layout.PERF_NO_INSTANCES || n == layout.PERF_METADATA_NO_INSTANCES {
		instances = layout.PERF_METADATA_NO_INSTANCES
	}
	put(b, &layout.PERF_OBJECT_TYPE, "NumInstances", uint32(instances))
	put(b, &layout.PERF_OBJECT_TYPE, "TotalByteLength", uint32(len(b)))
	return b
}

// put writes a field of 4 bytes of the record at the start of b.
func put(b []byte, r *layout.Record, field string, v uint32) {
	binary.LittleEndian.PutUint32(b[r.Field(field).At:], v)
}
