// Package samples computes what people see of performance counters: the displayed values of the counters of one or
// two blocks. It also reports where two blocks contradict each other.
//
//	for v, err := range samples.Values(older, newer) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(v.Instance.Name, v.Counter.ID, v) // v is such as "12.5 %" or "no-older-sample"
//	}
//
// Most counters only grow, so the value in one block has little meaning. A consumer reads a block twice and divides the
// change of the value by the time between the blocks. The CounterType determines the formula: see [FormulaOf].
//
// If a value cannot be computed, [Value] has the reason, a [Missing], and no number. Numbers are never infinite or NaN.
//
// [Compare] checks two samples against the rules PERF5xxx. It reports, for example, a clock that goes back, a counter
// that falls, and a counter whose type changes.
//
// # Which rows belong together
//
// Objects match by ObjectNameTitleIndex, and counters by CounterNameTitleIndex and CounterType. Instances match by the
// name, UniqueID, and the name and UniqueID of the parent. Their positions do not matter. If several have the same
// identity, the first of one sample matches the first of the other, and so on.
//
// Results of query data match by their identifiers: the counter set, the counter and the instances that the query asked
// for. [validate.Context] has the identifiers. Without identifiers, results match by their position. Counters match by
// CounterId, and instances by InstanceId and name.
//
// # Where sources disagree
//
// Sources disagree about some formulas. This package computes as follows:
//
//   - A timer of several components, such as PERF_COUNTER_MULTI_TIMER, is not divided by the frequency. An inverse one
//     is 100 * (B1 - dN/dD).
//   - Timers are percentages. Rates are not truncated. Values of 8 bytes are unsigned.
//   - A value that falls is missing, because it does not show whether the counter was cleared or has wrapped. See
//     [Options].
package samples
