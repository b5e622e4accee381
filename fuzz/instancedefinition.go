package fuzz

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) instances(o *builder.Object, c *counterSet) {
	seen := namesakes{}
	for of := range g.each(instancePart, 0, g.MaxInstances) {
		again := of.chance(12)
		in := of.instance(o)
		if n := len(o.Instances); again && n > 0 && o.Instances[n-1].Name != "" {
			before := o.Instances[n-1]
			in.Name, in.UniqueID = before.Name, before.UniqueID
			in.ParentObjectTitleIndex, in.ParentObjectInstance = before.ParentObjectTitleIndex, before.ParentObjectInstance
			o.DuplicateNames = true
		} else {
			seen.unique(&in)
		}
		lengths(o, &in)
		in.Values, in.Texts = c.values(of)
		o.Instances = append(o.Instances, in)
	}
}

// instance returns an instance without values. Its NameOffset, ByteLength and BlockLength hold numbers of extra bytes.
func (g *generator) instance(o *builder.Object) builder.Instance {
	var in builder.Instance
	id, given := int32(g.uint32()), g.chance(60)
	g.parent(&in)
	if gap := uint32(1 + g.upTo(9)); g.gives(16) {
		in.NameOffset = gap
	}
	if slack := 8 * uint32(1+g.upTo(3)); g.gives(24) {
		in.ByteLength = slack
	}
	if slack := 8 * uint32(1+g.upTo(4)); g.gives(15) {
		in.BlockLength = slack
	}
	if in.Name = g.text(); o.CodePage != 0 {
		in.Name = g.bytes()
	}
	if (given || in.Name == "") && id != layout.PERF_NO_UNIQUE_ID {
		in.UniqueID = &id
	}
	return in
}

// parent sets a parent in the block, a parent in another block, or a position without a parent.
func (g *generator) parent(in *builder.Instance) {
	switch g.upTo(8) {
	case 1:
		in.ParentObjectTitleIndex, in.ParentObjectInstance = g.uint32()|absent, g.uint32()
	case 2:
		in.ParentObjectInstance = g.uint32()
	case 3, 4:
		i, position := g.index(len(g.objects)), g.upTo(1<<16)
		if len(g.objects) == 0 || g.firstOf(g.objects[i].ObjectNameTitleIndex) != i || len(g.objects[i].Instances) == 0 {
			return
		}
		in.ParentObjectTitleIndex = g.objects[i].ObjectNameTitleIndex
		if in.ParentObjectTitleIndex != 0 {
			in.ParentObjectInstance = uint32(position % len(g.objects[i].Instances))
		}
	}
}

// firstOf returns the first object with a title, the one that parents refer to.
func (g *generator) firstOf(title uint32) int {
	for i := range g.objects {
		if g.objects[i].ObjectNameTitleIndex == title {
			return i
		}
	}
	return -1
}

// A fullName identifies an instance of an object.
type fullName struct {
	object, instance uint32
	name             string
}

// A namesakes holds the names of the instances of an object, and for each the number to try next. With it, many
// instances of one name take linear time.
type namesakes map[fullName]int

// unique appends a number to the name if another instance has the name, ignoring case.
func (seen namesakes) unique(in *builder.Instance) {
	if in.Name == "" {
		return
	}
	full := fullName{object: in.ParentObjectTitleIndex, name: strings.ToUpper(in.Name)}
	if full.object != 0 {
		full.instance = in.ParentObjectInstance
	}
	if n, again := seen[full]; again {
		name, first := in.Name, full
		for ; again; n++ {
			in.Name = name + "#" + strconv.Itoa(n)
			full.name = strings.ToUpper(in.Name)
			_, again = seen[full]
		}
		seen[first] = n
	}
	seen[full] = 1
}

// lengths turns NameOffset and ByteLength, which hold numbers of extra bytes, into an offset and a length.
func lengths(o *builder.Object, in *builder.Instance) {
	size := uint32(layout.SizeofInstanceDefinition)
	if gap := in.NameOffset; gap > 0 {
		in.NameOffset = size
		if in.Name != "" {
			in.NameOffset += gap
		}
	}
	if slack := in.ByteLength; slack > 0 {
		end := max(size, in.NameOffset)
		switch {
		case in.Name != "" && o.CodePage == 0:
			end += uint32(layout.UTF16Len(in.Name)) + 2
		case in.Name != "":
			end += uint32(len(in.Name)) + 1
		}
		in.ByteLength = align8(end) + slack
	}
}
