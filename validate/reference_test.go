package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestReferences checks the ids by which the counters of a registration refer to other counters.
func TestReferences(t *testing.T) {
	t.Parallel()
	const (
		exists  = "v2-reginfo-ref-exists "
		missing = "v2-reginfo-ref-missing "
		typed   = "v2-reginfo-ref-type "
		unused  = "v2-reginfo-ref-unused "
	)
	first := func(typ layout.CounterType, change ...func(c *wire.CounterRegInfo)) func(s *setRegistration) {
		return func(s *setRegistration) {
			s.c[0].Type = typ
			for _, f := range change {
				f(&s.c[0])
			}
		}
	}
	clock := func(c *wire.CounterRegInfo) { c.PerfTimeId, c.PerfFreqId = 4, 5 }
	items := func(c *wire.CounterRegInfo) { c.MultiId = 7 }
	base := func(t layout.CounterType) func(s *setRegistration) {
		return func(s *setRegistration) { s.c = append(s.c, registeredCounter(8, t)); s.c[0].BaseCounterId = 8 }
	}
	all := func(list ...func(s *setRegistration)) func(s *setRegistration) {
		return func(s *setRegistration) {
			for _, f := range list {
				f(s)
			}
		}
	}
	for _, tt := range []struct {
		reason string
		change func(s *setRegistration)
		want   []string
	}{
		{"the set has no counter with the id", func(s *setRegistration) { s.c[1].BaseCounterId = 8 },
			[]string{exists + "counter[1].BaseCounterId: BaseCounterId is 8, must be the id of a counter of the set"}},
		{"the counter refers to itself", func(s *setRegistration) { s.c[3].PerfTimeId = 3 },
			[]string{exists + "counter[3].PerfTimeId: PerfTimeId is 3, must be the id of another counter"}},
		{"a counter that requires no reference has four references to missing counters", func(s *setRegistration) {
			s.c[0].BaseCounterId, s.c[0].PerfTimeId, s.c[0].PerfFreqId, s.c[0].MultiId = 9, 9, 9, 9
		}, []string{
			exists + "counter[0].BaseCounterId: BaseCounterId is 9, must be the id of a counter of the set",
			exists + "counter[0].PerfTimeId: PerfTimeId is 9, must be the id of a counter of the set",
			exists + "counter[0].PerfFreqId: PerfFreqId is 9, must be the id of a counter of the set",
			exists + "counter[0].MultiId: MultiId is 9, must be the id of a counter of the set",
		}},
		{"two counters have the same id, so another id is missing", func(s *setRegistration) { s.c[7].CounterId = 2 },
			[]string{
				exists + "counter[6].MultiId: MultiId is 7, must be the id of a counter of the set",
				"v2-reginfo-counter-id-duplicate counter[7].CounterId: CounterId is 2, must be unique: counter[2] has this id",
			}},

		{"a counter may have the id 0", func(s *setRegistration) {
			s.c[0], s.c[1].BaseCounterId = registeredCounter(0, layout.PERF_AVERAGE_BASE), 0
		}, nil},
		{"PERF_AVERAGE_TIMER requires its base", func(s *setRegistration) { s.c[1].BaseCounterId = noCounter },
			[]string{missing + "counter[1].BaseCounterId: BaseCounterId is 0xffffffff, must be the id of a PERF_AVERAGE_BASE, because PERF_AVERAGE_TIMER is computed with it"}},
		{"PERF_ELAPSED_TIME requires its clock and frequency", func(s *setRegistration) { s.c[3].PerfTimeId, s.c[3].PerfFreqId = noCounter, noCounter },
			[]string{
				missing + "counter[3].PerfTimeId: PerfTimeId is 0xffffffff, must be the id of a PERF_COUNTER_LARGE_RAWCOUNT, because PERF_ELAPSED_TIME is computed with it",
				missing + "counter[3].PerfFreqId: PerfFreqId is 0xffffffff, must be the id of a PERF_COUNTER_LARGE_RAWCOUNT, because PERF_ELAPSED_TIME is computed with it",
			}},
		{"only the frequency of a PERF_ELAPSED_TIME is missing, which is one finding", func(s *setRegistration) { s.c[3].PerfFreqId = noCounter },
			[]string{missing + "counter[3].PerfFreqId: PerfFreqId is 0xffffffff, must be the id of a PERF_COUNTER_LARGE_RAWCOUNT, because PERF_ELAPSED_TIME is computed with it"}},
		{"a multi timer requires MultiId", func(s *setRegistration) { s.c[6].MultiId = noCounter },
			[]string{missing + "counter[6].MultiId: MultiId is 0xffffffff, must be the id of a PERF_COUNTER_RAWCOUNT, because PERF_COUNTER_MULTI_TIMER is computed with it"}},
		{"PERF_PRECISION_SYSTEM_TIMER requires its base", first(layout.PERF_PRECISION_SYSTEM_TIMER),
			[]string{missing + "counter[0].BaseCounterId: BaseCounterId is 0xffffffff, must be the id of a PERF_LARGE_RAW_BASE, because PERF_PRECISION_SYSTEM_TIMER is computed with it"}},
		{"PERF_PRECISION_OBJECT_TIMER may have a base", all(first(layout.PERF_PRECISION_OBJECT_TIMER, clock), base(layout.PERF_LARGE_RAW_BASE)), nil},
		{"PERF_PRECISION_OBJECT_TIMER requires no base", first(layout.PERF_PRECISION_OBJECT_TIMER, clock), nil},
		{"the base of PERF_PRECISION_OBJECT_TIMER has another type", all(first(layout.PERF_PRECISION_OBJECT_TIMER, clock), base(layout.PERF_AVERAGE_BASE)),
			[]string{unused + "counter[0].BaseCounterId: BaseCounterId is 8, must be 0xffffffff, because the type PERF_PRECISION_OBJECT_TIMER does not use BaseCounterId"}},
		{"PERF_SAMPLE_COUNTER may have a base", all(first(layout.PERF_SAMPLE_COUNTER), base(layout.PERF_SAMPLE_BASE)), nil},

		{"the documents differ on whether PERF_COUNTER_MULTI_TIMER_INV requires a base", first(layout.PERF_COUNTER_MULTI_TIMER_INV, items),
			[]string{"v2-reginfo-ref-missing-multi counter[0].BaseCounterId: BaseCounterId is 0xffffffff, must be the id of a PERF_COUNTER_MULTI_BASE"}},
		{"PERF_COUNTER_MULTI_TIMER_INV may have its base", all(first(layout.PERF_COUNTER_MULTI_TIMER_INV, items), base(layout.PERF_COUNTER_MULTI_BASE)), nil},
		{"the base of a PERF_COUNTER_MULTI_TIMER_INV has another type", all(first(layout.PERF_COUNTER_MULTI_TIMER_INV, items), base(layout.PERF_RAW_BASE)),
			[]string{typed + "counter[0].BaseCounterId: BaseCounterId is 8, must be the id of a PERF_COUNTER_MULTI_BASE, but counter[8] is a PERF_RAW_BASE"}},
		{"other multi timers require no base", first(layout.PERF_100NSEC_MULTI_TIMER_INV, items), nil},
		{"other multi timers may have a base", all(first(layout.PERF_COUNTER_MULTI_TIMER, items), base(layout.PERF_COUNTER_MULTI_BASE)), nil},

		{"the base belongs to another fraction type", all(first(layout.PERF_LARGE_RAW_FRACTION), base(layout.PERF_RAW_BASE)),
			[]string{typed + "counter[0].BaseCounterId: BaseCounterId is 8, must be the id of a PERF_LARGE_RAW_BASE, but counter[8] is a PERF_RAW_BASE"}},
		{"the clock has 4 bytes", func(s *setRegistration) { s.c[3].PerfTimeId = 7 },
			[]string{typed + "counter[3].PerfTimeId: PerfTimeId is 7, must be the id of a PERF_COUNTER_LARGE_RAWCOUNT, but counter[7] is a PERF_COUNTER_RAWCOUNT"}},
		{"the counter to which MultiId refers has 8 bytes", func(s *setRegistration) { s.c[6].MultiId = 5 },
			[]string{typed + "counter[6].MultiId: MultiId is 5, must be the id of a PERF_COUNTER_RAWCOUNT, but counter[5] is a PERF_COUNTER_LARGE_RAWCOUNT"}},
		{"a clock that the type does not use has the wrong type", func(s *setRegistration) { s.c[0].PerfTimeId, s.c[0].PerfFreqId = 7, 5 },
			[]string{
				typed + "counter[0].PerfTimeId: PerfTimeId is 7, must be the id of a PERF_COUNTER_LARGE_RAWCOUNT, but counter[7] is a PERF_COUNTER_RAWCOUNT",
				unused + "counter[0].PerfFreqId: PerfFreqId is 5, must be 0xffffffff, because the type PERF_COUNTER_COUNTER does not use PerfFreqId",
			}},

		{"PERF_COUNTER_COUNTER does not use a clock", first(layout.PERF_COUNTER_COUNTER, clock),
			[]string{
				unused + "counter[0].PerfTimeId: PerfTimeId is 4, must be 0xffffffff, because the type PERF_COUNTER_COUNTER does not use PerfTimeId",
				unused + "counter[0].PerfFreqId: PerfFreqId is 5, must be 0xffffffff, because the type PERF_COUNTER_COUNTER does not use PerfFreqId",
			}},
		{"PERF_COUNTER_COUNTER does not use a base", all(first(layout.PERF_COUNTER_COUNTER), base(layout.PERF_COUNTER_TIMER)),
			[]string{unused + "counter[0].BaseCounterId: BaseCounterId is 8, must be 0xffffffff, because the type PERF_COUNTER_COUNTER does not use BaseCounterId"}},
		{"the references that an unknown type requires are not known", all(first(0x10410401, clock, items), base(layout.PERF_COUNTER_TIMER)),
			[]string{"v2-reginfo-counter-type counter[0].Type: Type is 0x10410401, must be a type that the documentation of perflib.h describes"}},
		{"the references of an unknown type must still be of the right types", func(s *setRegistration) { s.c[0].Type, s.c[0].MultiId = 0x10410401, 5 },
			[]string{
				"v2-reginfo-counter-type counter[0].Type: Type is 0x10410401, must be a type that the documentation of perflib.h describes",
				typed + "counter[0].MultiId: MultiId is 5, must be the id of a PERF_COUNTER_RAWCOUNT, but counter[5] is a PERF_COUNTER_LARGE_RAWCOUNT",
			}},

		{"PerfTimeId requires PerfFreqId", func(s *setRegistration) { s.c[0].PerfTimeId = 4 },
			[]string{"v2-reginfo-time-freq-pair counter[0].PerfFreqId: PerfFreqId is 0xffffffff, must be the id of a counter, because PerfTimeId is not 0xffffffff"}},
		{"PerfFreqId requires PerfTimeId", func(s *setRegistration) { s.c[0].PerfFreqId = 5 },
			[]string{"v2-reginfo-time-freq-pair counter[0].PerfTimeId: PerfTimeId is 0xffffffff, must be the id of a counter, because PerfFreqId is not 0xffffffff"}},
		{"PerfTimeId refers to a missing counter and PerfFreqId to none, which is one finding", func(s *setRegistration) { s.c[0].PerfTimeId = 9 },
			[]string{exists + "counter[0].PerfTimeId: PerfTimeId is 9, must be the id of a counter of the set"}},

		{"two counters may have the same clock and frequency", first(layout.PERF_OBJ_TIME_TIMER, clock), nil},
		{"two counters must not have different clocks", first(layout.PERF_OBJ_TIME_TIMER, func(c *wire.CounterRegInfo) { c.PerfTimeId, c.PerfFreqId = 5, 5 }),
			[]string{"v2-reginfo-time-freq-uniform counter[3].PerfTimeId: PerfTimeId is 4, must be 5, the PerfTimeId of counter[0]"}},
		{"two counters must not have different frequencies", first(layout.PERF_OBJ_TIME_TIMER, func(c *wire.CounterRegInfo) { c.PerfTimeId, c.PerfFreqId = 4, 4 }),
			[]string{"v2-reginfo-time-freq-uniform counter[3].PerfFreqId: PerfFreqId is 5, must be 4, the PerfFreqId of counter[0]"}},
	} {
		s := validRegistration()
		tt.change(s)
		expectFindings(t, tt.reason, layout.RegSetKind, s.bytes(), tt.want...)
	}
}

// TestTypesThatReferToOthers checks which references each type requires. The test has its own
// list of the documented requirements.
func TestTypesThatReferToOthers(t *testing.T) {
	t.Parallel()
	bases := map[layout.CounterType]bool{
		layout.PERF_SAMPLE_FRACTION: true, layout.PERF_AVERAGE_TIMER: true, layout.PERF_AVERAGE_BULK: true, layout.PERF_RAW_FRACTION: true,
		layout.PERF_LARGE_RAW_FRACTION: true, layout.PERF_PRECISION_SYSTEM_TIMER: true, layout.PERF_PRECISION_100NS_TIMER: true,
	}
	clocks := map[layout.CounterType]bool{
		layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: true, layout.PERF_OBJ_TIME_TIMER: true, layout.PERF_ELAPSED_TIME: true, layout.PERF_PRECISION_OBJECT_TIMER: true,
	}
	items := map[layout.CounterType]bool{
		layout.PERF_COUNTER_MULTI_TIMER: true, layout.PERF_COUNTER_MULTI_TIMER_INV: true, layout.PERF_100NSEC_MULTI_TIMER: true, layout.PERF_100NSEC_MULTI_TIMER_INV: true,
	}
	for typ := range layout.CounterTypes() {
		want := map[string]bool{}
		if bases[typ] {
			want["BaseCounterId"] = true
		}
		if clocks[typ] {
			want["PerfTimeId"], want["PerfFreqId"] = true, true
		}
		if items[typ] {
			want["MultiId"] = true
		}
		got := 0
		for path, rule := range ruleByPath(layout.RegCounterKind, registeredCounter(1, typ).Append(nil)) {
			switch {
			case rule != "v2-reginfo-ref-missing":
			case !want[path]:
				t.Errorf("%v must not require %s", typ, path)
			default:
				got++
			}
		}
		if got != len(want) {
			t.Errorf("%v lacks %d of %v", typ, len(want)-got, want)
		}
	}
}

// ruleByPath maps the field of each finding to its rule.
func ruleByPath(kind layout.Kind, b []byte) map[string]string {
	rules := map[string]string{}
	for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
		steps := f.Path.Elems()
		rules[steps[len(steps)-1].Name] = f.Rule.Name
	}
	return rules
}
