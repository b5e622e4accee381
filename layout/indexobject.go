package layout

import "slices"

func (o *objectIndex) once() {
	if o.read {
		return
	}
	o.read = true
	for c, err := range o.Counters() {
		if err != nil {
			o.cErr = err
			break
		}
		o.counters = append(o.counters, c)
		if c.CounterOffset() >= PERF_COUNTER_BLOCK.Size && c.CounterSize() > 0 {
			o.ends = append(o.ends, uint64(c.CounterOffset())+uint64(c.CounterSize()))
		}
	}
	slices.Sort(o.ends)
	for in, err := range o.Instances() {
		if err != nil {
			o.iErr = err
			break
		}
		o.instances = append(o.instances, in)
	}
}

func (o *objectIndex) find(steps []Elem) (Part, error) {
	if len(steps) == 0 {
		return Part{Span: o.Span, Sort: RecordPart, Record: &PERF_OBJECT_TYPE}, nil
	}
	first, rest := steps[0], steps[1:]
	switch {
	case first.Indexed && first.Name == "counter":
		if first.Index >= len(o.counters) {
			return Part{}, missing("counter", first.Index, len(o.counters), o.cErr)
		}
		return leaf(&PERF_COUNTER_DEFINITION, o.counters[first.Index].Span, rest)
	case first.Indexed && first.Name == "instance":
		if first.Index >= len(o.instances) {
			return Part{}, missing("instance", first.Index, len(o.instances), o.iErr)
		}
		return o.instance(o.instances[first.Index], rest)
	case first == Elem{Name: "block"}:
		if o.NumInstances() != PERF_NO_INSTANCES {
			return Part{}, Faultf(ErrPath, "only an object of PERF_NO_INSTANCES has a block of its own")
		}
		block, err := o.Object.Block()
		if err != nil {
			return Part{}, err
		}
		return o.block(block, rest)
	}
	return leaf(&PERF_OBJECT_TYPE, o.Span, steps)
}

// leaf finds the whole of a record, or one of its fields.
func leaf(r *Record, s Span, steps []Elem) (Part, error) {
	switch len(steps) {
	case 0:
		return Part{Span: s, Sort: RecordPart, Record: r}, nil
	case 1:
		return field(r, s, steps[0])
	}
	return Part{}, Faultf(ErrPath, "%s of a %s has no parts", steps[0].Name, r.C)
}

func (o *objectIndex) instance(in Instance, steps []Elem) (Part, error) {
	switch {
	case len(steps) == 1 && (steps[0] == Elem{Name: "Name"} || steps[0] == Elem{Name: "padding"}):
		name, err := in.Name()
		if err != nil {
			return Part{}, err
		}
		return around(in.Span, name, steps[0].Name == "padding"), nil
	case len(steps) > 0 && steps[0] == Elem{Name: "block"}:
		block, err := in.Block()
		if err != nil {
			return Part{}, err
		}
		return o.block(block, steps[1:])
	}
	return leaf(&PERF_INSTANCE_DEFINITION, in.Span, steps)
}

func (o *objectIndex) block(b CounterBlock, steps []Elem) (Part, error) {
	switch {
	case len(steps) == 1 && steps[0].Indexed && steps[0].Name == "value":
		i := steps[0].Index
		if i >= len(o.counters) {
			return Part{}, missing("value", i, len(o.counters), o.cErr)
		}
		c := o.counters[i]
		value, err := b.Value(c)
		if err != nil {
			return Part{}, err
		}
		return Part{Span: value, Sort: ValuePart, Type: c.CounterType()}, nil
	case len(steps) == 1 && steps[0] == Elem{Name: "padding"}:
		end := uint64(PERF_COUNTER_BLOCK.Size)
		if i, found := slices.BinarySearch(o.ends, uint64(b.Len())); found {
			end = o.ends[i]
		} else if i > 0 {
			end = o.ends[i-1] // of the last value that lies in the block
		}
		return Part{Span: b.from(end), Sort: PaddingPart}, nil
	}
	return leaf(&PERF_COUNTER_BLOCK, b.Span, steps)
}
