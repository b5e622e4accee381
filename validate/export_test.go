package validate

// EveryRule returns options under which the scan skips nothing.
func EveryRule(o Options) Options {
	o.everyRule = true
	return o
}

// CountChecked adds 1 to n for each instance that the scan does not skip.
func (v *Validator) CountChecked(n *int) {
	counting(v, onInstance, func(*pass, *instance) { *n++ })
	counting(v, onInstanceHeader, func(*pass, *instanceHeader) { *n++ })
}

// CountCheckedCounters adds 1 to n for each counter that the scan does not skip.
func (v *Validator) CountCheckedCounters(n *int) {
	counting(v, onCounter, func(*pass, *counter) { *n++ })
}

func counting[S any](v *Validator, on *subjects[S], f func(*pass, S)) {
	at := on.of(&v.stages)
	at.checks = append(at.checks, ruleCheck[func(*pass, S)]{f, &activeRule{}})
}

// LooksLeft returns how many more bytes the last pass could have searched for the end of a name.
func (v *Validator) LooksLeft() int64 { return v.pass.looks }

// CountPlain adds to n the instances that are found plain while the shape of a result is
// determined.
func (v *Validator) CountPlain(n *int64) {
	at := onResult.of(&v.stages)
	at.ends = append(at.ends, ruleCheck[func(*pass, *result)]{func(_ *pass, a *result) { *n += a.plain }, &activeRule{}})
}
