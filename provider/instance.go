package provider

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

// An Instance is the part of a generated struct that identifies the instance. A copy refers to the same instance.
type Instance struct{ lease *lease }

// Name returns the name of the instance. It is empty for the only instance of a single-instance set.
func (i *Instance) Name() string {
	if i.lease == nil {
		return ""
	}
	return i.lease.instance.name
}

// Delete deletes the instance, so that consumers no longer see it. The program may still use the counters, but no
// consumer sees their values. If Windows refuses to delete the instance, the error wraps an [*Error], and a later
// Delete tries again. After a successful Delete, during another Delete of the instance, and after Close of the
// provider, Delete does nothing and returns an error that wraps [ErrClosed].
func (i *Instance) Delete() error {
	if i.lease == nil {
		return errors.New("the instance was not created; call Create of its counter set")
	}
	in := i.lease.instance
	if err := in.provider.delete(in); err != nil {
		return in.set.fault(in.name, err)
	}
	return nil
}

// A startedSet has the definition and the instances of a counter set, while a provider uses the set.
type startedSet struct {
	name     string
	guid     layout.GUID
	kind     layout.InstanceType
	counters []builder.QueryCounter
	template []byte

	// The mu of the provider protects the fields below.
	names     map[string]*instance // by folded name; includes instances that a running call creates or deletes
	instances map[uint32]*instance // the same instances, by id
	next      uint32               // the id to try next
}

// An instance has the id, the handle and the values of an instance of a counter set.
type instance struct {
	provider *Provider
	set      *startedSet
	name     string
	id       uint32
	live     bool    // Windows has the instance, and no call deletes it now; protected by the mu of the provider
	handle   uintptr // from PerfCreateInstance
	values   []atomic.Uint64

	// holders is the number of users of the values: Windows, and the lease of the program. At 0, the memory of the values is
	// free for another instance.
	holders atomic.Int32
}

// fault returns an error about an instance of the set.
func (s *startedSet) fault(name string, err error) error {
	return fmt.Errorf("counter set %s, instance %s: %w", quote.Short(s.name), quote.Short(name), err)
}

func byID(a, b *instance) int { return cmp.Compare(a.id, b.id) }

// release subtracts 1 from holders. At 0, it returns the memory of the values to the pool.
func (in *instance) release() {
	if in.holders.Add(-1) == 0 {
		memory.giveBack(in.values)
	}
}

// create creates an instance in Windows.
func (p *Provider) create(set *startedSet, name string) (*instance, error) {
	if err := set.check(name); err != nil {
		return nil, err
	}
	if err := p.begin(); err != nil {
		return nil, err
	}
	defer p.calls.Done()
	in := &instance{provider: p, set: set, name: name}
	if err := p.reserve(in); err != nil {
		return nil, err
	}
	err := in.create()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		set.forget(in)
		return nil, err
	}
	in.live = true
	return in, nil
}

// anyInstance is the id with which a query selects instances of any id. No instance can have this id.
// Source: PERF_COUNTER_IDENTIFIER in perflib.h.
const anyInstance = 0xFFFFFFFF

// reserve chooses the id of an instance. It returns an error if another instance has the name.
func (p *Provider) reserve(in *instance) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	set := in.set
	key := fold(in.name)
	if other := set.names[key]; other != nil {
		if !set.hasNames() {
			return fmt.Errorf("%w: this set can have only one", ErrDuplicate)
		}
		return fmt.Errorf("%w: %s; names must differ in more than case", ErrDuplicate, quote.Short(other.name))
	}
	for set.instances[set.next] != nil || set.next == anyInstance {
		set.next++
	}
	in.id = set.next
	set.next++
	set.names[key], set.instances[in.id] = in, in
	return nil
}

// forget removes an instance from the maps of the set. Call forget after the instance was deleted in Windows, or after
// its method create returned an error.
func (s *startedSet) forget(in *instance) {
	delete(s.names, fold(in.name))
	delete(s.instances, in.id)
}

// onlyInstance is the name that is passed to Windows for the only instance of a single-instance set. Windows requires a
// name, and consumers ignore it.
const onlyInstance = "default"

// create creates the instance in Windows and passes the addresses of the values to Windows. If PerfSetCounterRefValue
// fails, create deletes the instance, so that Windows does not have the instance after an error. If PerfDeleteInstance
// fails too, Windows keeps the instance, and its memory stays in use.
func (in *instance) create() error {
	p := in.provider
	values, err := memory.take(len(in.set.counters))
	if err != nil {
		return err
	}
	in.values = values
	name := in.name
	if !in.set.hasNames() {
		name = onlyInstance
	}
	handle, status := p.system.create(p.handle, in.set.guid, name, in.id)
	if err := callError("PerfCreateInstance", status); err != nil {
		memory.giveBack(values)
		return err
	}
	in.handle = handle
	in.holders.Store(1) // Windows
	for i, c := range in.set.counters {
		if err := callError("PerfSetCounterRefValue", p.system.setReference(p.handle, handle, c.CounterId, &values[i])); err != nil {
			return errors.Join(fmt.Errorf("counter %d: %w", c.CounterId, err), in.delete())
		}
	}
	in.holders.Store(2) // Windows, and the lease that Create makes
	return nil
}

// delete deletes the instance in Windows. After an error, Windows may still read the values, so their memory stays in use.
func (in *instance) delete() error {
	err := callError("PerfDeleteInstance", in.provider.system.delete(in.provider.handle, in.handle))
	if err == nil {
		in.release()
	}
	return err
}

// delete deletes an instance. It returns an error if another call has deleted the instance, or is deleting it.
func (p *Provider) delete(in *instance) error {
	if err := p.begin(); err != nil {
		return err
	}
	defer p.calls.Done()
	p.mu.Lock()
	live := in.live
	in.live = false
	p.mu.Unlock()
	if !live {
		return fmt.Errorf("%w: Delete was called before", ErrClosed)
	}
	err := in.delete()
	p.mu.Lock()
	defer p.mu.Unlock()
	if in.live = err != nil; !in.live {
		in.set.forget(in)
	}
	return err
}

// hasNames reports whether the instances of the set have names.
func (s *startedSet) hasNames() bool { return s.kind != layout.PERF_COUNTERSET_SINGLE_INSTANCE }

// longestName is the largest number of UTF-16 code units in a name, without the NUL.
const longestName = layout.PERF_MAX_INSTANCE_NAME - 1

// check checks the name of an instance.
func (s *startedSet) check(name string) error {
	switch {
	case !s.hasNames():
		if name != "" {
			return errors.New(`the set has no instances; pass "" as the name`)
		}
		return nil
	case name == "":
		return errors.New("the name is empty; an instance of this set must have a name")
	case utf16le.Invalid(name) >= 0:
		return fmt.Errorf("the name is not valid UTF-8 at byte %d; replace the invalid bytes, for example with strings.ToValidUTF8", utf16le.Invalid(name))
	case strings.Contains(name, "\x00"):
		return fmt.Errorf("the name has a NUL at byte %d, and Windows would end the name there; remove the NUL", strings.Index(name, "\x00"))
	case strings.ContainsAny(name, "*?"):
		at := strings.IndexAny(name, "*?")
		return fmt.Errorf("the name has a %c at byte %d, which is a wildcard in a query; replace it", name[at], at)
	case s.kind&layout.PERF_COUNTERSET_FLAG_AGGREGATE != 0 && fold(name) == fold(layout.PERF_AGGREGATE_INSTANCE):
		return fmt.Errorf("the name is %s, the instance that Windows computes for this set; choose another name", layout.PERF_AGGREGATE_INSTANCE)
	}
	if n := utf16le.Len(name) / 2; n > int(longestName) {
		return fmt.Errorf("the name has %d UTF-16 code units; a name must have at most %d", n, longestName)
	}
	return nil
}

// fold returns the name in upper case. Two names are equal for Windows if fold returns the same text for both names.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == 'ı' || r == 'ſ' { // ordinal comparisons of .NET do not change these letters
			return r
		}
		return unicode.ToUpper(r)
	}, name)
}
