// Package identity makes structural paths. These are paths of findings with titles, names and ids instead of
// indexes.
//
//	identity.Of(layout.DataBlockKind, block, result.Findings)
//
// The structural path of object[0].instance[3].NameLength is object[238].instance["_Total"].NameLength. It stays
// the same if an earlier object, counter or instance is added, so a later run recognises the same finding. The
// brackets contain, for an
//
//	object           ObjectNameTitleIndex
//	counter, value   CounterNameTitleIndex of the counter, or its id in a block of perflib.h
//	instance         the name, or UniqueID if it has no name; in a block of perflib.h InstanceId and name
//	id, data, entry  the id of the counter
//	identifier       CounterSetGuid, CounterId, InstanceId and name
//	guid             the GUID
//
// If several elements of a list have the same identity, the later elements have a number after the identity:
// instance["svchost"#1] is the second instance with this name. An element that has no identity, or that cannot be
// read, has its position in the list: instance[#3]. Positions and numbers count from 0. Names are in quotes, with
// Go's escapes.
package identity

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// Of returns the structural path of each finding of a block. It returns "" for a finding of the whole block. Findings
// with different paths have different structural paths. Of is safe for concurrent use.
//
// Of reads only the lists in these paths. For object[0].instance[3], it reads the objects, and the instances of
// object[0]. The time is proportional to the length of these lists, and the memory to the number of findings.
func Of(kind layout.Kind, b []byte, findings []validate.Finding) []string {
	n := namer{lists: make(map[listKey]map[int]*element)}
	for i := range findings {
		n.want(&findings[i])
	}
	if len(n.lists) > 0 {
		n.read(kind, b)
	}
	texts := make([]string, len(findings))
	for i := range findings {
		texts[i] = n.text(findings[i].Path)
	}
	return texts
}

// A namer determines the identities of list elements that contain findings.
type namer struct {
	base  int64                        // added to offsets of elements: HeaderLength of a data block, otherwise 0
	lists map[listKey]map[int]*element // the elements that contain findings, by index
}

// A listKey identifies a list of elements. The list is in the block itself, such as the objects, or in an object or a
// result, such as the instances of an object.
type listKey struct {
	owner int // the index of the object or result, -1 for a list of the block
	name  string
}

// An element is a list element that contains findings.
type element struct {
	first, last int64  // the range of the offsets of the findings; first > last if no finding is inside the element
	identity    string // the ids, then mark and the name if the element has a name
	known       bool   // if false, the structural path has the position of the element
	nth         int    // the number of elements before it with the same identity
}

// within reports whether all findings of the element have offsets from first to end, inclusive.
func (e *element) within(first, end int64) bool {
	return e.first > e.last || e.first >= first && e.last <= end
}

// listOf returns the key of the list that contains steps[i]. There are two exceptions. For value[5] it returns the key
// of the list of counters, because value[5] has the identity of counter[5]. For data[5] it returns the key of the list
// of ids, because data[5] has the identity of id[5].
func listOf(steps []layout.Elem, i int) listKey {
	in := listKey{-1, steps[i].Name}
	if i > 0 && (steps[0].Name == "object" || steps[0].Name == "result") {
		in.owner = steps[0].Index
	}
	switch in.name {
	case "value":
		in.name = "counter"
	case "data":
		in.name = "id"
	}
	return in
}

// want adds the list elements in the path of f to n.lists.
func (n *namer) want(f *validate.Finding) {
	steps := f.Path.Elems()
	for i, e := range steps {
		if !e.Indexed() {
			continue
		}
		in := listOf(steps, i)
		if n.lists[in] == nil {
			n.lists[in] = make(map[int]*element)
		}
		one := n.lists[in][e.Index]
		if one == nil {
			one = &element{first: 1}
			n.lists[in][e.Index] = one
		}
		switch {
		case in.name != e.Name: // the finding is in a value or in data, which is outside the counter or the id
		case one.first > one.last:
			one.first, one.last = f.Off, f.Off
		default:
			one.first, one.last = min(one.first, f.Off), max(one.last, f.Off)
		}
	}
}

// text returns the structural path for a path.
func (n *namer) text(path layout.Path) string {
	steps := path.Elems()
	return pathText(steps, func(dst []byte, i int) []byte {
		return n.lists[listOf(steps, i)][steps[i].Index].append(dst, steps[i].Index)
	})
}

// pathText returns the text of a path. appendIdentity appends the text in the brackets of step i.
func pathText(steps []layout.Elem, appendIdentity func(dst []byte, i int) []byte) string {
	var dst []byte
	for i, e := range steps {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = append(dst, e.Name...)
		if e.Indexed() {
			dst = append(appendIdentity(append(dst, '['), i), ']')
		}
	}
	return string(dst)
}

// append appends the text that a structural path has in the brackets of the element. This text is the identity of the
// element, or "#" and index if the identity is not known.
func (e *element) append(dst []byte, index int) []byte {
	if !e.known {
		return strconv.AppendInt(append(dst, '#'), int64(index), 10)
	}
	ids, name, named := strings.Cut(e.identity, mark)
	dst = append(dst, ids...)
	if named {
		dst = strconv.AppendQuote(dst, name)
	}
	if e.nth > 0 {
		dst = strconv.AppendInt(append(dst, '#'), int64(e.nth), 10)
	}
	return dst
}

// An extent is a range of offsets.
type extent struct{ first, end int64 }

// find sets the identities of the elements of a list. The iterator yields the extent and the identity of each element.
func (n *namer) find(in listKey, elements iter.Seq2[extent, []byte]) {
	wanted := n.lists[in]
	if len(wanted) == 0 {
		return
	}
	end := slices.Max(slices.Collect(maps.Keys(wanted)))
	counts := make(map[string]int) // the number of elements found so far, by identity; only identities of wanted elements
	var previous *element          // the element before this one; nil if it is not wanted
	i := 0
	for at, identity := range elements {
		if previous != nil && previous.last > at.first+n.base {
			previous.known = false // this element starts before the last finding of the previous one
		}
		if i > end {
			break
		}
		e := wanted[i]
		// Use the identity only if all findings of the element are in its extent. If a length in the block is wrong,
		// the validator can read the element at another offset than this package.
		if e != nil && len(identity) > 0 && e.within(at.first+n.base, at.end+n.base) {
			e.identity, e.known = string(identity), true
			counts[e.identity] = 0
		}
		previous = e
		i++
	}
	i = 0
	for _, identity := range elements {
		if i > end {
			break
		}
		if nth, same := counts[string(identity)]; same {
			counts[string(identity)]++
			if e := wanted[i]; e != nil {
				e.nth = nth
			}
		}
		i++
	}
}
