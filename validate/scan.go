package validate

// The files scan*.go are the fast scan. The scan skips plain records: records that no rule can
// report. The rules check all other records.
//
// The scan must not skip a record for which a rule has a finding. There is one exception: the scan
// itself reports instances with duplicate names. After the scan, the state of the pass must be the
// same as if the rules had checked the skipped records. FuzzScan compares the findings with and
// without the scan.
//
// The rest of the package starts the scan only through [pass.skipPlain] for instances,
// [pass.plainCounters] for counters, and [pass.plainShape] and [pass.plainInstanceHeaders] for
// instances of query data.

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

const (
	definitionBytes = layout.SizeofInstanceDefinition
	noID            = uint32(math.MaxUint32) // PERF_NO_UNIQUE_ID
	mostBytes       = 2 * (shortName + 1)    // longest NameLength that no rule reports
	leastBytes      = 4                      // shortest NameLength of a name that is not empty
)

// A PERF_INSTANCE_DEFINITION is read as three words of 8 bytes.
const (
	word0 = instanceDefinitionByteLength           // and ParentObjectTitleIndex
	word1 = instanceDefinitionParentObjectInstance // and UniqueID
	word2 = instanceDefinitionNameOffset           // and NameLength
)

// skipPlain skips plain instances, starting with instance k at an offset of the input. The results
// are the offset and the index of the next instance.
func (p *pass) skipPlain(o *object, at int64, k int) (int64, int) {
	if p.noScan || !o.plainOnly() {
		return at, k
	}
	b, i, end := p.b[o.off:], int(at-o.off), int(o.end-o.off)
	if i > end-definitionBytes {
		return at, k
	}
	withIDs := o.firstID != layout.PERF_NO_UNIQUE_ID
	if k == 0 {
		withIDs = layout.Instance{Span: layout.NewSpan(b[i:], at)}.UniqueID() != layout.PERF_NO_UNIQUE_ID
	}
	p.link.begin(withIDs, p.names.seed.start)
	from, n, blockLength := k, int(o.NumInstances()), int(aligned(o.need))
	// Definitions and names are read in two small loops, so that variables stay in registers. While
	// the names are checked, the processor loads the next definitions.
	for k < n {
		most := min(n-k, len(p.batch))
		some, next := p.similarDefinitions(b, 0, i, end, blockLength, most)
		for some < most && p.plainDefinition(b, some, &next, end, blockLength) {
			some, next = p.similarDefinitions(b, some+1, next, end, blockLength, most)
		}
		good := p.plainNames(b, p.batch[:some])
		if withIDs {
			good = p.uniqueIDs(o, p.batch[:good])
		}
		p.checkDuplicates(o, p.batch[:good], k)
		k += good
		if good < some {
			i = int(p.batch[good].at)
			break
		}
		if i = next; some < most {
			break
		}
	}
	if from == 0 && k > 0 {
		o.setFirst(p.b[at:], at)
	}
	o.blocks += k - from
	return o.off + int64(i), k
}

// similarDefinitions reads consecutive instances, the first at index i of b. It appends them to the
// n instances in the batch, and returns the new n and i. It stops at an instance whose definition or
// counter block can break a rule. It also stops at an instance that has a different parent or
// UniqueID than p.link, or more padding than necessary.
//
// The compiler inlines all functions that similarDefinitions calls, so that its variables stay in
// registers.
func (p *pass) similarDefinitions(b []byte, n, i, end, blockLength, most int) (int, int) {
	title, word, start := uint64(p.link.title)<<32, p.link.word, p.link.start
	for ; n < most && i <= end-definitionBytes; n++ {
		definition := (*[definitionBytes]byte)(b[i : i+definitionBytes : i+definitionBytes])
		w0, w1, w2 := le.Uint64(definition[word0:]), le.Uint64(definition[word1:]), le.Uint64(definition[word2:])
		bytes, length := nameBytes(w2)
		block := i + int(length)
		if w0 != title|uint64(length) || w1 != word || bytes == 0 || blockLength > end-block || int(le.Uint32(b[block:block+4:block+4])) != blockLength {
			break
		}
		f := &p.batch[n]
		f.hash, f.at, f.n = start, uint32(i), bytes-2
		i = block + blockLength
	}
	return n, i
}

// plainDefinition adds the instance at index i of b to the n instances in the batch, and advances
// i. Unlike similarDefinitions, plainDefinition accepts a new parent or UniqueID, and more padding
// than necessary.
func (p *pass) plainDefinition(b []byte, n int, i *int, end, blockLength int) bool {
	at := *i
	if at > end-definitionBytes {
		return false
	}
	w0, w1, w2 := le.Uint64(b[at+word0:]), le.Uint64(b[at+word1:]), le.Uint64(b[at+word2:])
	bytes, length := nameBytes(w2)
	if bytes == 0 || !p.setLink(uint32(w0>>32), w1) {
		return false
	}
	if uint32(w0) != length {
		if length = padded(b[at:end], length); length == 0 {
			return false
		}
	}
	block := at + int(length)
	if blockLength > end-block || int(le.Uint32(b[block:])) != blockLength {
		return false
	}
	f := &p.batch[n]
	f.hash, f.at, f.n = p.link.start, uint32(at), bytes-2
	*i = block + blockLength
	return true
}

// nameBytes returns the NameLength in word2 of an instance, and the smallest ByteLength for this
// NameLength. The results are 0 if NameOffset is not 24, or NameLength is odd or out of range.
func nameBytes(word uint64) (bytes, length uint32) {
	bytes = uint32(word >> 32)
	if word&(1<<33-1) != definitionBytes || bytes-leastBytes > mostBytes-leastBytes {
		return 0, 0
	}
	return bytes, (definitionBytes + bytes + layout.Align - 1) &^ (layout.Align - 1)
}

// uniqueIDs returns the number of instances before the first instance that repeats a UniqueID.
func (p *pass) uniqueIDs(o *object, list []scanned) int {
	for j, f := range list {
		if p.seenID(o, uint32(o.definitionAt(f.at).UniqueID()), f.at) != 0 {
			return j
		}
	}
	return len(list)
}

// padded returns ByteLength of the instance at the start of b, whose padding starts at the offset
// content. It returns 0 if ByteLength is less than content or greater than the length of b, or if
// the padding is not 8-byte words of zeros.
func padded(b []byte, content uint32) uint32 {
	n := le.Uint32(b)
	if n < content || uint64(n) > uint64(len(b)) || !zeroWords(b[content:n]) {
		return 0
	}
	return n
}

// zeroWords reports whether b has only zeros, and a length that is a multiple of 8.
func zeroWords(b []byte) bool {
	for len(b) >= 8 && le.Uint64(b) == 0 {
		b = b[8:]
	}
	return len(b) == 0
}

// setFirst sets the fields of the object that depend on its first instance. The instance is at the
// start of b.
func (o *object) setFirst(b []byte, at int64) {
	first := layout.Instance{Span: layout.NewSpan(b, at)}
	length, n := int64(first.ByteLength()), aligned(o.need)
	o.firstID, o.firstLength = first.UniqueID(), uint32(n)
	o.shortest = counterBlock{of: o, off: at + length, end: at + length + n, length: n}
	o.shortest.CounterBlock = layout.CounterBlock{Span: layout.NewSpan(b[length:length+n:length+n], at+length)}
}

// plainOnly reports whether the scan can skip instances of the object.
func (o *object) plainOnly() bool {
	// After an instance _Total, the rule inst-total-last checks every instance.
	return o.CodePage() == 0 && len(o.texts) == 0 && !o.total.seen && aligned(o.need) <= o.end-o.off &&
		(o.blocks == 0 || int64(o.firstLength) == aligned(o.need))
}

// aligned returns n rounded up to a multiple of 8.
func aligned(n int64) int64 { return (n + layout.Align - 1) / layout.Align * layout.Align }

// A link has the parent and the UniqueID of the preceding instance. The next instance usually has
// the same parent and the same UniqueID.
type link struct {
	title   uint32 // ParentObjectTitleIndex
	word    uint64 // ParentObjectInstance and UniqueID, as encoded
	limit   uint64 // number of valid values of ParentObjectInstance
	start   uint64 // initial hash of a name under the parent
	withIDs bool   // instances have a UniqueID other than -1
}

// begin sets the link for instances without a parent.
func (l *link) begin(withIDs bool, start uint64) {
	*l = link{word: uint64(noID) << 32, limit: 1, start: start, withIDs: withIDs}
	if withIDs {
		l.word = 0
	}
}

// setLink stores the parent and the UniqueID of an instance. It returns false if they can break a
// rule. The method uniqueIDs finds repeated UniqueIDs.
func (p *pass) setLink(title uint32, word uint64) bool {
	l := &p.link
	if title != l.title {
		l.title, l.limit = title, p.positions(title)
	}
	l.word, l.start = word, p.names.seed.startUnder(title, uint32(word))
	return word&math.MaxUint32 < l.limit && (uint32(word>>32) != noID) == l.withIDs
}

// positions returns how many values of ParentObjectInstance are valid for an instance with the given
// ParentObjectTitleIndex. If all objects are known and none of them has this title index, the number
// is 0.
func (p *pass) positions(title uint32) uint64 {
	const any = 1 << 32
	if title == 0 {
		return 1 // only position 0 is valid
	}
	parent, present := p.byTitle[title]
	switch {
	case !present && (p.kind == layout.ObjectsKind || !p.dataBlock.objects.whole):
		return any
	case !present:
		return 0
	}
	if n := parent.instances; n >= layout.PERF_METADATA_NO_INSTANCES {
		return uint64(max(n, 0))
	}
	return any
}

// plainCounters returns true and skips all counter definitions of an object if none can break a
// rule. If a value does not fit into the counter blocks, readSkippedCounters reads the definitions
// for the rules that report the value.
func (p *pass) plainCounters(o *object) bool {
	n := int64(o.NumCounters())
	if p.noScan || n == 0 || int64(o.HeaderLength()) != objectTypeSize || int64(o.DefinitionLength()) != objectTypeSize+n*counterDefinitionSize {
		return false
	}
	d := counterScan{last: math.MaxUint32, lowest: math.MaxUint32, defaultCounter: int64(o.DefaultCounter()), need: uint64(counterBlockSize)}
	if p.ctx.LastCounter != 0 && p.ctx.LastCounter >= p.ctx.FirstCounter {
		d.first, d.last = p.ctx.FirstCounter, p.ctx.LastCounter
	}
	for b := p.b[o.off+objectTypeSize : o.body()]; len(b) >= int(counterDefinitionSize); b = b[counterDefinitionSize:] {
		if !d.next((*[counterDefinitionSize]byte)(b)) {
			return false
		}
	}
	if d.base != 0 || !d.defaultFound && d.defaultCounter != 0 && d.defaultCounter != -1 || uint32(o.DetailLevel()) != d.lowest || d.clock && (o.PerfTime() <= 0 || o.PerfFreq() <= 0) {
		return false
	}
	o.definitionsEnd, o.need, o.objectClock, o.skipped = o.body(), int64(d.need), d.clock, true
	if p.dataBlock.usesFreq == "" && d.freq != 0 {
		p.dataBlock.usesFreq = d.freq.String()
	}
	return true
}

// counterScan is the state of the scan of counter definitions.
type counterScan struct {
	first, last    uint32             // range of valid title indexes
	index          int64              // index of the next definition
	titles         [titleWords]uint64 // one bit for each title index that occurred; several indexes share a bit
	highest        uint32             // highest title index so far
	lowest         uint32             // lowest DetailLevel so far
	defaultCounter int64              // DefaultCounter
	defaultFound   bool               // DefaultCounter is one of the definitions so far
	clock          bool               // a counter is computed with PerfTime of the object
	freq           layout.CounterType // first type that is computed with PerfFreq of the data block, 0 if there is none
	need, end      uint64             // largest end of a value, and the end of the last value

	base       layout.CounterType // type of the base that must be next, 0 if no base must be next
	multi      bool               // CounterOffset of the next base must be `at` + secondValue
	at         uint64             // CounterOffset of the preceding counter
	name, help uint32             // title indexes of the preceding counter
}

const titleWords = 16

// A PERF_COUNTER_DEFINITION is read as five words of 8 bytes. This is faster than the accessors of [layout.Counter],
// which copy the whole Counter for each field.
const (
	counterWord0 = counterDefinitionByteLength       // and CounterNameTitleIndex
	counterWord1 = counterDefinitionCounterNameTitle // and CounterHelpTitleIndex
	counterWord2 = counterDefinitionCounterHelpTitle // and DefaultScale
	counterWord3 = counterDefinitionDetailLevel      // and CounterType
	counterWord4 = counterDefinitionCounterSize      // and CounterOffset
)

// next reads the next definition. It returns false if the definition can break a rule.
func (d *counterScan) next(c *[counterDefinitionSize]byte) bool {
	w0, w1, w2, w3, w4 := le.Uint64(c[counterWord0:]), le.Uint64(c[counterWord1:]), le.Uint64(c[counterWord2:]), le.Uint64(c[counterWord3:]), le.Uint64(c[counterWord4:])
	name, help, scale, level := uint32(w0>>32), uint32(w1>>32), int32(w2>>32), layout.DetailLevel(w3)
	size, at := w4&math.MaxUint32, w4>>32
	t := findPlainType(layout.CounterType(w3 >> 32))
	if int64(uint32(w0)) != counterDefinitionSize || uint32(w1)|uint32(w2) != 0 || scale < layout.MinScale || scale > layout.MaxScale ||
		uint64(t.width) != size || size == 0 || at&(size-1) != 0 || at < max(d.end, firstValue) {
		return false
	}
	if t.isBase {
		if t.typ != d.base || d.multi && at != d.at+secondValue || (name != d.name || help != d.help) && name|help != 0 {
			return false
		}
	} else if d.base != 0 || !d.plainTitles(name, help) || !plainLevel(level) {
		return false
	} else {
		d.lowest = min(d.lowest, uint32(level))
		d.defaultFound = d.defaultFound || d.index == d.defaultCounter || int64(name) == d.defaultCounter
	}
	d.end = at + size
	d.need = max(d.need, d.end)
	if t.multi {
		d.need = max(d.need, at+multiBytes)
	}
	d.clock = d.clock || t.clock
	if t.freq && d.freq == 0 {
		d.freq = t.typ
	}
	d.base, d.multi, d.at, d.name, d.help = t.base, t.multi, at, name, help
	d.index++
	return true
}

// plainTitles returns false if the title indexes of a counter can break a rule.
func (d *counterScan) plainTitles(name, help uint32) bool {
	if name == 0 || name%2 != 0 || help != name+1 || name < d.first || name > d.last {
		return false
	}
	bit := name / 2 % (64 * titleWords)
	word := &d.titles[bit/64]
	if name <= d.highest && *word>>(bit%64)&1 != 0 {
		return false // an earlier counter can have the same index
	}
	*word |= 1 << (bit % 64)
	d.highest = max(d.highest, name)
	return true
}

// plainLevel reports whether a DetailLevel is valid. It is faster than [layout.DetailLevel.Valid].
func plainLevel(level layout.DetailLevel) bool {
	switch level {
	case layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD:
		return true
	}
	return false
}

// A plainType has the properties of a predefined numeric counter type.
type plainType struct {
	typ, base layout.CounterType // base is the type of the base that must be next, 0 if no base must be next
	width     uint32             // 4 or 8; 0 in an empty entry
	isBase    bool
	multi     bool // the counter has a second value
	clock     bool // computed with PerfTime of the object
	freq      bool // computed with PerfFreq of the data block
}

// plainTypes is a hash table of the predefined numeric types. A search of a list would take longer
// than all other steps for a counter.
var plainTypes = func() (list [1 << typeBits]plainType) {
	for t := range layout.CounterTypes() {
		width, fixed := t.Width()
		base, _ := t.Base()
		if !fixed || width == 0 || obsolete(t) || t.Unassigned() != 0 || t.NeedsBase() != (base != 0) {
			continue
		}
		i := typeAt(t)
		for list[i].width != 0 {
			i = (i + 1) % len(list)
		}
		list[i] = plainType{t, base, width, t.IsBase(), t.Multi() && t.NeedsBase(), t.UsesObjectTimer(), usesFreq(t)}
	}
	return list
}()

const typeBits = 8

func typeAt(t layout.CounterType) int { return int(uint32(t) * (spread >> 32) >> (32 - typeBits)) }

// findPlainType returns the entry of a type, or an empty entry if there is none.
func findPlainType(t layout.CounterType) *plainType {
	i := typeAt(t)
	for plainTypes[i].width != 0 && plainTypes[i].typ != t {
		i = (i + 1) % len(plainTypes)
	}
	return &plainTypes[i]
}
