package report

import (
	"crypto/sha256"
	"fmt"
)

// fingerprintKey is the key of the fingerprints of SARIF results. The number in the key must change if
// the fingerprints are computed from other values.
const fingerprintKey = "perfblock/v2"

// fingerprints returns the fingerprint of each finding of a file. Tools use them to find the same result
// in two runs. A fingerprint depends on the rule and the structural path, and two findings of a file
// have different fingerprints.
func fingerprints(f *File) []string {
	list, seen := make([]string, len(f.Result.Findings)), make(map[string]int)
	for i, path := range f.structuralPaths() {
		sum := sha256.Sum256([]byte(f.Result.Findings[i].Rule.ID + "\x00" + path))
		hash := fmt.Sprintf("%x", sum[:16])
		seen[hash]++
		list[i] = fmt.Sprintf("%s:%d", hash, seen[hash])
	}
	return list
}
