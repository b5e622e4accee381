package provider

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/perfblock/perfblock/validate"
)

// In published objects, the title indexes of names start at FirstCounter, and the title indexes of help texts start at
// FirstHelp. The bridge replaces these numbers with the First Counter and First Help that lodctr has chosen for the
// service. To make such objects, rebase the template:
//
//	template, err := relative.Rebase(provider.FirstCounter, provider.FirstHelp)
const (
	FirstCounter = titleBase
	FirstHelp    = helpBase
)

// A Publisher makes objects of version 1 visible in Windows. It writes finished objects to shared memory. The bridge, a DLL
// in C, returns the objects to consumers:
//
//	pub, err := provider.Publish("Shop")
//	err = pub.Write(objects) // from builder.Fill, every second or when values have changed
//	defer pub.Close()
//
// Windows loads the DLL of a provider into each process that reads counters, and later unloads the DLL. A DLL in Go cannot be
// unloaded, so this DLL is in C. docs/bridge.md describes how to build and register the bridge.
//
// All methods can be called from several goroutines.
//
// On other systems, a Publisher makes the same checks of objects, but writes to memory that no other program sees.
//
// The publisher and the bridge were tested with Wine, and not yet on Windows.
type Publisher struct {
	service string // in the names of mappings
	sharer  sharer
	lock    *mapping // exists as long as the publisher runs
	root    *mapping
	stop    chan struct{} // closed to end the heartbeat
	stopped chan struct{} // closed when the heartbeat has ended

	mu         sync.Mutex // protects the fields below
	validator  validate.Validator
	ordered    []byte   // the objects of the last Write, costly objects last
	late       []byte   // the costly objects, while order runs; reused
	generation *mapping // nil before the first Write
	number     uint32   // of the generation
	size       uint32   // bytes of a buffer of the generation
	buffer     uint32   // the buffer of the last Write
	sequence   uint32   // of the last Write
	closed     bool
}

// Publish starts to publish objects of a service. The parameter service is the name of the registry key of the service,
// below Services. The DLL of the service has the same name, such as Shop.dll.
//
// Only a service or an administrator can publish objects, because other accounts cannot make memory that processes of
// other users can read. For other accounts, Publish returns an error. Publish also returns an error if another process
// publishes objects of the service. After a crash, a new process can call Publish at once.
func Publish(service string) (*Publisher, error) { return publish(newSharer(), service) }

func publish(s sharer, service string) (*Publisher, error) {
	name, err := mappingService(service)
	if err != nil {
		return nil, err
	}
	lock, exists, err := s.create(lockPrefix+name, rootSize, onlyPublisher)
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", service, err)
	}
	p := &Publisher{service: name, sharer: s, lock: lock, stop: make(chan struct{}), stopped: make(chan struct{})}
	if exists {
		return nil, errors.Join(fmt.Errorf("service %s: another publisher runs; close it first", service), lock.unmap())
	}
	if err := p.openRoot(); err != nil {
		return nil, errors.Join(fmt.Errorf("service %s: %w", service, err), lock.unmap())
	}
	go p.beat()
	return p, nil
}

// openRoot makes the root. If the root of an earlier publisher still exists, openRoot uses this root.
func (p *Publisher) openRoot() error {
	root, exists, err := p.sharer.create(prefix+p.service, rootSize, consumers)
	if err != nil {
		return err
	}
	if magic := root.word(rootMagicAt).Load(); exists && magic != rootMagic && magic != 0 {
		return errors.Join(fmt.Errorf("another program uses the mapping %s; stop the program, or rename the service", prefix+p.service), root.unmap())
	}
	p.root, p.number = root, root.word(rootNumberAt).Load()
	root.word(rootNumberAt).Store(0)
	root.word(rootVersionAt).Store(mappingVersion)
	root.word(rootAliveAt).Store(p.sharer.seconds())
	root.word(rootMagicAt).Store(rootMagic)
	return nil
}

// beat writes the time to the root every second, until stop is closed.
func (p *Publisher) beat() {
	defer close(p.stopped)
	ticks := time.NewTicker(time.Second)
	defer ticks.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticks.C:
			p.root.word(rootAliveAt).Store(p.sharer.seconds())
		}
	}
}

// Write replaces all published objects. The first argument is a block of the kind [layout.ObjectsKind], which a
// [builder.Fill] can write. A consumer never gets a mixture of objects of two calls. Write does not keep the arguments.
//
// The title indexes of the objects start at [FirstCounter] and [FirstHelp]. The parameter costly has the titles of
// costly objects. A consumer gets a costly object only for a query with its title or for the query Costly.
//
// After Close, the error wraps [ErrClosed]. After any other error, consumers still get the objects of the last
// successful Write. An error about the objects names the wrong value. Write refuses
//   - objects in which package validate finds an error
//   - title indexes below [FirstCounter] or [FirstHelp]
//   - more than 512 objects or 64 MiB
//   - texts (PERF_COUNTER_TEXT), names that are not in UTF-16, and objects of a metadata template
//   - more than 4,096 changes of ParentObjectTitleIndex from one instance to the next, in all objects together;
//     instances without a parent do not count; in each object, the first instance with a parent counts as a change
//   - other values that consumers do not expect
func (p *Publisher) Write(objects []byte, costly ...uint32) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("publisher: %w", ErrClosed)
	}
	if err := p.check(objects); err != nil {
		return err
	}
	costlyStart, err := p.order(objects, costly)
	if err != nil {
		return err
	}
	if p.generation != nil && len(objects) <= int(p.size) {
		p.store(costlyStart)
		return nil
	}
	return p.grow(costlyStart)
}

// store writes p.ordered to the buffer that has the older objects. The parameter costlyStart is the offset of the
// first costly object.
func (p *Publisher) store(costlyStart uint32) {
	p.buffer ^= 1
	if p.sequence += 2; p.sequence == 0 { // 0 means that the buffer was never written
		p.sequence = 2
	}
	header := generationBuffersAt + p.buffer*bufferHeaderSize
	p.generation.word(header + bufferSequenceAt).Store(p.sequence - 1) // odd: a reader ignores the buffer
	p.generation.word(header + bufferLengthAt).Store(uint32(len(p.ordered)))
	p.generation.word(header + bufferCostlyAt).Store(costlyStart)
	p.generation.write(generationDataAt+p.buffer*p.size, p.ordered)
	p.generation.word(header + bufferSequenceAt).Store(p.sequence)
}

// smallestBuffer is the smallest size of a buffer in bytes.
const smallestBuffer = 64 << 10

// grow makes a generation that is large enough, writes p.ordered to it, and makes it the current generation.
func (p *Publisher) grow(costlyStart uint32) error {
	size := uint32(smallestBuffer)
	for int(size) < len(p.ordered) {
		size *= 2
	}
	old := p.generation
	for range 1000 {
		if p.number++; p.number == 0 {
			p.number = 1
		}
		name := prefix + p.service + fmt.Sprintf(generationName, p.number)
		m, exists, err := p.sharer.create(name, generationDataAt+bufferCount*size, consumers)
		if err != nil {
			return fmt.Errorf("memory for %d bytes of objects: %w", len(p.ordered), err)
		}
		if exists { // a consumer still has a mapping of a publisher that was killed
			if err := m.unmap(); err != nil {
				return err
			}
			continue
		}
		p.generation, p.size, p.buffer, p.sequence = m, size, 0, 0
		m.word(generationMagicAt).Store(generationMagic)
		m.word(generationVersionAt).Store(mappingVersion)
		m.word(generationNumberAt).Store(p.number)
		m.word(generationSizeAt).Store(size)
		p.store(costlyStart)
		p.root.word(rootNumberAt).Store(p.number)
		if old != nil {
			_ = old.unmap() // the objects are already published; without success, the process keeps the old memory
		}
		return nil
	}
	return errors.New("programs that read counters have 1000 mappings of earlier publishers open; end these programs")
}

// Close ends the publication. Consumers get no objects any more. A second call does nothing.
func (p *Publisher) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	close(p.stop)
	<-p.stopped
	p.root.word(rootNumberAt).Store(0)
	err := errors.Join(p.root.unmap(), p.lock.unmap())
	if p.generation != nil {
		err = errors.Join(err, p.generation.unmap())
	}
	return err
}
