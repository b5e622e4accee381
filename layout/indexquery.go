package layout

// A queryIndex finds in query data.
type queryIndex struct {
	all     Span
	results []resultIndex
	err     error // what ended them
}

func newQueryIndex(b []byte) *queryIndex {
	x := &queryIndex{all: NewSpan(b, 0)}
	q, err := ReadQueryData(b)
	if err != nil {
		x.err = err
		return x
	}
	for r, err := range q.Results() {
		if err != nil {
			x.err = err
			break
		}
		x.results = append(x.results, resultIndex{Result: r})
	}
	return x
}

func (x *queryIndex) find(steps []Elem) (Part, error) {
	i, ok := steps[0].at(PERF_COUNTER_HEADER.In)
	if !ok {
		return fieldOf(&PERF_DATA_HEADER, x.all, steps)
	}
	if i >= len(x.results) {
		return Part{}, missing(PERF_COUNTER_HEADER.In, i, len(x.results), x.err)
	}
	return x.results[i].find(steps[1:])
}

// A resultIndex finds in an answer. It reads what is asked for when first asked.
type resultIndex struct {
	Result
	ids       *MultiCounters // where they end may take all of the answer to tell
	idsErr    error
	header    *MultiInstances // which is behind them
	headerErr error
	instances *listIndex[InstanceHeader]
	values    map[int]*listIndex[CounterData] // by the instance they are of, -1 for none
}

func (x *resultIndex) find(steps []Elem) (Part, error) {
	if len(steps) == 0 {
		return leaf(&PERF_COUNTER_HEADER, x.Span, nil)
	}
	_, isInstance := steps[0].at(PERF_INSTANCE_HEADER.In)
	_, isValue := steps[0].at(PERF_COUNTER_DATA.In)
	isIDs, isInstances := steps[0] == Elem{Name: PERF_MULTI_COUNTERS.In}, steps[0] == Elem{Name: PERF_MULTI_INSTANCES.In}
	switch {
	case isIDs && !x.HasIDs(), (isInstance || isInstances) && !x.HasInstances(), isValue && x.HasInstances():
		return Part{}, Faultf(ErrPath, "an answer of type %v has no %s", x.DwType(), steps[0].Name)
	case isIDs:
		ids, err := x.readIDs()
		if err != nil {
			return Part{}, err
		}
		return ids.find(steps[1:])
	case isInstances:
		in, err := x.readHeader()
		if err != nil {
			return Part{}, err
		}
		return leaf(&PERF_MULTI_INSTANCES, in.Span, steps[1:])
	case isInstance:
		return x.named().find(steps)
	case isValue:
		return x.raws(-1, InstanceHeader{}).find(steps)
	}
	return leaf(&PERF_COUNTER_HEADER, x.Span, steps)
}

func (x *resultIndex) readIDs() (MultiCounters, error) {
	if x.ids == nil {
		ids, err := x.IDs()
		x.ids, x.idsErr = &ids, err
	}
	return *x.ids, x.idsErr
}

func (x *resultIndex) readHeader() (MultiInstances, error) {
	if x.header == nil {
		in, err := x.Instances()
		x.header, x.headerErr = &in, err
	}
	return *x.header, x.headerErr
}

func (x *resultIndex) named() *listIndex[InstanceHeader] {
	if x.instances != nil {
		return x.instances
	}
	x.instances = &listIndex[InstanceHeader]{of: PERF_INSTANCE_HEADER.In, within: x.instance}
	in, err := x.readHeader()
	if err != nil {
		x.instances.err = err
	} else {
		x.instances.read(in.All())
	}
	return x.instances
}

// instance finds in an instance and its values.
func (x *resultIndex) instance(n InstanceHeader, steps []Elem) (Part, error) {
	if len(steps) > 0 {
		if _, ok := steps[0].at(PERF_COUNTER_DATA.In); ok {
			return x.raws(n.index, n).find(steps)
		}
	}
	return namedPart(n, steps)
}

// raws returns the values of an instance, or with -1 those of the answer.
func (x *resultIndex) raws(instance int, n InstanceHeader) *listIndex[CounterData] {
	if list := x.values[instance]; list != nil {
		return list
	}
	list := &listIndex[CounterData]{of: PERF_COUNTER_DATA.In, within: rawPart}
	if instance < 0 {
		list.read(x.Values())
	} else {
		list.read(n.Values())
	}
	if x.values == nil {
		x.values = map[int]*listIndex[CounterData]{}
	}
	x.values[instance] = list
	return list
}

func rawPart(v CounterData, steps []Elem) (Part, error) {
	if !is(steps, "value") && !is(steps, "padding") {
		return leaf(&PERF_COUNTER_DATA, v.Span, steps)
	}
	value, err := v.Value()
	if err != nil {
		return Part{}, err
	}
	if is(steps, "value") {
		return untyped(value, Path{}), nil
	}
	return Part{Span: v.from(uint64(PERF_COUNTER_DATA.Size) + uint64(value.Len())), Sort: PaddingPart}, nil
}

func (ids MultiCounters) find(steps []Elem) (Part, error) {
	n := uint64(ids.DwCounters())
	list := ids.from(uint64(PERF_MULTI_COUNTERS.Size))
	if len(steps) == 1 {
		if i, ok := steps[0].at(counterID.In); ok {
			one, err := list.at(&counterID, i, n)
			if err != nil {
				return Part{}, err
			}
			return item(&counterID, one, Path{}, i), nil
		}
	}
	if is(steps, "padding") {
		return Part{Span: list.from(idBytes * n), Sort: PaddingPart}, nil
	}
	return leaf(&PERF_MULTI_COUNTERS, ids.Span, steps)
}
