package samples_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

// TestCompareResults compares results of query data.
func TestCompareResults(t *testing.T) {
	t.Parallel()
	set := layout.GUID{Data1: 1}
	time, freq := uint32(5), uint32(6)
	reg := builder.NewCounterSetRegInfo(set, layout.PERF_COUNTERSET_MULTI_AGGREGATE).
		Define(builder.CounterRegInfo{CounterId: 1, Type: layout.PERF_COUNTER_BULK_COUNT, AggregateFunc: layout.PERF_AGGREGATE_TOTAL}).
		WithBase(2, layout.PERF_AVERAGE_BULK, 3).
		Define(builder.CounterRegInfo{CounterId: 4, Type: layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, PerfTimeId: &time, PerfFreqId: &freq}).
		Counter(5, layout.PERF_COUNTER_LARGE_RAWCOUNT).
		Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	for id, f := range map[uint32]layout.AggregateFunc{7: layout.PERF_AGGREGATE_AVG, 8: layout.PERF_AGGREGATE_MIN, 9: layout.PERF_AGGREGATE_MAX, 10: layout.PERF_AGGREGATE_TOTAL} {
		reg.Define(builder.CounterRegInfo{CounterId: id, Type: layout.PERF_COUNTER_RAWCOUNT, AggregateFunc: f})
	}
	all := layout.PERF_WILDCARD_COUNTER
	query := func(name string, sets ...layout.GUID) validate.Context {
		var ids builder.Identifiers
		for i, set := range sets {
			ids = append(ids, builder.CounterIdentifier{CounterSetGuid: set, CounterId: all, InstanceId: 1<<32 - 1, Index: uint32(i), Name: name})
		}
		return validate.Context{Identifiers: must(ids.AppendBinary(nil)), Registrations: [][]byte{must(reg.MarshalBinary())}}
	}
	known := query("*", set)
	at := func(ctx validate.Context, stamp int64, results ...*builder.Result) samples.Sample {
		q := builder.QueryData{PerfTimeStamp: stamp, PerfTime100NSec: 5_000_000_000 + stamp}
		return samples.Sample{Kind: layout.QueryDataKind, Bytes: must(q.Add(results...).MarshalBinary()), Context: ctx}
	}
	wide := func() *builder.Result { return builder.CounterSet().Counter(1, 8) }
	average := func() *builder.Result { return builder.CounterSet().Counter(2, 8).Counter(3, 4) }
	clock := func() *builder.Result { return builder.CounterSet().Counter(4, 8).Counter(5, 8).Counter(6, 8) }
	ways := func() *builder.Result {
		return builder.CounterSet().Counter(7, 4).Counter(8, 4).Counter(9, 4).Counter(10, 4)
	}
	three := func() *builder.Result { return builder.CounterSet().Counter(1, 8).Counter(2, 8).Counter(3, 4) }
	base := uint32(3)
	shared := known
	shared.Registrations = [][]byte{must(builder.NewCounterSetRegInfo(set, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Define(builder.CounterRegInfo{CounterId: 1, Type: layout.PERF_AVERAGE_BULK, BaseCounterId: &base, AggregateFunc: layout.PERF_AGGREGATE_TOTAL}).WithBase(2, layout.PERF_AVERAGE_BULK, 3).MarshalBinary())}
	one := known
	one.Identifiers = must(builder.Identifiers{{CounterSetGuid: set, CounterId: all, InstanceId: 1, Name: "*"}}.AppendBinary(nil))
	failed := builder.ErrorReturn(4201)
	for _, tt := range []struct {
		reason       string
		ctx          validate.Context
		older, newer []*builder.Result
		want         []string
	}{
		{"instances match by name and id", known, []*builder.Result{wide().Instance("a", 1, 5).Instance("a", 2, 9)}, []*builder.Result{wide().Instance("a", 2, 8).Instance("a", 1, 6)},
			[]string{"pair-monotonic result[0].instance[0].data[0].value: the value is 8, must be at least 9, the value at 0x90 of the older sample"}},
		{"another id with the name", known, []*builder.Result{wide().Instance("a", 1, 5)}, []*builder.Result{wide().Instance("a", 2, 4)},
			[]string{"pair-instance-id result[0].instance[0].InstanceId: InstanceId is 2, must be 1, as at 0x5c of the older sample, because the name is the same"}},
		{"the value of a result without a registration has no type", validate.Context{}, []*builder.Result{wide().Instance("a", 1, 5)}, []*builder.Result{wide().Instance("a", 1, 4)}, nil},
		{"an average: base and value fall", known, []*builder.Result{average().Instance("a", 1, 9, 9)}, []*builder.Result{average().Instance("a", 1, 8, 8)},
			[]string{"pair-monotonic result[0].instance[0].data[0].value: the value is 8, and 1 other value of the instance fell too, must be at least 9, the value at 0x70 of the older sample"}},
		{"an average: the base falls", known, []*builder.Result{average().Instance("a", 1, 9, 9)}, []*builder.Result{average().Instance("a", 1, 10, 8)},
			[]string{"pair-base-monotonic result[0].instance[0].data[1].value: the value is 8, must be at least 9, the value at 0x80 of the older sample"}},
		{"an average: the base of two instances does not change", known, []*builder.Result{average().Instance("a", 1, 9, 9).Instance("b", 1, 9, 9)}, []*builder.Result{average().Instance("a", 1, 9, 9).Instance("b", 1, 9, 9)},
			[]string{"pair-base-unchanged result[0].instance[0].data[1].value: the value is 9, must be more than 9, the value at 0x80 of the older sample"}},
		{"the clock of a counter", known, []*builder.Result{clock().Instance("a", 1, 9, 50, 10)}, []*builder.Result{clock().Instance("a", 1, 9, 50, 11)}, []string{
			"pair-time result[0].instance[0].data[1].value: the time is 50, must be more than 50, the value at 0x88 of the older sample",
			"pair-frequency result[0].instance[0].data[2].value: the frequency is 11, must be 10, the value at 0x98 of the older sample"}},
		{"the size of a value", known, []*builder.Result{wide().Instance("a", 1, 5)}, []*builder.Result{builder.CounterSet().Counter(1, 4).Instance("a", 1, 4)},
			[]string{"pair-layout result[0].instance[0].data[0].dwDataSize: dwDataSize is 4, must be 8, as at 0x68 of the older sample"}},
		{"a value falls, and a later value has another size", known, []*builder.Result{wide().Counter(5, 8).Instance("a", 1, 9, 9)}, []*builder.Result{wide().Counter(5, 4).Instance("a", 1, 8, 10)}, []string{
			"pair-monotonic result[0].instance[0].data[0].value: the value is 8, must be at least 9, the value at 0x70 of the older sample",
			"pair-layout result[0].instance[0].data[1].dwDataSize: dwDataSize is 4, must be 8, as at 0x78 of the older sample"}},
		{"an id is missing", known, []*builder.Result{average().Instance("a", 1, 5, 1)}, []*builder.Result{builder.CounterSet().Counter(2, 8).Instance("a", 1, 4)}, []string{
			"pair-layout result[0].ids.dwCounters: dwCounters is 1, must be 2, as at 0x44 of the older sample",
			"pair-monotonic result[0].instance[0].data[0].value: the value is 4, must be at least 5, the value at 0x70 of the older sample"}},
		{"the ids have another order", known, []*builder.Result{average().Instance("a", 1, 5, 1)}, []*builder.Result{builder.CounterSet().Counter(3, 4).Counter(2, 8).Instance("a", 1, 2, 6)},
			[]string{"pair-layout result[0].ids.id[0]: the id is 3, must be 2, as at 0x48 of the older sample"}},
		{"other ids: without the identifiers the query can be another one", validate.Context{}, []*builder.Result{average().Instance("a", 1, 5, 1)}, []*builder.Result{builder.CounterSet().Counter(3, 4).Counter(2, 8).Instance("a", 1, 2, 6)}, nil},
		{"another type: without the identifiers the query can be another one", validate.Context{}, []*builder.Result{wide().Instance("a", 1, 5)}, []*builder.Result{builder.MultipleCounters().Counter(1, 8).Single(6)}, nil},
		{"a result with instances becomes one without", known, []*builder.Result{wide().Instance("a", 1, 5)}, []*builder.Result{builder.MultipleCounters().Counter(1, 8).Single(4)},
			[]string{"pair-parent-kind result[0].dwType: dwType is PERF_MULTIPLE_COUNTERS, must be PERF_COUNTERSET, as at 0x34 of the older sample"}},
		{"a result gets ids", known, []*builder.Result{builder.MultipleInstances(8).Instance("a", 1, 5)}, []*builder.Result{wide().Instance("a", 1, 4)},
			[]string{"pair-layout result[0].dwType: dwType is PERF_COUNTERSET, must be PERF_MULTIPLE_INSTANCES, as at 0x34 of the older sample"}},
		{"an error in place of a result: the instance does not exist yet", known, []*builder.Result{failed}, []*builder.Result{wide().Instance("a", 1, 4)}, nil},
		{"_Total is the aggregate of each counter, rounded up", known, nil, []*builder.Result{ways().Instance("a", 1, 5, 5, 5, 5).Instance("b", 1, 8, 8, 8, 8).Instance("_Total", 1, 7, 5, 8, 13)}, nil},
		{"_Total is rounded down", known, nil, []*builder.Result{ways().Instance("_Total", 1, 6, 5, 8, 13).Instance("a", 1, 5, 5, 5, 5).Instance("b", 1, 8, 8, 8, 8)}, nil},
		{"_Total is another aggregate", known, nil, []*builder.Result{ways().Instance("a", 1, 5, 5, 5, 5).Instance("b", 1, 8, 8, 8, 8).Instance("_Total", 1, 8, 8, 13, 5)}, []string{
			"pair-total result[0].instance[2].data[0].value: the value is 8, must be 6, the average of 2 other instances",
			"pair-total result[0].instance[2].data[1].value: the value is 8, must be 5, the smallest value of 2 other instances",
			"pair-total result[0].instance[2].data[2].value: the value is 13, must be 8, the largest value of 2 other instances",
			"pair-total result[0].instance[2].data[3].value: the value is 5, must be 13, the sum of 2 other instances"}},
		{"the sum has more than 4 bytes", known, nil, []*builder.Result{builder.CounterSet().Counter(10, 4).Instance("a", 1, 1<<31).Instance("b", 1, 1<<31+3).Instance("_Total", 1, 0)}, nil},
		{"there are totals of groups, which the sum would count twice", known, nil, []*builder.Result{wide().Instance("0,0", 1, 5).Instance("0,_Total", 1, 5).Instance("_Total", 1, 5)}, nil},
		{"the query asked for some instances only", query("C*", set), nil, []*builder.Result{wide().Instance("a", 1, 5).Instance("_Total", 1, 6)}, nil},
		{"_Total has another fault, in a later value", known, []*builder.Result{three().Instance("a", 1, 5, 0, 0).Instance("_Total", 1, 5, 9, 9)}, []*builder.Result{three().Instance("a", 1, 5, 0, 0).Instance("_Total", 1, 6, 8, 10)}, []string{
			"pair-base-unchanged result[0].instance[0].data[2].value: the value is 0, must be more than 0, the value at 0x98 of the older sample",
			"pair-total result[0].instance[1].data[0].value: the value is 6, must be 5, the sum of 1 other instance",
			"pair-monotonic result[0].instance[1].data[1].value: the value is 8, must be at least 9, the value at 0xd0 of the older sample"}},
		{"two averages with one base, which falls", shared, []*builder.Result{three().Instance("a", 1, 5, 9, 9)}, []*builder.Result{three().Instance("a", 1, 6, 10, 8)},
			[]string{"pair-base-monotonic result[0].instance[0].data[2].value: the value is 8, must be at least 9, the value at 0x98 of the older sample"}},
		{"the set does not declare that _Total is an aggregate", shared, nil, []*builder.Result{builder.CounterSet().Counter(1, 8).Instance("a", 1, 5).Instance("_Total", 1, 6)}, nil},
		{"the query asked for one id only", one, nil, []*builder.Result{wide().Instance("a", 1, 5).Instance("_Total", 1, 6)}, nil},
		{"there is no other instance", known, nil, []*builder.Result{wide().Instance("_Total", 1, 6)}, nil},
		{"results of two sets", query("*", layout.GUID{Data1: 2}, set), []*builder.Result{average().Instance("a", 1, 5, 1), wide().Instance("a", 1, 5)}, []*builder.Result{average().Instance("a", 1, 4, 1), wide().Instance("a", 1, 4)},
			[]string{"pair-monotonic result[1].instance[0].data[0].value: the value is 4, must be at least 5, the value at 0xc8 of the older sample"}},
	} {
		if tt.older == nil {
			tt.older = tt.newer
		}
		if diff := cmp.Diff(tt.want, compared(at(tt.ctx, 1000, tt.older...), at(tt.ctx, 2000, tt.newer...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		checkCompare(t, at(tt.ctx, 1000, tt.older...), at(tt.ctx, 2000, tt.newer...))
	}
}

// TestCompareMixedSizes checks that a value of 2 bytes prevents a finding about _Total. With this value, the sum of the
// two instances is not known.
func TestCompareMixedSizes(t *testing.T) {
	t.Parallel()
	set := layout.GUID{Data1: 1}
	ids := builder.Identifiers{{CounterSetGuid: set, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 1<<32 - 1, Name: "*"}}
	reg := builder.NewCounterSetRegInfo(set, layout.PERF_COUNTERSET_MULTI_AGGREGATE).
		Define(builder.CounterRegInfo{CounterId: 1, Type: layout.PERF_COUNTER_RAWCOUNT, AggregateFunc: layout.PERF_AGGREGATE_TOTAL})
	at := func(stamp int64, total uint64, size byte) samples.Sample {
		q := builder.QueryData{PerfTimeStamp: stamp, PerfTime100NSec: 5_000_000_000 + stamp}
		b := must(q.Add(builder.CounterSet().Counter(1, 4).Instance("a", 1, 5).Instance("_Total", 2, total).Instance("b", 3, 0)).MarshalBinary())
		for r, err := range must(layout.ReadQueryData(b)).Results() {
			var rows layout.Rows
			if err != nil || rows.OpenResult(r) != nil || !rows.Next() {
				t.Fatal(err)
			}
			rows.Data(0).Bytes()[layout.PERF_COUNTER_DATA.Field("dwDataSize").At] = size
		}
		return samples.Sample{Kind: layout.QueryDataKind, Bytes: b, Context: validate.Context{Identifiers: must(ids.AppendBinary(nil)), Registrations: [][]byte{must(reg.MarshalBinary())}}}
	}
	if got := compared(at(1, 5, 2), at(2, 5, 2)); got != nil {
		t.Errorf("a value of 2 bytes: %q", got)
	}
	if got := compared(at(1, 6, 4), at(2, 6, 4)); len(got) != 1 {
		t.Errorf("all values have 4 bytes: %q", got)
	}
}

// TestCompareQueries checks that results match by the identifiers of the query, not by their positions.
func TestCompareQueries(t *testing.T) {
	t.Parallel()
	identify := func(sets ...uint32) validate.Context {
		var ids builder.Identifiers
		var ctx validate.Context
		for i, set := range sets {
			guid := layout.GUID{Data1: set}
			ids = append(ids, builder.CounterIdentifier{CounterSetGuid: guid, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 1<<32 - 1, Index: uint32(i)})
			ctx.Registrations = append(ctx.Registrations, must(builder.NewCounterSetRegInfo(guid, layout.PERF_COUNTERSET_SINGLE_INSTANCE).Counter(1, layout.PERF_COUNTER_BULK_COUNT).MarshalBinary()))
		}
		ctx.Identifiers = must(ids.AppendBinary(nil))
		return ctx
	}
	at := func(ctx validate.Context, stamp int64, values ...uint64) samples.Sample {
		q := builder.QueryData{PerfTimeStamp: stamp, PerfTime100NSec: 5_000_000_000 + stamp}
		for _, v := range values {
			q.Add(builder.MultipleCounters().Counter(1, 8).Single(v))
		}
		return samples.Sample{Kind: layout.QueryDataKind, Bytes: must(q.MarshalBinary()), Context: ctx}
	}
	for _, tt := range []struct {
		reason       string
		older, newer samples.Sample
		findings     int
	}{
		{"the queries have the same sets in another order", at(identify(1, 2), 1, 100, 5), at(identify(2, 1), 2, 5, 100), 0},
		{"by position, the first result falls", at(identify(1, 2), 1, 100, 5), at(identify(1, 2), 2, 5, 100), 1},
		{"only the older query is known", at(identify(1), 1, 100), at(validate.Context{Registrations: identify(1).Registrations}, 2, 5), 0},
		{"neither query is known, but there is one set", at(validate.Context{Registrations: identify(1).Registrations}, 1, 100), at(validate.Context{Registrations: identify(1).Registrations}, 2, 5), 1},
		{"neither query is known, and the numbers of results differ", at(validate.Context{Registrations: identify(1).Registrations}, 1, 100), at(validate.Context{Registrations: identify(1).Registrations}, 2, 5, 5), 0},
	} {
		if got := compared(tt.older, tt.newer); len(got) != tt.findings {
			t.Errorf("%s: %q", tt.reason, got)
		}
	}
}

// TestCompareUnchecked checks samples that cannot be compared.
func TestCompareUnchecked(t *testing.T) {
	t.Parallel()
	block := sampleAt(t, 0)
	for _, tt := range []struct {
		reason       string
		older, newer samples.Sample
		want         string
	}{
		{"two kinds", block, samples.Sample{Kind: layout.ObjectsKind}, "the older sample is data-block and the newer one is objects"},
		{"a kind without values", samples.Sample{Kind: layout.GUIDsKind}, samples.Sample{Kind: layout.GUIDsKind}, "older sample: a block of kind guids has no values, the kind must be data-block, objects or query-data"},
		{"no header", block, samples.Sample{}, "newer sample: at 0x0: 0 bytes are less than the 88 bytes of a PERF_DATA_BLOCK"},
	} {
		var v validate.Validator
		result := samples.Compare(&v, tt.older, tt.newer)
		if result.Unchecked == nil || result.Unchecked.Error() != tt.want || result.Counts.Error != 1 {
			t.Errorf("%s: %v, %+v", tt.reason, result.Unchecked, result.Counts)
		}
	}
}
