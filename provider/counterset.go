package provider

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A Set is a counter set in a [Definition]. Its type is a pointer to a [CounterSet].
type Set interface {
	// open checks the definition of the set, and returns what a started provider stores about the set.
	open(provider layout.GUID) (*startedSet, error)
}

// A CounterSet is the definition of a counter set whose instances are structs of type T. The command `perfblock
// define` generates counter sets. A CounterSet must not be changed or copied after Start.
type CounterSet[T any] struct {
	Name string // for error messages

	// Info has the GUID, the instance type and the counters. Each counter must have the attribute
	// PERF_ATTRIB_BY_REFERENCE, here and in the registered manifest. ProviderGuid is ignored.
	Info builder.CounterSetInfo

	// Fields returns the parts of a T: its Instance, and the values of the counters in the order of Info.
	// No part may be nil.
	Fields func(*T) (*Instance, []Value)
}

// Create creates an instance of the set. The definition of p must contain the set. Consumers see the instance until
// Delete of the instance or Close of p is called, even if the program does not keep the result.
//
// The name must be valid UTF-8 without NUL, * and ?, and have at most 1023 UTF-16 code units. Names that differ only in
// case count as equal, and no two instances may have equal names. If the InstanceType is
// PERF_COUNTERSET_SINGLE_INSTANCE, only one instance can exist, and the name must be empty.
//
// A name may have all other characters, and a program that reads the block gets them unchanged. But some consumers
// split counter paths such as \Queues(orders)\Depth at a backslash, a slash, a parenthesis, or # with a number. Some
// consumers show a name with control characters on two lines. Replace these characters in names that come from outside
// the program. The performance counters of .NET replace ( ) # \ / by [ ] _ _ _.
//
// After an error, the result is nil and no new instance exists. The error wraps [ErrDuplicate] if another instance has the
// name, [ErrClosed] after Close, and an [*Error] if Windows refuses a call.
func (s *CounterSet[T]) Create(p *Provider, name string) (*T, error) {
	switch {
	case s == nil:
		return nil, errors.New("the counter set is nil")
	case p == nil:
		return nil, fmt.Errorf("counter set %s: %w", quote.Short(s.Name), errNil)
	case p.sets[s] == nil:
		return nil, fmt.Errorf("counter set %s: the provider %s does not have this set; pass the provider that was started with the definition of the set", quote.Short(s.Name), quote.Short(p.name))
	}
	in, err := p.create(p.sets[s], name)
	if err != nil {
		return nil, p.sets[s].fault(name, err)
	}
	q := new(T)
	part, values := s.Fields(q)
	part.lease = &lease{in}
	for i, v := range values {
		v.bind(&in.values[i], part.lease)
	}
	runtime.AddCleanup(part.lease, (*instance).release, in)
	return q, nil
}

// mostCounters is the largest number of counters of a set.
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counter_reg_info
const mostCounters = 64_000

func (s *CounterSet[T]) open(provider layout.GUID) (*startedSet, error) {
	if s == nil {
		return nil, errors.New("a counter set is nil")
	}
	set, err := s.start(provider)
	if err != nil {
		return nil, fmt.Errorf("counter set %s: %w", quote.Short(s.Name), err)
	}
	return set, nil
}

func (s *CounterSet[T]) start(provider layout.GUID) (*startedSet, error) {
	info := s.Info
	info.ProviderGuid = provider
	info.Counters = make([]builder.CounterInfo, len(s.Info.Counters))
	set := &startedSet{name: s.Name, guid: info.CounterSetGuid, kind: info.InstanceType, names: make(map[string]*instance), instances: make(map[uint32]*instance)}
	switch {
	case info.CounterSetGuid == layout.GUID{}:
		return nil, errors.New("the GUID is not set; generate the definition with perfblock define")
	case len(info.Counters) > mostCounters:
		return nil, fmt.Errorf("there are %d counters; a set must have at most %d", len(info.Counters), mostCounters)
	case s.Fields == nil:
		return nil, errors.New("the function Fields is nil; generate the definition with perfblock define")
	}
	in, values := s.Fields(new(T))
	switch {
	case in == nil:
		return nil, errors.New("the function Fields returns a nil Instance; generate the definition with perfblock define")
	case len(values) != len(info.Counters):
		return nil, fmt.Errorf("the struct has %d values for %d counters; run perfblock define again", len(values), len(info.Counters))
	}
	for i, c := range s.Info.Counters {
		width, _ := c.Type.Width()
		switch {
		case values[i] == nil:
			return nil, fmt.Errorf("the function Fields returns a nil Value for counter %d; generate the definition with perfblock define", c.CounterId)
		case width != 4 && width != 8 || c.Type.IsText():
			return nil, fmt.Errorf("counter %d is a %v; the value of a counter must be a number of 4 or 8 bytes", c.CounterId, c.Type)
		case !values[i].holds(width):
			return nil, fmt.Errorf("counter %d is a %v of %d bytes, and its field in the struct has another width; run perfblock define again", c.CounterId, c.Type, width)
		case c.Attrib&layout.PERF_ATTRIB_BY_REFERENCE == 0:
			return nil, fmt.Errorf("counter %d does not have the attribute \"reference\", which its definition and the registered manifest must have; write reference: true into the definition, and run perfblock define again", c.CounterId)
		}
		c.Size = width
		info.Counters[i] = c
		set.counters = append(set.counters, builder.QueryCounter{CounterId: c.CounterId, Size: width})
	}
	var err error
	set.template, err = info.MarshalBinary()
	return set, err
}

// Values is the type of an instance, for counter sets that [NewCounterSet] returns.
type Values struct {
	Instance

	// Counters are the counters in the order of the definition. If a counter has a value of 4 bytes, Windows
	// reads the low 4 bytes.
	Counters []Uint64
}

// NewCounterSet returns a counter set whose counters are known only at run time. The arguments are the fields Name and Info
// of [CounterSet].
func NewCounterSet(name string, info builder.CounterSetInfo) *CounterSet[Values] {
	return &CounterSet[Values]{Name: name, Info: info, Fields: func(v *Values) (*Instance, []Value) {
		v.Counters = make([]Uint64, len(info.Counters))
		values := make([]Value, len(info.Counters))
		for i := range values {
			values[i] = anyWidth{&v.Counters[i]}
		}
		return &v.Instance, values
	}}
}
