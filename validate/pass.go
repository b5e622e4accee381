package validate

import (
	"encoding/binary"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// A pass is one walk over one block. Its slices and tables are used again for the next.
type pass struct {
	b      []byte
	kind   layout.Kind
	ctx    Context
	rules  *staged
	max    int
	result Result
	listed listed
	grade  *grade // of the rule that runs

	everyRule bool
	header    header
	object    object
	instance  instance
	blk       block
	extents   []extent
	byTitle   map[uint32]int // the first object of each title, in extents
	titles    set
	names     set
	ids       set
	folded    folds
	fresh     [freshNames]fresh
	link      link
	said      []twinText
	byOffset  []int // counters in the order of their values

	// Of V2.
	known           known
	buffer          buffer
	gap             gap
	query           query
	answer          answer
	idList          idList
	table           table
	named           namedInstance
	raw             rawValue
	twinName        twinName
	literal         bool  // sizes of instances and values are taken as they are: all of the answer agrees
	looks           int64 // how much may still be looked at where lengths do not tell what stands there
	misled          bool  // a size on the way did not lead to the end of what it is of
	rows            rows
	regSet          regSet
	regCounter      regCounter
	detail          detail
	template        template
	templateCounter templateCounter
	instanceBlock   instanceBlock
	places          []place
	identifier      identifier
	guid            guid
	strings         stringBuffer
	entry           entry
	starts          []uint64 // of strings, each with its entry
}

func (p *pass) reset(b []byte, kind layout.Kind, ctx Context, rules *staged, max int) {
	p.b, p.kind, p.ctx, p.rules, p.max = b, kind, ctx, rules, max
	p.result, p.header = Result{}, header{}
	p.extents = p.extents[:0]
	p.looks = int64(len(b))
	if p.byTitle == nil {
		p.byTitle = map[uint32]int{}
	}
	clear(p.byTitle)
}

// release lets go of what is the caller's.
func (p *pass) release() {
	p.b, p.ctx, p.rules, p.result = nil, Context{}, nil, Result{}
	p.header, p.instance, p.blk = header{}, instance{}, block{}
	p.object.release()
	clear(p.said)
	p.query = query{lengths: p.query.lengths}
	p.answer = answer{widths: p.answer.widths}
	p.idList, p.table, p.named, p.raw = idList{}, table{}, namedInstance{}, rawValue{}
	p.known, p.rows = known{}, rows{}
	p.regSet, p.regCounter = regSet{}, regCounter{}
	p.template, p.templateCounter, p.instanceBlock = template{}, templateCounter{}, instanceBlock{}
	p.identifier, p.guid = identifier{}, guid{}
	p.strings, p.entry = stringBuffer{}, entry{}
}

// count notes a finding of the rule that runs and reports whether it is to be listed.
func (p *pass) count() bool {
	s := p.grade.severity
	if s == Off {
		return false
	}
	n := p.result.Counts.of(s)
	*n++
	if p.max > 0 && *n > p.max {
		p.result.Truncated = true
		return false
	}
	return true
}

// listing reports whether one more finding of that severity would be listed.
func (p *pass) listing(s Severity) bool { return p.max <= 0 || *p.result.Counts.of(s) < p.max }

// A subject is a record whose fields findings name.
type subject interface {
	path() layout.Path
	record() *layout.Record
	start() int64 // offset in the input
}

// field reports a field of a record: its value, and what it should be.
func (p *pass) field(s subject, name string, got any, want string, args ...any) {
	if !p.count() {
		return
	}
	f := s.record().Field(name)
	p.list(s.path().Field(name), s.start()+int64(f.At), int(f.Type.Size()), fmt.Sprintf("%s is %v", name, got), fmt.Sprintf(want, args...))
}

// bytes reports n bytes from off on, which step names under the record; "" is the record.
func (p *pass) bytes(s subject, step string, off int64, n int, got, want string) {
	if !p.count() {
		return
	}
	path := s.path()
	if step != "" {
		path = path.Field(step)
	}
	p.list(path, off, n, got, want)
}

// between says which numbers are wanted, from least to most.
func between(least, most int64) string {
	if least >= most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// eights says which multiples of 8 are required, from least, which is one, to most.
func eights(least, most int64) string {
	if most = most / layout.Align * layout.Align; least >= most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("a multiple of 8 from %d to %d", least, most)
}

// longer says by how much a required size of n bytes is more than there are, if it is.
func longer(n, have int64) string {
	if n <= have {
		return ""
	}
	return fmt.Sprintf(": %d more bytes than there are", n-have)
}

// eight says which size is required, for content of n bytes. The size is a multiple of 8:
// where n is not, another finding reports what in the content is not.
func eight(n int64) string {
	if n%layout.Align != 0 {
		return "a multiple of 8"
	}
	return fmt.Sprint(n)
}

func (p *pass) list(path layout.Path, off int64, n int, got, want string) {
	n = max(0, min(n, int(int64(len(p.b))-off))) // what the input cuts short is reported as far as it goes
	p.listed.next().fill(p.grade, path, off, n, got, want)
}
