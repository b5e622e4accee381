package fuzz

import (
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// anyKindBreakers break rules that apply to several kinds of V2 blocks. The rules are about bytes that belong to no
// record.
var anyKindBreakers = []breaker{
	{"v2-trailing-bytes", nil, func(f *faultyBlock) {
		switch f.upTo(5) {
		case 0:
			anyQuery(f)
		case 1: // the text still ends in a NUL
			f.encodeOrTake(new(builder.RegString(f.textWithPadding())))
			f.block = append(append(f.block, f.bytes(2*f.upTo(100))...), 0, 0)
			return
		case 2:
			f.encodeOrTake(new(builder.StringBuffer{}).Counter(1, f.textWithPadding()))
		case 3:
			anyTemplate(f)
		case 4:
			f.setInstanceWithPadding()
		}
		f.appendBytes(200)
	}},
	{"v2-padding-nonzero", nil, func(f *faultyBlock) {
		switch f.upTo(5) {
		case 0:
			f.inQuery(f.resultOfSize(layout.PERF_COUNTERSET, 1+2*f.upTo(4), 1+f.upTo(f.MaxInstances)))
		case 1:
			instances := f.queryInstances(1)
			instances[f.upTo(len(instances))].Name = f.textWithPadding()
			f.inInstanceList(instances)
		case 2:
			list := f.returnedIdentifiers()
			if f.base == nil {
				list[f.chosen["identifier"]].Name = f.textWithPadding()
				f.encodeValid(&list)
			}
		case 3:
			f.encodeOrTake(new(builder.StringBuffer{}).Counter(1, f.textWithPadding()))
		case 4:
			f.setInstanceWithPadding()
		}
		var paddings []layout.Part
		for part := range layout.Walk(f.kind, f.block) {
			if strings.HasSuffix(part.Path.String(), "padding") && part.Len() > 0 {
				paddings = append(paddings, part)
			}
		}
		if f.base != nil && len(paddings) == 0 {
			f.endAttempt("padding")
		}
		padding := pick(f.Source, paddings...).Bytes()
		padding[f.upTo(len(padding))] = byte(1 + f.upTo(255))
	}},
}

// textWithPadding returns a text that requires padding to a multiple of 8 bytes.
func (f *faultyBlock) textWithPadding() string {
	return strings.Repeat("n", 2+4*f.upTo(min(6, 1+f.MaxText/4)))
}

// setInstanceWithPadding makes a PERF_COUNTERSET_INSTANCE with padding after the name.
func (f *faultyBlock) setInstanceWithPadding() {
	f.encodeOrTake(&builder.CounterSetInstance{CounterSetGuid: f.guid(), Name: f.textWithPadding(), Values: []uint64{f.uint64()}})
}
