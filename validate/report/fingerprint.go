package report

import (
	"crypto/sha256"
	"fmt"

	"github.com/perfblock/perfblock/validate"
)

// fingerprintKey is the key of the fingerprints of SARIF results. The number in the key must change if
// the fingerprints are computed from other values.
const fingerprintKey = "perfblock/v1"

// Fingerprints identify the findings of a file. Tools use them to find the same result in two runs.
// The map has the number of findings that have a hash, because two results of a file must not have
// the same fingerprint.
type fingerprints map[string]int

// of returns the fingerprint of the next finding.
func (p fingerprints) of(f *validate.Finding) string {
	sum := sha256.Sum256([]byte(f.Rule.ID + "\x00" + f.Path.String() + "\x00" + f.Message()))
	hash := fmt.Sprintf("%x", sum[:16])
	p[hash]++
	return fmt.Sprintf("%s:%d", hash, p[hash])
}
