package fuzz

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var instanceBreakers = slices.Concat(instanceNameBreakers, instanceLinkBreakers)

var instanceNameBreakers = []breaker{
	{"inst-truncated", nil, func(v *victim) { // more than there are
		o := v.roomy(0)
		v.either(o)
		n := int64(len(o.Instances))
		room := (v.get(v.in("TotalByteLength")) - v.get(v.in("DefinitionLength"))) / 28
		v.set(v.in("NumInstances"), n+1+int64(v.upTo(int(room-n))))
	}},
	{"inst-truncated", also{"blk-slack"}, func(v *victim) { v.swallow(2, 8*v.upTo(3)) }},
	{"inst-truncated", also{"blk-slack", "blk-length-uniform"}, func(v *victim) { v.swallow(3+v.upTo(3), 8*v.upTo(3)) }},
	{"inst-truncated", also{"blk-length-align"}, func(v *victim) { v.swallow(2, 8*v.upTo(3)+1+v.upTo(7)) }},
	{"inst-truncated", also{"blk-length-align", "blk-length-uniform"}, func(v *victim) { v.swallow(3+v.upTo(3), 8*v.upTo(3)+1+v.upTo(7)) }},
	{"inst-length-min", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		v.set(v.one("ByteLength"), int64(v.upTo(24)))
	}},
	{"inst-length-bound", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		left := v.part(v.in("")).Off() + v.get(v.in("TotalByteLength")) - v.part(in).Off()
		v.set(in+".ByteLength", min(left-3+int64(v.uint32()), 1<<32-1))
	}},
	{"inst-length-align", nil, func(v *victim) { // two, which together take as much as before, or a multiple of 8 more
		o := v.fewest(2)
		v.either(o)
		first, second := v.two(len(o.Instances))
		n := v.uneven()
		v.pad(second, 8-n%8+8*v.upTo(8))
		v.pad(first, n)
	}},
	{"inst-length-align", also{"obj-total-length-align"}, func(v *victim) {
		o := v.lettered(0, 1)
		v.last(o).pad(v.upTo(len(o.Instances)), v.uneven())
	}},
	{"inst-length-align", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		o := v.lettered(0, 1)
		v.followed(o).pad(v.upTo(len(o.Instances)), v.uneven())
	}},
	{"inst-name-offset-min", nil, func(v *victim) {
		v.either(v.lettered(v.codePage(), 1))
		v.set(v.one("NameOffset"), int64(v.upTo(24)))
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
	{"inst-name-offset-even", nil, func(v *victim) {
		v.either(v.roomy(0))
		in := v.one("")
		v.move(in, 1+2*v.upTo(v.behind(in)/2))
	}},
	{"inst-name-offset-even", also{"inst-padding-zero", "inst-name-padding-counted"}, func(v *victim) { // the name stays where it is
		v.either(v.roomy(0))
		v.add(v.one("NameOffset"), 1+2*int64(v.upTo(5)))
	}},
	{"inst-name-offset-gap", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		v.move(in, v.step(page, v.behind(in)))
	}},
	{"inst-name-offset-gap", also{"inst-padding-zero", "inst-name-padding-counted"}, func(v *victim) { // the name stays where it is
		page := v.codePage()
		v.either(v.roomy(page))
		v.add(v.one("NameOffset"), int64(v.step(page, 10)))
	}},
	{"inst-name-length-even", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		v.add(in+".NameLength", 2*int64(v.upTo(v.behind(in)/2+2))-3)
	}},
	{"inst-name-length-even", also{"inst-padding-zero"}, func(v *victim) { // some letters are not counted
		v.either(v.lettered(0, 2))
		in := v.one("")
		v.set(in+".NameLength", 1+2*int64(v.upTo(v.letters(in, 0)-1)))
	}},
	{"inst-name-terminated", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.lettered(page, 1))
		in := v.one("")
		name := v.part(in + ".Name").Bytes()
		switch cut := v.chance(128); {
		case cut && page == 0:
			v.add(in+".NameLength", -2)
		case cut:
			v.add(in+".NameLength", -1)
		case page == 0:
			binary.LittleEndian.PutUint16(name[len(name)-2:], min(max(v.unit(), 0x100), 0xFFFD))
		default:
			name[len(name)-1] = byte(1 + v.upTo(255))
		}
	}},
	{"inst-name-terminated", also{"inst-name-utf16"}, func(v *victim) { v.endName(v.half(), 0xFFFE, 0xFFFF) }},
	{"inst-name-terminated", also{"inst-name-control"}, func(v *victim) { v.endName(uint16(1+v.upTo(0x1F)), ' ') }},
	{"inst-name-terminated", also{"inst-name-special"}, func(v *victim) { v.endName('\\', '(', ')', '/', '*') }},
	{"inst-name-padding-counted", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		if v.chance(128) {
			v.letter(in, v.upTo(v.letters(in, page)), page, 0)
		} else {
			v.add(in+".NameLength", int64(v.step(page, v.behind(in))))
		}
	}},
	{"inst-name-utf16", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		v.letter(in, v.upTo(v.letters(in, 0)), 0, pick(v.Source, uint16(0xD800+v.upTo(0x800)), 0xFFFE, 0xFFFF))
	}},
	{"inst-name-codepage", also{"obj-codepage-unicode"}, func(v *victim) {
		v.either(v.lettered(0, 1))
		v.change(func(o *builder.Object) { o.CodePage = pick(v.Source, codePages...) })
	}},
	{"inst-name-codepage", also{"obj-codepage-unicode", "inst-name-padding-counted"}, func(v *victim) { // the names stay UTF-16
		v.either(v.lettered(0, 1))
		v.set(v.in("CodePage"), int64(pick(v.Source, codePages...)))
	}},
	{"inst-name-empty", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.lettered(page, 1))
		in := v.one("")
		clear(v.part(in + ".Name").Bytes())
		v.set(in+".NameLength", width(page))
	}},
	{"inst-name-empty", also{"inst-padding-zero"}, func(v *victim) { // the rest of the name stays
		page := v.codePage()
		v.either(v.lettered(page, 2))
		in := v.one("")
		v.letter(in, 0, page, 0)
		v.set(in+".NameLength", width(page))
	}},
	{"inst-unnamed", nil, func(v *victim) {
		v.either(v.lettered(v.codePage(), 1))
		in := v.one("")
		clear(v.part(in + ".Name").Bytes())
		v.set(in+".NameLength", 0)
	}},
	{"inst-unnamed", also{"inst-padding-zero"}, func(v *victim) { // the name stays
		v.either(v.lettered(v.codePage(), 1))
		v.set(v.one("NameLength"), 0)
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
}

// codePages are some in which names of ASCII are the same bytes.
var codePages = []uint32{1252, 437, 932, 1251, 65001}

// codePage returns a code page, and 0 about as often as any.
func (v *victim) codePage() uint32 {
	if v.chance(128) && !v.ASCII {
		return codePages[v.upTo(len(codePages))]
	}
	return 0
}

// lettered returns an object whose instances have names of letters, least or more, with
// zeros behind them, or none but those of the padding. With a code page the names are in that.
func (v *victim) lettered(codePage uint32, least int) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	o.CodePage = codePage
	v.label(&o, least, 0)
	return o
}

// roomy returns such an object, in which each name has 22 zeros or more behind it. It can be
// moved, and the instances take twice what as many of the shortest would.
func (v *victim) roomy(codePage uint32) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	o.CodePage = codePage
	v.label(&o, 1, 22)
	return o
}

// fewest returns such an object in UTF-16 with n instances or more.
func (v *victim) fewest(n int) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	for len(o.Instances) < n {
		o.Instances = append(o.Instances, o.Instances[0])
	}
	v.label(&o, 1, 0)
	return o
}

// label names the instances with letters, least or more, and leaves room or more behind each name.
func (v *victim) label(o *builder.Object, least, room int) {
	names := v.labels(len(o.Instances), least, alphabet)
	room += 8 * v.upTo(4)
	for i, name := range names {
		in := &o.Instances[i]
		in.Name = name
		in.ByteLength = uint32(24+(len(name)+1)*int(width(o.CodePage))+room+7) &^ 7
	}
}

// rename makes a block with a name of n characters among others.
func (v *victim) rename(n int) {
	v.either(v.lettered(v.codePage(), 1))
	v.change(func(o *builder.Object) {
		in := &o.Instances[v.upTo(len(o.Instances))]
		in.Name, in.ByteLength = strings.Repeat("x", n), 0
	})
}

// swallow makes a block with n instances, of which the last but one takes most of the
// last into its counter block and leaves a number of bytes.
func (v *victim) swallow(n, leave int) {
	o := v.fewest(n)
	o.Instances = o.Instances[:n]
	v.either(o)
	in := v.in(fmt.Sprintf("instance[%d]", n-1))
	end := v.part(v.in("")).End()
	length := end - int64(leave) - v.part(v.in(fmt.Sprintf("instance[%d].block", n-2))).Off()
	// The bytes of the last are none of an instance, or it would be found in them.
	v.set(in+".NameOffset", math.MaxUint32)
	v.set(v.in(fmt.Sprintf("instance[%d].block.ByteLength", n-2)), length)
}

// endName makes a block with a name in UTF-16 that ends with one of the characters.
func (v *victim) endName(characters ...uint16) {
	v.either(v.lettered(0, 1))
	name := v.part(v.one("Name")).Bytes()
	binary.LittleEndian.PutUint16(name[len(name)-2:], pick(v.Source, characters...))
}

// pad puts n zeros behind the name of an instance.
func (v *victim) pad(i, n int) {
	in := v.in(fmt.Sprintf("instance[%d]", i))
	end := v.part(in).Off() + v.get(in+".ByteLength")
	v.add(in+".ByteLength", int64(n))
	v.insert(end, make([]byte, n)...)
}

// move puts the name of an instance n bytes further on, and zeros where it was.
func (v *victim) move(in string, n int) {
	name := v.part(in + ".Name")
	from := v.block[name.Off() : int(name.End())+n]
	copy(from[n:], from)
	clear(from[:n])
	v.add(in+".NameOffset", int64(n))
}

// step returns how far a name can be moved, most bytes at the most: to a character of UTF-16 if
// it is in no code page.
func (v *victim) step(codePage uint32, most int) int {
	if codePage != 0 {
		return 1 + v.upTo(most)
	}
	return 2 + 2*v.upTo(most/2)
}

// behind returns how many bytes an instance has behind its name.
func (v *victim) behind(in string) int {
	return int(v.get(in+".ByteLength") - v.get(in+".NameOffset") - v.get(in+".NameLength"))
}

// letters returns how many the name of an instance has, without its NUL.
func (v *victim) letters(in string, codePage uint32) int {
	return int(v.get(in+".NameLength")/width(codePage)) - 1
}

// width returns the bytes of a NUL.
func width(codePage uint32) int64 {
	if codePage != 0 {
		return 1
	}
	return 2
}

// one returns a path in one of the instances, "" the instance itself.
func (v *victim) one(path string) string {
	in := v.in(fmt.Sprintf("instance[%d]", v.upTo(int(v.get(v.in("NumInstances"))))))
	if path == "" {
		return in
	}
	return in + "." + path
}

// letter writes a character of a name, the low byte of it in a code page.
func (v *victim) letter(in string, i int, codePage uint32, c uint16) {
	name := v.part(in + ".Name").Bytes()
	if codePage != 0 {
		name[i] = byte(c)
		return
	}
	binary.LittleEndian.PutUint16(name[2*i:], c)
}
