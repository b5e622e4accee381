// Command registry runs the consumer perflib_exporter against a perftest.Registry. The source files of perflib_exporter
// are compiled with this file. For each scripted failure, the command prints the values that perflib_exporter reads.
package main

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/perftest"
)

// RegQueryValueEx in syscall.go calls queryValue. Function main sets queryValue for each script. The initial value has
// title tables, because perflib_exporter reads the title tables before main starts.
var queryValue = named(perftest.New()).Query

func named(r *perftest.Registry) *perftest.Registry {
	r.Titles(&titles.Database{Tables: []titles.Table{
		{Kind: titles.Counter, Language: "009", Pairs: []titles.Pair{{Key: "1", Name: "1847"}, {Key: "238", Name: "Processor"}, {Key: "6", Name: "% Processor Time"}}},
		{Kind: titles.Help, Language: "009", Pairs: []titles.Pair{{Key: "239", Name: "A processor."}}},
	}})
	return r
}

// machine returns a sample with one object, which has one counter and an instance for each value.
func machine(values ...uint64) *builder.DataBlock {
	cpu := builder.NewObject(238).Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	for i, v := range values {
		cpu.Instance(fmt.Sprint(i), v)
	}
	return new(builder.DataBlock{SystemName: "HOST"}).Add(cpu)
}

// wide returns a sample that is longer than the first buffer of perflib_exporter.
func wide() *builder.DataBlock {
	values := make([]uint64, 5000)
	values[4999] = 17
	return machine(values...)
}

// single returns a sample with one object. The object has one value for each counter, and no instances.
func single(object *builder.Object, values ...uint64) *builder.DataBlock {
	object.NumInstances, object.Values = layout.PERF_NO_INSTANCES, values
	return new(builder.DataBlock{SystemName: "HOST"}).Add(object)
}

func bytesOf(d *builder.DataBlock) perftest.Bytes {
	b, err := d.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return b
}

// lengthened returns a sample with two counters. The definition of the first counter is 8 bytes longer than the
// documented record.
func lengthened() perftest.Bytes {
	b := bytesOf(single(builder.NewObject(238).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Counter(8, layout.PERF_COUNTER_RAWCOUNT), 7, 9))
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		panic(err)
	}
	definition := int(d.HeaderLength()) + layout.SizeofObjectType
	b = append(b[:definition+layout.SizeofCounterDefinition:definition+layout.SizeofCounterDefinition], append(make([]byte, 8), b[definition+layout.SizeofCounterDefinition:]...)...)
	add := func(record *layout.Record, at int, field string) { b[at+int(record.Field(field).At)] += 8 }
	add(&layout.PERF_DATA_BLOCK, 0, "TotalByteLength")
	add(&layout.PERF_OBJECT_TYPE, int(d.HeaderLength()), "TotalByteLength")
	add(&layout.PERF_OBJECT_TYPE, int(d.HeaderLength()), "DefinitionLength")
	add(&layout.PERF_COUNTER_DEFINITION, definition, "ByteLength")
	return b
}

var scripts = []struct {
	name     string
	registry *perftest.Registry
	script   func(*perftest.Registry)
}{
	{"values", perftest.New(machine(10, 20)), nil},
	{"size unchanged", perftest.New(wide()), nil},
	{"size zero", perftest.New(wide()), func(r *perftest.Registry) { r.MoreData(perftest.Zero) }},
	{"size too small", perftest.New(wide()), func(r *perftest.Registry) { r.MoreData(perftest.TooSmall) }},
	{"size too large", perftest.New(wide()), func(r *perftest.Registry) { r.MoreData(perftest.TooLarge) }},
	{"data that grows", perftest.New(wide(), wide()), func(r *perftest.Registry) { r.Grow() }},
	{"busy once", perftest.New(machine(10)), func(r *perftest.Registry) { r.Fail(1, perftest.ERROR_BUSY) }},
	{"the provider fails", perftest.New(machine(10)), func(r *perftest.Registry) { r.Lose(1, 238) }},
	{"no instances now", perftest.New(machine()), nil},
	{"a value above 2^63", perftest.New(machine(1 << 63)), nil},
	{"an average", perftest.New(single(builder.NewObject(238).Counter(6, layout.PERF_AVERAGE_BULK).Counter(8, layout.PERF_AVERAGE_BASE), 30, 3)), nil},
	{"longer definitions", perftest.New(lengthened()), nil},
	{"a cut block", perftest.New(bytesOf(machine(10))[:200]), nil},
	{"an empty answer", perftest.New(perftest.Bytes{}), nil},
}

func main() {
	for _, s := range scripts {
		r := named(s.registry)
		if s.script != nil {
			s.script(r)
		}
		queryValue = r.Query
		fmt.Printf("%s: %s\n", s.name, read())
	}
}

// read queries object 238 with perflib_exporter. It describes the object that perflib_exporter returns, or the failure.
func read() (result string) {
	defer func() {
		if p := recover(); p != nil {
			result = "panics"
		}
	}()
	objects, err := QueryPerformanceData("238")
	if err != nil {
		if i := strings.LastIndex(err.Error(), "errno "); i >= 0 {
			return "error " + err.Error()[i+len("errno "):]
		}
		return "an error: " + err.Error()
	}
	if len(objects) == 0 {
		return "nothing"
	}
	o := objects[0]
	words := []string{o.Name, o.CounterDefs[0].Name, fmt.Sprint(len(o.Instances), " rows")}
	last := o.Instances[len(o.Instances)-1]
	words = append(words, fmt.Sprintf("%q", last.Name))
	for _, c := range last.Counters {
		words = append(words, fmt.Sprint(c.Value))
		if c.Def.HasSecondValue {
			words = append(words, fmt.Sprint("second ", c.SecondValue))
		}
	}
	return strings.Join(words, ", ")
}
