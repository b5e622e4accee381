package builder_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// allErrors returns the errors of a model that err holds.
func allErrors(err error) []error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()
	}
	return []error{err}
}

// TestAllErrors checks that EncodedLen returns all errors of a model in the order of the checks. An error that another
// error causes must not be in the list. The text must be the text of the first error.
func TestAllErrors(t *testing.T) {
	t.Parallel()
	const number, text = layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_TEXT
	object := func(counters []builder.Counter, instances ...builder.Instance) builder.Object {
		return builder.Object{ObjectNameTitleIndex: 2, Counters: counters, Instances: instances}
	}
	one := []builder.Counter{{CounterType: number}}
	named := func(name string, values ...uint64) builder.Instance {
		return builder.Instance{Name: name, Values: values}
	}
	for _, tt := range []struct {
		reason string
		model  builder.Model
		paths  []string
	}{
		{"a single error is returned without a list", &builder.Objects{object(one, named("a"))}, []string{"object[0].instance[0].block"}},
		{"the header, an object and instances", &builder.DataBlock{PerfTime: -1, PerfFreq: -1, PerfTime100nSec: -1, Objects: []builder.Object{
			{DetailLevel: 1, PerfTime: -1, Counters: one, Instances: []builder.Instance{named("a\x00"), named("b", 1<<32), named("c", 1)}},
		}}, []string{"PerfTime", "PerfFreq", "PerfTime100nSec", "object[0].DetailLevel", "object[0].PerfTime", "object[0].instance[0].Name", "object[0].instance[0].block", "object[0].instance[1].block.value[0]"}},
		{"a SystemTime whose PerfTime100nSec is 0", &builder.DataBlock{SystemTime: layout.SystemTime{WYear: 1601, WMonth: 1, WDayOfWeek: 1, WDay: 1}}, []string{"SystemTime"}},
		{"each duplicate of a name", &builder.Objects{object(nil, named("a"), named("A"), named("b"), named("a"))}, []string{"object[0].instance[1].Name", "object[0].instance[3].Name"}},
		{"instances with errors count for the position of a parent", &builder.Objects{object(one, named("a"), named("b", 1), builder.Instance{Name: "c", ParentObjectTitleIndex: 2, ParentObjectInstance: 2, Values: []uint64{1}},
			builder.Instance{Name: "d", ParentObjectTitleIndex: 2, ParentObjectInstance: 4, Values: []uint64{1}})}, []string{"object[0].instance[0].block", "object[0].instance[3].ParentObjectInstance"}},
		{"several fields of a counter", &builder.Objects{object([]builder.Counter{{CounterType: number, DefaultScale: 99, DetailLevel: 1, CounterOffset: 3}})}, []string{"object[0].counter[0].DefaultScale", "object[0].counter[0].DetailLevel", "object[0].counter[0].CounterOffset"}},
		{"a value is not an error if it can fit the corrected CounterSize", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterSize: 7}, {CounterType: number}}, named("a", 1<<32, 1<<32))}, []string{"object[0].counter[0].CounterSize", "object[0].instance[0].block.value[1]"}},
		{"if a CounterSize is wrong, any BlockLength that is a multiple of 8 is accepted", &builder.Objects{{ObjectNameTitleIndex: 2, BlockLength: 8, Counters: []builder.Counter{{CounterType: number, CounterSize: 7}, {CounterType: number, CounterSize: 8}}}}, []string{"object[0].counter[0].CounterSize"}},
		{"a BlockLength that is not a multiple of 8 is wrong for every CounterSize", &builder.Objects{{ObjectNameTitleIndex: 2, BlockLength: 13, Counters: []builder.Counter{{CounterType: number, CounterSize: 7}}}}, []string{"object[0].counter[0].CounterSize", "object[0].BlockLength"}},
		{"a text that is too long for its counter", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 6}, {CounterType: number}},
			builder.Instance{Name: "a", Values: []uint64{1, 1}, Texts: []string{"long"}})}, []string{"object[0].counter[0].CounterSize", "object[0].instance[0].block.value[0]"}},
		{"an offset that is too large does not move the next counters", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterOffset: 1<<32 - 1}, {CounterType: number}, {CounterType: number}})}, []string{"object[0].counter[0].CounterOffset"}},
		{"values that have no space after a large CounterOffset", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterOffset: 1<<32 - 236}, {CounterType: number}, {CounterType: number}, {CounterType: number, CounterOffset: 1<<32 - 1}})}, []string{"object[0].counter[1]", "object[0].counter[3].CounterOffset"}},
		{"a text that is too large for any block does not move the next counters", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 1<<32 - 1}, {CounterType: number}, {CounterType: text, CounterSize: 1<<32 - 1}})}, []string{"object[0].counter[0].CounterSize", "object[0].counter[2].CounterSize"}},
		{"a wrong CounterOffset and a CounterSize that is too large", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 1<<32 - 1, CounterOffset: 2}})}, []string{"object[0].counter[0].CounterOffset", "object[0].counter[0].CounterSize"}},
		{"if a CounterSize is wrong, the end of the value is not checked", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterOffset: 1<<32 - 112, CounterSize: 6}})}, []string{"object[0].counter[0].CounterSize"}},
		{"bytes are not compared with a CounterSize that is too large", &builder.Objects{object([]builder.Counter{{CounterType: 0x300, CounterSize: 1<<32 - 1}}, builder.Instance{Name: "a", Values: []uint64{0}, Texts: []string{"abc"}})}, []string{"object[0].counter[0].CounterSize"}},
		{"a text without space", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 1<<32 - 1}})}, []string{"object[0].counter[0].CounterSize"}},
		{"of two values that overlap, the second is wrong, because only its offset is in the model", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 16}, {CounterType: number, CounterOffset: 12}})}, []string{"object[0].counter[1].CounterOffset"}},
		{"a number, and texts that overlap it or another text", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterOffset: 32}, {CounterType: text, CounterSize: 8, CounterOffset: 28}, {CounterType: number, CounterOffset: 64},
			{CounterType: text, CounterSize: 8, CounterOffset: 72}, {CounterType: text, CounterSize: 16, CounterOffset: 68}})}, []string{"object[0].counter[1].CounterOffset", "object[0].counter[4].CounterOffset"}},
		{"a number that starts before an earlier text", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 8, CounterOffset: 32}, {CounterType: number, CounterSize: 8, CounterOffset: 28}})}, []string{"object[0].counter[1].CounterOffset"}},
		{"a short text in a long text, a number after it, and a counter without a value", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 32, CounterOffset: 8}, {CounterType: text, CounterSize: 4, CounterOffset: 12}, {CounterType: number, CounterOffset: 20}, {CounterType: layout.PERF_COUNTER_NODATA, CounterOffset: 24}})},
			[]string{"object[0].counter[1].CounterOffset", "object[0].counter[2].CounterOffset"}},
		{"a short number in a long number, and a text after it", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterSize: 8, CounterOffset: 8}, {CounterType: number, CounterOffset: 8}, {CounterType: text, CounterSize: 8, CounterOffset: 12}})}, []string{"object[0].counter[2].CounterOffset"}},
		{"a text that overlaps a text which must move", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 16, CounterOffset: 8}, {CounterType: text, CounterSize: 16, CounterOffset: 16}, {CounterType: number, CounterOffset: 24}})}, []string{"object[0].counter[1].CounterOffset"}},
		{"a number in a text, and a later text that starts before the number", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 12, CounterOffset: 8}, {CounterType: number, CounterOffset: 16}, {CounterType: text, CounterSize: 20, CounterOffset: 12}})},
			[]string{"object[0].counter[1].CounterOffset", "object[0].counter[2].CounterOffset"}},
		{"a number, and two texts that overlap it", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterSize: 8, CounterOffset: 8}, {CounterType: text, CounterSize: 8, CounterOffset: 12}, {CounterType: text, CounterSize: 16, CounterOffset: 8}})},
			[]string{"object[0].counter[1].CounterOffset", "object[0].counter[2].CounterOffset"}},
		{"a value that starts before two values of earlier counters", &builder.Objects{object([]builder.Counter{{CounterType: text, CounterSize: 8, CounterOffset: 12}, {CounterType: text, CounterSize: 8, CounterOffset: 24}, {CounterType: text, CounterSize: 24, CounterOffset: 8}})}, []string{"object[0].counter[2].CounterOffset"}},
		{"each number that later counters overwrite", &builder.Objects{object([]builder.Counter{{CounterType: number}, {CounterType: number}, {CounterType: number, CounterOffset: 4}, {CounterType: number, CounterOffset: 8}}, named("a", 1, 2, 3, 2), named("b", 1, 2, 3, 4))},
			[]string{"object[0].instance[0].block.value[0]", "object[0].instance[1].block.value[0]", "object[0].instance[1].block.value[1]"}},
		{"numbers that share bytes are not compared if another number is too large", &builder.Objects{object([]builder.Counter{{CounterType: number}, {CounterType: number, CounterOffset: 8}, {CounterType: number, CounterOffset: 8}}, named("a", 1<<32, 2, 3))}, []string{"object[0].instance[0].block.value[0]"}},
		{"a HeaderLength that is too large does not move the objects", &builder.DataBlock{HeaderLength: 1<<32 - 1, Objects: []builder.Object{{}}}, []string{"HeaderLength"}},
		{"the name and its offset", &builder.DataBlock{SystemName: "a\x00", SystemNameOffset: 8, HeaderLength: 8}, []string{"SystemName", "SystemNameOffset"}},
		{"a name that is too far away", &builder.Objects{object(nil, builder.Instance{NameOffset: 1<<32 - 1})}, []string{"object[0].instance[0].NameOffset"}},
		{"a result with parts of another type", &builder.QueryData{Results: []builder.Result{{Type: layout.PERF_SINGLE_COUNTER, Counters: make([]builder.QueryCounter, 2), Instances: make([]builder.QueryInstance, 1), ShortIDs: true}, {Type: layout.PERF_COUNTERSET, Values: []uint64{1}, ShortIDs: true},
			{Type: layout.PERF_ERROR_RETURN, Counters: make([]builder.QueryCounter, 1), Values: []uint64{1}}}},
			[]string{"result[0].Counters", "result[0].Instances", "result[0].ShortIDs", "result[1].Values", "result[1].ShortIDs", "result[2].Counters", "result[2].Values"}},
		{"a value for a missing base is not an error", &builder.Objects{object([]builder.Counter{{CounterType: layout.PERF_AVERAGE_BULK}}, named("a", 1, 2))}, []string{"object[0].counter[0].CounterType"}},
		{"a wrong base is reported once", &builder.Objects{object([]builder.Counter{{CounterType: layout.PERF_RAW_FRACTION}, {CounterType: layout.PERF_AVERAGE_BASE}}, named("a", 1, 2))}, []string{"object[0].counter[0].CounterType"}},
		{"names with NUL are not compared", &builder.Objects{object(nil, named("a\x00"), named("a\x00"))}, []string{"object[0].instance[0].Name", "object[0].instance[1].Name"}},
		{"only texts, in an object that can have instances", &builder.Objects{{ObjectNameTitleIndex: 2, Texts: []string{"a"}}}, []string{"object[0]"}},
		{"a negative DefaultCounter is not a title index", &builder.Objects{{DefaultCounter: new(int32(-5)), Counters: []builder.Counter{{CounterNameTitleIndex: 1<<32 - 5, CounterType: number}}}}, []string{"object[0].DefaultCounter"}},
		{"overlaps are not reported if a CounterSize is wrong", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterSize: 7}, {CounterType: text, CounterSize: 16, CounterOffset: 16}, {CounterType: number, CounterOffset: 20}})}, []string{"object[0].counter[0].CounterSize"}},
		{"numbers are not compared if a text overlaps them", &builder.Objects{object([]builder.Counter{{CounterType: number, CounterOffset: 8}, {CounterType: number, CounterOffset: 8}, {CounterType: text, CounterSize: 8, CounterOffset: 10}}, builder.Instance{Name: "a", Values: []uint64{1, 2, 0}, Texts: []string{""}})}, []string{"object[0].counter[2].CounterOffset"}},
		{"one text more than the counters", &builder.Objects{object([]builder.Counter{{CounterType: text}}, builder.Instance{Name: "a", Values: []uint64{0}, Texts: []string{"b", "c"}})}, []string{"object[0].instance[0].block"}},
		{"a position of 2^31", &builder.Objects{object(nil, builder.Instance{Name: "a", ParentObjectTitleIndex: 2, ParentObjectInstance: 1 << 31})}, []string{"object[0].instance[0].ParentObjectInstance"}},
		{"the first of two objects with the same title has the parent", &builder.Objects{object(nil, named("a")), object(nil, named("a"), builder.Instance{Name: "b", ParentObjectTitleIndex: 2, ParentObjectInstance: 1})}, []string{"object[1].instance[1].ParentObjectInstance"}},
		{"a wrong NumInstances does not make the values wrong", &builder.Objects{{ObjectNameTitleIndex: 2, NumInstances: -7, Counters: one, Values: []uint64{1}}}, []string{"object[0].NumInstances"}},
		{"counters and instances of results", &builder.QueryData{PerfFreq: -1, Results: []builder.Result{
			{Type: layout.PERF_SINGLE_COUNTER, Counters: []builder.QueryCounter{{CounterId: 1, Size: 5}}, Values: []uint64{1 << 32}},
			{Type: layout.PERF_COUNTERSET, Counters: []builder.QueryCounter{{CounterId: 1, Size: 4}}, Instances: []builder.QueryInstance{{Name: "a\x00"}, {Values: []uint64{1 << 32}}}},
		}}, []string{"PerfFreq", "result[0].counter[0].CounterId", "result[0].counter[0].Size", "result[1].instance[0].Name", "result[1].instance[0].Values", "result[1].instance[1].data[0]"}},
		{"a result of an undefined type has no further errors", &builder.QueryData{Results: []builder.Result{{Type: 9, Counters: []builder.QueryCounter{{Size: 5}}}}}, []string{"result[0].Type"}},
		{"the records of a list", &builder.InstanceList{{Name: "a\x00"}, {Name: "b"}, {Name: "c", Size: 9}}, []string{"instance[0].Name", "instance[2].Size"}},
		{"texts", &builder.StringBuffer{Entries: []builder.StringCounter{{Text: "\x00"}, {None: true, Text: "a"}}}, []string{"entry[0].Text", "entry[1].Text"}},
		{"FromEntries is not an error if an entry has both None and a Text", &builder.StringBuffer{FromEntries: true, Entries: []builder.StringCounter{{None: true, Text: "a"}}}, []string{"entry[0].Text"}},
		{"two counters with the id PERF_WILDCARD_COUNTER", &builder.CounterSetInfo{Counters: []builder.CounterInfo{{CounterId: layout.PERF_WILDCARD_COUNTER}, {CounterId: layout.PERF_WILDCARD_COUNTER}}}, []string{"counter[0].CounterId", "counter[1].CounterId"}},
		{"the counters of a template", &builder.CounterSetInfo{InstanceType: 1, Counters: []builder.CounterInfo{{CounterId: 1, Scale: 99}, {CounterId: 1}, {CounterId: 1}}}, []string{"InstanceType", "counter[0].Scale", "counter[1].CounterId", "counter[2].CounterId"}},
		{"a counter that is its own base is reported once", &builder.CounterSetRegInfo{Counters: []builder.CounterRegInfo{{CounterId: 1, Type: layout.PERF_RAW_FRACTION, BaseCounterId: new(uint32(1))}}}, []string{"counter[0].BaseCounterId"}},
		{"a counter with an error can be the base of another counter", &builder.CounterSetRegInfo{Counters: []builder.CounterRegInfo{{CounterId: 1, DefaultScale: 99, Type: layout.PERF_RAW_BASE},
			{CounterId: 2, Type: layout.PERF_RAW_FRACTION, BaseCounterId: new(uint32(1))}, {CounterId: 3, Type: layout.PERF_RAW_FRACTION, BaseCounterId: new(uint32(9))}, {CounterId: 4, Type: layout.PERF_RAW_FRACTION}}},
			[]string{"counter[0].DefaultScale", "counter[3].BaseCounterId", "counter[2].BaseCounterId"}},
	} {
		_, err := tt.model.EncodedLen()
		all := allErrors(err)
		var paths []string
		for _, err := range all {
			if e, ok := errors.AsType[*layout.Error](err); ok {
				paths = append(paths, e.Path.String())
			}
		}
		if diff := cmp.Diff(tt.paths, paths); diff != "" {
			t.Errorf("%s (-want +got):\n%s%v", tt.reason, diff, all)
		}
		if len(all) > 0 && err.Error() != all[0].Error() {
			t.Errorf("%s: the text is %v, want that of the first error", tt.reason, err)
		}
	}
}

// TestErrorsAreBounded checks that a model with 2,000 wrong values has 1,000 errors.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	const n = 2000
	wrong := slices.Repeat([]builder.Instance{{Name: "same\x00"}}, n)
	for _, m := range []builder.Model{
		&builder.Objects{{Instances: wrong}},
		&builder.Objects{{Counters: slices.Repeat([]builder.Counter{{CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 7}}, n)}},
		&builder.Objects{{Counters: slices.Repeat([]builder.Counter{{DetailLevel: 1}}, n)}},
		&builder.DataBlock{Objects: slices.Repeat([]builder.Object{{DetailLevel: 1}}, n)},
		&builder.QueryData{Results: slices.Repeat([]builder.Result{{Type: 9}}, n)},
		new(builder.InstanceList(slices.Repeat([]builder.InstanceHeader{{Name: "\x00"}}, n))),
		&builder.StringBuffer{Entries: slices.Repeat([]builder.StringCounter{{Text: "\x00"}}, n)},
		&builder.CounterSetInfo{Counters: make([]builder.CounterInfo, n)},
		&builder.CounterSetRegInfo{Counters: slices.Repeat([]builder.CounterRegInfo{{Type: layout.PERF_RAW_FRACTION}}, n)},
	} {
		_, err := m.EncodedLen()
		if len(allErrors(err)) != 1000 {
			t.Errorf("%T: %T %v, want 1,000 errors", m, err, err)
		}
	}
}
