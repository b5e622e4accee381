// Package validate checks blocks of Windows performance counters against the rules of
// the documentation.
//
// A [Rule] describes one requirement: its severity, its reason, its fix and its sources.
// A [Finding] is a place in a block where a rule does not hold. It has the rule, the
// offset, what the block contains there and what is required.
//
//	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
//	for _, finding := range result.Findings {
//		fmt.Println(finding)
//	}
//
// The findings are sorted by offset. The same bytes always give the same findings.
// A wrong length, count or offset is one finding. Its consequences are not reported: the
// validator skips the rest of the object and continues at the next offset that is known
// to be right.
//
// The input can be any bytes. The validator does not panic, and its time and memory are
// linear in the size of the input.
//
// This package and package builder share only package layout, so that each can be
// tested with the other.
package validate

// These commands update everything that depends on the texts of the rules. The examples come first,
// because the page of a rule embeds them.
//go:generate go test ../internal/rulepage -run Examples -update
//go:generate go test ../internal/rulepage ./config -update
//go:generate go test -short . -update
