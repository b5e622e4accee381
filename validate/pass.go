package validate

import (
	"encoding/binary"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// A pass is the state of the validation of one block. The next block reuses its memory.
type pass struct {
	b      []byte
	kind   layout.Kind
	ctx    Context
	known  contextFacts // the contents of the buffers of ctx
	rules  *stages
	max    int
	found  Result
	listed findingList
	rule   *activeRule // the rule of the check that runs
	subjects

	noScan       bool // the scan is disabled: see Options
	collectNames bool // the names of all objects are collected: see Options

	byTitle        map[uint32]titledObject // the first object with each title
	names          set
	collected      collection
	ids            set
	folded         folds
	batch          [batchSize]scanned
	link           link
	duplicateTexts []duplicateText
	byOffset       []int // indexes of counters, sorted by CounterOffset

	acceptDeclared bool  // distance uses declared lengths without a test
	searchable     int64 // number of bytes that searches for the ends of records may still read
	walked         int64 // number of bytes of the values and instances read; the caller subtracts it from searchable
	wrongSize      bool  // the method values or instances found a wrong size
	counters       counterList
	identifiers    []identifierPlace // the found identifiers of the block
	starts         []uint64          // offset of each string in the high 32 bits, index of its entry in the low 32
}

// subjects has the current subject of each type. The fields are in the pass, so that validation does not allocate
// memory for each record.
type subjects struct {
	dataBlock    dataBlock
	object       object
	instance     instance
	duplicate    duplicate
	counterBlock counterBlock

	input              input
	gap                padding
	queryData          queryData
	result             result
	multiCounters      multiCounters
	multiInstances     multiInstances
	instanceHeader     instanceHeader
	counterData        counterData
	duplicateName      duplicateName
	counterSetRegInfo  counterSetRegInfo
	counterRegInfo     counterRegInfo
	counterSetInfo     counterSetInfo
	counterInfo        counterInfo
	counterSetInstance counterSetInstance
	counterIdentifier  counterIdentifier
	guid               guid
	stringBuffer       stringBuffer
	stringCounter      stringCounter
}

// searches is how many times a pass may read the input to find the ends of records. It bounds the
// time of a pass.
const searches = 4

func (p *pass) reset(b []byte, kind layout.Kind, ctx Context, rules *stages, max int) {
	p.b, p.kind, p.ctx, p.rules, p.max = b, kind, ctx, rules, max
	p.searchable, p.acceptDeclared = searches*int64(len(b)), false
	if p.byTitle == nil {
		p.byTitle = map[uint32]titledObject{}
	}
	clear(p.byTitle)
}

// release removes all references to the caller's memory. It keeps the memory of slices.
func (p *pass) release() {
	p.b, p.ctx, p.known, p.rules, p.found = nil, Context{}, contextFacts{}, nil, Result{}
	clear(p.duplicateTexts)
	p.object.clearCounters()
	objects, results := p.dataBlock.objects.steps, p.queryData.results.steps
	counters, texts, widths := p.object.counters[:0], p.object.texts[:0], p.result.widths
	p.subjects = subjects{}
	p.dataBlock.objects.steps, p.queryData.results.steps = objects, results
	p.object.counters, p.object.texts, p.result.widths = counters, texts, widths
}

// count counts a finding of the current rule. It reports whether the caller must list the
// finding.
func (p *pass) count() bool { return p.found.count(p.rule.severity, p.max) }

// listing reports whether the next finding of severity s would be listed.
func (p *pass) listing(s Severity) bool { return p.max <= 0 || *p.found.Counts.of(s) < p.max }

// A subject is a record, or a part of a record, that rules check.
type subject interface {
	path() layout.Path
	record() *layout.Record
	start() int64 // offset in the input
}

// atStart is embedded in the subjects at the start of the input. These subjects have an empty path.
type atStart struct{}

func (atStart) path() layout.Path { return layout.Path{} }

func (atStart) start() int64 { return 0 }

// field reports a field of a record. got is the value of the field, and want is the requirement.
func (p *pass) field(s subject, name string, got any, want string, args ...any) {
	if !p.count() {
		return
	}
	f := s.record().Field(name)
	p.list(s.path().Field(name), s.start()+int64(f.At), int(f.Type.Size()), fmt.Sprintf("%s is %v", name, got), fmt.Sprintf(want, args...))
}

// require reports a field of a record if ok is false. got is the value, and want is a requirement
// such as "must be 0". The type of got is a type parameter and not any, because a conversion to any
// would allocate memory even if ok is true.
func require[T any](p *pass, s subject, name string, got T, ok bool, want string) {
	if !ok {
		p.field(s, name, got, "%s", want)
	}
}

// requireZero reports a field of a record if n, the value of the field, is not 0.
func (p *pass) requireZero(s subject, name string, n uint32) {
	require(p, s, name, n, n == 0, "must be 0")
}

// requireSize returns true if a record fits into the bytes that are left, and otherwise reports the
// record. With the format "the input has %s" and the verb "have", the message is "the input has 7
// bytes, must have at least 8, the size of PERF_STRING_BUFFER_HEADER".
func (p *pass) requireSize(s subject, left int64, format, verb string) bool {
	r := s.record()
	if left >= int64(r.Size) {
		return true
	}
	left = max(left, 0)
	p.reportBytes(s, "", s.start(), int(left), fmt.Sprintf(format, plural(left, "byte")), fmt.Sprintf("must %s at least %d, the size of %s", verb, r.Size, r.C))
	return false
}

// reportBytes reports n bytes at an offset. The path of the finding is the path of the subject. If
// step is not empty, the path ends with step.
func (p *pass) reportBytes(s subject, step string, off int64, n int, got, want string) {
	if !p.count() {
		return
	}
	path := s.path()
	if step != "" {
		path = path.Field(step)
	}
	p.list(path, off, n, got, want)
}

// plural returns a number with its noun, such as "1 byte" or "7 bytes".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// between returns "LEAST to MOST", or "LEAST" if least is not less than most.
func between(least, most int64) string {
	if least >= most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// roundUp rounds n up to a multiple of unit.
func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// multiples rounds most down to a multiple of unit and returns the text "a multiple of UNIT from LEAST to MOST". least
// must be a multiple of unit. If unit is 1, or if only least is in the range, multiples returns the text of [between].
func multiples(least, most, unit int64) string {
	most = most / unit * unit
	if unit == 1 || least >= most {
		return between(least, most)
	}
	return fmt.Sprintf("a multiple of %d from %d to %d", unit, least, most)
}

// upTo returns the text of [multiples] and the reason for the largest value. limit says what most is: for example, "the
// length of the input".
func upTo(least, most, unit int64, limit string) string {
	return limited(multiples(least, most, unit), most, unit, limit)
}

// atMost returns the text "at most N" and the reason for N. N is most, rounded down to a multiple of unit. limit says
// what most is.
func atMost(most, unit int64, limit string) string {
	return limited(fmt.Sprintf("at most %d", most/unit*unit), most, unit, limit)
}

// limited adds the reason for the largest value to the text of a requirement. The largest value is most, rounded down
// to a multiple of unit. limit says what most is.
func limited(text string, most, unit int64, limit string) string {
	if most%unit == 0 {
		return text + ", " + limit
	}
	return fmt.Sprintf("%s, because %s is %d", text, limit, most)
}

const (
	inputLength = "the length of the input"
	bytesLeft   = "the number of bytes left"
)

// longer returns the text ": N more bytes than there are", where N is n minus available. It returns
// "" if n is not greater than available.
func longer(n, available int64) string {
	if n <= available {
		return ""
	}
	return fmt.Sprintf(": %s than there are", plural(n-available, "more byte"))
}

// reportLength reports a field with a length that is out of range. The required value is n, the length of the content,
// rounded up to a multiple of 8. reason says what n is. If declared is already the required value, reportLength reports
// instead that only `left` bytes are left.
func (p *pass) reportLength(s subject, name string, declared, n, left int64, reason string) {
	switch need := aligned(n); {
	case need == declared:
		p.reportBytes(s, "", s.start(), int(left), "has "+plural(left, "byte"), fmt.Sprintf("must have %d, the %s", need, name))
	case need != n:
		p.field(s, name, declared, "must be %d, %s, rounded up to a multiple of 8", need, reason)
	default:
		p.field(s, name, declared, "must be %d, %s", n, reason)
	}
}

// list adds a finding to the result. If the n bytes at off extend past the end of the input, the
// finding has only the bytes up to the end.
func (p *pass) list(path layout.Path, off int64, n int, got, want string) {
	n = max(0, min(n, int(int64(len(p.b))-off)))
	p.listed.extend().fill(p.rule, path, off, n, got, want)
}
