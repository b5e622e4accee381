package fuzz

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instanceNameBreakers break the rules about the names of instances.
var instanceNameBreakers = []breaker{
	{"inst-name-offset-min", nil, func(v *victim) {
		v.either(v.lettered(v.codePage(), 1))
		v.set(v.one("NameOffset"), int64(v.upTo(layout.SizeofInstanceDefinition)))
	}},
	{"inst-name-range", nil, func(v *victim) {
		v.either(v.lettered(v.codePage(), 1))
		in := v.one("")
		whole := v.get(in + ".ByteLength")
		if v.chance(128) {
			v.set(in+".NameOffset", v.from(whole-v.get(in+".NameLength")+1))
		} else {
			v.set(in+".NameLength", v.from(whole-v.get(in+".NameOffset")+1))
		}
	}},
	{"inst-name-offset-even", also{"inst-padding-zero", "inst-name-padding-counted"}, func(v *victim) {
		v.either(v.roomy(0))
		in := v.one("")
		if v.chance(128) {
			v.move(in, 1+2*v.upTo(v.zeros(in)/2))
		} else { // the name does not move
			v.add(in+".NameOffset", 1+2*int64(v.upTo(5)))
		}
	}},
	{"inst-name-offset-gap", also{"inst-padding-zero", "inst-name-padding-counted"}, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		if v.chance(128) {
			v.move(in, v.step(page, v.zeros(in)))
		} else { // the name does not move
			v.add(in+".NameOffset", int64(v.step(page, 10)))
		}
	}},
	{"inst-name-length-even", also{"inst-padding-zero"}, func(v *victim) {
		v.either(v.lettered(0, 2))
		in := v.one("")
		if v.chance(128) {
			v.add(in+".NameLength", 2*int64(v.upTo(v.zeros(in)/2+2))-3)
		} else { // the length excludes letters
			v.set(in+".NameLength", 1+2*int64(v.upTo(v.letters(in, 0)-1)))
		}
	}},
	{"inst-name-terminated", also{"inst-name-utf16", "inst-name-control", "inst-name-special"}, func(v *victim) {
		page := v.codePage()
		v.either(v.lettered(page, 1))
		in := v.one("")
		name := v.part(in + ".Name").Bytes()
		switch cut := v.chance(100); {
		case cut:
			v.add(in+".NameLength", -width(page))
		case page == 0:
			last := pick(v.Source, v.unit(), v.half(), 0xFFFE, 0xFFFF, uint16(1+v.upTo(0x1F)), ' ', '\\', '(', ')', '/', '*')
			binary.LittleEndian.PutUint16(name[len(name)-2:], last)
		default:
			name[len(name)-1] = byte(1 + v.upTo(255))
		}
	}},
	{"inst-name-padding-counted", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		if v.chance(128) {
			v.letter(in, v.upTo(v.letters(in, page)), page, 0)
		} else {
			v.add(in+".NameLength", int64(v.step(page, v.zeros(in))))
		}
	}},
	{"inst-name-utf16", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		v.letter(in, v.upTo(v.letters(in, 0)), 0, pick(v.Source, v.half(), 0xFFFE, 0xFFFF))
	}},
	{"inst-name-codepage", also{"obj-codepage-unicode", "inst-name-padding-counted"}, func(v *victim) {
		v.either(v.lettered(0, 1))
		page := pick(v.Source, codePages...)
		if v.chance(128) {
			v.change(func(o *builder.Object) { o.CodePage = page })
		} else { // the names remain UTF-16
			v.set(v.in("CodePage"), int64(page))
		}
	}},
	{"inst-name-empty", also{"inst-padding-zero"}, func(v *victim) {
		page := v.codePage()
		v.either(v.lettered(page, 2))
		in := v.one("")
		if v.chance(128) {
			clear(v.part(in + ".Name").Bytes())
		} else { // the other letters remain
			v.letter(in, 0, page, 0)
		}
		v.set(in+".NameLength", width(page))
	}},
	{"inst-unnamed", also{"inst-padding-zero"}, func(v *victim) {
		v.either(v.lettered(v.codePage(), 1))
		in := v.one("")
		if v.chance(128) { // otherwise the letters remain
			clear(v.part(in + ".Name").Bytes())
		}
		v.set(in+".NameLength", 0)
	}},
	{"inst-name-special", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		n := v.letters(in, 0)
		if v.chance(128) || n == 1 {
			v.letter(in, v.upTo(n), 0, pick[uint16](v.Source, '\\', '(', ')', '/', '*'))
			return
		}
		number := v.upTo(n - 1)
		v.letter(in, number, 0, '#')
		for i := number + 1; i < n; i++ {
			v.letter(in, i, 0, uint16('0'+v.upTo(10)))
		}
	}},
	{"inst-name-control", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		n := v.letters(in, 0)
		if v.chance(128) {
			v.letter(in, v.upTo(n), 0, uint16(1+v.upTo(0x1F)))
		} else {
			v.letter(in, pick(v.Source, 0, n-1), 0, ' ')
		}
	}},
	{"inst-name-long", nil, func(v *victim) { v.rename(1024 + v.upTo(2000)) }},
	{"inst-name-over-255", nil, func(v *victim) { v.rename(256 + v.upTo(768)) }},
	{"inst-name-duplicate", nil, func(v *victim) {
		o := v.pair()
		if o.CodePage = pick(v.Source, uint32(0), 1252, 65001); v.ASCII {
			o.CodePage = 0
		}
		v.either(o)
		names := [2]string{"web", "WEB"}
		if o.CodePage == 0 {
			pairs := [][2]string{names, {"é", "É"}, {"ж", "Ж"}, {"ς", "Σ"}, {"𐐨", "𐐀"}, {"_TOTAL", "_total"}}
			if v.ASCII {
				pairs = slices.Delete(pairs, 1, 5)
			}
			names = pick(v.Source, pairs...)
		}
		if v.chance(100) {
			names[1] = names[0]
		}
		stem := strings.Repeat("n", v.characters())
		first, second := v.two(len(o.Instances))
		v.change(func(o *builder.Object) {
			o.Instances[first].Name, o.Instances[second].Name = stem+names[0], stem+names[1]
			o.DuplicateNames = true
		})
	}},
}

// codePages are code pages that encode ASCII as single bytes.
var codePages = []uint32{1252, 437, 932, 1251, 65001}

// codePage returns 0 or a code page.
func (v *victim) codePage() uint32 {
	if v.chance(128) && !v.ASCII {
		return codePages[v.upTo(len(codePages))]
	}
	return 0
}

// lettered returns an object whose instances have names of at least least letters. Only zeros follow a name.
func (v *victim) lettered(codePage uint32, least int) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	o.CodePage = codePage
	v.label(&o, least, 0)
	return o
}

// roomy returns such an object with at least 22 zeros after each name. They are room to move the name, and for twice as
// many instances.
func (v *victim) roomy(codePage uint32) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	o.CodePage = codePage
	v.label(&o, 1, 22)
	return o
}

// fewest returns such an object in UTF-16 with at least n instances.
func (v *victim) fewest(n int) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	for len(o.Instances) < n {
		o.Instances = append(o.Instances, o.Instances[0])
	}
	v.label(&o, 1, 0)
	return o
}

// label gives the instances names of at least least letters, with at least room zeros after each name.
func (v *victim) label(o *builder.Object, least, room int) {
	names := v.labels(len(o.Instances), least, alphabet)
	room += 8 * v.upTo(4)
	for i, name := range names {
		in := &o.Instances[i]
		in.Name = name
		in.ByteLength = align8(uint32(layout.SizeofInstanceDefinition + (len(name)+1)*int(width(o.CodePage)) + room))
	}
}

// rename makes a block that has an instance with a name of n characters.
func (v *victim) rename(n int) {
	v.either(v.lettered(v.codePage(), 1))
	v.change(func(o *builder.Object) {
		in := &o.Instances[v.upTo(len(o.Instances))]
		in.Name, in.ByteLength = strings.Repeat("x", n), 0
	})
}

// move moves the name of an instance by n bytes and leaves zeros in its place.
func (v *victim) move(in string, n int) {
	name := v.part(in + ".Name")
	from := v.block[name.Off() : int(name.End())+n]
	copy(from[n:], from)
	clear(from[:n])
	v.add(in+".NameOffset", int64(n))
}

// step returns a distance to move a name, at most most. It is even for UTF-16.
func (v *victim) step(codePage uint32, most int) int {
	if codePage != 0 {
		return 1 + v.upTo(most)
	}
	return 2 + 2*v.upTo(most/2)
}

// zeros returns the number of bytes after the name of an instance.
func (v *victim) zeros(in string) int {
	return int(v.get(in+".ByteLength") - v.get(in+".NameOffset") - v.get(in+".NameLength"))
}

// letters returns the number of letters in the name of an instance without its NUL.
func (v *victim) letters(in string, codePage uint32) int {
	return int(v.get(in+".NameLength")/width(codePage)) - 1
}

// width returns the number of bytes in a NUL.
func width(codePage uint32) int64 {
	if codePage != 0 {
		return 1
	}
	return 2
}

// letter writes a character of a name, in a code page its low byte.
func (v *victim) letter(in string, i int, codePage uint32, c uint16) {
	name := v.part(in + ".Name").Bytes()
	if codePage != 0 {
		name[i] = byte(c)
		return
	}
	binary.LittleEndian.PutUint16(name[2*i:], c)
}
