package validate

import "github.com/perfblock/perfblock/layout"

func (p *pass) checkQueryData() {
	q := &p.queryData
	*q = queryData{lengths: q.lengths[:0], end: int64(len(p.b))}
	if q.end >= dataHeaderSize {
		q.QueryData = layout.QueryData{Span: layout.NewSpan(p.b[:dataHeaderSize], 0)}
		p.answersEnd(q)
	}
	if !onQueryData.holds(p, q) {
		return
	}
	at := int64(dataHeaderSize)
	for i := range q.n {
		length := int64(le.Uint32(p.b[at+8:]))
		if len(q.lengths) > 0 {
			length = q.lengths[i]
		}
		p.checkAnswer(int(i), at, at+length)
		at += length
	}
	if !q.whole {
		p.lostAnswer(int(q.n), at)
	}
	switch p.input.end = q.end; {
	case q.totalHolds(p):
		p.input.end = max(q.end, int64(q.DwTotalSize()))
	case !q.whole: // what is left is of an answer
		p.input.end = int64(len(p.b))
	}
	onQueryData.end(p, q)
}

// totalHolds reports whether dwTotalSize is a length this input can have.
func (q *queryData) totalHolds(p *pass) bool {
	t := int64(q.DwTotalSize())
	return t >= dataHeaderSize && t <= int64(len(p.b))
}

// answersEnd finds the answers. Where dwTotalSize, dwNumCounters and each dwSize agree
// they are where those say, unless what stands there can be no answer.
func (p *pass) answersEnd(q *queryData) {
	total, n := int64(q.DwTotalSize()), int64(q.DwNumCounters())
	if q.totalHolds(p) {
		if end, count := p.answerSizes(total); end == total && count == n {
			q.end, q.n, q.whole = end, n, true
			return
		}
	}
	q.whole = p.seekAnswers(q, total, n)
}

// answerSizes follows each dwSize to an end at the most, and returns how far and over how
// many answers they lead. A wrong one may lead to the end by chance, but not over answers.
func (p *pass) answerSizes(lim int64) (at, count int64) {
	at = dataHeaderSize
	for lim-at >= answerSize {
		size := int64(le.Uint32(p.b[at+8:]))
		if size < answerSize || size > lim-at || size%layout.Align != 0 || !layout.PerfCounterDataType(le.Uint32(p.b[at+4:])).Valid() {
			break
		}
		at += size
		count++
	}
	return at, count
}

// mostLost bounds how often what is in an answer is gone through without being able to
// say where it ends.
const mostLost = 8

// seekAnswers follows the answers, by their content where a dwSize leads nowhere, and
// reports whether it has found them all.
func (p *pass) seekAnswers(q *queryData, total, n int64) bool {
	all, at, lost := int64(len(p.b)), int64(dataHeaderSize), 0
	sought := int64(0) // bytes that were gone through: answers may claim the same ones again and again
	holds := q.totalHolds(p)
	stands := func(at int64) bool {
		return at == all || holds && at == total || looksAnswer(p.b, at, all)
	}
	for q.n = 0; ; q.n++ {
		q.end = at
		switch {
		case at == all, holds && at == total && (q.n >= n || !looksAnswer(p.b, at, all)):
			return true
		case q.n >= n && (!holds || at > total || !looksAnswer(p.b, at, total)):
			return true
		case all-at < answerSize:
			return q.n >= n
		}
		length := int64(le.Uint32(p.b[at+8:]))
		valid := length >= answerSize && length <= all-at
		if lost < mostLost && sought < 2*all {
			t := layout.PerfCounterDataType(le.Uint32(p.b[at+4:]))
			s, ok := p.saidShape(t, at+answerSize, all)
			sought += max(s.end-at, answerSize)
			switch {
			case !ok || !t.Valid():
				lost++
			case !valid, s.end != at+length && (stands(s.end) || !stands(at+length)):
				length, valid = s.end-at, true
			}
		}
		if !valid {
			return false
		}
		q.lengths = append(q.lengths, length)
		at += length
	}
}
