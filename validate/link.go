package validate

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// A link is what the scan knows of the parent and the UniqueID of an instance. Most
// instances have those of the one before, which takes no more than to see that.
type link struct {
	title uint32 // ParentObjectTitleIndex
	word  uint64 // ParentObjectInstance and UniqueID, as they stand
	limit uint64 // positions that the parent has
	start uint64 // of the hash of a name under it
	ided  bool   // UniqueIDs are set
}

// begin makes the link that of an instance without a parent, with which nothing is wrong.
func (l *link) begin(ided bool, start uint64) {
	*l = link{word: uint64(noID) << 32, limit: 1, start: start, ided: ided}
	if ided {
		l.word = 0
	}
}

// links notes the link of an instance and reports whether rules have nothing to say of
// it, but for two UniqueIDs that are the same.
func (p *pass) links(title uint32, word uint64) bool {
	l := &p.link
	if title != l.title {
		l.title, l.limit = title, p.positions(title)
	}
	l.word, l.start = word, p.names.seed.under(title, uint32(word))
	return word&math.MaxUint32 < l.limit && (uint32(word>>32) != noID) == l.ided
}

// positions returns how many instances may have a parent of that title by the rules:
// none where they have something to say of the title itself.
func (p *pass) positions(title uint32) uint64 {
	const any = 1 << 32
	if title == 0 {
		return 1 // 0, that is
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
