package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// defaults of the fields whose zero value means "compute".

func (o *Object) helpIndex() uint32 {
	return helpIndex(o.ObjectNameTitleIndex, o.ObjectHelpTitleIndex, o.NoHelp)
}

func (c *Counter) helpIndex() uint32 {
	return helpIndex(c.CounterNameTitleIndex, c.CounterHelpTitleIndex, c.NoHelp)
}

// helpIndex returns the help index to write. lodctr gives a help text the index
// after its name's.
func helpIndex(title, help uint32, none bool) uint32 {
	if help == 0 && !none && title != 0 {
		return title + 1 // 0 after the last index, which has none
	}
	return help
}

func (c *Counter) detailLevel() layout.DetailLevel {
	if c.DetailLevel == 0 && !c.CounterType.IsBase() {
		return layout.PERF_DETAIL_NOVICE
	}
	return c.DetailLevel
}

func (o *Object) detailLevel() layout.DetailLevel {
	if o.DetailLevel != 0 {
		return o.DetailLevel
	}
	level := layout.DetailLevel(0)
	for i := range o.Counters {
		if c := &o.Counters[i]; !c.CounterType.IsBase() && (level == 0 || c.detailLevel() < level) {
			level = c.detailLevel()
		}
	}
	if level == 0 {
		return layout.PERF_DETAIL_NOVICE
	}
	return level
}

func (o *Object) defaultCounter() int32 {
	switch {
	case o.DefaultCounter != nil:
		return *o.DefaultCounter
	case len(o.Counters) == 0 || o.Counters[0].CounterType.IsBase():
		return -1
	}
	return 0
}

// clock returns PerfTime and PerfFreq; now is the header's PerfTime100nSec.
func (o *Object) clock(now int64) (time, freq int64) {
	time, freq = o.PerfTime, o.PerfFreq
	if o.usesClock() {
		if time == 0 {
			time = now
		}
		if freq == 0 {
			freq = defaultFreq
		}
	}
	return time, freq
}

// usesClock reports whether a counter is computed with the object's PerfTime.
func (o *Object) usesClock() bool {
	return slices.ContainsFunc(o.Counters, func(c Counter) bool { return c.CounterType.UsesObjectTimer() })
}

// checkPerfTime checks a PerfTime that is to be written in place of the compiled one.
func (t *Template) checkPerfTime(ticks int64) error {
	switch {
	case ticks < 0:
		return layout.Faultf(layout.ErrRange, "%d is below 0", ticks)
	case ticks == 0 && t.clock:
		return layout.Faultf(layout.ErrRange, "is 0, must be above 0: a counter is computed with it")
	}
	return nil
}

// append writes the object as planned.
func (o *Object) append(b []byte, p plan) []byte {
	b = o.header(p).Append(b)
	b = o.appendCounters(b, p.slotting)
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		return values{o.Counters, o.Values, o.Texts}.append(b, p.slotting, o.blockLength(0, p.need))
	}
	for i := range o.Instances {
		in := &o.Instances[i]
		b = o.appendInstance(b, in)
		b = values{o.Counters, in.Values, in.Texts}.append(b, p.slotting, o.blockLength(in.BlockLength, p.need))
	}
	return b
}

// header returns the object's PERF_OBJECT_TYPE.
func (o *Object) header(p plan) wire.ObjectType {
	time, freq := o.clock(p.now)
	return wire.ObjectType{
		TotalByteLength:      p.total,
		DefinitionLength:     p.definitions,
		HeaderLength:         layout.PERF_OBJECT_TYPE.Size,
		ObjectNameTitleIndex: o.ObjectNameTitleIndex,
		ObjectHelpTitleIndex: o.helpIndex(),
		DetailLevel:          o.detailLevel(),
		NumCounters:          uint32(len(o.Counters)),
		DefaultCounter:       o.defaultCounter(),
		NumInstances:         p.instances,
		CodePage:             o.CodePage,
		PerfTime:             time,
		PerfFreq:             freq,
	}
}

// appendCounters writes the definitions.
func (o *Object) appendCounters(b []byte, p slotting) []byte {
	for i := range o.Counters {
		c, s := &o.Counters[i], p.slots[i]
		b = wire.CounterDefinition{
			ByteLength:            layout.PERF_COUNTER_DEFINITION.Size,
			CounterNameTitleIndex: c.CounterNameTitleIndex,
			CounterHelpTitleIndex: c.helpIndex(),
			DefaultScale:          c.DefaultScale,
			DetailLevel:           c.detailLevel(),
			CounterType:           c.CounterType,
			CounterSize:           s.size,
			CounterOffset:         s.at,
		}.Append(b)
	}
	return b
}

func (o *Object) appendInstance(b []byte, in *Instance) []byte {
	m, start := o.measure(in), len(b)
	id := layout.PERF_NO_UNIQUE_ID
	if in.UniqueID != nil {
		id = *in.UniqueID
	}
	b = wire.InstanceDefinition{
		ByteLength:             uint32(m.whole),
		ParentObjectTitleIndex: in.ParentObjectTitleIndex,
		ParentObjectInstance:   in.ParentObjectInstance,
		UniqueID:               id,
		NameOffset:             uint32(m.offset),
		NameLength:             uint32(m.length),
	}.Append(b)
	if in.Name != "" {
		b = appendLetters(zeroTo(b, start+int(m.offset)), in.Name, o.CodePage)
	}
	return zeroTo(b, start+int(m.whole)) // the terminator is the first of the zeros
}

// append writes a counter block of that length.
func (v values) append(b []byte, p slotting, length uint32) []byte {
	start := len(b)
	b = wire.CounterBlock{ByteLength: length}.Append(b)
	b = zeroTo(b, start+int(length))
	v.put(p, b[start:])
	return b
}

// zeroTo appends zeros until b is of length n.
func zeroTo(b []byte, n int) []byte {
	at := len(b)
	b = slices.Grow(b, n-at)[:n]
	clear(b[at:])
	return b
}
