package validate

import "github.com/perfblock/perfblock/layout"

// Lengths that contradict each other
//
// A record has a field with its length, but the length also follows from its content: for example,
// a record with a name ends after the NUL. A header has fields with the number of its records and
// with their end. If these fields and the content contradict each other, this file decides which
// fields are wrong. The rules report the wrong fields.
//
// All types of record with a recordType use three steps:
//
//  1. declaredFit uses the lengths in the fields. If there are as many records as the header says,
//     and they end where the header says, all fields are right.
//  2. Otherwise distance tries several lengths for each record. A length is right if the next
//     record or the end seems to follow.
//  3. findRecords uses the lengths of step 2. The end of the last record and the number of records
//     follow from them.
//
// The time of a pass is bounded. The test of whether a record seems to start at an offset takes
// constant time. p.searchable limits the bytes that all searches for the ends of records read.

// A recordType describes a type of record that declares its length.
type recordType struct {
	field   uint32 // offset of the length in the record
	least   int64  // smallest length
	aligned bool   // only multiples of 8 are valid

	// plausible reports whether the bytes from `at` to lim seem to start with a record. Zeros are
	// never plausible.
	plausible func(b []byte, at, lim int64) bool

	// required computes the length of the record at an offset from its content. It returns 0 if the
	// length is not known. The second result is another possible length, or 0.
	required func(p *pass, at, lim int64) (first, second int64)

	// proven is true for objects and results. For these types, the function required computes the
	// length from all records inside the object or the result. This length is right even if no
	// record seems to follow.
	proven bool
}

// declared returns the length that the record at an offset declares.
func (r *recordType) declared(b []byte, at int64) int64 {
	return int64(le.Uint32(b[at+int64(r.field):]))
}

// A follower describes what must follow a record: a record of the given type, or the end.
type follower struct {
	record *recordType // nil if only the end can follow
	end    int64       // offset, -1 if only a record can follow
}

var valueFollows = follower{&counterDataRecord, -1}

func endFollows(end int64) follower { return follower{nil, end} }

// seemsAt reports whether the offset `at` is f.end, or a record of type f.record seems to start
// there, before lim.
func (f follower) seemsAt(b []byte, at, lim int64) bool {
	return at == f.end || f.record != nil && f.record.plausible(b, at, lim)
}

// A step is the distance from one record to the next.
type step struct {
	n     int64 // bytes, 0 if not known
	wrong bool  // n differs from the declared length
}

// distance returns the distance from the record at an offset to the next record, or to the end of
// the records. The argument f describes what must follow the record. The record must end at or
// before the offset lim.
func (p *pass) distance(r *recordType, at, lim int64, f follower) step {
	if lim-at < r.least {
		return step{}
	}
	valid := func(n int64) bool { return n >= r.least && n <= lim-at }
	declared := r.declared(p.b, at)
	switch {
	case p.acceptDeclared && valid(declared):
		return step{declared, false}
	case p.acceptDeclared:
		return step{}
	}
	first, second := r.required(p, at, lim)
	up := aligned(declared)
	confirmed := valid(declared) && (!r.aligned || up == declared) && (declared == first || f.seemsAt(p.b, at+declared, lim))
	// The declared length may include zeros after the content. allZero reads each zero once in a pass,
	// because zeros never look like the start of a record. So p.searchable does not count these bytes.
	if confirmed && (declared <= first || first < r.least || allZero(p.b[at+first:at+declared])) {
		return step{declared, false}
	}
	for _, n := range [...]int64{first, second} {
		if n != declared && valid(n) && f.seemsAt(p.b, at+n, lim) {
			return step{n, true}
		}
	}
	switch {
	case confirmed:
		if n := p.recordInside(r, at, first, declared, f); n > 0 {
			return step{n, true}
		}
	case up != declared && valid(up) && f.seemsAt(p.b, at+up, lim):
		if first >= r.least { // the end of the content is known
			if n := p.recordInside(r, at, first, up, f); n > 0 {
				return step{n, true}
			}
		}
		return step{up, true}
	case r.proven && valid(first):
		return step{first, first != declared}
	case !valid(declared):
		return step{}
	}
	return step{declared, false}
}

// recordInside searches for a second record between the content and the declared end of the record
// at an offset. It returns the distance from the first record to the second, or 0 if it finds none.
// With their declared lengths, the second record and the records after it must end exactly at the
// declared end of the first record.
func (p *pass) recordInside(r *recordType, at, contentLength, declared int64, f follower) int64 {
	if f.record != r {
		return 0
	}
	end := at + declared
	for n := contentLength + layout.Align; n < declared && p.searchable > 0; n += layout.Align {
		next := at + n
		p.searchable -= layout.Align
		for p.searchable > 0 && next < end && r.plausible(p.b, next, end) && r.declared(p.b, next) >= r.least {
			p.searchable -= r.least
			next += r.declared(p.b, next)
		}
		if next == end {
			return n
		}
	}
	return 0
}

// An extent is the place of a record of V2 that declares its size.
type extent struct {
	off   int64
	end   int64 // the end of the record; if it is not known, off, or for PERF_MULTI_INSTANCES the end of the result
	lim   int64 // the record must end at or before lim
	size  int64 // declared size, 0 if the bytes left are too few for it
	least int64 // smallest valid size
	wrong bool  // size is not the distance from off to end
}

func (e *extent) start() int64 { return e.off }

func (e *extent) length() int64 { return e.end - e.off }

// sizeInRange reports whether the declared size is at least e.least and at most the number of bytes left.
func (e *extent) sizeInRange() bool { return e.size >= e.least && e.size <= e.lim-e.off }

// extentOf returns the extent of the record at an offset. The arguments are those of [pass.distance].
func (p *pass) extentOf(r *recordType, at, lim int64, f follower) extent {
	return p.extentTo(r, at, lim, p.distance(r, at, lim, f))
}

// extentTo returns the extent of the record from which next leads to the next record.
func (p *pass) extentTo(r *recordType, at, lim int64, next step) extent {
	e := extent{off: at, end: at + next.n, lim: lim, least: r.least, wrong: next.wrong}
	if lim-at >= int64(r.field)+4 {
		e.size = r.declared(p.b, at)
	}
	return e
}

// requireAligned reports the field of the size of a record if the size is in range but not a multiple of 8.
func (p *pass) requireAligned(s subject, field string, e *extent) {
	if e.sizeInRange() && e.size%layout.Align != 0 {
		p.field(s, field, e.size, "must be %s", multiple(e.wrong, e.length()))
	}
}

// A series is a sequence of consecutive records of one type. A header declares their number and
// their end.
type series struct {
	record *recordType
	from   int64 // offset of the first record
	n      int64 // declared number of records, unlimited if no header declares it
	total  int64 // declared end, -1 if it is not inside the input

	steps []step // from each record found to the next
	end   int64  // end of the last record found
	whole bool   // all records are found
}

const unlimited = 1 << 62

// count returns the number of records found.
func (s *series) count() int64 { return int64(len(s.steps)) }

// findRecords finds the records of a series, even if their declared number or end is too small.
func (p *pass) findRecords(s *series) {
	if s.total >= 0 && p.declaredFit(s) {
		return
	}
	all := int64(len(p.b))
	lim := all
	if s.total >= 0 {
		lim = s.total
	}
	f := follower{s.record, lim}
	at, least := s.from, s.record.least
	for s.steps, s.whole = s.steps[:0], false; ; {
		s.end = at
		missing := s.n - s.count()
		switch {
		case at == all,
			// The search stops at the declared end. It continues only if records are missing, the rest
			// of the input has space for them, and a record seems to start here.
			at == s.total && (missing <= 0 || missing > (all-at)/least || !s.record.plausible(p.b, at, all)),
			// The search stops after the declared number of records. It continues only if another
			// record seems to start here, before the declared end.
			missing <= 0 && !(at < lim && s.record.plausible(p.b, at, lim)):
			s.whole = true
			return
		case all-at < least:
			return
		}
		next := p.distance(s.record, at, all, f)
		if next.n == 0 {
			return
		}
		s.steps = append(s.steps, next)
		at += next.n
	}
}

// declaredFit sets s.steps to the declared lengths of the records. It reports whether s.n records
// end at s.total. If s.n is unlimited, the number of records does not matter.
func (p *pass) declaredFit(s *series) bool {
	s.steps, s.end = s.steps[:0], s.from
	for s.total-s.end >= s.record.least && s.count() < s.n {
		n := s.record.declared(p.b, s.end)
		if n < s.record.least || n > s.total-s.end || s.record.aligned && !s.record.plausible(p.b, s.end, s.total) {
			return false
		}
		s.steps = append(s.steps, step{n, false})
		s.end += n
	}
	s.whole = s.end == s.total && (s.n == unlimited || s.count() == s.n)
	return s.whole
}
