package layout

import "slices"

// Rows reads the instances of an object, or of a result of query data, one after the other.
// [Rows.Open] and [Rows.OpenResult] do the work that is the same for all rows. Reading a row is then
// much faster than with the views [Instance] and [CounterBlock], and allocates nothing:
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
// Rows refers to the bytes of the block and does not change them. One Rows can read several objects
// one after the other, and reuses its memory for each. It must not be copied while it reads, and is
// not safe for concurrent use. The zero Rows has no rows.
type Rows struct {
	object   Object
	counters []Counter // of the object
	columns  []column  // of the object
	least    uint64    // the smallest length of a counter block that has all values

	perflib bool // the rows are in a result
	result  Result
	perRow  uint64   // number of values of each row of the result
	numbers []uint64 // the values of the current row of the result
	places  []int    // where each value of the current row starts in r.all, and where the last value ends; empty until Data is called

	all      Span   // the bytes of the rows
	codePage uint32 // of the names
	single   bool   // the only row has no definition
	n        int    // number of rows
	index    int    // position of the current row, -1 before the first
	// The fields below are offsets of parts of the current row, counted from the start of r.all.
	definition    int // where the PERF_INSTANCE_DEFINITION or PERF_INSTANCE_HEADER starts
	name, nameEnd int // name and nameEnd are equal if the row has no name; nameEnd is 0 if the row has no definition
	values        int // where the definition ends, and the counter block or the first value starts
	next          int // the end of the current row; equal to values if there is no current row

	err error
}

// A column is the offset and size of a counter's value, which are the same in every counter block.
type column struct {
	at, size uint32
	mask     uint64 // selects the number from the 8 bytes at the offset; 0 if the value is not a number
}

// Open starts to read the rows of an object. It checks the counter definitions. The error is an [*Error] that wraps
// [ErrShort] or [ErrBounds] if a definition has a fault, or if the value of a counter overlaps ByteLength of the
// counter block. The error wraps [ErrRange] if all instances together have far more values than the object has
// bytes. This is possible if counters share bytes or have no bytes. The limit is 65,536 plus one value for each
// byte.
func (r *Rows) Open(o Object) error {
	*r = Rows{object: o, counters: r.counters[:0], columns: r.columns[:0], numbers: r.numbers[:0], places: r.places[:0], index: -1, least: SizeofCounterBlock}
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
	r.n, r.codePage = n, o.CodePage()
	return nil
}

// checkValues returns an error if the instances have far more values than the object has bytes. It counts n instances,
// or fewer if the object is too short for n. Without this limit, reading the values of a hostile object of a few
// megabytes would take minutes.
func (r *Rows) checkValues(n uint64) error {
	instances := min(n, uint64(r.all.Len())/(SizeofInstanceDefinition+r.least))
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
	n := int(min(uint64(r.object.NumCounters()), uint64(rest.Len())/SizeofCounterDefinition))
	r.counters, r.columns = slices.Grow(r.counters, n), slices.Grow(r.columns, n)
	for i := range uint64(r.object.NumCounters()) {
		c, err := readCounter(rest, r.object.index, int(i))
		if err != nil {
			return Span{}, err
		}
		rest = rest.skipBytes(uint64(c.Len()))
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
		r.least = max(r.least, uint64(v.at)+uint64(v.size))
	}
	return r.object.skipBytes(uint64(r.object.DefinitionLength())), nil
}

// OpenResult starts to read the rows of a result. The values of a row are in the order of
// [Result.IDs], or there is one value if the result has no ids. The error is an [*Error] that
// wraps [ErrShort] or [ErrBounds] if the ids or the PERF_MULTI_INSTANCES have a fault.
func (r *Rows) OpenResult(result Result) error {
	*r = Rows{result: result, perflib: true, counters: r.counters[:0], columns: r.columns[:0], numbers: r.numbers[:0], places: r.places[:0], index: -1}
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
		r.single, r.all = false, list.skipBytes(SizeofMultiInstances)
		// With the + 1, Next stops at the first instance that does not fit, and Err returns the error of this
		// instance. The numbers are uint64, because an int can have 32 bits.
		r.n = int(min(uint64(list.DwInstances()), uint64(r.all.Len())/SizeofInstanceHeader+1))
	}
	return nil
}

// Next moves to the next row and returns true. The first call moves to the first row. After the last row, and at a
// row with a fault, Next returns false: see [Rows.Err].
func (r *Rows) Next() bool {
	if r.index+1 < r.n {
		if r.perflib && r.nextOfResult() || !r.perflib && r.nextOfObject() {
			r.index++
			return true
		}
		r.n, r.err = 0, r.fault()
	}
	r.definition, r.name, r.nameEnd, r.values, r.next, r.numbers, r.places = 0, 0, 0, 0, 0, r.numbers[:0], r.places[:0]
	return false
}

func (r *Rows) nextOfObject() bool {
	definition := r.next
	at, b := definition, r.all.b[definition:]
	if !r.single {
		if len(b) < SizeofInstanceDefinition {
			return false
		}
		// The methods of Instance copy the view for each field, so this code reads the fields itself. NameOffset is
		// in the low half of nameFields, and NameLength is in the high half.
		n, nameFields := uint64(le.Uint32(b)), le.Uint64(b[instanceDefinitionNameOffset:])
		name, length := nameFields&(1<<32-1), nameFields>>32
		if length == 0 {
			name = SizeofInstanceDefinition
		}
		if n > uint64(len(b)) || name < SizeofInstanceDefinition || name+length > n {
			return false
		}
		r.name, r.nameEnd = at+int(name), at+int(name+length)
		at, b = at+int(n), b[n:]
	}
	if len(b) < SizeofCounterBlock {
		return false
	}
	n := uint64(le.Uint32(b))
	if n < r.least || n > uint64(len(b)) {
		return false
	}
	r.definition, r.values, r.next = definition, at, at+int(n)
	return true
}

func (r *Rows) nextOfResult() bool {
	definition := r.next
	at, b := definition, r.all.b[definition:]
	if !r.single {
		if len(b) < SizeofInstanceHeader {
			return false
		}
		n := uint64(le.Uint32(b)) // Size
		if n < SizeofInstanceHeader || n > uint64(len(b)) {
			return false
		}
		r.name, r.nameEnd = at+SizeofInstanceHeader, at+int(n)
		if i := indexNUL(b[SizeofInstanceHeader:n]); i >= 0 {
			r.nameEnd = r.name + i + 2
		}
		at, b = at+int(n), b[n:]
	}
	const ofSize = 1 << 32 // dwDataSize and dwSize, read as one uint64, are dwDataSize + dwSize*ofSize
	numbers, rest := r.numbers[:0], b
	for range r.perRow {
		if len(rest) >= SizeofCounterData+8 {
			switch le.Uint64(rest) {
			case 8 + (SizeofCounterData+8)*ofSize:
				numbers, rest = append(numbers, le.Uint64(rest[SizeofCounterData:])), rest[SizeofCounterData+8:]
				continue
			case 4 + (SizeofCounterData+8)*ofSize:
				numbers, rest = append(numbers, uint64(le.Uint32(rest[SizeofCounterData:]))), rest[SizeofCounterData+8:]
				continue
			}
		}
		if len(rest) < SizeofCounterData {
			return false
		}
		v := CounterData{Span: Span{b: rest}}
		n := uint64(v.DwSize())
		if n < SizeofCounterData || n > uint64(len(rest)) || !v.fitsIn(n) {
			return false
		}
		numbers, rest = append(numbers, number(rest[SizeofCounterData:][:v.DwDataSize()])), rest[n:]
	}
	r.numbers, r.places = numbers, r.places[:0]
	r.definition, r.values, r.next = definition, at, at+len(b)-len(rest)
	return true
}

// fault returns the error of the row at r.next. The views return the same error for this row.
func (r *Rows) fault() error {
	s, i := r.all.skipBytes(uint64(r.next)), r.index+1
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
// It is nil after the last row. The error is an [*Error]. It wraps one of the errors that [Rows.Open] lists.
func (r *Rows) Err() error { return r.err }

// Counters returns the definitions of the object's counters, in the order of the values. It
// returns none for a result: see [Result.IDs]. The slice is valid until the next Open.
func (r *Rows) Counters() []Counter { return r.counters }

// Name returns the bytes of the name of the current row, with the terminator. [Name.AppendText]
// decodes it. The length is 0 if the row has no name.
func (r *Rows) Name() Name {
	return Name{Span{r.all.b[r.name:r.nameEnd:r.nameEnd], r.all.off + int64(r.name)}, r.codePage}
}

// definitionSpan returns the PERF_INSTANCE_DEFINITION or PERF_INSTANCE_HEADER of the current row, with its name.
func (r *Rows) definitionSpan() Span {
	return Span{r.all.b[r.definition:r.values:r.values], r.all.off + int64(r.definition)}
}

// Instance returns the PERF_INSTANCE_DEFINITION of the current row. The view has the parent and the UniqueID of the
// instance. Instance returns a view of zeros if there is no current row, or if the row has no PERF_INSTANCE_DEFINITION.
func (r *Rows) Instance() Instance {
	if r.perflib || r.nameEnd == 0 {
		return Instance{Span: PERF_INSTANCE_DEFINITION.blank()}
	}
	return Instance{r.definitionSpan(), r.all.skipBytes(uint64(r.values)), r.codePage, r.object.index, r.index}
}

// InstanceHeader returns the PERF_INSTANCE_HEADER of the current row. The view has the InstanceId. InstanceHeader
// returns a view of zeros if there is no current row, or if the row has no PERF_INSTANCE_HEADER.
func (r *Rows) InstanceHeader() InstanceHeader {
	if !r.perflib || r.nameEnd == 0 {
		return InstanceHeader{Span: PERF_INSTANCE_HEADER.blank()}
	}
	return InstanceHeader{r.definitionSpan(), r.all.skipBytes(uint64(r.values)), r.result.index, r.index, r.perRow}
}

// Block returns the counter block of the current row of an object. It returns a view of zeros
// if there is no current row, or if the rows are in a result.
func (r *Rows) Block() CounterBlock {
	if r.perflib || r.values == r.next {
		return CounterBlock{Span: PERF_COUNTER_BLOCK.blank()}
	}
	i := r.index
	if r.single {
		i = -1
	}
	return CounterBlock{Span{r.all.b[r.values:r.next:r.next], r.all.off + int64(r.values)}, r.object.index, i}
}

// AppendValues appends the values of the current row to v and returns the extended slice, like
// append. A value of 4 or 8 bytes becomes an unsigned number. A value of any other length becomes 0: see
// [Rows.Bytes]. Without a current row, AppendValues appends nothing.
func (r *Rows) AppendValues(v []uint64) []uint64 {
	if r.perflib {
		return append(v, r.numbers...)
	}
	if r.values == r.next {
		return v
	}
	at, columns, b := len(v), r.columns, r.all.b[r.values:]
	v = slices.Grow(v, len(columns))[:at+len(columns)]
	out, last := v[at:][:len(columns)], int64(len(b))-8
	for i := range columns { // a copy of the column, or an expression instead of last, would cost more bounds checks
		c := &columns[i]
		at := int64(c.at)
		if at > last { // fewer than 8 bytes from the value to the end of the object
			out[i] = number(r.Bytes(i))
			continue
		}
		out[i] = le.Uint64(b[at:at+8:at+8]) & c.mask
	}
	return v
}

// number returns the number in b, or 0 if b does not have 4 or 8 bytes.
func number(b []byte) uint64 {
	n, _ := Span{b: b}.Number()
	return n
}

// Bytes returns the bytes of value i of the current row: the CounterSize bytes of an object's
// counter, or the dwDataSize bytes of a result's value. i must be less than the number of values,
// and there must be a current row.
func (r *Rows) Bytes(i int) []byte {
	if r.perflib {
		v := r.Data(i)
		end := SizeofCounterData + v.DwDataSize()
		return v.b[SizeofCounterData:end:end]
	}
	c, row := r.columns[i], r.all.b[r.values:r.next]
	return row[c.at : c.at+c.size : c.at+c.size]
}

// Data returns the view of value i of the current row, including the padding after the value. The rows must be those of
// a result, and i must be less than the number of values. The first call for a row reads the sizes of all values of the
// row. Later calls are fast.
func (r *Rows) Data(i int) CounterData {
	if len(r.places) == 0 {
		r.places = append(r.places, r.values)
		for at := r.values; at < r.next; r.places = append(r.places, at) {
			at += int(le.Uint32(r.all.b[at+counterDataDwSize:]))
		}
	}
	at, end := r.places[i], r.places[i+1]
	index := r.index
	if r.single {
		index = -1
	}
	return CounterData{Span{r.all.b[at:end:end], r.all.off + int64(at)}, r.result.index, index, i}
}
