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

	// Identifiers are what PerfQueryCounterInfo returned for the query that query data
	// answers: their Index leads to the answers. Nil is not known.
	Identifiers []byte

	// Registrations are what PerfQueryCounterSetRegistrationInfo returned for
	// PERF_REG_COUNTERSET_STRUCT, one for each counter set that is known. Query data
	// without Identifiers, and strings, do not say of which set they are: only where there
	// is one registration is it theirs.
	Registrations [][]byte

	// Role is what identifiers are for.
	Role Role

	// Counters is how many counters the set of an instance block has, 0 for not known.
	Counters uint32
}

// A Role is what identifiers are for, which their bytes do not tell.
type Role uint8

const (
	AnyRole   Role = iota // not known
	GivenRole             // they are given to PerfAddCounters or PerfDeleteCounters
	ToldRole              // PerfQueryCounterInfo returned them
)
