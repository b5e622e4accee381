package validate

// EveryRule returns options under which the scan calls nothing plain.
func EveryRule(o Options) Options {
	o.everyRule = true
	return o
}

// CountJudged adds to n for each instance that is not plain.
func (v *Validator) CountJudged(n *int) {
	count := instanceCheck(func(*pass, *object, *instance) { *n++ })
	v.staged.instance = append(v.staged.instance, bound[instanceCheck]{count, &grade{}})
	named := func(*pass, *namedInstance) { *n++ }
	v.staged.named.checks = append(v.staged.named.checks, bound[func(*pass, *namedInstance)]{named, &grade{}})
}

// CountDefined adds to n for each counter that is not plain.
func (v *Validator) CountDefined(n *int) {
	count := counterCheck(func(*pass, *object, *counter) { *n++ })
	v.staged.counter = append(v.staged.counter, bound[counterCheck]{count, &grade{}})
}

// LooksLeft returns how many bytes the last pass could still have looked at for the end of
// a name.
func (v *Validator) LooksLeft() int64 { return v.pass.looks }

// CountPlain adds to n the instances of each answer that are found plain while its shape is
// looked for.
func (v *Validator) CountPlain(n *int64) {
	count := func(_ *pass, a *answer) { *n += a.plain }
	v.staged.answer.ends = append(v.staged.answer.ends, bound[func(*pass, *answer)]{count, &grade{}})
}
