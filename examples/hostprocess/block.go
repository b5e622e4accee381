package main

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A collector encodes blocks. It compiles the templates of the objects once, and can write
// many blocks into one buffer.
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

// append appends the block of a host to b.
func (c *collector) append(b []byte, h *host) ([]byte, error) {
	now := layout.FileTime(h.at)
	f := builder.NewFill(b)
	header := builder.DataBlock{SystemName: text(h.name), DefaultObject: titleProcess}
	header.At(h.at)
	// header.PerfFreq is 0, so package builder writes the default of 10,000,000 ticks per second. PerfTime100nSec has
	// the same number of ticks per second, so PerfTime can have the same value.
	header.PerfTime = now
	f.DataBlock(&header)
	c.processes(&f, h, now)
	if h.hasThreads() {
		c.threads(&f, h, now)
	}
	return f.Done()
}

// processes writes the Process object.
func (c *collector) processes(f *builder.Fill, h *host, now int64) {
	f.Object(c.process)
	add := func(p *proc) {
		// As on Windows, several instances can have the same name. Readers add a number to a repeated name.
		f.Instance(text(p.name))
		c.row = appendValues(c.row[:0], processColumns, now, p)
		f.Values(c.row...)
	}
	for i := range h.processes {
		add(&h.processes[i])
	}
	total := h.total()
	add(&total)
}

// threads writes the Thread object. The name of an instance is the number of the thread in its process, or _Total.
func (c *collector) threads(f *builder.Fill, h *host, now int64) {
	f.Object(c.thread)
	// parent is the position of the process in the Process object.
	add := func(parent int, name string, t *thread) {
		f.Child(titleProcess, uint32(parent), name)
		c.row = appendValues(c.row[:0], threadColumns, now, t)
		f.Values(c.row...)
	}
	for i := range h.processes {
		for n := range h.processes[i].threads {
			add(i, strconv.Itoa(n), &h.processes[i].threads[n])
		}
	}
	total := h.totalThread()
	add(len(h.processes), "_Total", &total) // the last instance of the Process object is its _Total
}

// text returns a name that a block can hold: valid UTF-8 without NUL, and not empty.
func text(name string) string {
	// On Unix, the name of a program can have any bytes, and can end in the middle of a character.
	name = strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "\uFFFD")
	if name == "" {
		return "unknown"
	}
	return name
}
