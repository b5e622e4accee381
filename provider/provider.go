package provider

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/registration"
	"github.com/perfblock/perfblock/layout"
)

// A Definition has the GUID and the counter sets of a provider. The command `perfblock define` generates
// definitions.
type Definition struct {
	Name        string // for error messages
	GUID        layout.GUID
	CounterSets []Set
}

// Options are the options of a provider. The zero value has the defaults of [Start].
type Options struct {
	// Collect computes values. Windows calls Collect before Windows reads the values of a counter set of the provider.
	// Only one call runs at a time. If a call takes more than one second, Windows reads the values before the call ends.
	// If Collect panics, the consumer gets no values. Nil means that there is nothing to compute.
	//
	// Collect may create and delete instances. Collect must not call Close or Snapshot, because both wait for Collect.
	Collect func()

	// Logger gets a warning if a call of Collect panics or takes more than one second. This time includes the wait for an
	// earlier call. Logger gets at most one warning in a minute. Nil means [slog.Default].
	Logger *slog.Logger
}

// ErrClosed means that a call did nothing, because Close or Delete was called before. Errors of [CounterSet.Create],
// [Instance.Delete], [Provider.Snapshot], [Provider.Close] and [Publisher.Write] can wrap ErrClosed.
var ErrClosed = errors.New("already closed")

// ErrDuplicate means that an instance with the name already exists. The error of [CounterSet.Create] then wraps
// ErrDuplicate.
var ErrDuplicate = errors.New("the instance exists")

// A Provider is a started provider. All methods can be called from several goroutines. A Provider must not be copied.
type Provider struct {
	name    string
	system  system
	handle  uintptr
	sets    map[Set]*startedSet
	ordered []*startedSet // in the order of the definition
	collect collection

	mu     sync.Mutex // protects closed, and the instances of the sets
	closed bool

	// calls counts the running calls of Create, Delete and Snapshot. These calls do not hold mu while they call Windows,
	// because Windows can wait for Collect, and Collect can lock mu.
	calls sync.WaitGroup
}

// Start starts the provider of a definition with the default options. Call [Provider.Close] at the end.
func Start(d Definition) (*Provider, error) { return Options{}.Start(d) }

// Start starts the provider of a definition, and makes the provider and its counter sets known to Windows. Consumers
// find the sets only if the command `perfblock provider install` has also registered the provider.
//
// Start returns an error if the registration of a set lacks a counter, has another type for a counter, or lacks
// PERF_ATTRIB_BY_REFERENCE. Consumers would otherwise read wrong values. If Windows refuses a call, the error wraps
// an [*Error]. After an error, no provider is started.
func (o Options) Start(d Definition) (*Provider, error) { return o.start(d, newSystem()) }

func (o Options) start(d Definition, s system) (*Provider, error) {
	p := &Provider{name: d.Name, system: s, sets: make(map[Set]*startedSet)}
	fault := func(err error) (*Provider, error) {
		return nil, fmt.Errorf("provider %s: %w", quote.Short(d.Name), err)
	}
	if err := p.define(d); err != nil {
		return fault(err)
	}
	if err := p.compareRegistrations(s); err != nil {
		return fault(err)
	}
	var control func(code uint32) uint32
	if o.Collect != nil {
		p.collect.compute, p.collect.logger, p.collect.provider = o.Collect, cmp.Or(o.Logger, slog.Default()), d.Name
		control = p.collect.control
	}
	handle, status := s.start(d.GUID, control)
	if err := callError("PerfStartProviderEx", status); err != nil {
		return fault(err)
	}
	p.handle = handle
	for _, set := range p.ordered {
		if err := callError("PerfSetCounterSetInfo", s.setInfo(handle, set.template)); err != nil {
			return fault(errors.Join(fmt.Errorf("counter set %s: %w", quote.Short(set.name), err), callError("PerfStopProvider", s.stop(handle))))
		}
	}
	return p, nil
}

// define checks the definition and encodes the templates of its sets.
func (p *Provider) define(d Definition) error {
	switch {
	case d.GUID == layout.GUID{}:
		return errors.New("the GUID is not set; generate the definition with perfblock define")
	case len(d.CounterSets) == 0:
		return errors.New("there are no counter sets; a provider must have at least one")
	}
	ids := make(map[layout.GUID]string)
	for i, s := range d.CounterSets {
		if s == nil {
			return fmt.Errorf("counter set %d is nil", i)
		}
		set, err := s.open(d.GUID)
		if err != nil {
			return err
		}
		if other, is := ids[set.guid]; is {
			return fmt.Errorf("counter sets %s and %s have the same GUID %v; give each set its own GUID", quote.Short(other), quote.Short(set.name), set.guid)
		}
		ids[set.guid] = set.name
		p.sets[s] = set
		p.ordered = append(p.ordered, set)
	}
	return nil
}

// compareRegistrations returns an error if the registration of a set does not match its definition.
func (p *Provider) compareRegistrations(s system) error {
	for _, set := range p.ordered {
		b, status := s.registration(set.guid)
		if status != success { // a program can run without a registration
			continue
		}
		if err := registration.Check(set.template, b); err != nil {
			return fmt.Errorf("counter set %s: %w; run perfblock provider install with the manifest of this program", quote.Short(set.name), err)
		}
	}
	return nil
}

// begin counts a call that Close must wait for. If it returns no error, the caller must call p.calls.Done.
func (p *Provider) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("provider %s: %w; start it again", quote.Short(p.name), ErrClosed)
	}
	p.calls.Add(1)
	return nil
}

// errNil is the error of the methods of a nil Provider.
var errNil = errors.New("the provider is nil; check the error of Start")

// Close deletes all instances and stops the provider. Close waits for running calls of Create, Delete and Snapshot. A
// second call does nothing and returns an error that wraps [ErrClosed]. The program may still use the counters of
// instances after Close, but no consumer sees their values.
func (p *Provider) Close() error {
	if p == nil {
		return errNil
	}
	p.mu.Lock()
	closed := p.closed
	p.closed = true
	p.mu.Unlock()
	if closed {
		return fmt.Errorf("provider %s: %w", quote.Short(p.name), ErrClosed)
	}
	p.calls.Wait()
	var errs []error
	for _, set := range p.ordered {
		for _, in := range slices.SortedFunc(maps.Values(set.instances), byID) {
			errs = append(errs, in.delete())
		}
	}
	errs = append(errs, callError("PerfStopProvider", p.system.stop(p.handle)))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("provider %s: %w", quote.Short(p.name), err)
	}
	return nil
}

// programStart is the time at which the program started. PerfTimeStamp in snapshots is programStart plus the monotonic
// time since then, so changes of the system time do not change PerfTimeStamp.
var programStart = time.Now()

// Snapshot calls [Options.Collect], and returns the current values as a consumer gets them from PerfQueryCounterData: query
// data with a result for each counter set, in the order of the definition.
//
// A set without live instances has the result ERROR_WMI_INSTANCE_NOT_FOUND. If Collect panics, each set has the result
// ERROR_NO_DATA. Snapshot does not compute aggregates such as _Total, which Windows adds for a consumer.
func (p *Provider) Snapshot() ([]byte, error) {
	if p == nil {
		return nil, errNil
	}
	if err := p.begin(); err != nil {
		return nil, err
	}
	defer p.calls.Done()
	status := p.collect.run()
	now := time.Now()
	data := new(builder.QueryData).At(now)
	// PerfTimeStamp is in units of 100 ns, because PerfFreq is 0, which means 10,000,000 ticks per second.
	data.PerfTimeStamp = layout.FileTime(programStart) + int64(now.Sub(programStart)/100)
	for _, set := range p.ordered {
		result := builder.ErrorReturn(uint32(status))
		if status == success {
			result = p.result(set)
		}
		data.Add(result)
	}
	return data.MarshalBinary()
}

// result returns the values of all instances of a set.
func (p *Provider) result(set *startedSet) *builder.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	result := builder.CounterSet().Define(set.counters...)
	for _, in := range slices.SortedFunc(maps.Values(set.instances), byID) {
		if !in.live {
			continue
		}
		values := make([]uint64, len(set.counters))
		for i := range values {
			if values[i] = in.values[i].Load(); set.counters[i].Size == 4 {
				values[i] = uint64(uint32(values[i]))
			}
		}
		if !set.hasNames() {
			return builder.MultipleCounters().Define(set.counters...).Single(values...)
		}
		result.Instance(in.name, in.id, values...)
	}
	if len(result.Instances) == 0 {
		return builder.ErrorReturn(uint32(instanceNotFound))
	}
	return result
}

// A collection calls [Options.Collect].
type collection struct {
	compute  func()
	logger   *slog.Logger
	provider string // for the logger

	mu     sync.Mutex // held while compute runs
	warned time.Time  // when the last warning was logged
}

const (
	// maxWait is the time for which Windows waits for the callback function of a provider.
	// Source: https://learn.microsoft.com/windows/win32/api/perflib/nc-perflib-perflibrequest
	maxWait = time.Second

	// warningInterval is the shortest time between two warnings.
	warningInterval = time.Minute
)

// control is the callback function of a provider. A request does not name a counter set, so control computes the values
// of all sets.
func (c *collection) control(code uint32) uint32 {
	if code == collectStart {
		return uint32(c.run())
	}
	return uint32(success)
}

// run calls compute. It logs a warning if compute panics, or if the call takes too long, including the wait for another
// call.
func (c *collection) run() (s status) {
	if c.compute == nil {
		return success
	}
	request := time.Now() // before the wait for another call
	c.mu.Lock()
	defer c.mu.Unlock()
	start := time.Now()
	defer func() {
		if fault := recover(); fault != nil {
			s = statusNoData // some values may be old
			c.warn("Collect has panicked, so the consumer gets no values", "panic", fmt.Sprint(fault), "stack", string(debug.Stack()))
			return
		}
		if took := time.Since(request); took > maxWait {
			c.warn("Collect took too long, so the consumer may have read old values", "took", took, "waited", start.Sub(request), "limit", maxWait)
		}
	}()
	c.compute()
	return success
}

// warn logs a warning. If the last warning is less than [warningInterval] ago, warn does nothing.
func (c *collection) warn(message string, args ...any) {
	if !c.warned.IsZero() && time.Since(c.warned) < warningInterval {
		return
	}
	c.warned = time.Now()
	c.logger.Warn(message, append([]any{"provider", c.provider}, args...)...)
}
