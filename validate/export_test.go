package validate

// EveryRule returns options under which the scan passes over nothing.
func EveryRule(o Options) Options {
	o.everyRule = true
	return o
}

// CountChecked adds to n for each instance that the scan does not pass over.
func (v *Validator) CountChecked(n *int) {
	counting(v, onInstance, func(*pass, *instance) { *n++ })
	counting(v, onInstanceHeader, func(*pass, *instanceHeader) { *n++ })
}

// CountCheckedCounters adds to n for each counter that the scan does not pass over.
func (v *Validator) CountCheckedCounters(n *int) {
	counting(v, onCounter, func(*pass, *counter) { *n++ })
}

func counting[S any](v *Validator, on *subjects[S], f func(*pass, S)) {
	at := on.of(&v.stages)
	at.checks = append(at.checks, ruleCheck[func(*pass, S)]{f, &activeRule{}})
}

// LooksLeft returns how many bytes the last pass could still have looked at for the end of
// a name.
func (v *Validator) LooksLeft() int64 { return v.pass.looks }

// CountPlain adds to n the instances of each result that are found plain while its shape is
// looked for.
func (v *Validator) CountPlain(n *int64) {
	at := onResult.of(&v.stages)
	at.ends = append(at.ends, ruleCheck[func(*pass, *result)]{func(_ *pass, a *result) { *n += a.plain }, &activeRule{}})
}
