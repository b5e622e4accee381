package main

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// block returns the model of the host's block: its Process object and, where
// threads are known, its Thread object.
func (h *host) block() builder.DataBlock {
	s := sample{now: layout.FileTime(h.at)}
	d := builder.DataBlock{SystemName: text(h.name), DefaultObject: titleProcess}
	d.At(h.at)
	// Rates need a clock that ticks PerfFreq times a second. That of the header's
	// PerfTime100nSec does, at the frequency that PerfFreq 0 stands for.
	d.PerfTime = s.now
	d.Add(h.processObject(s))
	if threads := h.threadObject(s); threads != nil {
		d.Add(threads)
	}
	return d
}

func (h *host) processObject(s sample) *builder.Object {
	o := builder.NewObject(titleProcess).Define(define(processColumns)...)
	total := h.total()
	names := map[string]bool{strings.ToUpper(total.name): true}
	for i := range h.processes {
		p := &h.processes[i]
		name := text(p.name)
		o.Instance(name, values(processColumns, s, p)...)
		// A process goes by the name of its program, of which several may run:
		// Windows' own Process object has many a svchost. Readers number them.
		o.DuplicateNames = o.DuplicateNames || names[strings.ToUpper(name)]
		names[strings.ToUpper(name)] = true
	}
	return o.Instance(total.name, values(processColumns, s, &total)...)
}

// threadObject returns nil where the system tells of no threads. A thread goes
// by its number in its process, whose place among the Process instances it names.
func (h *host) threadObject(s sample) *builder.Object {
	o := builder.NewObject(titleThread).Define(define(threadColumns)...)
	add := func(parent int, name string, t *thread) {
		o.Add(builder.Instance{
			Name:                   name,
			ParentObjectTitleIndex: titleProcess,
			ParentObjectInstance:   uint32(parent),
			Values:                 values(threadColumns, s, t),
		})
	}
	for i := range h.processes {
		for n := range h.processes[i].threads {
			add(i, strconv.Itoa(n), &h.processes[i].threads[n])
		}
	}
	if len(o.Instances) == 0 {
		return nil
	}
	total := h.totalThread()
	add(len(h.processes), "_Total", &total) // the _Total of the Process object comes last
	return o
}

// text returns a name that a block can hold. Unix lets a program be called what
// it likes, or cuts its name in the middle of a character.
func text(name string) string {
	name = strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "\uFFFD")
	if name == "" {
		return "unknown"
	}
	return name
}
