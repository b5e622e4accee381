package validate

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// twinText is what was said of a twin, to be said again: where names repeat they are
// few, and most are written alike.
type twinText struct {
	first     int64  // offset in the input of the instance that has the name first, 0 where nothing was said
	text      []byte // the name that is in got
	got, want string
}

const (
	twinTexts = 1 << 6             // for how many names at once that is kept
	golden    = 0x9E3779B97F4A7C15 // spreads what lies at even distances
)

func nameDuplicate(p *pass, o *object, t twin) {
	if !p.count() {
		return
	}
	if p.said == nil {
		p.said = make([]twinText, twinTexts)
	}
	text, first := o.nameAt(t.at), o.off+int64(t.first)
	w := &p.said[uint64(first)*golden>>(64-6)]
	if w.first != first {
		want := fmt.Sprintf("one that differs from that of the instance at 0x%x in more than the case of letters", first)
		*w = twinText{first: first, want: want}
	}
	if w.got == "" || !bytes.Equal(text, w.text) {
		w.text, w.got = text, "the name is "+quoted(text, o.CodePage())
	}
	b := o.Bytes()[t.at:]
	p.listed.next().fill(p.grade, layout.Path{}.At("object", o.index).At("instance", t.index).Field("Name"),
		o.off+int64(t.at)+int64(le.Uint32(b[nameOffsetAt:])), int(le.Uint32(b[nameLengthAt:])), w.got, w.want)
}
