package spec

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

type dataBlockKey = key[builder.DataBlock]

// dataBlockMapping is the text of a block of kind data-block, but for what all kinds have.
var dataBlockMapping = mapping[builder.DataBlock]{
	what: "a data block", record: &layout.PERF_DATA_BLOCK,
	doc: "What a consumer gets: a PERF_DATA_BLOCK and objects.",
	keys: []dataBlockKey{
		{name: "SystemName", form: textForm, doc: "The name of the computer.", field: func(d *builder.DataBlock) any { return &d.SystemName }},
		{name: "SystemTime", form: timeForm, doc: "Left out: PerfTime100nSec.", field: func(d *builder.DataBlock) any { return &d.SystemTime }},
		{name: "PerfTime", form: clockForm, field: func(d *builder.DataBlock) any { return &d.PerfTime }},
		{name: "PerfFreq", form: clockForm, doc: "Left out: 10000000.", field: func(d *builder.DataBlock) any { return &d.PerfFreq }},
		{name: "PerfTime100nSec", form: clockForm, doc: "Left out: SystemTime, and the first moment of the year 2000 where that is left out too.", field: func(d *builder.DataBlock) any { return &d.PerfTime100nSec }},
		{name: "DefaultObject", form: longForm, field: func(d *builder.DataBlock) any { return &d.DefaultObject }},
		{name: "SystemNameOffset", form: dwordForm, doc: "Left out: 88, and 0 without a name.", field: func(d *builder.DataBlock) any { return &d.SystemNameOffset }},
		{name: "HeaderLength", form: dwordForm, doc: "Left out: as long as the name needs.", field: func(d *builder.DataBlock) any { return &d.HeaderLength }},
		{name: "objects", form: objectsForm, required: true, doc: "The objects. There may be none: [].", field: func(d *builder.DataBlock) any { return &d.Objects }},
	},
}

// objectsBlockMapping is the text of a block of kind objects.
var objectsBlockMapping = mapping[builder.Objects]{
	what: "a block of kind objects",
	doc:  "What a provider's Collect function writes: objects, without a header.",
	keys: []key[builder.Objects]{
		{name: "objects", form: objectsForm, required: true, doc: "The objects.", field: func(o *builder.Objects) any { return (*[]builder.Object)(o) }},
	},
}
