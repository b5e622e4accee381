package fuzz

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

var dataBreakers = slices.Concat(dataLengthBreakers, dataNameBreakers, dataValueBreakers)

var dataLengthBreakers = []breaker{
	{"data-truncated", nil, func(v *victim) {
		v.with(v.some())
		v.block = v.block[:1+v.upTo(87)] // a block of no bytes is no file
	}},
	{"data-signature", nil, func(v *victim) {
		v.with(v.some())
		v.block[v.upTo(8)] ^= byte(1 + v.upTo(255))
	}},
	{"data-endian-value", nil, func(v *victim) { v.with(v.some()).set("LittleEndian", v.from(2)) }},
	{"data-big-endian", nil, func(v *victim) { v.with(v.some()).set("LittleEndian", 0) }},
	{"data-version", nil, func(v *victim) { v.with(v.some()).set("Version", pick(v.Source, 0, v.from(2))) }},
	{"data-revision", nil, func(v *victim) { v.with(v.some()).set("Revision", pick(v.Source, 0, v.from(2))) }},
	{"data-total-length", nil, func(v *victim) {
		v.with(v.some())
		v.set("TotalByteLength", pick(v.Source, int64(v.upTo(88)), v.from(v.size()+1)))
	}},
	{"data-trailing-bytes", nil, func(v *victim) {
		v.with(v.some())
		v.block = append(v.block, v.bytes(1+v.upTo(200))...)
	}},
	{"data-header-length", nil, func(v *victim) {
		v.with(v.some())
		v.set("HeaderLength", pick(v.Source, int64(v.upTo(88)), v.from(v.size()+1)))
	}},
	{"data-header-align", also{"obj-offset-align"}, func(v *victim) {
		v.with(v.some())
		v.growHeader(v.uneven())
	}},
	{"data-header-align", nil, func(v *victim) { // with nothing behind it
		v.model(new(v.header()))
		v.growHeader(v.uneven())
	}},
	{"data-object-sum", nil, func(v *victim) {
		v.with(v.some())
		switch size := v.size(); v.upTo(4) {
		case 0: // as if the header were not counted
			v.set("TotalByteLength", max(88, size-v.get("HeaderLength")))
		case 1:
			v.set("TotalByteLength", 88+int64(v.upTo(int(size-88))))
		case 2: // no objects can be made of less than 64 bytes
			v.block = append(v.block, v.bytes(1+v.upTo(63))...)
			v.set("TotalByteLength", v.size())
		default:
			v.set("NumObjectTypes", int64(v.upTo(len(v.objects))))
		}
	}},
	{"data-object-count", nil, func(v *victim) {
		v.with(v.some())
		v.set("NumObjectTypes", v.from(int64(len(v.objects))+1))
	}},
}

func (v *victim) size() int64 { return int64(len(v.block)) }

// from returns a number of 32 bits that is not less than least.
func (v *victim) from(least int64) int64 {
	return min(least+pick(v.Source, 0, int64(v.upTo(64)), int64(v.uint32())), math.MaxUint32)
}

// growHeader puts n bytes between the system name and the objects.
func (v *victim) growHeader(n int) {
	end := v.get("HeaderLength")
	v.add("HeaderLength", int64(n))
	v.add("TotalByteLength", int64(n))
	v.block = slices.Insert(v.block, int(end), v.bytes(n)...)
}

var dataNameBreakers = []breaker{
	{"data-system-name-range", nil, func(v *victim) {
		v.hosted(v.text() + "A")
		header, n := v.get("HeaderLength"), v.get("SystemNameLength")
		switch v.upTo(3) {
		case 0:
			v.set("SystemNameLength", v.from(header-v.get("SystemNameOffset")+1))
		case 1:
			v.set("SystemNameOffset", int64(v.upTo(88)))
		default:
			v.set("SystemNameOffset", v.from(header-n+1))
		}
	}},
	{"data-system-name-even", nil, func(v *victim) {
		v.hosted(v.text() + pick(v.Source, "7", "A", "z"))
		name := v.part("SystemName").Bytes()
		switch end := len(name) - 4; v.upTo(3) {
		case 0:
			v.add("SystemNameLength", -1)
		case 1: // the first half before the NUL
			binary.LittleEndian.PutUint16(name[end:], uint16(0xD800+v.upTo(0x400)))
		default: // the second half first
			binary.LittleEndian.PutUint16(name, uint16(0xDC00+v.upTo(0x400)))
		}
	}},
	{"data-system-name-even", nil, func(v *victim) { // a byte later, and no longer than before
		v.hosted(strings.Repeat(v.word("A", "z7", "Жé"), 1+v.upTo(min(20, 1+v.MaxText/2))) + "7") // no byte of a character is as those of NUL
		v.add("SystemNameOffset", 1)
		v.add("SystemNameLength", -2)
	}},
	{"data-system-name-even", also{"data-system-name-terminator"}, func(v *victim) {
		v.hosted(v.text() + pick(v.Source, "Ж", "漢")) // half of it comes last
		v.add("SystemNameOffset", 1)
		v.add("SystemNameLength", -2)
	}},
	{"data-system-name-terminator", nil, func(v *victim) {
		v.hosted(v.text() + v.word("7", "Ж"))
		name := v.part("SystemName").Bytes()
		switch {
		case v.chance(128):
			binary.LittleEndian.PutUint16(name[len(name)-2:], v.unit())
		case v.chance(64): // no name but its NUL
			clear(name)
			v.add("SystemNameLength", 2-int64(len(name)))
		default:
			v.add("SystemNameLength", -2)
		}
	}},
	{"data-system-name-terminator", also{"data-system-name-even"}, func(v *victim) {
		v.hosted(v.text() + "7")
		name := v.part("SystemName").Bytes()
		binary.LittleEndian.PutUint16(name[len(name)-2:], v.half())
	}},
}

// unit returns a character of UTF-16 other than NUL.
func (v *victim) unit() uint16 {
	c := uint16(1 + v.upTo(1<<16-1))
	if c >= 0xD800 && c < 0xE000 {
		c -= 0x800
	}
	return c
}

// half returns half of a surrogate pair.
func (v *victim) half() uint16 { return uint16(0xD800 + v.upTo(0x800)) }

// hosted makes a block with that system name, at an even offset.
func (v *victim) hosted(name string) {
	d := v.header()
	d.SystemName = name
	d.SystemNameOffset, d.HeaderLength = 0, 0
	v.makeObjects()
	d.Objects = v.objects
	v.model(&d)
	v.growHeader(8 * v.upTo(3))
}

var dataValueBreakers = []breaker{
	{"data-systemtime", nil, func(v *victim) {
		d := v.header()
		d.SystemTime = layout.SystemTime{} // that of PerfTime100nSec
		v.under(d, v.some())
		f := pick(v.Source, systemTimeRanges...)
		if f.least > 0 && v.chance(128) {
			v.set("SystemTime."+f.name, int64(v.upTo(f.least)))
			return
		}
		v.set("SystemTime."+f.name, int64(f.most+1+v.upTo(1<<16-1-f.most)))
	}},
	{"data-perf-freq", nil, func(v *victim) {
		t := pick(v.Source, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_SAMPLE_COUNTER)
		if o := v.named(t); v.chance(64) {
			v.with(v.single(layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE))
		} else {
			v.with(o)
		}
		v.set("PerfFreq", v.notPositive())
	}},
	{"data-perf-freq-unused", nil, func(v *victim) {
		v.MaxObjects = 0
		v.with(v.named(layout.PERF_COUNTER_RAWCOUNT, layout.PERF_100NSEC_TIMER))
		v.set("PerfFreq", v.notPositive())
	}},
	{"data-perf-time", nil, func(v *victim) {
		v.with(v.some())
		if v.chance(128) {
			v.set("PerfTime", -v.positive())
			return
		}
		v.set("PerfTime100nSec", v.notPositive())
	}},
	{"data-padding-zero", nil, func(v *victim) {
		v.with(v.some())
		v.block[52+v.upTo(4)] = byte(1 + v.upTo(255))
	}},
	{"data-object-duplicate", nil, func(v *victim) {
		title := v.otherTitle()
		v.set(v.in("ObjectNameTitleIndex"), title)
		v.set(v.in("ObjectHelpTitleIndex"), title+1)
	}},
	{"data-object-duplicate", also{"obj-help-follows-name"}, func(v *victim) {
		title := v.otherTitle()
		v.set(v.in("ObjectNameTitleIndex"), title)
	}},
}

// otherTitle makes a block with an object that has a title of its own, and returns that
// of another object.
func (v *victim) otherTitle() int64 {
	v.makeObjects()
	v.MaxObjects = 0 // none that may have one of the two for a parent
	v.among(v.some())
	other := v.at
	if v.either(v.some()); v.at <= other {
		other++
	}
	return v.get(fmt.Sprintf("object[%d].ObjectNameTitleIndex", other))
}

// unknown returns the title, or the next that is odd or even as it is and that no
// object has, nor an instance for its parent.
func (v *victim) unknown(title uint32) uint32 {
	known := map[uint32]bool{}
	for _, o := range v.objects {
		known[o.ObjectNameTitleIndex] = true
		for _, in := range o.Instances {
			known[in.ParentObjectTitleIndex] = true
		}
	}
	for known[title] {
		title += 2
	}
	return title
}

var systemTimeRanges = []struct {
	name        string
	least, most int
}{
	{"wYear", 1601, 30827}, {"wMonth", 1, 12}, {"wDayOfWeek", 0, 6}, {"wDay", 1, 31},
	{"wHour", 0, 23}, {"wMinute", 0, 59}, {"wSecond", 0, 59}, {"wMilliseconds", 0, 999},
}
