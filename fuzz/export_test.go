package fuzz

// WaysToBreak returns the rules that fall with a rule in each of the ways to break it.
func WaysToBreak(rule string) (also [][]string) {
	for b := range waysToBreak(rule) {
		also = append(also, b.also)
	}
	return also
}

// WayToBreak returns in which of those [Break] breaks the rule.
func WayToBreak(rule string, s *Source) int {
	_, way := choose(s, Config{}, len(WaysToBreak(rule)))
	return way
}
