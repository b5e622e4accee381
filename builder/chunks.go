package builder

import "strings"

// What a decoded model keeps of one sort is cut from chunks, not allocated one by
// one. A chunk is large enough that its cost does not count, and small enough that
// who keeps one name or the values of one instance keeps no more than that alive,
// and not those of the whole object.
const (
	chunkBytes = 4 << 10 // of names
	chunkItems = 512     // numbers and texts
)

// chunks hands out slices.
type chunks[T any] struct{ free []T }

// take returns n zero items without room behind them. times is how often the same
// will be asked for, this one included, as far as is known.
func (c *chunks[T]) take(n, times int) []T {
	if len(c.free) < n {
		c.free = make([]T, n*max(1, min(times, chunkItems/n)))
	}
	taken := c.free[:n:n]
	c.free = c.free[n:]
	return taken
}

// textChunks hands out strings.
type textChunks struct{ chunk strings.Builder }

// add returns b as a string. times is how many like it are to come, this one
// included, as far as is known.
func (c *textChunks) add(b []byte, times int) string {
	if len(b) == 0 || len(b) > chunkBytes/4 { // the rest of the chunk would be lost for it
		return string(b)
	}
	if c.chunk.Cap()-c.chunk.Len() < len(b) {
		c.chunk.Reset() // lets go of the chunk; its strings keep it
		c.chunk.Grow(len(b) * max(1, min(times, chunkBytes/len(b))))
	}
	from := c.chunk.Len()
	c.chunk.Write(b)
	return c.chunk.String()[from:]
}
