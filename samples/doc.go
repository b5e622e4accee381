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
// Most counters only grow, so one block does not say much. A consumer reads a block twice and divides the change of a
// counter by the time that has passed. The CounterType has the formula: see [FormulaOf].
//
// A value that cannot be computed has the reason, a [Missing]. It is never 0, infinite or NaN in place of a number.
//
// [Compare] checks two samples against the rules PERF5xxx. A clock that goes back, a counter that falls, and a counter
// with another type are findings, for example.
//
// # Which rows belong together
//
// Objects match by ObjectNameTitleIndex, and counters by CounterNameTitleIndex and CounterType. Instances match by the
// name, UniqueID, and the name and UniqueID of the parent. Their positions do not matter. If several have the same
// identity, the first of one sample matches the first of the other, and so on.
//
// In query data, results match by what was asked for, if [validate.Context] has the identifiers of the query, and
// otherwise by their position. Counters match by CounterId, and instances by InstanceId and name.
//
// # Where sources disagree
//
// The timers of several components (PERF_COUNTER_MULTI_TIMER and its relatives) are not divided by the frequency, and
// the inverse ones are 100 * (B1 - dN/dD). Timers are percentages. Rates are not truncated. Values of 8 bytes have no
// sign. A value that falls is missing, because a counter that starts again and a counter that wraps look the same: see
// [Options].
package samples
