package provider

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/registration"
	"github.com/perfblock/perfblock/layout"
)

// A Definition is what a provider offers: its GUID, and its counter sets. perfblock define generates it.
type Definition struct {
	Name        string // for error messages
	GUID        layout.GUID
	CounterSets []Set
}

// Options are the options of a provider. The zero value has the defaults of [Start].
type Options struct {
	// Collect computes values. If it is not nil, Windows calls it before it reads the values of any counter set of the
	// provider. There is only one call at a time. Windows waits for one second, and then reads the
	// values although Collect still runs. If Collect panics, the consumer gets no values.
	//
	// Collect may create and delete instances. It must not call Close or Snapshot, which wait for Collect.
	Collect func()

	// Logger gets a warning about each call of Collect that panics or takes more than one second, which includes the time in
	// which it waits for another call. It gets not more than one warning in a minute. Nil means [slog.Default].
	Logger *slog.Logger
}

// ErrClosed is wrapped by the error of a call after Close or Delete.
var ErrClosed = errors.New("already closed")

// ErrDuplicate is wrapped by the error of Create if the instance exists.
var ErrDuplicate = errors.New("the instance exists")

// A Provider is a provider that Windows knows. All methods can be called from several goroutines. A Provider must not be
// copied.
type Provider struct {
	name    string
	system  system
	handle  uintptr
	sets    map[Set]*startedSet
	ordered []*startedSet // in the order of the definition
	collect collection

	mu     sync.Mutex // protects closed, and the instances of the sets
	closed bool

	// calls counts the calls of Create, Delete and Snapshot that run. Such a call does not hold mu while it calls Windows,
	// because Windows can wait for Collect, and Collect can need mu.
	calls sync.WaitGroup
}

// Start starts the provider of a definition with the default options. Call [Provider.Close] at the end.
func Start(d Definition) (*Provider, error) { return Options{}.Start(d) }

// Start starts the provider of a definition: it makes the provider and its counter sets known to Windows. Consumers find the
// sets only if the provider is registered too, with perfblock provider install. If a set is registered with another type of
// a counter, without a counter or without the attribute reference, consumers would read wrong values, and Start returns an
// error.
//
// If Start fails, it undoes what it has done. If Windows has refused a call, the error wraps an [*Error].
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
	if err := failed("PerfStartProviderEx", status); err != nil {
		return fault(err)
	}
	p.handle = handle
	for _, set := range p.ordered {
		if err := failed("PerfSetCounterSetInfo", s.setInfo(handle, set.template)); err != nil {
			return fault(errors.Join(fmt.Errorf("counter set %s: %w", quote.Short(set.name), err), failed("PerfStopProvider", s.stop(handle))))
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

// compareRegistrations returns an error if a set is registered for another definition. It is no error if a set is not
// registered, or if its registration cannot be read, because programs run without it too.
func (p *Provider) compareRegistrations(s system) error {
	for _, set := range p.ordered {
		b, status := s.registration(set.guid)
		if status != success {
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

// Close deletes all instances and stops the provider. It waits for other calls that run. A second call returns an error
// that wraps [ErrClosed], and does nothing. Counters of instances can be used after Close, without effect.
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
	errs = append(errs, failed("PerfStopProvider", p.system.stop(p.handle)))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("provider %s: %w", quote.Short(p.name), err)
	}
	return nil
}

// started is the time from which PerfTimeStamp of a snapshot is measured. It has a reading of the monotonic clock.
var started = time.Now()

// Snapshot returns the current values as a consumer gets them from PerfQueryCounterData: data of the kind
// [layout.QueryKind] with a result for each counter set, in the order of the definition. It calls
// [Options.Collect] first.
//
// A set without live instances has the result ERROR_WMI_INSTANCE_NOT_FOUND, and if Collect panics, each set has the
// result ERROR_NO_DATA. For a set with aggregates, Snapshot returns the instances of the program. It does not compute the
// aggregate, which Windows does for a consumer.
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
	data.PerfTimeStamp = layout.FileTime(started) + int64(now.Sub(started)/100) // in units of 100 ns, as PerfFreq 0 means
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
