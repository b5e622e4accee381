//go:build !race

package validate_test

import (
	"bytes"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// registeredMany returns a registration of n counters. change modifies each of them.
func registeredMany(n int, change func(i int, c *wire.CounterRegInfo)) []byte {
	b := wire.CounterSetRegInfo{NumCounters: uint32(n)}.Append(make([]byte, 0, 32+48*n))
	for i := range n {
		c := registered(uint32(i), layout.PERF_COUNTER_COUNTER)
		change(i, &c)
		b = c.Append(b)
	}
	return b
}

// templateOf returns a template of n counters with the ids and offsets of of.
func templateOf(n int, of func(i int) (id, offset uint32)) []byte {
	b := wire.CounterSetInfo{NumCounters: uint32(n)}.Append(make([]byte, 0, 40+32*n))
	for i := range n {
		id, offset := of(i)
		b = wire.CounterInfo{CounterId: id, Offset: offset}.Append(b)
	}
	return b
}

// instanceOf returns an instance of n bytes, filled with fill from the name on.
func instanceOf(n int, head wire.CounterSetInstance, fill ...byte) []byte {
	return append(head.Append(make([]byte, 0, n)), bytes.Repeat(fill, (n-32)/len(fill))...)
}

var hostileSets = []hostile{
	{"registered counters of one id", 100_000, layout.RegSetKind, func(n int) []byte {
		return registeredMany(n, func(_ int, c *wire.CounterRegInfo) { c.CounterId = 7 })
	}},
	{"registered counters that all refer to the last", 100_000, layout.RegSetKind, func(n int) []byte {
		return registeredMany(n, func(_ int, c *wire.CounterRegInfo) {
			id := uint32(n - 1)
			c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId = id, id, id, id
		})
	}},
	{"registered counters that refer to missing counters", 100_000, layout.RegSetKind, func(n int) []byte {
		return registeredMany(n, func(i int, c *wire.CounterRegInfo) {
			c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId = uint32(n+i), uint32(2*n+i), uint32(3*n+i), uint32(4*n+i)
		})
	}},
	{"registered counters with one clock each", 100_000, layout.RegSetKind, func(n int) []byte {
		return registeredMany(n, func(i int, c *wire.CounterRegInfo) {
			if c.Type = layout.PERF_COUNTER_LARGE_RAWCOUNT; i%2 == 0 {
				c.Type, c.PerfTimeId, c.PerfFreqId = layout.PERF_ELAPSED_TIME, uint32(i+1), uint32(i+1)
			}
		})
	}},
	{"zeros as a registration", 10_000_000, layout.RegSetKind, func(n int) []byte { return make([]byte, n) }},
	{"0xff as a registration", 10_000_000, layout.RegSetKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"counters of a template of one id, each at its place", 100_000, layout.TemplateKind, func(n int) []byte {
		return templateOf(n, func(i int) (id, offset uint32) { return 7, uint32(8 * i) })
	}},
	{"counters of a template, all but the last at one place", 100_000, layout.TemplateKind, func(n int) []byte {
		return templateOf(n, func(i int) (id, offset uint32) { return uint32(i), uint32(i / (n - 1)) })
	}},
	{"0xff as a template", 10_000_000, layout.TemplateKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"an instance whose name has no end", 10_000_000, layout.InstanceBlockKind, func(n int) []byte {
		return instanceOf(n, wire.CounterSetInstance{DwSize: uint32(n), InstanceNameOffset: 32, InstanceNameSize: uint32(n - 32)}, 'a', 0)
	}},
	{"an instance whose name has an odd offset", 10_000_000, layout.InstanceBlockKind, func(n int) []byte {
		return instanceOf(n, wire.CounterSetInstance{DwSize: uint32(n), InstanceNameOffset: 3, InstanceNameSize: uint32(n / 2)}, 'a')
	}},
	{"an instance that is all padding", 10_000_000, layout.InstanceBlockKind, func(n int) []byte {
		return instanceOf(n, wire.CounterSetInstance{DwSize: uint32(n), InstanceNameOffset: 32, InstanceNameSize: 2}, 0)
	}},
	{"a text without an end", 10_000_000, layout.RegStringKind, func(n int) []byte { return bytes.Repeat([]byte{'a'}, n) }},
	{"a text of NULs", 10_000_000, layout.RegStringKind, func(n int) []byte { return make([]byte, n) }},
}
