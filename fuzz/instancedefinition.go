package fuzz

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) instances(o *builder.Object, c *counterSet) {
	seen := usedNames{}
	for of := range g.eachPart(instancePart, 0, g.MaxInstances) {
		duplicate := of.chance(12)
		in := of.instance(o)
		if n := len(o.Instances); duplicate && n > 0 && o.Instances[n-1].Name != "" {
			before := o.Instances[n-1]
			in.Name, in.UniqueID = before.Name, before.UniqueID
			in.ParentObjectTitleIndex, in.ParentObjectInstance = before.ParentObjectTitleIndex, before.ParentObjectInstance
			o.DuplicateNames = true
		} else {
			seen.makeUnique(&in)
		}
		setLengths(o, &in)
		in.Values, in.Texts = c.values(of)
		o.Instances = append(o.Instances, in)
	}
}

// instance returns an instance without values. Until setLengths and setBlockLengths compute NameOffset, ByteLength and
// BlockLength, each of these fields has a number of extra bytes.
func (g *generator) instance(o *builder.Object) builder.Instance {
	var in builder.Instance
	id, given := int32(g.uint32()), g.chance(60)
	g.setParent(&in)
	if gap := uint32(1 + g.upTo(9)); g.gives(16) {
		in.NameOffset = gap
	}
	if extra := 8 * uint32(1+g.upTo(3)); g.gives(24) {
		in.ByteLength = extra
	}
	if extra := 8 * uint32(1+g.upTo(4)); g.gives(15) {
		in.BlockLength = extra
	}
	if in.Name = g.text(); o.CodePage != 0 {
		in.Name = g.codePageText()
	}
	if (given || in.Name == "") && id != layout.PERF_NO_UNIQUE_ID {
		in.UniqueID = &id
	}
	return in
}

// setParent sets the parent fields of an instance, or leaves them 0.
func (g *generator) setParent(in *builder.Instance) {
	switch g.upTo(8) {
	case 1:
		in.ParentObjectTitleIndex, in.ParentObjectInstance = g.uint32()|absent, g.uint32() // a parent in another block
	case 2:
		in.ParentObjectInstance = g.uint32() // without a ParentObjectTitleIndex
	case 3, 4:
		i, position := g.index(len(g.objects)), g.upTo(1<<16)
		if len(g.objects) == 0 || g.firstWithTitle(g.objects[i].ObjectNameTitleIndex) != i || len(g.objects[i].Instances) == 0 {
			return
		}
		in.ParentObjectTitleIndex = g.objects[i].ObjectNameTitleIndex
		if in.ParentObjectTitleIndex != 0 {
			in.ParentObjectInstance = uint32(position % len(g.objects[i].Instances))
		}
	}
}

// firstWithTitle returns the position of the first object with the given title, or -1. If several objects have the same
// title, a ParentObjectTitleIndex refers to the first of them.
func (g *generator) firstWithTitle(title uint32) int {
	return slices.IndexFunc(g.objects, func(o builder.Object) bool { return o.ObjectNameTitleIndex == title })
}

// A fullName identifies an instance by its parent and its name in capitals. The instances of an object should have
// distinct full names.
type fullName struct {
	object, instance uint32 // the parent
	name             string
}

// A usedNames maps each used full name to the number that makeUnique tries first for the next instance with this name.
// Without these numbers, a search for free names would take quadratic time.
type usedNames map[fullName]int

// makeUnique appends a number to the name if another instance has the same parent and the same name, ignoring case.
func (seen usedNames) makeUnique(in *builder.Instance) {
	if in.Name == "" {
		return
	}
	full := fullName{object: in.ParentObjectTitleIndex, name: strings.ToUpper(in.Name)}
	if full.object != 0 {
		full.instance = in.ParentObjectInstance
	}
	if n, used := seen[full]; used {
		name, first := in.Name, full
		for ; used; n++ {
			in.Name = name + "#" + strconv.Itoa(n)
			full.name = strings.ToUpper(in.Name)
			_, used = seen[full]
		}
		seen[first] = n
	}
	seen[full] = 1
}

// setLengths sets the final NameOffset and ByteLength of an instance. Before the call, each of the two fields has a
// number of extra bytes to add. A field of 0 remains 0: the encoder then computes the offset or the length.
func setLengths(o *builder.Object, in *builder.Instance) {
	size := uint32(layout.SizeofInstanceDefinition)
	if gap := in.NameOffset; gap > 0 {
		in.NameOffset = size
		if in.Name != "" {
			in.NameOffset += gap
		}
	}
	if extra := in.ByteLength; extra > 0 {
		end := max(size, in.NameOffset)
		switch {
		case in.Name != "" && o.CodePage == 0:
			end += utf16Size(in.Name)
		case in.Name != "":
			end += uint32(len(in.Name)) + 1
		}
		in.ByteLength = align8(end) + extra
	}
}
