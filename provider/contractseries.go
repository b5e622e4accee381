package provider

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A host makes calls of a provider.
type host interface {
	// call makes a call. If the provider crashes, hangs or ends its process, the outcome has a failure, and the error
	// is nil. The provider is unloaded then: the next call must be the first of series.before, LoadLibrary for a DLL.
	//
	// A thread of the provider can end the process after one call has returned and before the next call. The outcome of
	// the next call is late then, and that call was not made.
	//
	// The error is not nil if the host fails, for example if it cannot start a process.
	call(c call) (outcome, error)
}

// A series is the calls of a probe. For each query, it calls Collect with several sizes of the buffer, and for each
// size with buffers at several places in memory.
type series struct {
	probe  Probe
	host   host
	places []place
	before []string // the functions to call before Collect, in this order
	after  []string // the functions to call after Collect

	last     call // the last call that was made
	log      log
	outputs  []Output
	kept     int    // bytes in outputs
	written  titles // in the data of all calls
	failures int
	stopped  string // why the rest of the calls was left out
}

const (
	firstSize = 64 << 10 // of the buffer for a query; enough for most providers
	mostBytes = 16 << 20 // of a buffer

	// mostTitles is the number of objects that are queried alone. A faulty provider can have thousands of titles.
	mostTitles = 64

	// mostFailures is the number of crashes and hangs after which a series ends. A hang takes twice the timeout.
	mostFailures = 5

	mostKept = 64 << 20 // bytes in outputs
)

// queries are the queries that do not depend on the objects of the provider.
var queries = []string{"Global", "", "Costly", `Foreign \\PERFBLOCK`, "MetadataGlobal", "MetadataCostly"}

func (s *series) run(ctx context.Context) error {
	if err := s.begin(ctx); err != nil || s.stopped != "" {
		return err
	}
	for _, q := range queries {
		if err := s.query(ctx, q); err != nil || s.stopped != "" {
			return err
		}
	}
	for _, q := range s.written.queries() {
		if err := s.query(ctx, q); err != nil || s.stopped != "" {
			return err
		}
	}
	for _, name := range s.after {
		if m, err := s.call(ctx, call{Function: name}); err != nil || m.failure != "" {
			return err
		}
	}
	return nil
}

// begin calls the functions before Collect. It stops the series if one of them fails, because Windows does not
// call Collect then.
func (s *series) begin(ctx context.Context) error {
	for _, name := range s.before {
		m, err := s.call(ctx, call{Function: name})
		if err != nil {
			return err
		}
		if m.failure != "" || m.Status != success {
			s.stopped = m.Function + " failed, so the other functions were not called"
			return nil
		}
	}
	return nil
}

// query calls Collect with a query and buffers of several sizes. The first buffer is large enough, so query learns the
// exact size of the data. After a failure, query leaves out the other sizes.
func (s *series) query(ctx context.Context, query string) error {
	exact, ok, err := s.grow(ctx, query)
	if err != nil || !ok {
		return err
	}
	sizes := []int{4, 0}
	if exact > 0 {
		sizes = []int{exact, exact + layout.Align, exact - 1, 4, 0}
	}
	for _, size := range sizes {
		for _, p := range s.places {
			m, err := s.call(ctx, call{"Collect", query, size, p})
			if err != nil {
				return err
			}
			if m.failure != "" {
				return s.again(ctx, m, query)
			}
		}
	}
	return nil
}

// grow calls Collect with larger buffers until one is large enough. It returns the number of bytes of the data.
func (s *series) grow(ctx context.Context, query string) (exact int, ok bool, err error) {
	for size := firstSize; size <= mostBytes; size *= 2 {
		m, err := s.call(ctx, call{"Collect", query, size, s.places[0]})
		if err != nil {
			return 0, false, err
		}
		if m.failure != "" {
			return 0, false, s.again(ctx, m, query)
		}
		if m.Status != moreData {
			return m.dataSize(), true, nil
		}
	}
	return 0, true, nil
}

// again opens the provider again after a failure. It makes the query again if the call before the query has failed.
func (s *series) again(ctx context.Context, failed *callResult, query string) error {
	if s.failures++; s.failures == mostFailures {
		s.stopped = fmt.Sprintf("%d calls failed, so the rest of the calls was left out", mostFailures)
		return nil
	}
	if err := s.begin(ctx); err != nil || s.stopped != "" || !failed.late {
		return err
	}
	return s.query(ctx, query)
}

// call makes a call and adds it to the log. It moves the data to the outputs, so the result has no data.
func (s *series) call(ctx context.Context, c call) (*callResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o, err := s.host.call(c)
	if err != nil {
		return nil, err
	}
	if o.late {
		c = s.last
	}
	s.last = c
	m := callResult{call: c, outcome: o, written: describe(o.Data), limit: s.probe.limit(c.Function), hasMetadata: s.probe.Metadata}
	s.keep(&m)
	s.log.add(&m)
	m.Data, m.written = nil, contents{}
	return &m, nil
}

// keep adds the data of a call to the outputs, unless an output of the same query has the same number of bytes.
func (s *series) keep(m *callResult) {
	if len(m.Data) == 0 || uint64(m.Bytes) > uint64(m.Size) || s.kept+len(m.Data) > mostKept {
		return
	}
	foreign := strings.HasPrefix(m.Query, "Foreign")
	if m.written.header && !foreign {
		return // the call has a finding for the header
	}
	s.written.add(m.written.objects)
	same := func(o Output) bool { return *o.Context.Query == m.Query && len(o.Data) == len(m.Data) }
	if slices.ContainsFunc(s.outputs, same) {
		return
	}
	kind := layout.ObjectsKind
	if m.written.header {
		kind = layout.DataBlockKind
	}
	s.kept += len(m.Data)
	s.outputs = append(s.outputs, Output{m.call.String(), kind, slices.Clone(m.Data), validate.Context{
		Query: &m.Query, FirstCounter: s.probe.FirstCounter, LastCounter: s.probe.LastCounter,
	}})
}

// titles are title indexes of objects, each once, in the order in which they occur.
type titles []uint32

func (t *titles) add(objects []object) {
	for _, o := range objects {
		if len(*t) < mostTitles && !slices.Contains(*t, o.title) {
			*t = append(*t, o.title)
		}
	}
}

// queries returns a query for each title alone, one for all titles, and one for a title that no object has. A provider
// that searches for the digits of its titles in the query takes this title for one of its own.
func (t titles) queries() []string {
	var list []string
	for _, title := range t {
		list = append(list, strconv.FormatUint(uint64(title), 10))
	}
	if len(list) > 1 {
		list = append(list, strings.Join(list, " "))
	}
	for _, title := range t {
		if unknown := uint64(title) * 10; unknown < 1<<32 && !slices.Contains(t, uint32(unknown)) && title != 0 {
			return append(list, strconv.FormatUint(unknown, 10))
		}
	}
	return append(list, "1")
}
