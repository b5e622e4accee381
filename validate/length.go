package validate

import "github.com/perfblock/perfblock/layout"

// Lengths that contradict each other
//
// A block declares its structure more than once. The declared length of a record is the distance
// to the next record, but the content of the record also determines a length: the NUL ends a name,
// the values need space in a counter block, and the last instance ends an object. A header
// declares the number of records after the header, and the end of the records. If these
// declarations contradict each other, this file decides which of them is wrong. The procedure is the
// same for all records of V1 and V2 that have a recordType:
//
//  1. If there are as many records as declared, and the last record ends at the declared end, all
//     declarations are right (declaredFit).
//  2. Otherwise these lengths are tried for each record: the declared length, the lengths that the
//     content requires, the declared length rounded up to a multiple of 8, and the distance to a
//     record inside the declared length. The first length after which the next record or the end
//     seems to follow is right. A declared length that is longer than the content is tried
//     first only if the extra bytes are zeros. If no length is right, an object or a result has the
//     length of its content, and any other record has its declared length (distance).
//  3. The number of records, and their end, are the result of these lengths (findRecords).
//
// The rules report each declaration that differs from the result.
//
// A record seems to start at an offset if its fixed fields are plausible there. This test takes
// constant time. A search for the end of the content takes longer, so all searches in a pass
// together read at most p.searchable bytes.

// A recordType describes a type of record that declares its length.
type recordType struct {
	field   uint32 // offset of the length in the record
	least   int64  // smallest length
	aligned bool   // only multiples of 8 are valid

	// plausible reports whether a record seems to start at an offset, before lim. It must return
	// false if the bytes are zeros. Otherwise allZero could read the same zeros again for many
	// records.
	plausible func(b []byte, at, lim int64) bool

	// required returns the length that a record at an offset must have for its content. The second
	// result is another length to try, or 0.
	required func(p *pass, at, lim int64) (first, second int64)

	// proven is true if the length for the content is computed from the whole content of the record.
	// This length is then right even if no record seems to follow.
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

// seemsAt reports whether f can be at an offset. Either the offset is f.end, or a record of type
// f.record seems to start there, before lim.
func (f follower) seemsAt(b []byte, at, lim int64) bool {
	return at == f.end || f.record != nil && f.record.plausible(b, at, lim)
}

// A step is the distance from one record to the next.
type step struct {
	n     int64 // bytes, 0 if not known
	wrong bool  // n differs from the declared length
}

// distance returns the distance from the record at an offset to its follower. The follower must be at
// or before lim. If p.acceptDeclared is set, distance accepts each valid declared length.
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
		return step{up, true}
	case r.proven && valid(first):
		return step{first, first != declared}
	case !valid(declared):
		return step{}
	}
	return step{declared, false}
}

// recordInside searches for more records inside the declared length of a record. The search starts
// after the content, which has contentLength bytes. The records found must end exactly at the
// declared end. recordInside returns the distance to the first record found, or 0 if it finds none.
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

// findRecords finds the records of a series. It continues if a declared value is too small:
//
//   - The declared number is too small if more records seem to start before the declared end.
//   - The declared end is too small if records are missing, a record seems to start at the end, and
//     the input has space for the missing records.
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
			at == s.total && (missing <= 0 || missing > (all-at)/least || !s.record.plausible(p.b, at, all)),
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

// declaredFit goes from record to record by the declared lengths of the records, and stores these
// lengths in s.steps. It returns true if the last record ends at s.total and the number of records
// is s.n. If s.n is unlimited, declaredFit accepts every number.
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
