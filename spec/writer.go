package spec

import "github.com/perfblock/perfblock/builder"

// A writer collects the text of a Spec. Of one that is too long for [Parse] it keeps
// no more than Parse would read, and counts the rest, for the error to say how long
// it is.
type writer struct {
	b       []byte
	start   int // in b, of the text
	dropped int // bytes that are not in b any more
}

// bound drops what there is of a text that is too long.
func (w *writer) bound() {
	if n := w.len(); n > maxText {
		w.dropped, w.b = n, w.b[:w.start]
	}
}

// len returns the bytes of the text so far.
func (w *writer) len() int { return w.dropped + len(w.b) - w.start }

// guess returns about as many bytes as the text of s takes, rather more than less
// where there are many instances, so that it is not copied while it grows.
func (s *Spec) guess() int {
	n := 512
	switch m := s.Model.(type) {
	case *builder.DataBlock:
		n += guessObjects(m.Objects)
	case *builder.Objects:
		n += guessObjects(*m)
	case *builder.QueryData:
		for _, r := range m.Results {
			n += 256 + 32*len(r.Counters)
			for _, in := range r.Instances {
				n += len("\n      - {name: , InstanceId: 1234567890, values: []}") + len(in.Name) + 12*len(in.Values)
			}
		}
	}
	return min(n, maxText+1<<16) // which is where bound drops it
}

func guessObjects(objects []builder.Object) (n int) {
	for _, o := range objects {
		n += 512 + 128*len(o.Counters)
		for _, in := range o.Instances {
			n += len("\n      - {name: , values: []}") + len(in.Name) + 12*len(in.Values)
		}
	}
	return n
}
