package fuzz

import (
	"math/rand/v2"
	"strconv"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// The functions of this file make objects as Windows 10 does, with the same counters in the same order.

// A row describes a counter. A help of 0 means that the help title is title + 1.
type row struct {
	title uint32
	typ   layout.CounterType
	scale int32
	level layout.DetailLevel
	help  uint32
}

func define(title uint32, rows []row) builder.Object {
	o := builder.Object{ObjectNameTitleIndex: title}
	for _, r := range rows {
		level := r.level
		if level == layout.PERF_DETAIL_NOVICE && !r.typ.IsBase() {
			level = 0 // the default
		}
		o.Define(builder.Counter{CounterNameTitleIndex: r.title, CounterType: r.typ, DefaultScale: r.scale, DetailLevel: level, CounterHelpTitleIndex: r.help})
	}
	return o
}

func system(r *rand.Rand) builder.Object {
	const rate, bulk, count = layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_RAWCOUNT
	o := define(2, []row{
		{10, rate, 0, 100, 0}, {12, rate, 0, 100, 0}, {14, rate, 0, 200, 0},
		{16, bulk, -4, 300, 0}, {18, bulk, -4, 300, 0}, {20, bulk, -3, 400, 0},
		{146, rate, -2, 200, 0}, {150, rate, -1, 200, 0}, {406, rate, 0, 100, 0},
		{674, layout.PERF_ELAPSED_TIME, -5, 100, 0}, {44, count, 1, 400, 0}, {248, count, 1, 400, 0}, {250, count, 1, 400, 0},
		{686, rate, 0, 400, 0}, {688, rate, 0, 400, 0}, {690, rate, 0, 400, 0},
		{1350, layout.PERF_RAW_FRACTION, 0, 200, 0}, {1350, layout.PERF_RAW_BASE, 0, 200, 0},
	})
	o.DefaultCounter = new(int32(8))
	o.Single(values(r, o.Counters)...)
	return o
}

func processor(r *rand.Rand) builder.Object {
	const timer, rate, bulk = layout.PERF_100NSEC_TIMER, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT
	o := define(238, []row{
		{6, layout.PERF_100NSEC_TIMER_INV, 0, 100, 0}, {142, timer, 0, 200, 0}, {144, timer, 0, 200, 0}, {148, rate, -2, 100, 0},
		{696, timer, 0, 200, 339}, {698, timer, 0, 200, 397}, {1334, rate, 0, 200, 0}, {1336, layout.PERF_COUNTER_RAWCOUNT, 0, 200, 0},
		{1746, timer, 0, 400, 0}, {1748, timer, 0, 400, 0}, {1750, timer, 0, 400, 0}, {1752, timer, 0, 400, 0},
		{1754, bulk, 0, 400, 0}, {1756, bulk, 0, 400, 0}, {1758, bulk, 0, 400, 0},
	})
	for i := range 8 {
		o.Instance(strconv.Itoa(i), values(r, o.Counters)...)
	}
	o.Instance("_Total", values(r, o.Counters)...)
	return o
}

// process returns a function that makes the object Process with n instances, whose names repeat as on Windows.
func process(n int) func(*rand.Rand) builder.Object {
	return func(r *rand.Rand) builder.Object {
		const timer, large, count, bulk = layout.PERF_100NSEC_TIMER, layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT
		o := define(230, []row{
			{6, timer, 0, 100, 0}, {142, timer, 0, 200, 0}, {144, timer, 0, 200, 0},
			{172, large, -6, 300, 0}, {174, large, -6, 300, 0}, {28, layout.PERF_COUNTER_COUNTER, -1, 100, 0},
			{178, large, -5, 100, 0}, {180, large, -5, 100, 0}, {182, large, -6, 300, 0}, {184, large, -6, 300, 0}, {186, large, -5, 200, 0},
			{680, count, 0, 200, 0}, {682, count, 0, 200, 0}, {684, layout.PERF_ELAPSED_TIME, -4, 200, 0}, {784, count, -1, 100, 0}, {1410, count, -1, 100, 0},
			{56, count, -5, 200, 0}, {58, count, -5, 200, 0}, {952, count, 0, 200, 0},
			{1412, bulk, 0, 100, 0}, {1414, bulk, 0, 100, 0}, {1416, bulk, 0, 100, 0}, {1418, bulk, 0, 100, 0},
			{1420, bulk, 0, 100, 0}, {1422, bulk, 0, 100, 0}, {1424, bulk, 0, 100, 0}, {1426, bulk, 0, 100, 0}, {1478, large, -5, 100, 0},
		})
		names := []string{"svchost", "chrome", "RuntimeBroker", "conhost", "explorer", "sqlservr", "w3wp", "cmd"}
		o.DuplicateNames = n > len(names)
		for i := range n {
			name := names[min(r.IntN(2*len(names)), len(names)-1-i%len(names))]
			switch i {
			case 0:
				name = "Idle"
			case n - 1:
				name = "_Total"
			}
			o.Instance(name, values(r, o.Counters)...)
		}
		return o
	}
}

// threads returns a function that makes the object Thread with n instances, and the object Process with their parents.
func threads(n int) func(*rand.Rand) []builder.Object {
	return func(r *rand.Rand) []builder.Object {
		const ofProcess = 50 // the number of threads of a process
		const timer, count = layout.PERF_100NSEC_TIMER, layout.PERF_COUNTER_RAWCOUNT
		o := define(232, []row{
			{6, timer, 0, 100, 0}, {142, timer, 0, 200, 0}, {144, timer, 0, 200, 0}, {146, layout.PERF_COUNTER_COUNTER, -2, 200, 0},
			{684, layout.PERF_ELAPSED_TIME, -4, 200, 0}, {694, count, 0, 200, 0}, {682, count, 0, 200, 0}, {706, count, 0, 400, 0},
			{46, count, 0, 200, 0}, {336, count, 0, 200, 0}, {784, count, -1, 200, 0}, {804, count, -1, 200, 0},
		})
		for i := range n {
			o.Add(builder.Instance{
				Name:                   strconv.Itoa(i % ofProcess),
				ParentObjectTitleIndex: 230,
				ParentObjectInstance:   uint32(i / ofProcess),
				Values:                 values(r, o.Counters),
			})
		}
		return []builder.Object{process(n / ofProcess)(r), o}
	}
}
