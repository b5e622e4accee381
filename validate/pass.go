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
	known  known // what ctx says
	rules  *stages
	max    int
	found  Result
	listed listed
	rule   *activeRule // whose check runs

	everyRule bool // the scan passes over nothing

	// The subjects of V1. There is one of each at a time.
	dataBlock    dataBlock
	object       object
	instance     instance
	duplicate    duplicate
	counterBlock counterBlock

	extents        []extent
	byTitle        map[uint32]int // the first object of each title, in extents
	titles         set
	names          set
	ids            set
	folded         folds
	fresh          [freshNames]fresh
	link           link
	duplicateTexts []duplicateText
	byOffset       []int // counters in the order of their values

	// The subjects of V2.
	input              input
	gap                padding
	queryData          queryData
	res                result
	multiCounters      multiCounters
	multiInstances     multiInstances
	instanceHeader     instanceHeader
	counterData        counterData
	duplicateName      duplicateName
	counterSetRegInfo  counterSetRegInfo
	counterRegInfo     counterRegInfo
	detailLevel        detailLevel
	counterSetInfo     counterSetInfo
	counterInfo        counterInfo
	counterSetInstance counterSetInstance
	counterIdentifier  counterIdentifier
	guid               guid
	stringBuffer       stringBuffer
	stringCounter      stringCounter

	literal bool  // sizes of instances and values are taken as they are: all of the answer agrees
	looks   int64 // how much may still be looked at where lengths do not tell what stands there
	misled  bool  // a size on the way did not lead to the end of what it is of
	rows    rows
	places  []place
	starts  []uint64 // of strings, each with its entry
}

func (p *pass) reset(b []byte, kind layout.Kind, ctx Context, rules *stages, max int) {
	p.b, p.kind, p.ctx, p.rules, p.max = b, kind, ctx, rules, max
	p.found, p.dataBlock = Result{}, dataBlock{}
	p.extents = p.extents[:0]
	p.looks = int64(len(b))
	if p.byTitle == nil {
		p.byTitle = map[uint32]int{}
	}
	clear(p.byTitle)
}

// release drops what is the caller's.
func (p *pass) release() {
	p.b, p.ctx, p.known, p.rules, p.found = nil, Context{}, known{}, nil, Result{}
	p.dataBlock, p.instance, p.counterBlock, p.duplicate = dataBlock{}, instance{}, counterBlock{}, duplicate{}
	p.object.release()
	clear(p.duplicateTexts)
	p.queryData = queryData{lengths: p.queryData.lengths}
	p.res = result{widths: p.res.widths}
	p.multiCounters, p.multiInstances, p.instanceHeader, p.counterData = multiCounters{}, multiInstances{}, instanceHeader{}, counterData{}
	p.rows = rows{}
	p.counterSetRegInfo, p.counterRegInfo = counterSetRegInfo{}, counterRegInfo{}
	p.counterSetInfo, p.counterInfo, p.counterSetInstance = counterSetInfo{}, counterInfo{}, counterSetInstance{}
	p.counterIdentifier, p.guid = counterIdentifier{}, guid{}
	p.stringBuffer, p.stringCounter = stringBuffer{}, stringCounter{}
}

// count notes a finding of the rule that runs and reports whether it is to be listed.
func (p *pass) count() bool {
	s := p.rule.severity
	if s == Off {
		return false
	}
	n := p.found.Counts.of(s)
	*n++
	if p.max > 0 && *n > p.max {
		p.found.Truncated = true
		return false
	}
	return true
}

// listing reports whether one more finding of that severity would be listed.
func (p *pass) listing(s Severity) bool { return p.max <= 0 || *p.found.Counts.of(s) < p.max }

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
	p.listed.next().fill(p.rule, path, off, n, got, want)
}
