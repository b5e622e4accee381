package validate

// The files scan*.go are the fast scan. It passes over records that are certain to break no
// rule, and stops at the first of which it is not certain; the rules run on that one. Its
// contract: it never passes over a record for which a rule would report a finding, except a
// duplicate name, which the scan reports itself. It leaves the pass in the state in which the
// rules would leave it. FuzzScan compares the scan
// with the rules alone. No other file depends on how the scan works: instances are passed
// over by [pass.plain], counters by [pass.plainCounters], instances of query data by
// [pass.plainShape] and [pass.plainInstanceHeaders].

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

const (
	headBytes  = layout.SizeofInstanceDefinition
	tailBytes  = 24                     // three words with the last characters of a name and the zeros after them
	noID       = uint32(math.MaxUint32) // PERF_NO_UNIQUE_ID
	mostBytes  = 2 * (shortName + 1)    // longest name that no rule reports as long
	leastBytes = 4                      // shortest name that is not empty
)

// plain passes over instances that are certain to break no rule, with their names and
// counter blocks. It starts at instance k, at an offset. It returns the offset and the
// index of the first instance of which it is not certain, or the end of the last one.
//
// It processes a few instances at a time: first the definitions and lengths of all of
// them, then the names. Each loop is small enough for its variables to stay in registers,
// and the processor loads the next definitions while the names are validated.
func (p *pass) plain(o *object, at int64, k int) (int64, int) {
	if p.everyRule || !o.plainOnly() {
		return at, k
	}
	b, i, end := p.b[o.off:], int(at-o.off), int(o.end-o.off)
	if i > len(b)-headBytes-tailBytes {
		return at, k
	}
	ided := o.firstID != layout.PERF_NO_UNIQUE_ID
	if k == 0 {
		ided = le.Uint32(b[i+uniqueIDAt:]) != noID
	}
	p.link.begin(ided, p.names.seed.start)
	from, n, uniform := k, int(o.NumInstances()), int(aligned(o.need))
	for k < n {
		most := min(n-k, len(p.fresh))
		some, next := p.heads(b, 0, i, end, uniform, most)
		for some < most && p.head(b, some, &next, end, uniform) {
			some, next = p.heads(b, some+1, next, end, uniform, most)
		}
		good := p.names.seed.plainNames(b, p.fresh[:some])
		if ided {
			good = p.ownIDs(o, p.fresh[:good])
		}
		p.checkDuplicates(o, p.fresh[:good], k)
		k += good
		if good < some {
			i = int(p.fresh[good].at)
			break
		}
		if i = next; some < most {
			break
		}
	}
	if from == 0 && k > 0 {
		o.begin(p.b[at:], at)
	}
	o.blocks += k - from
	return o.off + int64(i), k
}

// heads notes instances from number n on. The first one is at i in b, which starts at the
// object. It stops at an instance whose definition, counter block or zeros could break a
// rule, whose link differs from that of the one before, or that has more padding than it
// needs: head handles the last two cases. It returns the number of instances noted, at
// most most, and the offset of the next one.
//
// It reads words of 8 bytes, which can extend past the end of an instance. It leaves an
// instance too close to the end of the input to the rules. It calls no functions, so that
// its variables stay in registers.
func (p *pass) heads(b []byte, n, i, end, uniform, most int) (int, int) {
	title, word, start := p.link.title, p.link.word, p.link.start
	for last := len(b) - headBytes - tailBytes; n < most && i <= last; n++ {
		head := (*[headBytes]byte)(b[i:])
		w0, w1, w2 := le.Uint64(head[0:]), le.Uint64(head[8:]), le.Uint64(head[16:])
		bytes, length := nameBytes(w2)
		block := i + int(length)
		if w0 != uint64(title)<<32|uint64(length) || w1 != word || bytes == 0 || uniform > end-block || int(le.Uint32(b[block:])) != uniform {
			break
		}
		p.fresh[n] = fresh{hash: start, at: uint32(i), n: bytes - 2}
		i = block + uniform
	}
	return n, i
}

// head notes one instance, at i. Its link may differ from that of the one before, and it
// may have more padding than it needs.
func (p *pass) head(b []byte, n int, i *int, end, uniform int) bool {
	at := *i
	if at > len(b)-headBytes-tailBytes || end-at < headBytes {
		return false
	}
	w0, w1, w2 := le.Uint64(b[at:]), le.Uint64(b[at+8:]), le.Uint64(b[at+16:])
	bytes, length := nameBytes(w2)
	if bytes == 0 || !p.links(uint32(w0>>32), w1) {
		return false
	}
	if uint32(w0) != length {
		if length = padded(b[at:end], length); length == 0 {
			return false
		}
	}
	block := at + int(length)
	if uniform > end-block || int(le.Uint32(b[block:])) != uniform {
		return false
	}
	p.fresh[n] = fresh{hash: p.link.start, at: uint32(at), n: bytes - 2}
	*i = block + uniform
	return true
}

// nameBytes returns the number of bytes of a name, from the last word of a definition, and
// the ByteLength of the instance with the least padding. It returns 0 for both if
// NameOffset is not 24, or NameLength is odd, 0 or long.
func nameBytes(word uint64) (bytes, length uint32) {
	bytes = uint32(word >> 32)
	if word&(1<<33-1) != headBytes || bytes-leastBytes > mostBytes-leastBytes {
		return 0, 0
	}
	return bytes, (headBytes + bytes + 7) &^ 7
}

// ownIDs returns the number of instances before the first one whose UniqueID repeats.
func (p *pass) ownIDs(o *object, list []fresh) int {
	for j, f := range list {
		if p.seenID(o, le.Uint32(o.Bytes()[f.at+uniqueIDAt:]), f.at) != 0 {
			return j
		}
	}
	return len(list)
}

// padded returns ByteLength of the instance at the start of b if it is at least least and
// only whole words of zeros follow, and otherwise 0.
func padded(b []byte, least uint32) uint32 {
	n := le.Uint32(b)
	if n < least || uint64(n) > uint64(len(b)) || !zeroWords(b[least:n]) {
		return 0
	}
	return n
}

// zeroWords reports whether b consists of whole words that are 0.
func zeroWords(b []byte) bool {
	for len(b) >= 8 && le.Uint64(b) == 0 {
		b = b[8:]
	}
	return len(b) == 0
}

// begin records the first instance, at the start of b, with which others are compared.
func (o *object) begin(b []byte, at int64) {
	length, n := int64(le.Uint32(b)), aligned(o.need)
	o.firstID, o.uniform = int32(le.Uint32(b[uniqueIDAt:])), uint32(n)
	o.shortest = counterBlock{of: o, off: at + length, end: at + length + n, length: n}
	o.shortest.CounterBlock = layout.CounterBlock{Span: layout.NewSpan(b[length:length+n:length+n], at+length)}
}

// plainOnly reports whether the object and the instances so far allow the scan.
func (o *object) plainOnly() bool {
	return o.CodePage() == 0 && len(o.texts) == 0 && !o.total.seen && aligned(o.need) <= o.end-o.off &&
		(o.blocks == 0 || int64(o.uniform) == aligned(o.need))
}

// aligned returns n rounded up to a multiple of 8.
func aligned(n int64) int64 { return (n + layout.Align - 1) / layout.Align * layout.Align }

// A link has the parent and the UniqueID of the last instance. Most instances have the
// same ones, which the scan detects with one comparison.
type link struct {
	title uint32 // ParentObjectTitleIndex
	word  uint64 // ParentObjectInstance and UniqueID, as encoded
	limit uint64 // number of instances of the parent
	start uint64 // start value of the hash of a name under the parent
	ided  bool   // instances have UniqueIDs
}

// begin sets the link to a valid one without a parent.
func (l *link) begin(ided bool, start uint64) {
	*l = link{word: uint64(noID) << 32, limit: 1, start: start, ided: ided}
	if ided {
		l.word = 0
	}
}

// links records the link of an instance and reports whether it breaks no rule. It does not
// detect a repeated UniqueID.
func (p *pass) links(title uint32, word uint64) bool {
	l := &p.link
	if title != l.title {
		l.title, l.limit = title, p.positions(title)
	}
	l.word, l.start = word, p.names.seed.under(title, uint32(word))
	return word&math.MaxUint32 < l.limit && (uint32(word>>32) != noID) == l.ided
}

// positions returns the number of valid values of ParentObjectInstance for a parent with
// that title, 0 if a rule reports the title.
func (p *pass) positions(title uint32) uint64 {
	const any = 1 << 32
	if title == 0 {
		return 1 // only position 0 is valid
	}
	i, present := p.byTitle[title]
	switch {
	case !present && (p.kind == layout.ObjectsKind || !p.dataBlock.complete()):
		return any
	case !present:
		return 0
	}
	if n := p.extents[i].instances; n >= layout.PERF_METADATA_NO_INSTANCES {
		return uint64(max(n, 0))
	}
	return any
}
