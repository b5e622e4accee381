package fuzz

import (
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// anyKindBreakers break the rules that are about several kinds of V2.
var anyKindBreakers = []breaker{
	{"v2-trailing-bytes", nil, func(v *victim) {
		switch v.upTo(5) {
		case 0:
			v.answers(v.anyAnswer())
		case 1:
			v.model(new(builder.RegString(v.padded())))
			v.block = append(v.block, v.bytes(2*v.upTo(100))...)
			v.block = append(v.block, 0, 0) // it ends in a NUL all the same
			return
		case 2:
			v.model(new(builder.StringBuffer{}).Counter(1, v.padded()))
		case 3:
			v.template(1)
		case 4:
			v.model(&builder.CounterSetInstance{CounterSetGuid: v.guid(), Name: v.padded(), Values: []uint64{v.uint64()}})
		}
		v.block = append(v.block, v.bytes(1+v.upTo(200))...)
	}},
	{"v2-padding-nonzero", nil, func(v *victim) {
		switch v.upTo(5) {
		case 0:
			v.answers(v.answerOf(layout.PERF_COUNTERSET, 1+2*v.upTo(4), 1+v.upTo(v.MaxInstances)))
		case 1:
			names := v.names(1)
			names[v.upTo(len(names))].Name = v.padded()
			v.listed(names)
		case 2:
			list := v.asked()
			list[v.upTo(len(list))].Name = v.padded()
			v.model(&list)
		case 3:
			v.model(new(builder.StringBuffer{}).Counter(1, v.padded()))
		case 4:
			v.model(&builder.CounterSetInstance{CounterSetGuid: v.guid(), Name: v.padded(), Values: []uint64{v.uint64()}})
		}
		var gaps []layout.Part
		for part := range layout.Walk(v.kind, v.block) {
			if strings.HasSuffix(part.Path.String(), "padding") && part.Len() > 0 {
				gaps = append(gaps, part)
			}
		}
		gap := pick(v.Source, gaps...).Bytes()
		gap[v.upTo(len(gap))] = byte(1 + v.upTo(255))
	}},
}

// padded returns a text that with its NUL is no multiple of 8 bytes long.
func (v *victim) padded() string { return strings.Repeat("n", 2+4*v.upTo(min(6, 1+v.MaxText/4))) }
