package fuzz

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

var dataBlockBreakers = []breaker{
	{"data-truncated", nil, func(v *victim) {
		v.with(v.some())
		v.block = v.block[:1+v.upTo(int(layout.SizeofDataBlock)-1)]
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
		v.set("TotalByteLength", pick(v.Source, int64(v.upTo(int(layout.SizeofDataBlock))), v.from(v.size()+1)))
	}},
	{"data-trailing-bytes", nil, func(v *victim) {
		v.with(v.some())
		v.block = append(v.block, v.bytes(1+v.upTo(200))...)
	}},
	{"data-header-length", nil, func(v *victim) {
		v.with(v.some())
		v.set("HeaderLength", pick(v.Source, int64(v.upTo(int(layout.SizeofDataBlock))), v.from(v.size()+1)))
	}},
	{"data-header-align", also{"obj-offset-align"}, func(v *victim) {
		if v.chance(128) {
			v.with(v.some())
		} else {
			v.model(new(v.header()))
		}
		v.growHeader(v.uneven())
	}},
	{"data-object-sum", nil, func(v *victim) {
		v.with(v.some())
		switch size := v.size(); v.upTo(4) {
		case 0: // the length without the header
			v.set("TotalByteLength", max(layout.SizeofDataBlock, size-v.get("HeaderLength")))
		case 1:
			v.set("TotalByteLength", layout.SizeofDataBlock+int64(v.upTo(int(size-layout.SizeofDataBlock))))
		case 2: // fewer bytes than an object
			v.block = append(v.block, v.bytes(1+v.upTo(layout.SizeofObjectType-1))...)
			v.set("TotalByteLength", v.size())
		default:
			v.set("NumObjectTypes", int64(v.upTo(len(v.objects))))
		}
	}},
	{"data-object-count", nil, func(v *victim) {
		v.with(v.some())
		v.set("NumObjectTypes", v.from(int64(len(v.objects))+1))
	}},
	{"data-object-duplicate", also{"obj-help-follows-name"}, func(v *victim) {
		title := v.otherTitle()
		v.set(v.in("ObjectNameTitleIndex"), title)
		if v.chance(128) {
			v.set(v.in("ObjectHelpTitleIndex"), title+1)
		}
	}},
	{"data-padding-zero", nil, func(v *victim) {
		v.with(v.some())
		gap := v.part("Padding").Bytes()
		gap[v.upTo(len(gap))] = byte(1 + v.upTo(255))
	}},

	{"data-system-name-range", nil, func(v *victim) {
		v.withSystemName(v.text() + "A")
		header, n := v.get("HeaderLength"), v.get("SystemNameLength")
		switch v.upTo(3) {
		case 0:
			v.set("SystemNameLength", v.from(header-v.get("SystemNameOffset")+1))
		case 1:
			v.set("SystemNameOffset", int64(v.upTo(int(layout.SizeofDataBlock))))
		default:
			v.set("SystemNameOffset", v.from(header-n+1))
		}
	}},
	{"data-system-name-even", also{"data-system-name-terminator"}, func(v *victim) {
		if v.chance(100) { // the name starts one byte later
			v.withSystemName(strings.Repeat(v.word("A", "z7", "Жé"), 1+v.upTo(min(20, 1+v.MaxText/2))) + v.word("7", "Ж"))
			v.add("SystemNameOffset", 1)
			v.add("SystemNameLength", -2)
			return
		}
		v.withSystemName(v.text() + pick(v.Source, "7", "A", "z"))
		name := v.part("SystemName").Bytes()
		switch end := len(name) - 4; v.upTo(3) {
		case 0:
			v.add("SystemNameLength", -1)
		case 1: // the first half of a surrogate pair before the NUL
			binary.LittleEndian.PutUint16(name[end:], uint16(0xD800+v.upTo(0x400)))
		default: // the second half first
			binary.LittleEndian.PutUint16(name, uint16(0xDC00+v.upTo(0x400)))
		}
	}},
	{"data-system-name-terminator", also{"data-system-name-even"}, func(v *victim) {
		v.withSystemName(v.text() + v.word("7", "Ж"))
		name := v.part("SystemName").Bytes()
		switch {
		case v.chance(128):
			binary.LittleEndian.PutUint16(name[len(name)-2:], pick(v.Source, v.unit(), v.half()))
		case v.chance(64): // a NUL alone
			clear(name)
			v.add("SystemNameLength", 2-int64(len(name)))
		default:
			v.add("SystemNameLength", -2)
		}
	}},

	{"data-systemtime", nil, func(v *victim) {
		d := v.header()
		d.SystemTime = layout.SystemTime{} // computed from PerfTime100nSec
		v.under(d, v.some()).outOfRange()
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
}

// growHeader inserts n bytes between the system name and the objects.
func (v *victim) growHeader(n int) {
	end := v.get("HeaderLength")
	v.add("HeaderLength", int64(n))
	v.add("TotalByteLength", int64(n))
	v.block = slices.Insert(v.block, int(end), v.bytes(n)...)
}

// withSystemName makes a block with a system name at an even offset.
func (v *victim) withSystemName(name string) {
	d := v.header()
	d.SystemName = name
	d.SystemNameOffset, d.HeaderLength = 0, 0
	v.makeObjects()
	d.Objects = v.objects
	v.model(&d)
	v.growHeader(8 * v.upTo(3))
}

// otherTitle makes a block with two objects and returns the title of the other one.
func (v *victim) otherTitle() int64 {
	v.makeObjects()
	v.MaxObjects = 0 // no objects whose instances refer to one of the two
	v.among(v.some())
	other := v.at
	if v.either(v.some()); v.at <= other {
		other++
	}
	return v.get(fmt.Sprintf("object[%d].ObjectNameTitleIndex", other))
}
