package fuzz_test

import (
	"bytes"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/validate"
)

// farBreaches are the rules that are not always told of where the block was changed.
var farBreaches = map[string]string{
	"blk-length-uniform":              ofTwo,
	"ctr-base-missing":                ofTwo,
	"ctr-base-missing-multi":          ofTwo,
	"ctr-name-duplicate":              ofTwo,
	"ctr-overlap-partial":             ofTwo,
	"data-object-duplicate":           ofTwo,
	"inst-unique-id-mixed":            ofTwo,
	"v2-guid-list-duplicate":          ofTwo,
	"v2-identifier-duplicate":         ofTwo,
	"v2-identifier-index-set":         ofTwo,
	"v2-multi-counters-duplicate-id":  ofTwo,
	"v2-reginfo-counter-id-duplicate": ofTwo,
	"v2-reginfo-time-freq-uniform":    ofTwo,
	"v2-strings-duplicate-id":         ofTwo,
	"v2-systemtime-mismatch":          ofTwo,
	"v2-template-duplicate-id":        ofTwo,

	"ctr-truncated":               whereItLeads,
	"data-system-name-terminator": whereItLeads,
	"inst-name-padding-counted":   whereItLeads,
	"inst-name-terminated":        whereItLeads,
	"obj-empty-block":             whereItLeads,
	"obj-offset-align":            whereItLeads,

	"inst-truncated":              whatCounts,
	"obj-all-base":                whatCounts,
	"obj-metadata-body":           whatCounts,
	"obj-metadata-single-body":    whatCounts,
	"v2-instance-block-name-size": whatCounts,
	"v2-instance-block-size":      whatCounts,
	"v2-instance-list-cover":      whatCounts,
	"v2-reginfo-size":             whatCounts,
	"v2-strings-bounds":           whatCounts,
	"v2-template-size":            whatCounts,
}

const (
	ofTwo        = "of two that are alike, or do not go together, one is told of, and either was changed"
	whereItLeads = "a length or a count was changed, and what it leads to now is told of"
	whatCounts   = "what is there was changed, and the length or the count is told of that it does not fit"
)

// aBoundary is how far apart may be what is beside each other: bytes that are as they were
// by chance, up to a boundary of the format.
const aBoundary = 8

// beside reports whether a finding is inside what was changed of a block, or beside it. Where
// bytes were put in or taken out, that is all from the first that differs to the last.
func beside(b fuzz.Broken, f validate.Finding) bool {
	touches := func(from, to int) bool {
		return f.Off < int64(to+aBoundary) && int64(from) < f.Off+int64(f.Len+aBoundary)
	}
	if len(b.Before) == len(b.Block) {
		for i := range b.Block {
			if b.Block[i] != b.Before[i] && touches(i, i+1) {
				return true
			}
		}
		return false
	}
	from, was, is := 0, len(b.Before), len(b.Block)
	for from < min(was, is) && b.Before[from] == b.Block[from] {
		from++
	}
	for from < min(was, is) && b.Before[was-1] == b.Block[is-1] {
		was, is = was-1, is-1
	}
	if len(bytes.Trim(b.Block[is:], "\x00")) == 0 {
		is = len(b.Block) // zeros at the end are as good as those that were there
	}
	return touches(from, is)
}
