package validate

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

const (
	headBytes  = 24                     // of a PERF_INSTANCE_DEFINITION
	tailBytes  = 24                     // three words, in which the last characters of a name and the zeros behind them stand
	noID       = uint32(math.MaxUint32) // PERF_NO_UNIQUE_ID
	mostBytes  = 2 * (shortName + 1)    // of a name that no rule calls long
	leastBytes = 4                      // of a name that is not empty
)

// plain is the fused scan: it passes over instances of an object, their names and
// counter blocks, of which no rule has anything to say, from instance k at an offset
// on. It returns the first of which it is not sure, or where the last one ends; the
// rules are run one by one on that. It must never pass over what a rule would speak of;
// the fuzz tests hold it to that.
//
// It reads an instance in words of 8 bytes, and past its end as well: what is not of
// the instance is masked. An instance so near the end of the input that this would
// leave it is for the rules.
func (p *pass) plain(o *object, at int64, k int) (int64, int) {
	if p.everyRule || !o.plainOnly() {
		return at, k
	}
	var (
		rest    = p.b[at:]
		inside  = uint64(o.end - at) // bytes of rest that are of the object
		ref     = uint32(at - o.off)
		n       = int(o.NumInstances())
		from    = k
		uniform = uint64(aligned(o.need))
		firstID = uint32(o.firstID)
		parent  = uint32(0) // the title that was looked up last,
		limit   = uint64(1) // and how many positions it has
		named   = len(p.rules.twin) > 0
		seed    = p.names.seed
		batch   = 0
	)
	if k == 0 && len(rest) >= headBytes {
		firstID = le.Uint32(rest[uniqueIDAt:])
	}
scan:
	for ; k < n && len(rest) >= headBytes+tailBytes; k++ {
		head := (*[headBytes + tailBytes]byte)(rest)
		a, b, c := le.Uint64(head[0:]), le.Uint64(head[8:]), le.Uint64(head[16:])
		length, bytes := a&math.MaxUint32, c>>32
		if c&(1<<33-1) != headBytes || bytes-leastBytes > mostBytes-leastBytes { // NameOffset is, or NameLength is odd
			break
		}
		next := length + uniform
		if tight := (headBytes + bytes + 7) &^ 7; next > inside || length != tight && (length < tight || !zeroWords(rest[tight:length])) {
			break
		}
		if title := uint32(a >> 32); title != parent {
			parent, limit = title, p.positions(title)
		}
		id := uint32(b >> 32)
		if b&math.MaxUint32 >= limit || (id == noID) != (firstID == noID) || uint64(le.Uint32(rest[length:])) != uniform {
			break
		}
		left, words, h, bad := bytes/2-1, (*[tailBytes]byte)(head[headBytes:]), seed.under(parent, uint32(b)), uint64(0)
		for i := headBytes; left > 8; left -= 8 {
			eight, no := letters(le.Uint64(words[0:]), le.Uint64(words[8:]), 0)
			bad |= no
			if named {
				h = seed.letters(h, capitals(eight))
			}
			if i += 16; len(rest)-i < tailBytes {
				break scan
			}
			words = (*[tailBytes]byte)(rest[i:])
		}
		t := &tails[left%uint64(len(tails))]
		a, b, c = le.Uint64(words[0:]), le.Uint64(words[8:]), le.Uint64(words[16:])
		bad |= a&t.zeroA | b&t.zeroB | c&t.zeroC
		eight, no := letters(a&t.a, b&t.b, t.fill)
		if bad|no != 0 || edge(rest[headBytes]) || rest[headBytes+bytes-4] == ' ' {
			break
		}
		if id != noID && p.seenID(o, id, ref) != 0 {
			break
		}
		if named {
			p.fresh[batch] = fresh{seed.ended(seed.letters(h, capitals(eight)), int(bytes-2)), ref}
			if batch++; batch == len(p.fresh) {
				p.twins(o, p.fresh[:batch], k+1-batch)
				batch = 0
			}
		}
		rest, inside, ref = rest[next:], inside-next, ref+uint32(next)
	}
	p.twins(o, p.fresh[:batch], k-batch)
	if from == 0 && k > 0 {
		o.begin(p.b[at:], at)
	}
	o.blocks += k - from
	return o.off + int64(ref), k
}

// begin notes what other instances are compared with, of the first one, which is at
// the start of b.
func (o *object) begin(b []byte, at int64) {
	length, n := int64(le.Uint32(b)), aligned(o.need)
	o.firstID, o.uniform = int32(le.Uint32(b[uniqueIDAt:])), uint32(n)
	o.shortest = block{object: o.index, off: at + length, end: at + length + n, length: n}
	o.shortest.Block = layout.Block{Span: layout.NewSpan(b[length:length+n:length+n], at+length)}
}

// plainOnly reports whether instances of the object can be plain, as far as the
// object and the instances before have a say.
func (o *object) plainOnly() bool {
	return o.CodePage() == 0 && len(o.texts) == 0 && !o.total.seen && o.need <= math.MaxUint32-layout.Align &&
		(o.blocks == 0 || int64(o.uniform) == aligned(o.need))
}

// aligned returns n rounded up to a multiple of 8.
func aligned(n int64) int64 { return (n + layout.Align - 1) / layout.Align * layout.Align }

// positions returns how many instances may have a parent of that title by the rules:
// none where they have something to say of the title itself.
func (p *pass) positions(title uint32) uint64 {
	const any = 1 << 32
	if title == 0 {
		return 1 // 0, that is
	}
	i, present := p.byTitle[title]
	switch {
	case !present && (p.kind == layout.ObjectsKind || !p.header.complete()):
		return any
	case !present:
		return 0
	}
	if n := p.extents[i].instances; n >= layout.PERF_METADATA_NO_INSTANCES {
		return uint64(max(n, 0))
	}
	return any
}

// zeroWords reports whether b is of whole words that are 0.
func zeroWords(b []byte) bool {
	for len(b) >= 8 && le.Uint64(b) == 0 {
		b = b[8:]
	}
	return len(b) == 0
}

// edge reports whether a name that starts with a letter is for the rules: with a
// space, or as _Total does.
func edge(first byte) bool { return first == ' ' || first == '_' }
