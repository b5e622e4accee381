package fuzz_test

import (
	"slices"
	"strings"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (p *prediction) queryData(q *builder.QueryData) {
	here := layout.Path{}
	if len(q.Results) == 0 {
		p.add("v2-no-counters", here.Field("dwNumCounters"))
	}
	if q.SystemTime != (layout.SystemTime{}) {
		if at, err := q.SystemTime.Time(); err != nil { // a day that February has not
			p.add("v2-systemtime-range", here.Field("SystemTime").Field("wDay"))
		} else if apart := at.Sub(layout.FromFileTime(q.PerfTime100NSec)); q.PerfTime100NSec != 0 && apart.Abs() > 2*time.Second {
			p.add("v2-systemtime-mismatch", here.Field("SystemTime"))
		}
	}
	for i := range q.Results {
		p.result(here.At("result", i), &q.Results[i])
	}
}

// spokenOf are the errors that the pages of the functions name.
var spokenOf = []uint32{3, 5, 8, 14, 87, 183, 232, 1168, 1450, 4200, 4201, 4202, 4211}

func (p *prediction) result(at layout.Path, r *builder.Result) {
	switch status := at.Field("dwStatus"); {
	case r.Type != layout.PERF_ERROR_RETURN:
		if r.Status != 0 {
			p.add("v2-status-with-data", status)
		}
	case r.Status == 0:
		p.add("v2-error-return-status-zero", status)
	case !slices.Contains(spokenOf, r.Status):
		p.add("v2-error-status-known", status)
	}
	if r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET {
		p.ids(at.Field("ids"), r)
	}
	if r.Type != layout.PERF_MULTIPLE_INSTANCES && r.Type != layout.PERF_COUNTERSET {
		p.texts(at, r, r.Texts)
		return
	}
	if len(r.Instances) == 0 {
		p.add("v2-multi-instances-empty", at.Field("instances").Field("dwInstances"))
	}
	var list builder.InstanceList
	for i, in := range r.Instances {
		p.texts(at.At("instance", i), r, in.Texts)
		list = append(list, builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
	}
	p.named(at, list)
}

func (p *prediction) ids(at layout.Path, r *builder.Result) {
	if len(r.Counters) == 0 {
		p.add("v2-multi-counters-empty", at.Field("dwCounters"))
	}
	if r.ShortIDs {
		p.add("v2-multi-counters-unaligned", at.Field("dwSize"))
	}
	for i, c := range r.Counters {
		if slices.ContainsFunc(r.Counters[:i], func(before builder.QueryCounter) bool { return before.CounterId == c.CounterId }) {
			p.add("v2-multi-counters-duplicate-id", at.At("id", i))
		}
	}
}

// texts judges the values that are no numbers.
func (p *prediction) texts(at layout.Path, r *builder.Result, texts []string) {
	for i, c := range r.Counters {
		if !c.Bytes {
			continue
		}
		switch data := at.At("data", i).Field("dwDataSize"); len(texts[0]) {
		case 4, 8:
		case 0:
			p.add("v2-counter-data-empty", data)
		default:
			p.add("v2-counter-data-width", data)
		}
		texts = texts[1:]
	}
}

// named judges the instances of an answer or of a list.
func (p *prediction) named(of layout.Path, list builder.InstanceList) {
	for i, in := range list {
		at := of.At("instance", i)
		if need := uint32(8+layout.UTF16Len(in.Name)+2+7) / 8 * 8; in.Size > need {
			p.add("v2-instance-header-slack", at.Field("Size"))
		}
		if in.Name == "" {
			p.add("v2-instance-name-empty", at.Field("Name"))
		}
		if strings.ContainsAny(in.Name, "*?") {
			p.add("v2-instance-name-wildcard", at.Field("Name"))
		}
		if in.InstanceId == 1<<32-1 {
			p.add("v2-instance-id-wildcard", at.Field("InstanceId"))
		}
		named := func(before builder.InstanceHeader) bool {
			return in.Name != "" && folded(0, before.Name) == folded(0, in.Name)
		}
		first := slices.IndexFunc(list[:i], named)
		switch {
		case slices.ContainsFunc(list[:i], func(b builder.InstanceHeader) bool { return named(b) && b.InstanceId == in.InstanceId }):
			p.add("v2-instance-duplicate", at.Field("Name"))
		case first >= 0 && list[first].Name != in.Name:
			p.add("v2-instance-name-case-duplicate", at.Field("Name"))
		}
	}
}
