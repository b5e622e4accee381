package validate

// EveryRule returns o without the fast scan: the rules check every record.
func EveryRule(o Options) Options {
	o.noScan = true
	return o
}

// CollectNames returns o with the option to collect the names of every object, even of an object
// with few names.
func CollectNames(o Options) Options {
	o.collectNames = true
	return o
}

// CountChecked makes v add 1 to n for each instance that its rules check.
func (v *Validator) CountChecked(n *int) {
	countCalls(v, onInstance, func(*pass, *instance) { *n++ })
	countCalls(v, onInstanceHeader, func(*pass, *instanceHeader) { *n++ })
}

// CountCheckedCounters makes v add 1 to n for each counter that its rules check.
func (v *Validator) CountCheckedCounters(n *int) {
	countCalls(v, onCounter, func(*pass, *counter) { *n++ })
}

// countCalls adds a check to a stage.
func countCalls[S any](v *Validator, on *subjectType[S], f func(*pass, S)) {
	at := on.stageIn(&v.stages)
	at.checks = append(at.checks, ruleCheck[func(*pass, S)]{f, &activeRule{}})
}

// Searchable returns how many more bytes the last pass could have read to find the ends of records.
func (v *Validator) Searchable() int64 { return v.pass.searchable }

// Searches is how many times a pass may read the input to find the ends of records.
const Searches = searches

// CountPlain makes v add to n, for each result, the number of instances that the fast scan accepts.
func (v *Validator) CountPlain(n *int64) {
	at := onResult.stageIn(&v.stages)
	at.ends = append(at.ends, ruleCheck[func(*pass, *result)]{func(_ *pass, r *result) { *n += r.scanned }, &activeRule{}})
}

// FewNames is the largest number of instances for which the validator does not collect the names.
const FewNames = fewNames
