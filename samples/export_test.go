package samples

import "hash/maphash"

// Reseed changes the hashes of identities.
func Reseed() { seed = maphash.MakeSeed() }
