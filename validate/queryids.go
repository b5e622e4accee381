package validate

import "github.com/perfblock/perfblock/layout"

// idsAt returns how many ids there are at an offset and what they take, as far as that is
// inside.
func idsAt(b []byte, at, lim int64) (n, size int64, ok bool) {
	if lim-at < idsSize {
		return 0, 0, false
	}
	size, n = int64(le.Uint32(b[at:])), int64(le.Uint32(b[at+4:]))
	return n, size, size >= idsSize+idSize*n && size <= lim-at
}

// idsFit reports whether that size is one of n ids: with padding or without.
func idsFit(n, size int64) bool {
	least := idsSize + idSize*n
	return size == least || size == aligned(least)
}

// isPadded reports whether what comes behind n ids that leave out their padding stands at the
// second offset, not at the first: from where values lead to the end, or if they do from both
// or from neither, where it seems to begin. If that is nowhere, zeros are padding.
func isPadded(b []byte, t layout.PerfCounterDataType, next, behind, lim, n int64) bool {
	if !hasInstances(t) { // of which the first numbers tell it
		if leads := valuesLead(b, behind, lim, n); leads != valuesLead(b, next, lim, n) {
			return leads
		}
	}
	switch {
	case behindIDs(b, t, next, lim):
		return false
	case behindIDs(b, t, behind, lim):
		return true
	}
	return behind <= lim && le.Uint32(b[next:]) == 0
}

// valuesLead reports whether n values lead from an offset to the end by the sizes that they
// say.
func valuesLead(b []byte, at, lim, n int64) bool {
	for range n {
		size := rawLen(b, at, lim)
		if size == 0 {
			return false
		}
		at += size
	}
	return at == lim
}

// behindIDs reports whether what comes behind the ids seems to stand at an offset.
func behindIDs(b []byte, t layout.PerfCounterDataType, at, lim int64) bool {
	if !hasInstances(t) {
		return looksRaw(b, at, lim) && le.Uint32(b[at:]) > 0 // padding looks like a value of no bytes
	}
	if lim-at < tableSize {
		return false
	}
	total, n := int64(le.Uint32(b[at:])), int64(le.Uint32(b[at+4:]))
	return total >= tableSize && total <= lim-at && n <= (total-tableSize)/shortestNamed
}
