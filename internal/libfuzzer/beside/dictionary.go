package beside

// Dictionary is written below.
func Dictionary(folder string) []byte { return nil }
