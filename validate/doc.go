// Package validate validates blocks of Windows performance counters: any bytes,
// against every rule of the documentation.
//
// The one idea to know: a rule is a value ([Rule]) with all there is to say of it, and
// a finding is a rule, a place and two short texts: what is there, and what should be.
//
//	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
//	for _, finding := range result.Findings {
//		fmt.Println(finding)
//	}
//
// All findings are given, in the order of the bytes, and the same bytes always
// give the same ones. Where a length, count or offset leads astray, that is one finding,
// and what follows from it is none: the object is left, and validating goes on at the
// next place that can be trusted.
//
// Any bytes will do: nothing panics, and time and memory are linear in their number.
//
// The package shares nothing with package builder but the layout, so that each
// can prove the other.
package validate

// What is made from the rules and their fixtures: examples first, as the page embeds them.
//go:generate go test ../internal/rulepage -run Examples -update
//go:generate go test ../internal/rulepage ./config -update
//go:generate go test . -run "Messages|Identifiers|Strings|GUID" -update
