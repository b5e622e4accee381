package main

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A collector encodes hosts as blocks. It compiles its templates once and can write any
// number of blocks into the same buffer.
type collector struct {
	process, thread *builder.Template
	row             []uint64 // the values of one instance
}

func newCollector() (*collector, error) {
	process, err := builder.NewObject(titleProcess).Define(define(processColumns)...).Compile()
	if err != nil {
		return nil, err
	}
	thread, err := builder.NewObject(titleThread).Define(define(threadColumns)...).Compile()
	return &collector{process: process, thread: thread}, err
}

// append appends the host's block to b: its Process object and, where threads are
// known, its Thread object.
func (c *collector) append(b []byte, h *host) ([]byte, error) {
	s := sample{now: layout.FileTime(h.at)}
	f := builder.NewFill(b)
	header := builder.DataBlock{SystemName: text(h.name), DefaultObject: titleProcess}
	header.At(h.at)
	// Rates need a clock that ticks PerfFreq times a second. PerfFreq 0 means 10,000,000,
	// the frequency of PerfTime100nSec, so the same clock is used for both.
	header.PerfTime = s.now
	f.DataBlock(&header)
	c.processes(&f, h, s)
	if h.hasThreads() {
		c.threads(&f, h, s)
	}
	return f.Done()
}

// processes writes the Process object. The name of an instance is the name of its program.
// Names repeat if a program runs several times, as svchost does on Windows. Readers number them.
func (c *collector) processes(f *builder.Fill, h *host, s sample) {
	f.Object(c.process)
	for i := range h.processes {
		p := &h.processes[i]
		f.Instance(text(p.name))
		c.row = appendValues(c.row[:0], processColumns, s, p)
		f.Values(c.row...)
	}
	total := h.total()
	f.Instance(total.name)
	c.row = appendValues(c.row[:0], processColumns, s, &total)
	f.Values(c.row...)
}

// threads writes the Thread object. The name of an instance is the thread's number in its
// process; its parent is the position of the process among the Process instances.
func (c *collector) threads(f *builder.Fill, h *host, s sample) {
	f.Object(c.thread)
	add := func(parent int, name string, t *thread) {
		f.Child(titleProcess, uint32(parent), name)
		c.row = appendValues(c.row[:0], threadColumns, s, t)
		f.Values(c.row...)
	}
	for i := range h.processes {
		for n := range h.processes[i].threads {
			add(i, strconv.Itoa(n), &h.processes[i].threads[n])
		}
	}
	total := h.totalThread()
	add(len(h.processes), "_Total", &total) // the _Total of the Process object comes last
}

// text returns a name that a block can hold. On Unix, a program's name can contain any
// bytes, and the system can cut it in the middle of a character.
func text(name string) string {
	name = strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "\uFFFD")
	if name == "" {
		return "unknown"
	}
	return name
}
