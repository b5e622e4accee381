package validate

// A Context is what a rule cannot see in the bytes. Rules that need what is not
// given are silent.
type Context struct {
	// Query is what was asked for: "Global", "238 6", "Metadata Global". Nil is not known.
	Query *string

	// FirstCounter and LastCounter are the title indexes that lodctr gave the
	// provider whose objects these are, the values First Counter and Last Counter
	// of its Performance key. A LastCounter of 0, or less than FirstCounter, is not known.
	FirstCounter, LastCounter uint32
}
