package inputs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/perfblock/perfblock/internal/quote"
)

// Limits bound what one input may contain. A value of 0 means the default. The comment of each field gives the
// default after the colon.
type Limits struct {
	Bytes   int64 // of one file or one member of an archive: 1 GiB, or 1 byte less than 512 MiB on 32-bit systems
	Depth   int   // levels of archives in archives: 4
	Members int   // of an archive and the archives in it, including folders and skipped members: 200,000
	Nested  int64 // bytes of an archive in an archive, which is held in memory: 256 MiB, but at most Bytes
	Total   int64 // bytes that an archive and the archives in it unpack to: 64 GiB

	// Ratio is the largest ratio of unpacked bytes to the size of the archive: 250. It applies only to archives that
	// unpack to more than FreeTotal. Blocks with a million equal instances have a ratio of 4, zip bombs 1,000 or
	// more.
	Ratio int64
}

// FreeTotal is the number of bytes to which an archive may unpack without a check of its ratio.
const FreeTotal = 256 << 20

// DefaultLimits returns the default limits.
func DefaultLimits() Limits { return Limits{}.orDefault() }

func (l Limits) orDefault() Limits {
	l.Bytes = cmp.Or(l.Bytes, min(1<<30, math.MaxInt/4))
	l.Depth = cmp.Or(l.Depth, 4)
	l.Members = cmp.Or(l.Members, 200_000)
	l.Nested = cmp.Or(l.Nested, min(256<<20, l.Bytes))
	l.Total = cmp.Or(l.Total, 64<<30)
	l.Ratio = cmp.Or(l.Ratio, 250)
	return l
}

// A budget counts the members and the unpacked bytes of an archive on disk, including nested archives. Only the
// goroutine that unpacks uses the budget.
type budget struct {
	limits   Limits
	path     string // of the archive on disk
	packed   int64  // size of the archive on disk
	members  int
	unpacked int64
	err      error // the error about an exceeded limit, or nil; after an error, nothing more is read
}

func (b *budget) member(n int) error {
	b.members += n
	if b.members > b.limits.Members {
		b.err = fmt.Errorf("has %d members or more, the limit of an archive is %d; unpack it and pass the unpacked folder as an argument", b.members, b.limits.Members)
	}
	return b.err
}

func (b *budget) unpack(n int64) error {
	b.unpacked += min(n, math.MaxInt64-b.unpacked)
	switch {
	case b.unpacked > b.limits.Total:
		b.err = fmt.Errorf("unpacks to %d bytes or more, the limit of an archive is %d; unpack it and pass the unpacked folder as an argument", b.unpacked, b.limits.Total)
	case b.unpacked > FreeTotal && (b.unpacked-1)/b.limits.Ratio >= max(b.packed, 1):
		b.err = fmt.Errorf("unpacks from %s to %d or more, the limit is %d times the size of the archive; it may be a zip bomb", quote.Count(b.packed, "byte"), b.unpacked, b.limits.Ratio)
	}
	return b.err
}

// A countingReader counts the bytes that it unpacks. Read returns an error when ctx is cancelled.
type countingReader struct {
	io.Reader
	ctx    context.Context
	budget *budget
}

func (c *countingReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.Reader.Read(b)
	if over := c.budget.unpack(int64(n)); over != nil {
		return n, over
	}
	return n, err
}
