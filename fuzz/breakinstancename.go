package fuzz

import (
	"encoding/binary"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instanceNameBreakers break the rules about the names of PERF_INSTANCE_DEFINITION.
var instanceNameBreakers = []breaker{
	{"inst-name-offset-min", nil, setField(withNamesInAnyCodePage, "object.instance.NameOffset", toBelow(layout.SizeofInstanceDefinition))},
	{"inst-name-range", nil, func(f *faultyBlock) {
		withNamesInAnyCodePage(f)
		all := f.get("object.instance.ByteLength")
		if f.chance(128) {
			f.set("object.instance.NameOffset", f.atLeast(all-f.get("object.instance.NameLength")+1))
		} else {
			f.set("object.instance.NameLength", f.atLeast(all-f.get("object.instance.NameOffset")+1))
		}
	}},
	{"inst-name-offset-even", also{"inst-padding-zero", "inst-name-padding-counted"}, func(f *faultyBlock) {
		f.withPaddedNames(0)
		if f.chance(128) {
			f.moveName(1 + 2*f.upTo(f.namePadding()/2))
		} else { // NameOffset changes and the name does not move
			f.add("object.instance.NameOffset", 1+2*int64(f.upTo(min(5, f.namePadding()/2))))
		}
	}},
	{"inst-name-offset-gap", also{"inst-padding-zero", "inst-name-padding-counted"}, func(f *faultyBlock) {
		f.withPaddedNames(f.codePage())
		if f.chance(128) {
			f.moveName(f.wholeCharacters(f.namePadding()))
		} else { // NameOffset changes and the name does not move
			f.add("object.instance.NameOffset", int64(f.wholeCharacters(min(10, f.namePadding()))))
		}
	}},
	{"inst-name-length-even", also{"inst-padding-zero"}, func(f *faultyBlock) {
		f.inBlock(f.objectWithNames(1, 0, 2, 0))
		if f.chance(128) {
			f.add("object.instance.NameLength", 2*int64(f.upTo(f.namePadding()/2+2))-3)
		} else { // NameLength counts only the first letters
			f.set("object.instance.NameLength", 1+2*int64(f.upTo(f.nameLetters()-1)))
		}
	}},
	{"inst-name-terminated", also{"inst-name-utf16", "inst-name-control", "inst-name-special"}, func(f *faultyBlock) {
		withNamesInAnyCodePage(f)
		name := f.part("object.instance.Name").Bytes()
		switch withoutNUL := f.chance(100); {
		case withoutNUL:
			f.add("object.instance.NameLength", -f.characterSize())
		case f.characterSize() == 2:
			last := pick(f.Source, f.utf16Unit(), f.halfSurrogate(), 0xFFFE, 0xFFFF, uint16(1+f.upTo(0x1F)), ' ', '\\', '(', ')', '/', '*')
			binary.LittleEndian.PutUint16(name[len(name)-2:], last)
		default:
			name[len(name)-1] = byte(1 + f.upTo(255))
		}
	}},
	{"inst-name-padding-counted", nil, func(f *faultyBlock) {
		f.withPaddedNames(f.codePage())
		if f.chance(128) {
			f.setLetter(f.upTo(f.nameLetters()), 0)
		} else {
			f.add("object.instance.NameLength", int64(f.wholeCharacters(f.namePadding())))
		}
	}},
	{"inst-name-utf16", nil, func(f *faultyBlock) {
		withUTF16Names(f).setLetter(f.upTo(f.nameLetters()), pick(f.Source, f.halfSurrogate(), 0xFFFE, 0xFFFF))
	}},
	{"inst-name-codepage", also{"obj-codepage-unicode", "inst-name-padding-counted"}, func(f *faultyBlock) {
		withUTF16Names(f)
		page := pick(f.Source, codePages...)
		if f.chance(128) {
			f.changeObject(func(o *builder.Object) { o.CodePage = page })
		} else { // the names remain in UTF-16
			f.set("object.CodePage", int64(page))
		}
	}},
	{"inst-name-empty", also{"inst-padding-zero"}, func(f *faultyBlock) {
		f.inBlock(f.objectWithNames(1, f.codePage(), 2, 0))
		if f.chance(128) {
			clear(f.part("object.instance.Name").Bytes())
		} else { // the other letters remain
			f.setLetter(0, 0)
		}
		f.set("object.instance.NameLength", f.characterSize())
	}},
	{"inst-unnamed", also{"inst-padding-zero"}, func(f *faultyBlock) {
		withNamesInAnyCodePage(f)
		if f.chance(128) { // otherwise the letters remain
			clear(f.part("object.instance.Name").Bytes())
		}
		f.set("object.instance.NameLength", 0)
	}},
	{"inst-name-special", nil, func(f *faultyBlock) {
		n := withUTF16Names(f).nameLetters()
		if f.chance(128) || n == 1 {
			f.setLetter(f.upTo(n), pick[uint16](f.Source, '\\', '(', ')', '/', '*'))
			return
		}
		number := f.upTo(n - 1) // the name ends in # and digits
		f.setLetter(number, '#')
		for i := number + 1; i < n; i++ {
			f.setLetter(i, uint16('0'+f.upTo(10)))
		}
	}},
	{"inst-name-control", nil, func(f *faultyBlock) {
		n := withUTF16Names(f).nameLetters()
		if f.chance(128) {
			f.setLetter(f.upTo(n), uint16(1+f.upTo(0x1F)))
		} else {
			f.setLetter(pick(f.Source, 0, n-1), ' ')
		}
	}},
	{"inst-name-long", nil, func(f *faultyBlock) { f.renameInstance(1024 + f.upTo(2000)) }},
	{"inst-name-over-255", nil, func(f *faultyBlock) { f.renameInstance(256 + f.upTo(768)) }},
	{"inst-name-duplicate", nil, func(f *faultyBlock) {
		o := f.twoInstances()
		first, second := f.twoBelow(len(o.Instances))
		if f.base == nil {
			endings := []string{"web", "_total", "é", "ж", "ς", "𐐨"}
			if o.CodePage = pick(f.Source, uint32(0), 1252, 65001); o.CodePage != 0 {
				endings = endings[:2]
			}
			o.Instances[first].Name = strings.Repeat("n", f.nameLength()) + pick(f.Source, endings...)
		}
		a, b := &o.Instances[first], &o.Instances[second]
		if a.Name == "" || a.ParentObjectTitleIndex != b.ParentObjectTitleIndex || a.ParentObjectInstance != b.ParentObjectInstance {
			f.endAttempt("two instances with names and the same parent")
		}
		name := a.Name
		if f.chance(128) && (o.CodePage == 0 || f.base == nil) {
			name = strings.ToUpper(name)
		}
		f.inBlock(o).changeObject(func(o *builder.Object) {
			o.Instances[second].Name, o.DuplicateNames = name, true
		})
	}},
}

// codePages are code pages that encode ASCII as single bytes.
var codePages = []uint32{1252, 437, 932, 1251, 65001}

// codePage returns a code page, or 0 for UTF-16.
func (f *faultyBlock) codePage() uint32 {
	if f.chance(128) {
		return pick(f.Source, codePages...)
	}
	return 0
}

// withUTF16Names makes a block that has an object with named instances. The names are in UTF-16.
func withUTF16Names(f *faultyBlock) *faultyBlock { return f.inBlock(f.objectWithNames(1, 0, 1, 0)) }

// withNamesInAnyCodePage makes a block like withUTF16Names, with names in UTF-16 or in a code page.
func withNamesInAnyCodePage(f *faultyBlock) *faultyBlock {
	return f.inBlock(f.objectWithNames(1, f.codePage(), 1, 0))
}

// namePaddingSize is the smallest number of padding bytes after each name. This padding leaves room to move a name or
// to raise NumInstances.
const namePaddingSize = 22

// withPaddedNames makes a block that has an object with named instances, with padding after each name.
func (f *faultyBlock) withPaddedNames(codePage uint32) *faultyBlock {
	return f.inBlock(f.objectWithNames(1, codePage, 1, namePaddingSize))
}

// withNames returns an object with at least n instances, which have names in UTF-16.
func (f *faultyBlock) withNames(n int) builder.Object { return f.objectWithNames(n, 0, 1, 0) }

// objectWithNames returns an object with at least `instances` instances. Each name has at least `letters` letters, and
// at least `padding` bytes of padding follow it. A codePage of 0 means UTF-16.
//
// With a Base, objectWithNames chooses an object of f.base and an instance of this object. Only the name of this
// instance must have the letters and the padding. At most 2 bytes of padding are required.
func (f *faultyBlock) objectWithNames(instances int, codePage uint32, letters, padding int) builder.Object {
	if f.base != nil {
		return f.instanceOfBase(instances, codePage == 0, letters, min(padding, 2))
	}
	o := f.objectWith(instanceBlocks, layout.PERF_COUNTER_RAWCOUNT)
	o.CodePage = codePage
	for len(o.Instances) < instances {
		o.Instances = append(o.Instances, o.Instances[0])
	}
	character := 2
	if codePage != 0 {
		character = 1
	}
	padding += 8 * f.upTo(4)
	for i, name := range f.distinctNames(len(o.Instances), letters, alphabet) {
		in := &o.Instances[i]
		in.Name = name
		in.ByteLength = align8(uint32(layout.SizeofInstanceDefinition + (len(name)+1)*character + padding))
	}
	return o
}

// renameInstance makes a block that has an instance with a name of n characters.
func (f *faultyBlock) renameInstance(n int) {
	withNamesInAnyCodePage(f).changeInstance(func(in *builder.Instance) {
		in.Name, in.ByteLength = strings.Repeat("x", n), 0
	})
}

// moveName moves the name of the instance by n bytes towards the end, adds n to NameOffset, and writes zeros in front
// of the name.
func (f *faultyBlock) moveName(n int) {
	name := f.part("object.instance.Name")
	from := f.block[name.Off() : int(name.End())+n]
	copy(from[n:], from)
	clear(from[:n])
	f.add("object.instance.NameOffset", int64(n))
}

// wholeCharacters returns a number of bytes from 1 to n that is a multiple of the character size.
func (f *faultyBlock) wholeCharacters(n int) int {
	if f.characterSize() == 1 {
		return 1 + f.upTo(n)
	}
	return 2 + 2*f.upTo(n/2)
}

// namePadding returns the number of bytes from the end of the name of the chosen instance to the end of its
// PERF_INSTANCE_DEFINITION.
func (f *faultyBlock) namePadding() int {
	return int(f.get("object.instance.ByteLength") - f.get("object.instance.NameOffset") - f.get("object.instance.NameLength"))
}

// nameLetters returns the number of characters in the name of the instance, without the NUL.
func (f *faultyBlock) nameLetters() int {
	return int(f.get("object.instance.NameLength")/f.characterSize()) - 1
}

// characterSize returns the number of bytes of an ASCII character in the names of the object: 1 in a code page, 2 in
// UTF-16.
func (f *faultyBlock) characterSize() int64 {
	if f.get("object.CodePage") != 0 {
		return 1
	}
	return 2
}

// setLetter writes character i of the name of the instance. In a code page it writes the low byte of c.
func (f *faultyBlock) setLetter(i int, c uint16) {
	name := f.part("object.instance.Name").Bytes()
	if f.characterSize() == 1 {
		name[i] = byte(c)
		return
	}
	binary.LittleEndian.PutUint16(name[2*i:], c)
}

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// distinctLetters are the letters by which names differ. Their character codes are odd, so they do not look like
// lengths, which are even.
const distinctLetters = "acegikmoqsuwy"

// nameLength returns a random length of a name, because a mistake in the validator may affect only names of some
// lengths.
func (f *faultyBlock) nameLength() int { return f.upTo(min(f.MaxText, 100) + 1) }

// distinctNames returns n different names of the same length. The names have at least minLetters letters and start with
// the same letters, from `pool`. Only their last one or two letters differ, so n is at most 169: 13 * 13.
func (f *faultyBlock) distinctNames(n, minLetters int, pool string) []string {
	letters := []rune(pool)
	start, first := make([]rune, max(f.nameLength(), minLetters-1)), f.upTo(len(letters))
	for i := range start {
		start[i] = letters[(first+i)%len(letters)]
	}
	list := make([]string, n)
	for i := range list {
		list[i] = string(start)
		if n > len(distinctLetters) {
			list[i] += string(distinctLetters[i/len(distinctLetters)])
		}
		list[i] += string(distinctLetters[i%len(distinctLetters)])
	}
	return list
}
