package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// fingerprintKey is the key of the fingerprints of SARIF results. The number in the key must change when the
// computation of the fingerprints changes.
const fingerprintKey = "perfblock/v2"

// fingerprints returns a unique text for each finding of a file. Tools compare these texts to recognize a finding
// of an earlier run.
func fingerprints(f *File) []string {
	if f.shared.fingerprints != nil {
		return f.shared.fingerprints
	}
	type hash [16]byte
	list, seen := make([]string, len(f.Result.Findings)), make(map[hash]int)
	var text []byte
	for i, path := range f.structuralPaths() {
		text = append(append(append(text[:0], f.Result.Findings[i].Rule.ID...), 0), path...)
		sum := sha256.Sum256(text)
		short := hash(sum[:])
		seen[short]++
		text = append(hex.AppendEncode(text[:0], short[:]), ':')
		list[i] = string(strconv.AppendInt(text, int64(seen[short]), 10))
	}
	f.shared.fingerprints = list
	return list
}
