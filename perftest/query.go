package perftest

import (
	"encoding/binary"
	"maps"
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
	indexes  map[uint32]bool // the title indexes, if words is listWords; otherwise nil

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
	addParents(q.indexes, objects)
	all := len(objects)
	objects = slices.DeleteFunc(objects, func(o layout.Object) bool {
		title := o.ObjectNameTitleIndex()
		return !r.selects(q, title) || r.isLost(title)
	})
	if len(objects) == all && !q.metadata {
		return block
	}
	out := slices.Clone(block[:d.HeaderLength()])
	for _, o := range objects {
		out = append(out, object(o, q.metadata)...)
	}
	header := &layout.PERF_DATA_BLOCK
	put(out, header, "NumObjectTypes", uint32(len(objects)))
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

// addParents adds title indexes to indexes. If an instance of an object in indexes has its parent in another object,
// addParents adds the other object.
func addParents(indexes map[uint32]bool, objects []layout.Object) {
	byTitle := make(map[uint32][]layout.Object)
	for _, o := range objects {
		title := o.ObjectNameTitleIndex()
		byTitle[title] = append(byTitle[title], o)
	}
	for titles := slices.Collect(maps.Keys(indexes)); len(titles) > 0; titles = titles[1:] {
		for _, o := range byTitle[titles[0]] {
			for in, err := range o.Instances() {
				if err != nil {
					break // this is no error: the answer contains the object as it is
				}
				if parent := in.ParentObjectTitleIndex(); parent != 0 && !indexes[parent] {
					indexes[parent] = true
					titles = append(titles, parent)
				}
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
