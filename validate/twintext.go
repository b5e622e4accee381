package validate

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// duplicateText is what was said of a twin, to be said again: where names repeat they are
// few, and most are written alike.
type duplicateText struct {
	first     int64  // offset in the input of the instance that has the name first, 0 where nothing was said
	text      []byte // the name that is in got
	got, want string
}

const (
	mostDuplicateTexts = 1 << 6             // for how many names at once that is kept
	golden             = 0x9E3779B97F4A7C15 // spreads what lies at even distances
)

func nameDuplicate(p *pass, t *duplicate) {
	if !p.count() {
		return
	}
	if p.duplicateTexts == nil {
		p.duplicateTexts = make([]duplicateText, mostDuplicateTexts)
	}
	text, first := t.of.nameAt(t.at), t.of.off+int64(t.first)
	w := &p.duplicateTexts[uint64(first)*golden>>(64-6)]
	if w.first != first {
		want := fmt.Sprintf("one that differs from that of the instance at 0x%x in more than the case of letters", first)
		*w = duplicateText{first: first, want: want}
	}
	if w.got == "" || !bytes.Equal(text, w.text) {
		w.text, w.got = text, "the name is "+quoted(text, t.of.CodePage())
	}
	b := t.of.Bytes()[t.at:]
	p.listed.next().fill(p.rule, layout.Path{}.At("object", t.of.index).At("instance", t.index).Field("Name"),
		t.of.off+int64(t.at)+int64(le.Uint32(b[nameOffsetAt:])), int(le.Uint32(b[nameLengthAt:])), w.got, w.want)
}
