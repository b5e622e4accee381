package fuzz_test

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instances judges names, identifiers and parents.
func (p *prediction) instances(o *builder.Object, object layout.Path, _ []interval) {
	type full struct {
		title, position uint32
		name            string
	}
	names, ids := map[full]bool{}, map[int32]bool{}
	mixed := false
	for i, in := range o.Instances {
		at := object.At("instance", i)
		if in.Name == "" && in.UniqueID == nil {
			p.add("inst-unnamed", at.Field("NameLength"))
		}
		if in.Name != "" {
			p.name(o, &in, at)
			key := full{in.ParentObjectTitleIndex, in.ParentObjectInstance, folded(o.CodePage, in.Name)}
			if key.title == 0 {
				key.position = 0
			}
			if names[key] {
				p.add("inst-name-duplicate", at.Field("Name"))
			}
			names[key] = true
			if in.Name == "_Total" && o.CodePage == 0 && followed(o.Instances[i:]) {
				p.add("inst-total-last", at.Field("Name"))
			}
		}
		if id := in.UniqueID; id != nil {
			if ids[*id] {
				p.add("inst-unique-id-duplicate", at.Field("UniqueID"))
			}
			ids[*id] = true
		}
		if (in.UniqueID == nil) != (o.Instances[0].UniqueID == nil) && !mixed {
			mixed = true
			p.add("inst-unique-id-mixed", at.Field("UniqueID"))
		}
		switch {
		case in.ParentObjectTitleIndex == 0 && in.ParentObjectInstance != 0:
			p.add("inst-parent-stray", at.Field("ParentObjectInstance"))
		case in.ParentObjectTitleIndex != 0 && p.first(in.ParentObjectTitleIndex) < 0 && p.kind == layout.DataBlockKind:
			p.add("inst-parent-missing", at.Field("ParentObjectTitleIndex"))
		}
	}
}

// followed reports whether an instance of the same parent stands behind the first.
func followed(list []builder.Instance) bool {
	for _, in := range list[1:] {
		if in.ParentObjectTitleIndex == list[0].ParentObjectTitleIndex &&
			(in.ParentObjectTitleIndex == 0 || in.ParentObjectInstance == list[0].ParentObjectInstance) {
			return true
		}
	}
	return false
}

// name judges a name that is not empty.
func (p *prediction) name(o *builder.Object, in *builder.Instance, at layout.Path) {
	switch from := in.NameOffset; {
	case from == 0 || from == 24:
	case from%2 != 0 && o.CodePage == 0:
		p.add("inst-name-offset-even", at.Field("NameOffset"))
	default:
		p.add("inst-name-offset-gap", at.Field("NameOffset"))
	}
	if o.CodePage != 0 {
		return // which the builder does not decode either
	}
	path := at.Field("Name")
	if strings.ContainsAny(in.Name, "\uFFFE\uFFFF") {
		p.add("inst-name-utf16", path)
	}
	i := strings.LastIndexByte(in.Name, '#')
	numbered := false
	if i >= 0 {
		rest := in.Name[i+1:]
		_, err := strconv.ParseUint(rest, 10, 64)
		numbered = err == nil && rest[0] != '+'
	}
	if numbered || strings.ContainsAny(in.Name, `\()/*`) {
		p.add("inst-name-special", path)
	}
	if strings.ContainsFunc(in.Name, func(r rune) bool { return r < ' ' }) || strings.Trim(in.Name, " ") != in.Name {
		p.add("inst-name-control", path)
	}
}

// folded returns the name as comparisons that ignore case have it.
func folded(codePage uint32, name string) string {
	if codePage != 0 { // bytes, of which ASCII is known
		b := []byte(name)
		for i, c := range b {
			if c < 0x80 {
				b[i] = byte(unicode.ToUpper(rune(c)))
			}
		}
		return string(b)
	}
	return strings.Map(func(r rune) rune {
		if r == 'ı' || r == 'ſ' {
			return r
		}
		return unicode.ToUpper(r)
	}, name)
}
