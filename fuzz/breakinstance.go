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
	{"inst-truncated", nil, func(v *victim) {
		o := v.roomy(0)
		for len(o.Instances) < 2 {
			o.Instance("last", make([]uint64, len(o.Counters))...)
		}
		v.either(o)
		// The last instance, or one more, starts where less than it needs is left.
		if n := int64(len(o.Instances)); v.chance(128) {
			v.set(v.in("NumInstances"), n+1)
		} else {
			last := v.part(v.in(fmt.Sprintf("instance[%d]", n-1))).Off()
			// Its own bytes are none of an instance, or it would be found in them.
			v.set(v.in(fmt.Sprintf("instance[%d].NameOffset", n-1)), math.MaxUint32)
			end := v.get(v.in("TotalByteLength")) + v.part(v.in("")).Off()
			v.add(v.in(fmt.Sprintf("instance[%d].block.ByteLength", n-2)), end-last-int64(v.upTo(24)))
		}
	}},
	{"inst-length-min", nil, func(v *victim) {
		v.either(v.roomy(0))
		v.set(v.one("ByteLength"), int64(v.upTo(24)))
	}},
	{"inst-length-bound", nil, func(v *victim) {
		v.either(v.roomy(0))
		in := v.one("")
		left := v.part(v.in("")).Off() + v.get(v.in("TotalByteLength")) - v.part(in).Off()
		v.set(in+".ByteLength", min(left-3+int64(v.uint32()), 1<<32-1))
	}},
	{"inst-length-align", nil, func(v *victim) {
		v.either(v.roomy(0))
		length := v.one("ByteLength")
		v.set(length, pick(v.Source, v.get(length), 24, 32)+1+int64(v.upTo(4)))
	}},
	{"inst-name-offset-min", nil, func(v *victim) {
		v.either(v.roomy(v.codePage()))
		v.set(v.one("NameOffset"), int64(v.upTo(24)))
	}},
	{"inst-name-range", nil, func(v *victim) {
		v.either(v.roomy(v.codePage()))
		in := v.one("")
		whole := v.get(in + ".ByteLength")
		if v.chance(128) {
			v.set(in+".NameOffset", whole-v.get(in+".NameLength")+1+int64(v.uint32()>>1))
		} else {
			v.set(in+".NameLength", min(whole-v.get(in+".NameOffset")+1+int64(v.uint32()), 1<<32-1))
		}
	}},
	{"inst-name-offset-even", nil, func(v *victim) {
		v.either(v.roomy(0))
		v.add(v.one("NameOffset"), 1+2*int64(v.upTo(5)))
	}},
	{"inst-name-offset-gap", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		if n := int64(1 + v.upTo(10)); page == 0 {
			v.add(v.one("NameOffset"), (n+1)&^1)
		} else {
			v.add(v.one("NameOffset"), n)
		}
	}},
	{"inst-name-length-even", nil, func(v *victim) {
		v.either(v.roomy(0))
		v.add(v.one("NameLength"), 2*int64(v.upTo(6))-1)
	}},
	{"inst-name-terminated", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		name := v.part(in + ".Name").Bytes()
		switch {
		case v.chance(128):
			name[len(name)-1] = byte(1 + v.upTo(255))
		case page == 0:
			v.add(in+".NameLength", -2)
		default:
			v.add(in+".NameLength", -1)
		}
	}},
	{"inst-name-padding-counted", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		if v.chance(128) {
			v.letter(in, v.upTo(8), page, 0)
		} else {
			v.add(in+".NameLength", 2*int64(1+v.upTo(4)))
		}
	}},
	{"inst-name-utf16", nil, func(v *victim) {
		v.either(v.roomy(0))
		v.letter(v.one(""), v.upTo(8), 0, pick(v.Source, uint16(0xD800+v.upTo(0x800)), 0xFFFE, 0xFFFF))
	}},
	{"inst-name-codepage", nil, func(v *victim) {
		if v.chance(128) {
			v.either(v.roomy(codePages[v.upTo(len(codePages))]))
			return
		}
		v.either(v.roomy(0))
		v.set(v.in("CodePage"), int64(codePages[v.upTo(len(codePages))]))
	}},
	{"inst-name-empty", nil, func(v *victim) {
		page := v.codePage()
		v.either(v.roomy(page))
		in := v.one("")
		v.letter(in, 0, page, 0)
		v.set(in+".NameLength", 2)
		if page != 0 {
			v.set(in+".NameLength", 1)
		}
	}},
	{"inst-unnamed", nil, func(v *victim) {
		v.either(v.roomy(v.codePage()))
		v.set(v.one("NameLength"), 0)
	}},
	{"inst-name-special", nil, func(v *victim) {
		v.either(v.roomy(0))
		in := v.one("")
		if v.chance(128) {
			v.letter(in, v.upTo(8), 0, pick[uint16](v.Source, '\\', '(', ')', '/', '*'))
			return
		}
		number := v.upTo(7)
		v.letter(in, number, 0, '#')
		for i := number + 1; i < 8; i++ {
			v.letter(in, i, 0, uint16('0'+v.upTo(10)))
		}
	}},
	{"inst-name-control", nil, func(v *victim) {
		v.either(v.roomy(0))
		in := v.one("")
		if v.chance(128) {
			v.letter(in, v.upTo(8), 0, uint16(1+v.upTo(0x1F)))
		} else {
			v.letter(in, pick(v.Source, 0, 7), 0, ' ')
		}
	}},
	{"inst-name-long", nil, func(v *victim) { v.either(v.longest(1024 + v.upTo(2000))) }},
	{"inst-name-over-255", nil, func(v *victim) { v.either(v.longest(256 + v.upTo(768))) }},
}

// codePages are some in which names of ASCII are the same bytes.
var codePages = []uint32{1252, 437, 932, 1251, 65001}

// codePage returns a code page, and 0 about as often as any.
func (v *victim) codePage() uint32 {
	if v.chance(128) {
		return codePages[v.upTo(len(codePages))]
	}
	return 0
}

// roomy returns an object whose instances have names of 8 letters and as many zeros
// behind them. With a code page the names are in that.
func (v *victim) roomy(codePage uint32) builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	o.CodePage = codePage
	for i := range o.Instances {
		in := &o.Instances[i]
		in.Name = fmt.Sprintf("name%04d", i)
		in.ByteLength = 64
	}
	return o
}

// longest returns an object with one name of n characters among others.
func (v *victim) longest(n int) builder.Object {
	o := v.roomy(v.codePage())
	in := &o.Instances[v.upTo(len(o.Instances))]
	in.Name, in.ByteLength = strings.Repeat("x", n), 0
	return o
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
