// Package samples computes what people see of performance counters: the displayed values of the counters of one or
// two blocks. It also reports where two blocks contradict each other.
//
//	for v, err := range samples.Values(older, newer) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(v.Instance.Name, v.Counter.ID, v) // for example "12.500 %" or "no-older-sample"
//	}
//
// Most counters only grow, so the value in one block has little meaning. A consumer reads two blocks and divides the
// change of the value by the time between the blocks. The CounterType determines the formula: see [FormulaOf].
//
// If a value cannot be computed, [Value] has no number, and its field Missing has the reason. Numbers are never infinite
// or NaN.
//
// [Compare] checks two samples against the rules PERF5xxx. It reports, for example, a clock that goes back, a counter
// that falls, and a counter whose type changes.
//
// # Which rows belong together
//
// Objects match by ObjectNameTitleIndex, and counters by CounterNameTitleIndex and CounterType. Instances match by the
// name, UniqueID, and the name and UniqueID of the parent. The positions of instances do not matter. Instances with the
// same identity match in their order.
//
// Results of query data match by their identifiers: the counter set, the counter and the instances of the query.
// [validate.Context] has the identifiers. Without identifiers, results match by their position. Counters match by
// CounterId, and instances by InstanceId and name.
//
// # Where sources disagree
//
// Sources disagree about some formulas. This package computes as follows:
//
//   - A timer of several components, such as PERF_COUNTER_MULTI_TIMER, is not divided by the frequency. The formula of an
//     inverse timer of several components is 100 * (B1 - dN/dD).
//   - Timers are percentages. Rates are not truncated. Values of 8 bytes are unsigned.
//   - If a value falls, the displayed value is missing, because the counter was cleared or has wrapped. See [Options].
package samples
