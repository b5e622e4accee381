package validate

import "slices"

// An Event is what Perflib writes to the Application log when it tests what a
// provider gave it.
type Event struct {
	ID      int
	Meaning string // in our words
	Source  Source
}

// Events lists the events that rules name, as far as a page of Microsoft confirms them.
func Events() []Event { return slices.Clone(events[:]) }

var events = [...]Event{
	{1003, "the lengths of the objects do not add up to the bytes the provider returned; its data is dropped", eventPage},
	{1004, "the lengths of the instances of an object do not add up; the provider's data is dropped", eventPage},
	{1016, "the bytes the provider returned are no multiple of 8; the data is kept, and what comes behind it is misaligned", event1016},
	{1019, "the lengths of the definitions of an object do not add up to what its header says", eventTitles},
}

// FindEvent returns the event of that ID, and whether it is one that rules name.
func FindEvent(id int) (Event, bool) {
	for _, e := range events {
		if e.ID == id {
			return e, true
		}
	}
	return Event{}, false
}
