package spec

import (
	"math"

	"github.com/perfblock/perfblock/internal/form"
)

// A Number is a whole number of up to 64 bits, with or without sign.
type Number struct {
	Negative  bool // false for 0
	Magnitude uint64
}

func (n Number) String() string { return form.Number(n).String() }

var (
	dword = form.Span{Hi: math.MaxUint32}
	long  = form.Span{Lo: math.MinInt32, Hi: math.MaxInt32}
	clock = form.Span{Hi: math.MaxInt64}
	qword = form.Span{Hi: math.MaxUint64}
)

var (
	dwordForm = form.Integer("number", dword)
	longForm  = form.Integer("signed number", long)
	clockForm = form.Integer("number", clock)
	wordForm  = form.Integer("number", form.Span{Hi: math.MaxUint16})
)
