package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	list, seen := make([]string, len(f.Result.Findings)), make(map[string]int)
	for i, path := range f.structuralPaths() {
		sum := sha256.Sum256([]byte(f.Result.Findings[i].Rule.ID + "\x00" + path))
		short := hex.EncodeToString(sum[:16])
		seen[short]++
		list[i] = fmt.Sprintf("%s:%d", short, seen[short])
	}
	f.shared.fingerprints = list
	return list
}
