package provider

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A host makes calls of a provider.
type host interface {
	// call makes a call. If the provider crashes, hangs or ends its process, the outcome has a failure. The provider is
	// then not loaded, and the next call must be the first function of series.before.
	//
	// If the process has failed since the previous call, the call c is not made. The outcome then has the failure of the
	// process, and its field late is true.
	//
	// The error is not nil if the host fails, for example if the host cannot start a process, or if the probe was canceled.
	call(c call) (outcome, error)
}

// A series makes the calls of a probe. Collect gets each query with buffers of several sizes, at several places in
// memory.
type series struct {
	probe  Probe
	host   host
	places []place
	before []string // the functions to call before Collect, in this order
	after  []string // the functions to call after Collect

	last     call // the call before the current call
	log      log
	outputs  []Output
	kept     int    // bytes in outputs
	written  titles // of the objects in the data of all calls
	failures int
	stopped  string // why a fault of the provider ended the series; "" if no fault did
	err      error  // the error of the host that ended the series, or nil
}

const (
	firstSize = 64 << 10 // the size of the first buffer for a query; enough for most providers
	mostBytes = 16 << 20 // the largest size of a buffer

	// mostTitles is the largest number of titles for which a series makes a separate query. A faulty provider can have
	// thousands of titles.
	mostTitles = 64

	// mostFailures is the number of failures after which a series ends, because each hang takes twice the timeout.
	mostFailures = 5

	mostKept = 64 << 20 // bytes in outputs
)

// queries are the queries that do not depend on the objects of the provider.
var queries = []string{"Global", "", "Costly", `Foreign \\PERFBLOCK`, "MetadataGlobal", "MetadataCostly"}

func (s *series) run() error {
	s.begin()
	for _, q := range queries {
		s.query(q)
	}
	for _, q := range s.written.queries() {
		s.query(q)
	}
	for _, name := range s.after {
		if m := s.call(call{Function: name}); m == nil || m.failure != "" {
			break
		}
	}
	return s.err
}

// begin calls the functions that Windows calls before Collect. If a function fails, begin stops the series, because
// Windows would not call Collect.
func (s *series) begin() {
	for _, name := range s.before {
		m := s.call(call{Function: name})
		if m != nil && (m.failure != "" || m.Status != success) {
			s.stopped = m.Function + " failed, so the other functions were not called"
		}
	}
}

// query calls Collect with a query and buffers of several sizes, until a call fails.
func (s *series) query(query string) {
	exact, ok := s.grow(query)
	if !ok {
		return
	}
	sizes := []int{4, 0}
	if exact > 0 {
		sizes = []int{exact, exact + layout.Align, exact - 1, 4, 0}
	}
	for _, size := range sizes {
		for _, p := range s.places {
			if s.collect(query, size, p) == nil {
				return
			}
		}
	}
}

// grow calls Collect with larger and larger buffers, until the data fits. It returns the number of bytes of the data.
// After a failure, ok is false.
func (s *series) grow(query string) (exact int, ok bool) {
	for size := firstSize; size <= mostBytes; size *= 2 {
		m := s.collect(query, size, s.places[0])
		if m == nil {
			return 0, false
		}
		if m.Status != moreData {
			return len(m.Data), true
		}
	}
	return 0, true
}

// collect makes a call of Collect. It returns nil if the call fails or the series has ended. After a failure, collect
// opens the provider again, unless the series has ended. If the failure came before this call, the provider has not
// received the call, and collect makes all calls with this query again.
func (s *series) collect(query string, size int, p place) *callResult {
	m := s.call(call{"Collect", query, size, p})
	if m == nil || m.failure == "" {
		return m
	}
	if s.failures++; s.failures == mostFailures {
		s.stopped = fmt.Sprintf("%d calls failed, so the rest of the calls was left out", mostFailures)
	}
	s.begin()
	if m.late { // the provider has not received the query
		s.query(query)
	}
	return nil
}

// call makes a call, and adds the call to the log and the data to the outputs. If the series has ended, call returns nil.
func (s *series) call(c call) *callResult {
	if s.err != nil || s.stopped != "" {
		return nil
	}
	o, err := s.host.call(c)
	if err != nil {
		s.err = err
		return nil
	}
	if o.late {
		c = s.last
	}
	s.last = c
	m := callResult{call: c, outcome: o, written: describe(o.Data), limit: s.probe.limit(c.Function), hasMetadata: s.probe.Metadata}
	s.keep(&m)
	s.log.add(&m)
	return &m
}

// keep adds the data of a call to the outputs. It ignores the data if an earlier output has the same query and the same
// number of bytes.
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

// titles has the title index of each object once, in the order in which the objects occur.
type titles []uint32

func (t *titles) add(objects []object) {
	for _, o := range objects {
		if len(*t) < mostTitles && !slices.Contains(*t, o.title) {
			*t = append(*t, o.title)
		}
	}
}

// queries returns a query for each title, a query for all titles, and a query for an unknown title.
func (t titles) queries() []string {
	var list []string
	for _, title := range t {
		list = append(list, strconv.FormatUint(uint64(title), 10))
	}
	if len(list) > 1 {
		list = append(list, strings.Join(list, " "))
	}
	for _, title := range t {
		// For the title 238, ask for 2380: a provider that searches for the text 238 returns a wrong object.
		if unknown := uint64(title) * 10; unknown < 1<<32 && !slices.Contains(t, uint32(unknown)) && title != 0 {
			return append(list, strconv.FormatUint(unknown, 10))
		}
	}
	return append(list, "1")
}
