package samples

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Value is the displayed value of a counter of an instance. An instance with the State Gone has only one Value, and its
// Counter is nil.
type Value struct {
	Instance *Instance // all values of an instance have the same pointer
	Counter  *Counter
	Number   float64 // 0 if there is no number; rounds integers above 2^53, unlike Integer and String
	Missing  Missing // why there is no number; Present if there is one
	Inputs   Inputs
}

// A Counter is a counter of an object or of a counter set.
type Counter struct {
	// ID is CounterNameTitleIndex, or CounterId in query data.
	ID    uint32
	Type  layout.CounterType
	Scale int32 // DefaultScale: graphs show the number times ten to this power
}

// Formula returns the formula of the type, or nil.
func (c *Counter) Formula() *Formula { return formulas[c.Type] }

// Unit returns the suffix of the displayed value: "", "/sec", "%" or "secs".
func (c *Counter) Unit() string {
	switch c.Type.Display() {
	case layout.PERF_DISPLAY_PER_SEC:
		return "/sec"
	case layout.PERF_DISPLAY_PERCENT:
		return "%"
	case layout.PERF_DISPLAY_SECONDS:
		return "secs"
	}
	return ""
}

// An Instance is a row of an object or of a result.
type Instance struct {
	Object uint32      // ObjectNameTitleIndex; 0 in query data
	Set    layout.GUID // CounterSetGuid, if the counter set is known; zero in V1
	State  State

	// Single is true if the object or the counter set has no instances. Name, Parent and ID are then zero.
	Single bool

	// Name is the name of the instance. A UTF-16 name is converted to UTF-8. In an object with a CodePage, Name has
	// the bytes of the block, without conversion. If the name cannot be decoded, Name has its bytes in hexadecimal
	// digits.
	Name   string
	Parent string // the name of the parent, "" if there is none

	// ID is the UniqueID, or -1 for none. In query data, ID is InstanceId.
	ID int64
}

// A State says which of the two samples have an instance.
type State uint8

const (
	Both    State = iota
	New           // only the newer sample
	Gone          // only the older sample
	Unknown       // the newer sample; the older sample is damaged and may also have the instance
)

var states = [...]string{"both", "new", "gone", "unknown"}

func (s State) String() string {
	if int(s) < len(states) {
		return states[s]
	}
	return strconv.Itoa(int(s))
}

// Missing is the reason why a value cannot be computed.
type Missing uint8

const (
	Present         Missing = iota // the value has a number
	NoOlderSample                  // the formula needs numbers of two samples, and the older one lacks some of them
	FellOrWrapped                  // the value or the base is less than in the older sample
	BaseUnchanged                  // the formula divides by the change of the base, and the base did not change
	ZeroDenominator                // the formula divides by a base of 0, or by a clock frequency of 0 or less
	NoTime                         // the clock did not advance
	NoFormula                      // the type has no displayed value
	NoClock                        // the sample does not have the clock of the formula
	NoBase                         // there is no base, or no counter with the time
	NoNumber                       // the counter does not have 4 or 8 bytes
	NoType                         // the type of a counter of query data is not known
	NoInstance                     // the instance is gone
	Damaged                        // the formula needs two samples, and the older sample could not be read to its end
)

var reasons = [...]struct{ name, text string }{
	{"", ""},
	{"no-older-sample", "the formula needs two samples, and the older one does not have this counter of this instance, or lacks its base or clock"},
	{"fell-or-wrapped", "the value or its base is less than in the older sample"},
	{"base-unchanged", "the formula divides by the change of the base, and the base did not change"},
	{"zero-denominator", "the formula divides by a base of 0, or by a clock frequency of 0 or less"},
	{"no-time", "the clock did not advance between the samples"},
	{"no-formula", "the counter type has no displayed value"},
	{"no-clock", "the sample does not have the clock of the formula"},
	{"no-base", "the base, or the counter that has the time, is not in the sample"},
	{"no-number", "the counter does not have 4 or 8 bytes"},
	{"no-type", "the type is not known, because there is no registration or definition of the counter set"},
	{"gone", "only the older sample has the instance"},
	{"damaged", "the formula needs two samples, and the older one could not be read to its end"},
}

// String returns the name of the reason, such as "no-older-sample", and "" for Present.
func (m Missing) String() string {
	if int(m) < len(reasons) {
		return reasons[m].name
	}
	return strconv.Itoa(int(m))
}

// Reason returns the reason as a sentence without a full stop. It returns "" for Present and for an unknown reason.
func (m Missing) Reason() string {
	if int(m) < len(reasons) {
		return reasons[m].text
	}
	return ""
}

// Formula returns the formula of the value. It returns nil if Counter is nil, or if the type of the counter is not known
// or has no formula.
func (v *Value) Formula() *Formula {
	if v.Counter == nil || v.Missing == NoType {
		return nil
	}
	return v.Counter.Formula()
}

// Integer returns the exact number of a raw value or a difference. For other values, ok is false.
func (v *Value) Integer() (n uint64, ok bool) {
	if v.Counter == nil || v.Missing != Present {
		return 0, false
	}
	switch v.Counter.Formula() {
	case raw:
		return v.Inputs.N1, true
	case difference:
		return v.Inputs.dN(), true
	}
	return 0, false
}

// String returns the number with its unit, or the reason why it is missing. Integers are exact, and all other numbers
// have three digits after the point.
func (v Value) String() string {
	if v.Counter == nil || v.Missing != Present {
		return v.Missing.String()
	}
	var text string
	n, exact := v.Integer()
	switch {
	case exact && v.Counter.Type.Kind() == layout.PERF_TYPE_NUMBER && v.Counter.Type.Subtype() == layout.PERF_NUMBER_HEX:
		text = fmt.Sprintf("0x%x", n)
	case exact:
		text = strconv.FormatUint(n, 10)
	default:
		text = strconv.FormatFloat(v.Number, 'f', 3, 64)
	}
	return strings.TrimSpace(text + " " + v.Counter.Unit())
}
