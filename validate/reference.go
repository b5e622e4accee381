package validate

import "github.com/perfblock/perfblock/layout"

// A reference is a field of a PERF_COUNTER_REG_INFO with the id of another counter of the set.
type reference struct {
	field string
	id    uint32
	need  need
	want  layout.CounterType // required type of the referenced counter, 0 for any type
}

// noCounter is the value of a reference field that refers to no counter.
const noCounter = 0xFFFFFFFF

// A need says how a counter type uses a reference.
type need uint8

const (
	unneeded  need = iota // not used
	anyNeed               // not known, because the type is not documented
	tolerated             // not used, but the type has a base in winperf.h
	advised               // required by one document and not by another
	required
)

// target says what a reference refers to.
type target uint8

const (
	noTarget      target = iota // the field has no reference
	selfTarget                  // the counter with the reference itself
	missingTarget               // no counter of the set has the id
	unknownTarget               // not known, because not all counters of the set are known
	otherTarget                 // another counter of the set, but not of the required type
	validTarget                 // another counter of the set, of the required type
)

var referenceRules = []*Rule{
	{
		ID: "PERF2818", Name: "v2-reginfo-ref-exists", Severity: Error, Since: "v0.1.0",
		Doc:     "BaseCounterId, PerfTimeId, PerfFreqId and MultiId each name another counter of the set, or are 0xffffffff",
		Why:     "A consumer needs the value of the referenced counter. If the id is wrong, the consumer finds no value, or the counter's own value, and cannot compute the result.",
		Fix:     "Set the field to the CounterId of the other counter, or to 0xffffffff for none. 0 is a valid id.",
		Sources: []Source{pcqRegCounter, counterXML},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			for _, r := range c.references() {
				switch at, _ := c.follow(p, r); at {
				case selfTarget:
					p.field(c, r.field, r.id, "must be the id of another counter")
				case missingTarget:
					p.field(c, r.field, r.id, "must be the id of a counter of the set")
				}
			}
		}),
	},
	{
		ID: "PERF2819", Name: "v2-reginfo-ref-missing", Severity: Error, Since: "v0.1.0",
		Doc:     "a counter has the references that its Type requires, such as BaseCounterId for a fraction",
		Why:     "A fraction requires its base. A timer of the provider's clock requires the clock and its frequency. A multi timer requires the number of items. These counters can have any position in the set, so consumers need the references to find them.",
		Fix:     "Set the field to the CounterId of the required counter. Add this counter to the set if it is missing.",
		Sources: []Source{counterXML, pcqRegCounter},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			for _, r := range c.references() {
				if r.id == noCounter && r.need == required {
					p.field(c, r.field, "0xffffffff", "must be the id of a %v, because %v is computed with it", r.want, c.Type())
				}
			}
		}),
	},
	{
		ID: "PERF2820", Name: "v2-reginfo-ref-missing-multi", Severity: Warning, Since: "v0.1.0",
		Doc:     "BaseCounterId of a PERF_COUNTER_MULTI_TIMER_INV is the id of a PERF_COUNTER_MULTI_BASE",
		Why:     "The manifest schema requires the base, but the registration protocol does not. Some consumers do not use the base: they read the number of items from the counter that MultiId refers to.",
		Fix:     "Add a PERF_COUNTER_MULTI_BASE to the set, and write its CounterId into BaseCounterId.",
		Sources: []Source{counterXML, pcqRegCounter},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			for _, r := range c.references() {
				if r.id == noCounter && r.need == advised {
					p.field(c, r.field, "0xffffffff", "must be the id of a %v", r.want)
				}
			}
		}),
	},
	{
		ID: "PERF2821", Name: "v2-reginfo-ref-type", Severity: Error, Since: "v0.1.0",
		Doc:     "a reference names a counter of the required type",
		Why:     "Each type of fraction requires a base of one type: for example, BaseCounterId of a PERF_RAW_FRACTION must refer to a PERF_RAW_BASE. PerfTimeId and PerfFreqId must refer to a PERF_COUNTER_LARGE_RAWCOUNT, and MultiId must refer to a PERF_COUNTER_RAWCOUNT. If the referenced counter has another type, its value has another width or meaning.",
		Fix:     "Write the id of the right counter, or correct the type of the referenced counter.",
		Sources: []Source{counterXML, pcqRegCounter},
		check: onCounterRegInfo.forKinds(layout.RegSetKind).check(func(p *pass, c *counterRegInfo) {
			for _, r := range c.references() {
				if at, i := c.follow(p, r); r.mistyped(at) {
					p.field(c, r.field, r.id, "must be the id of a %v, but counter[%d] is a %v", r.want, i, p.counterRegInfoAt(c.set, i).Type())
				}
			}
		}),
	},
	{
		ID: "PERF2822", Name: "v2-reginfo-ref-unused", Severity: Warning, Since: "v0.1.0",
		Doc:     "a counter has only references that its Type uses",
		Why:     "The reference has no effect. Either Type is wrong, or the field must be 0xffffffff, which means that there is no reference. A 0 refers to the counter with the id 0.",
		Fix:     "Set the field to 0xffffffff, or set Type to a type that uses the referenced counter.",
		Sources: []Source{counterXML, pcqRegCounter},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			set, _ := c.unpairedClock(p)
			for _, r := range c.references() {
				if at, _ := c.follow(p, r); r.unused(at) && r.field != set {
					p.field(c, r.field, r.id, "must be 0xffffffff, because the type %v does not use %s", c.Type(), r.field)
				}
			}
		}),
	},
	{
		ID: "PERF2823", Name: "v2-reginfo-time-freq-pair", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTimeId and PerfFreqId are both set, or both 0xffffffff",
		Why:     "A consumer cannot use a clock without its frequency, the number of ticks in a second.",
		Fix:     "Refer to both counters, or write 0xffffffff into both fields.",
		Sources: []Source{counterXML, pcqRegCounter},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			if set, none := c.unpairedClock(p); set != "" {
				p.field(c, none, "0xffffffff", "must be the id of a counter, because %s is not 0xffffffff", set)
			}
		}),
	},
	{
		ID: "PERF2824", Name: "v2-reginfo-time-freq-uniform", Severity: Info, Since: "v0.1.0",
		Doc:     "all counters of a set that use a clock have the same PerfTimeId and the same PerfFreqId",
		Why:     "Consumers of HKEY_PERFORMANCE_DATA see the set as an object, which has one PerfTime and one PerfFreq. They compute wrong values for counters with another clock.",
		Fix:     "Use one clock, or ignore the finding if no consumer reads the set through HKEY_PERFORMANCE_DATA.",
		Sources: []Source{counterXML},
		Misread: []string{"consumers that read the set through HKEY_PERFORMANCE_DATA use one clock for all counters"},
		check:   onCounterSetRegInfo.atEnd(refUniform),
	},
}

// baseNeed returns how a counter type uses BaseCounterId, and the type of the base. If only winperf.h
// mentions a base, the base is tolerated.
func baseNeed(t layout.CounterType) (need, layout.CounterType) {
	base, has := t.Base()
	switch {
	case !usableType(t):
		return anyNeed, 0
	case t == layout.PERF_COUNTER_MULTI_TIMER_INV:
		return advised, base
	case t == layout.PERF_SAMPLE_COUNTER:
		return tolerated, layout.PERF_SAMPLE_BASE
	case has && (t.Multi() || t.UsesObjectTimer()):
		return tolerated, base
	case has:
		return required, base
	}
	return unneeded, 0
}

// mistyped reports whether the reference is to a counter of a wrong type. It returns false for a
// tolerated reference, because the rule v2-reginfo-ref-unused reports its wrong type.
func (r reference) mistyped(at target) bool { return at == otherTarget && r.need != tolerated }

// unused reports whether the reference is set but the counter type does not use it. A tolerated
// reference counts as unused only if it refers to another counter that does not have the required
// type. For references that other rules report, unused returns false.
func (r reference) unused(at target) bool {
	return r.need == unneeded && (at == validTarget || at == unknownTarget) || r.need == tolerated && at == otherTarget
}

func refUniform(p *pass, s *counterSetRegInfo) {
	first, time, freq := int64(-1), uint32(0), uint32(0)
	for i := range s.counters {
		c := p.counterRegInfoAt(s, i)
		switch {
		case !c.usesClock(p):
		case first < 0:
			first, time, freq = i, c.PerfTimeId(), c.PerfFreqId()
		case c.PerfTimeId() != time:
			p.otherClock(c, "PerfTimeId", c.PerfTimeId(), time, first)
			return
		case c.PerfFreqId() != freq:
			p.otherClock(c, "PerfFreqId", c.PerfFreqId(), freq, first)
			return
		}
	}
}

// otherClock reports a counter that uses another clock or frequency than counter[first].
func (p *pass) otherClock(c counterRegInfo, field string, id, want uint32, first int64) {
	p.field(&c, field, id, "must be %d, the %s of counter[%d]", want, field, first)
}

// follow returns the target of a reference and the index of the referenced counter in the set. The
// index is -1 if the counter is not found.
func (c *counterRegInfo) follow(p *pass, r reference) (target, int64) {
	switch {
	case r.id == noCounter:
		return noTarget, -1
	case r.id == c.CounterId():
		return selfTarget, c.index
	case c.set == nil:
		return unknownTarget, -1
	}
	i := p.firstCounter(r.id)
	switch {
	case i < 0 && c.set.complete:
		return missingTarget, i
	case i < 0:
		return unknownTarget, i
	case r.want != 0 && p.counterRegInfoAt(c.set, i).Type() != r.want:
		return otherTarget, i
	}
	return validTarget, i
}

func (c *counterRegInfo) references() [4]reference {
	base, want := baseNeed(c.Type())
	clock, items := unneeded, unneeded
	switch t := c.Type(); {
	case !usableType(t):
		clock, items = anyNeed, anyNeed
	case t.UsesObjectTimer():
		clock = required
	case t.Multi() && !t.IsBase():
		items = required
	}
	return [...]reference{
		{"BaseCounterId", c.BaseCounterId(), base, want},
		{"PerfTimeId", c.PerfTimeId(), clock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"PerfFreqId", c.PerfFreqId(), clock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"MultiId", c.MultiId(), items, layout.PERF_COUNTER_RAWCOUNT},
	}
}

// unpairedClock checks whether only one of the fields PerfTimeId and PerfFreqId refers to a counter.
// It returns the name of this field, and the name of the other field. If both fields or neither field
// refers to a counter, or if another rule reports one of the fields, both names are "".
func (c *counterRegInfo) unpairedClock(p *pass) (set, none string) {
	all := c.references()
	time, freq := all[1], all[2]
	if time.id == noCounter {
		time, freq = freq, time
	}
	if time.need == required || freq.id != noCounter {
		return "", "" // both fields have a reference, or another rule reports the counter
	}
	if at, _ := c.follow(p, time); at != validTarget && at != unknownTarget {
		return "", "" // neither field has a reference, or another rule reports the counter
	}
	return time.field, freq.field
}

// usesClock reports whether PerfTimeId and PerfFreqId are both valid, and the counter type uses them
// or is not documented.
func (c *counterRegInfo) usesClock(p *pass) bool {
	for _, r := range c.references() {
		if r.want != layout.PERF_COUNTER_LARGE_RAWCOUNT {
			continue
		}
		if at, _ := c.follow(p, r); at != validTarget || r.need == unneeded {
			return false
		}
	}
	return true
}
