package layout

import "slices"

// Rows reads the instances of an object, or of a result of query data, one after the other.
// [Rows.Open] and [Rows.OpenResult] check once where the values are. Reading a row is then much
// faster than with the views [Instance] and [CounterBlock], and allocates nothing:
//
//	var rows layout.Rows
//	if err := rows.Open(object); err != nil {
//		return err
//	}
//	var values []uint64
//	for rows.Next() {
//		values = rows.AppendValues(values[:0])
//		// use rows.Name() and values
//	}
//	return rows.Err()
//
// A row is an instance with its values. An object whose NumInstances is [PERF_NO_INSTANCES], and
// a result without instances, has one row without a name. An error result has no rows.
//
// Rows refers to the bytes of the block and does not change them. One Rows can read several
// objects one after the other, and then keeps its memory. It is not safe for concurrent use. The
// zero Rows has no rows.
type Rows struct {
	object   Object
	counters []Counter // of the object
	columns  []column  // of the object
	reach    uint64    // the end of the value that ends last in a counter block

	result  Result
	perRow  uint64 // number of values of each row of the result
	perflib bool   // the rows are in a result

	single bool   // the only row has no definition
	n      int    // number of rows
	index  int    // position of the current row, -1 before the first
	all    Span   // the bytes of the rows
	rest   []byte // the bytes after the current row

	definition []byte // of the current row: the PERF_INSTANCE_DEFINITION or PERF_INSTANCE_HEADER with its name
	values     []byte // from the values of the current row to the end of the rows
	err        error
}

// A column is the place of a counter's value in each counter block.
type column struct {
	at, size uint32
	mask     uint64 // selects the number from the 8 bytes at the offset; 0 if the value is not a number
}

// Open starts to read the rows of an object. It checks the counter definitions. The error is an
// [*Error] that wraps [ErrShort] or [ErrBounds]: a fault of the definitions, or a counter whose
// value overlaps ByteLength of the counter block. It wraps [ErrRange] if the instances have far
// more values than bytes, because counters share bytes or have none: more than one value for each
// byte of the object and 65,536 others.
func (r *Rows) Open(o Object) error {
	*r = Rows{object: o, counters: r.counters[:0], columns: r.columns[:0], index: -1}
	r.all, r.err = r.open()
	if r.err != nil {
		return r.err
	}
	n := 1
	if r.single = o.NumInstances() == PERF_NO_INSTANCES; !r.single {
		n = max(0, int(o.NumInstances()))
		if r.err = r.checkValues(uint64(n)); r.err != nil {
			return r.err
		}
	}
	r.n, r.rest = n, r.all.b
	return nil
}

// checkValues returns an error if n instances, or as many of them as have bytes, have far more
// values than bytes. Reading them would take minutes for a hostile object of a few megabytes.
func (r *Rows) checkValues(n uint64) error {
	instances := min(n, uint64(r.all.Len())/(SizeofInstanceDefinition+max(SizeofCounterBlock, r.reach)))
	values, most := instances*uint64(len(r.columns)), 1<<16+uint64(r.object.Len())
	if values > most {
		return r.object.fault("NumCounters", Faultf(ErrRange, "%d counters of %d instances are %d values, must be at most %d for an object of %d bytes", len(r.columns), instances, values, most, r.object.Len()))
	}
	return nil
}

// open reads the counter definitions. It returns the bytes after DefinitionLength.
func (r *Rows) open() (Span, error) {
	rest, err := r.object.Definitions()
	if err != nil {
		return Span{}, err
	}
	for i := range uint64(r.object.NumCounters()) {
		c, err := readCounter(rest, r.object.index, int(i))
		if err != nil {
			return Span{}, err
		}
		rest = rest.from(uint64(c.Len()))
		v := column{at: c.CounterOffset(), size: c.CounterSize()}
		switch {
		case v.size == 0:
			v.at = 0
		case v.at < SizeofCounterBlock:
			_, err := CounterBlock{}.Value(c)
			return Span{}, err
		case v.size == 4:
			v.mask = 1<<32 - 1
		case v.size == 8:
			v.mask = 1<<64 - 1
		}
		r.counters, r.columns = append(r.counters, c), append(r.columns, v)
		r.reach = max(r.reach, uint64(v.at)+uint64(v.size))
	}
	return r.object.from(uint64(r.object.DefinitionLength())), nil
}

// OpenResult starts to read the rows of a result. The values of a row are in the order of
// [Result.IDs], or there is one value if the result has no ids. The error is an [*Error] that
// wraps [ErrShort] or [ErrBounds] if the ids or the PERF_MULTI_INSTANCES have a fault.
func (r *Rows) OpenResult(result Result) error {
	*r = Rows{result: result, perflib: true, counters: r.counters[:0], columns: r.columns[:0], index: -1}
	if t := result.DwType(); t == PERF_ERROR_RETURN || !t.Valid() {
		return nil
	}
	if r.all, r.perRow, r.err = result.data(); r.err != nil {
		return r.err
	}
	r.n, r.single = 1, true
	if result.HasInstances() {
		list, err := result.Instances()
		if err != nil {
			r.n, r.err = 0, err
			return err
		}
		r.single, r.all = false, list.from(SizeofMultiInstances)
		// More instances than fit give the error of the first that does not fit, also with an int of 32 bits.
		r.n = int(min(uint64(list.DwInstances()), uint64(r.all.Len())/SizeofInstanceHeader+1))
	}
	r.rest = r.all.b
	return nil
}

// Next makes the next row the current one and returns true. The first call reads the first row.
// After the last row, and if a row has a fault, Next returns false: see [Rows.Err].
func (r *Rows) Next() bool {
	if r.index+1 >= r.n {
		r.definition, r.values = nil, nil
		return false
	}
	var ok bool
	if r.perflib {
		ok = r.nextOfResult()
	} else {
		ok = r.nextOfObject()
	}
	if !ok {
		r.err = r.fault()
		r.n, r.definition, r.values = 0, nil, nil
		return false
	}
	r.index++
	return true
}

func (r *Rows) nextOfObject() bool {
	b := r.rest
	if !r.single {
		if len(b) < SizeofInstanceDefinition {
			return false
		}
		in := Instance{Span: Span{b: b}}
		n, from, length := uint64(in.ByteLength()), uint64(in.NameOffset()), uint64(in.NameLength())
		if n < SizeofInstanceDefinition || n > uint64(len(b)) || length != 0 && (from < SizeofInstanceDefinition || from+length > n) {
			return false
		}
		r.definition, b = b[:n:n], b[n:]
	}
	if len(b) < SizeofCounterBlock {
		return false
	}
	n := uint64(le.Uint32(b))
	if n < SizeofCounterBlock || n > uint64(len(b)) || n < r.reach {
		return false
	}
	r.values, r.rest = b, b[n:]
	return true
}

func (r *Rows) nextOfResult() bool {
	b := r.rest
	if !r.single {
		if len(b) < SizeofInstanceHeader {
			return false
		}
		n := uint64(InstanceHeader{Span: Span{b: b}}.Size())
		if n < SizeofInstanceHeader || n > uint64(len(b)) {
			return false
		}
		r.definition, b = b[:n:n], b[n:]
	}
	r.values = b
	for range r.perRow {
		if len(b) < SizeofCounterData {
			return false
		}
		v := CounterData{Span: Span{b: b}}
		n := uint64(v.DwSize())
		if n < SizeofCounterData || n > uint64(len(b)) || !v.within(n) {
			return false
		}
		b = b[n:]
	}
	r.rest = b
	return true
}

// fault returns the error of the row at r.rest, which the views of the row report too.
func (r *Rows) fault() error {
	s, i := Span{r.rest, r.all.End() - int64(len(r.rest))}, r.index+1
	if r.perflib {
		return r.faultOfResult(s, i)
	}
	block, err := CounterBlock{}, error(nil)
	if r.single {
		block, err = readBlock(s, r.object.index, -1)
	} else {
		var in Instance
		if in, err = readInstance(s, r.object.CodePage(), r.object.index, i); err != nil {
			return err
		}
		if _, err = in.Name(); err != nil {
			return err
		}
		block, err = in.Block()
	}
	for _, c := range r.counters {
		if err == nil && c.CounterSize() > 0 {
			_, err = block.Value(c)
		}
	}
	return err
}

func (r *Rows) faultOfResult(s Span, i int) error {
	if r.single {
		i = -1
	} else {
		in, err := readInstanceHeader(s, r.result.index, i, r.perRow)
		if err != nil {
			return err
		}
		s = in.rest
	}
	var fault error
	eachValue(s, r.result.index, i, r.perRow, func(v CounterData, err error) bool {
		if fault = err; err == nil {
			_, fault = v.Value()
		}
		return fault == nil
	})
	return fault
}

// Err returns the error of [Rows.Open] or [Rows.OpenResult], or of the row at which Next stopped.
// It is nil after the last row. The error is an [*Error] as for Open.
func (r *Rows) Err() error { return r.err }

// Counters returns the definitions of the object's counters, in the order of the values. It
// returns none for a result: see [Result.IDs]. The slice is valid until the next Open.
func (r *Rows) Counters() []Counter { return r.counters }

// Name returns the bytes of the name of the current row, with the terminator. [Name.AppendText]
// decodes it. The length is 0 if the row has no name.
func (r *Rows) Name() Name {
	switch {
	case len(r.definition) == 0:
		return Name{}
	case r.perflib:
		return r.InstanceHeader().Name()
	}
	in := r.Instance()
	from, n := in.NameOffset(), in.NameLength()
	if n == 0 {
		from = SizeofInstanceDefinition
	}
	return Name{Span{in.b[from : from+n : from+n], in.off + int64(from)}, in.codePage}
}

// definitionSpan returns the definition of the current row.
func (r *Rows) definitionSpan() Span {
	return Span{r.definition, r.all.End() - int64(len(r.values)) - int64(len(r.definition))}
}

// Instance returns the view of the current row of an object, for its parent and UniqueID. It
// returns a view of zeros if there is no current row, or if the row has no PERF_INSTANCE_DEFINITION.
func (r *Rows) Instance() Instance {
	if r.perflib || len(r.definition) == 0 {
		return Instance{Span: PERF_INSTANCE_DEFINITION.blank()}
	}
	return Instance{
		Span: r.definitionSpan(), rest: Span{r.values, r.all.End() - int64(len(r.values))},
		codePage: r.object.CodePage(), object: r.object.index, index: r.index,
	}
}

// InstanceHeader returns the view of the current row of a result, for its InstanceId. It returns a
// view of zeros if there is no current row, or if the row has no PERF_INSTANCE_HEADER.
func (r *Rows) InstanceHeader() InstanceHeader {
	if !r.perflib || len(r.definition) == 0 {
		return InstanceHeader{Span: PERF_INSTANCE_HEADER.blank()}
	}
	return InstanceHeader{
		Span: r.definitionSpan(), rest: Span{r.values, r.all.End() - int64(len(r.values))},
		result: r.result.index, index: r.index, values: r.perRow,
	}
}

// Block returns the counter block of the current row of an object. Its length is 0 if there is no
// current row, or if the rows are in a result.
func (r *Rows) Block() CounterBlock {
	if r.perflib || r.values == nil {
		return CounterBlock{}
	}
	i := r.index
	if r.single {
		i = -1
	}
	n := len(r.values) - len(r.rest)
	return CounterBlock{Span{r.values[:n:n], r.all.End() - int64(len(r.values))}, r.object.index, i}
}

// AppendValues appends the values of the current row to v and returns the extended slice, like
// append. A value of 4 bytes becomes a number of 32 bits without a sign. A value of another length
// than 4 or 8 bytes becomes 0: see [Rows.Bytes]. Without a current row, AppendValues appends nothing.
func (r *Rows) AppendValues(v []uint64) []uint64 {
	if r.perflib {
		return r.appendOfResult(v)
	}
	b := r.values
	if b == nil {
		return v
	}
	at := len(v)
	v = slices.Grow(v, len(r.columns))[:at+len(r.columns)]
	out := v[at:]
	for i, c := range r.columns {
		if int64(c.at) > int64(len(b)-8) { // the last bytes of the object
			out[i] = number(b[c.at:][:c.size])
			continue
		}
		out[i] = le.Uint64(b[c.at:int(c.at)+8]) & c.mask
	}
	return v
}

func (r *Rows) appendOfResult(v []uint64) []uint64 {
	b := r.values
	if b == nil {
		return v
	}
	v = slices.Grow(v, int(r.perRow))
	const ofSize = 1 << 32 // of dwSize in the first 8 bytes, after dwDataSize
	for range r.perRow {
		switch le.Uint64(b) {
		case 8 + (SizeofCounterData+8)*ofSize:
			v, b = append(v, le.Uint64(b[SizeofCounterData:])), b[SizeofCounterData+8:]
		case 4 + (SizeofCounterData+8)*ofSize:
			v, b = append(v, uint64(le.Uint32(b[SizeofCounterData:]))), b[SizeofCounterData+8:]
		default:
			value := CounterData{Span: Span{b: b}}
			v, b = append(v, number(b[SizeofCounterData:][:value.DwDataSize()])), b[value.DwSize():]
		}
	}
	return v
}

// number returns the number in b, 0 if b has another length than 4 or 8 bytes.
func number(b []byte) uint64 {
	n, _ := Span{b: b}.Number()
	return n
}

// Bytes returns the bytes of value i of the current row: the CounterSize bytes of an object's
// counter, or the dwDataSize bytes of a result's value. i must be less than the number of values,
// and there must be a current row.
func (r *Rows) Bytes(i int) []byte {
	if !r.perflib {
		c := r.columns[i]
		return r.values[c.at : c.at+c.size : c.at+c.size]
	}
	if uint64(i) >= r.perRow {
		panic("layout: Rows.Bytes: the row has fewer values")
	}
	b := r.values
	for range i {
		b = b[CounterData{Span: Span{b: b}}.DwSize():]
	}
	n := CounterData{Span: Span{b: b}}.DwDataSize()
	return b[SizeofCounterData : SizeofCounterData+n : SizeofCounterData+n]
}
