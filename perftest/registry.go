package perftest

import (
	"encoding"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/perfblock/perfblock/definition/titles"
)

// The types of the values. Title tables are REG_MULTI_SZ, and data blocks are REG_BINARY.
const (
	REG_BINARY   uint32 = 3
	REG_MULTI_SZ uint32 = 7
)

// Errors that RegQueryValueEx returns for HKEY_PERFORMANCE_DATA.
const (
	ERROR_FILE_NOT_FOUND syscall.Errno = 2
	ERROR_ACCESS_DENIED  syscall.Errno = 5
	ERROR_NOT_READY      syscall.Errno = 21
	ERROR_LOCK_FAILED    syscall.Errno = 167
	ERROR_BUSY           syscall.Errno = 170
	ERROR_MORE_DATA      syscall.Errno = 234
	WAIT_TIMEOUT         syscall.Errno = 258
)

// Always is an argument of [Registry.Fail] and [Registry.Lose], for an effect that does not end.
const Always = math.MaxInt

// Bytes are the bytes of a sample, such as a captured block. They need not be a valid block.
type Bytes []byte

// MarshalBinary returns b.
func (b Bytes) MarshalBinary() ([]byte, error) { return b, nil }

// A Registry answers queries of HKEY_PERFORMANCE_DATA. Its methods are safe for concurrent use. The zero Registry has no
// samples.
type Registry struct {
	mu       sync.Mutex
	samples  []sample
	next     map[string]int // for each query string in lower case, the position of its next sample
	costly   map[uint32]bool
	titles   *titles.Database             // nil means no tables
	moreData func(size, required int) int // nil means Unchanged
	grows    bool
	failures []failure
	losses   []loss
}

// A sample is an encoded block, or the error if its model cannot be encoded.
type sample struct {
	bytes []byte
	err   error
}

// A failure has the arguments of one call of [Registry.Fail].
type failure struct {
	calls int // queries that will still return err
	err   syscall.Errno
}

// A loss has the arguments of one call of [Registry.Lose].
type loss struct {
	answers int // data blocks that will still be without the objects
	titles  []uint32
}

// New returns a Registry with the samples, in the order in which a consumer reads them. A sample is a
// *builder.DataBlock or [Bytes]. Convert a block from a capture or from package spec to [Bytes]. New encodes the
// samples. If a sample cannot be encoded, the query that reads it returns the error, and the next query reads the next
// sample. Without samples, each query for a data block returns ERROR_FILE_NOT_FOUND.
func New(samples ...encoding.BinaryMarshaler) *Registry {
	r := &Registry{next: make(map[string]int)}
	for i, model := range samples {
		b, err := model.MarshalBinary()
		if err != nil {
			err = fmt.Errorf("perftest: sample %d: %w", i+1, err)
		}
		r.samples = append(r.samples, sample{b, err})
	}
	return r
}

// Titles sets the title tables. The Registry refers to db, which must not change afterwards. If db is nil, there are no
// tables.
func (r *Registry) Titles(db *titles.Database) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.titles = db
}

// Costly makes the objects with these title indexes costly. The query "Global" does not return costly objects. The
// query "Costly" returns all costly objects, and no others.
func (r *Registry) Costly(titles ...uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.costly == nil {
		r.costly = make(map[uint32]bool)
	}
	for _, title := range titles {
		r.costly[title] = true
	}
}

// MoreData sets the function that computes the result n of [Registry.Query] for the error ERROR_MORE_DATA. The
// arguments of the function are the size of the buffer and the size that the answer requires. The default is
// [Unchanged], because the documentation of Windows says that the size is undefined. The argument nil selects the
// default. The function must not call methods of the Registry.
func (r *Registry) MoreData(n func(size, required int) int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moreData = n
}

// Unchanged returns the size of the buffer that the consumer passed to [Registry.Query]. It is the default of
// [Registry.MoreData].
func Unchanged(size, _ int) int { return size }

// Zero returns 0.
func Zero(_, _ int) int { return 0 }

// TooSmall returns half of the required size.
func TooSmall(_, required int) int { return required / 2 }

// TooLarge returns 16 times the required size.
func TooLarge(_, required int) int { return 16 * required }

// Exact returns the required size. RegQueryValueEx does the same for keys other than HKEY_PERFORMANCE_DATA.
func Exact(_, required int) int { return required }

// Grow simulates data that grows while a consumer allocates a larger buffer: after ERROR_MORE_DATA, the same query
// reads the next sample.
func (r *Registry) Grow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.grows = true
}

// Fail makes the given number of queries return err. After several calls of Fail, the failures of the first call happen
// first. If err is 0, these queries return what they would return without Fail. If err is ERROR_MORE_DATA, these
// queries fail even if the buffer is large enough.
func (r *Registry) Fail(calls int, err syscall.Errno) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if calls > 0 {
		r.failures = append(r.failures, failure{calls, err})
	}
}

// Lose removes objects from the next data blocks that consumers read, as if the provider of the objects fails. answers
// is the number of these blocks. Windows does not report such a failure to a consumer.
func (r *Registry) Lose(answers int, titles ...uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if answers > 0 {
		r.losses = append(r.losses, loss{answers, slices.Clone(titles)})
	}
}

// garbage is the byte with which a failed call fills the buffer.
const garbage = 0xdb

// Query copies the value with this name to buf. typ is the type of the value, and n is the number of its bytes.
//
// If buf is too small, the error is ERROR_MORE_DATA. The function that [Registry.MoreData] sets then computes n; by
// default n is len(buf). With any other error, n is len(buf). A call that fails overwrites all of buf with bytes that
// mean nothing. A nil buf has a size of 0.
func (r *Registry) Query(name string, buf []byte) (typ uint32, n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	typ, b, err := r.answer(name)
	switch failed := r.failure(); {
	case failed != 0:
		err = failed
	case err != nil && typ == REG_BINARY: // the sample cannot be encoded, or there are no samples
		r.advance(name)
	case err == nil && len(b) > len(buf):
		err = ERROR_MORE_DATA
		if r.grows {
			r.advance(name)
		}
	}
	if err != nil {
		n = len(buf)
		if err == ERROR_MORE_DATA && r.moreData != nil {
			n = r.moreData(len(buf), len(b))
		}
		for i := range buf {
			buf[i] = garbage
		}
		return typ, n, err
	}
	if typ == REG_BINARY {
		r.advance(name)
		r.endAnswer()
	}
	return typ, copy(buf, b), nil
}

// failure returns the error that [Registry.Fail] has set for this call, or 0.
func (r *Registry) failure() syscall.Errno {
	if len(r.failures) == 0 {
		return 0
	}
	first := &r.failures[0]
	err := first.err
	if first.calls != Always {
		first.calls--
	}
	if first.calls == 0 {
		r.failures = r.failures[1:]
	}
	return err
}

// endAnswer subtracts 1 from the remaining answers of each loss, except [Always], and removes a loss that has no
// remaining answers. Query calls endAnswer for each data block that it returns.
func (r *Registry) endAnswer() {
	for i := range r.losses {
		if l := &r.losses[i]; l.answers != Always {
			l.answers--
		}
	}
	r.losses = slices.DeleteFunc(r.losses, func(l loss) bool { return l.answers == 0 })
}

// advance moves a query string to its next sample. At the last sample, advance changes nothing.
func (r *Registry) advance(name string) {
	key := strings.ToLower(name)
	if r.next[key] < len(r.samples)-1 {
		r.next[key]++
	}
}

// answer returns the type and the bytes of a value.
func (r *Registry) answer(name string) (typ uint32, b []byte, err error) {
	q := parse(name)
	if q.words == titleWords {
		b, err = r.table(q)
		return REG_MULTI_SZ, b, err
	}
	if len(r.samples) == 0 {
		return REG_BINARY, nil, ERROR_FILE_NOT_FOUND
	}
	s := r.samples[r.next[strings.ToLower(name)]]
	if s.err != nil {
		return REG_BINARY, nil, s.err
	}
	return REG_BINARY, r.filter(s.bytes, q), nil
}

// table returns the bytes of a title table.
func (r *Registry) table(q query) ([]byte, error) {
	if r.titles == nil {
		return nil, ERROR_FILE_NOT_FOUND
	}
	tables := r.titles.Tables
	i := slices.IndexFunc(tables, func(t titles.Table) bool { return t.Kind == q.table && titles.SameLanguage(t.Language, q.language) })
	if i < 0 && q.anyLanguage {
		i = slices.IndexFunc(tables, func(t titles.Table) bool { return t.Kind == q.table })
	}
	if i < 0 {
		return nil, ERROR_FILE_NOT_FOUND
	}
	return tables[i].AppendMultiSZ(nil)
}
