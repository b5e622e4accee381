package fuzz

import (
	"encoding/binary"
	"math"
	"slices"

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
	{"data-header-align", nil, func(v *victim) {
		v.with(v.some())
		v.growHeader(1 + v.upTo(7))
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
		v.hosted()
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
		v.hosted()
		name := v.part("SystemName").Bytes()
		switch last := len(name) - 4; v.upTo(4) {
		case 0:
			v.add("SystemNameLength", -1)
		case 1: // a byte later, and no longer than before
			v.add("SystemNameOffset", 1)
			v.add("SystemNameLength", -2)
		case 2: // the first half before the NUL
			binary.LittleEndian.PutUint16(name[last:], uint16(0xD800+v.upTo(0x400)))
		default: // the second half first
			binary.LittleEndian.PutUint16(name, uint16(0xDC00+v.upTo(0x400)))
		}
	}},
	{"data-system-name-terminator", nil, func(v *victim) {
		v.hosted()
		if v.chance(128) {
			name := v.part("SystemName").Bytes()
			binary.LittleEndian.PutUint16(name[len(name)-2:], uint16(1+v.upTo(1<<16-1)))
			return
		}
		v.add("SystemNameLength", -2)
	}},
}

// hosted makes a block with a system name, at an even offset.
func (v *victim) hosted() {
	d := v.header()
	if d.SystemName == "" {
		d.SystemName = "HOST"
	}
	d.SystemNameOffset, d.HeaderLength = 0, 0
	v.makeObjects()
	d.Objects = v.objects
	v.model(&d)
	v.growHeader(8 * v.upTo(3))
}

var dataValueBreakers = []breaker{
	{"data-systemtime", nil, func(v *victim) {
		v.with(v.some())
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
		v.objects = append(v.objects, v.some())
		v.either(v.some())
		at := v.upTo(len(v.objects) - 1)
		if at >= v.at {
			at++
		}
		v.set(v.in("ObjectNameTitleIndex"), int64(v.objects[at].ObjectNameTitleIndex))
	}},
}

var systemTimeRanges = []struct {
	name        string
	least, most int
}{
	{"wYear", 1601, 30827}, {"wMonth", 1, 12}, {"wDayOfWeek", 0, 6}, {"wDay", 1, 31},
	{"wHour", 0, 23}, {"wMinute", 0, 59}, {"wSecond", 0, 59}, {"wMilliseconds", 0, 999},
}
