//go:build !race

// Another program reads here, which the race detector does not see.

package fuzz_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A heard is what C says of a block, to be held against a decoded model.
type heard struct {
	t       *testing.T
	entries map[string]oracle.Entry
}

func (s heard) agree(path string, decoded any) {
	s.t.Helper()
	agree(s.t, s.entries, path, decoded)
}

func (s heard) guid(path string, g layout.GUID) {
	s.t.Helper()
	s.agree(path, "hex:"+hex.EncodeToString(wire.GUID(g).Append(nil)))
}

func (s heard) text(path, text string) {
	s.t.Helper()
	units, err := layout.AppendUTF16(nil, text+"\x00")
	fatal(s.t, err)
	s.agree(path, "hex:"+hex.EncodeToString(units))
}

// none wants that C says nothing of a part.
func (s heard) none(path string) {
	s.t.Helper()
	if e, ok := s.entries[path]; ok {
		s.t.Errorf("C says %s of %s, which is not there", e.Value, path)
	}
}

// sameAsPerflibModel is sameAsModel for the kinds of perflib.h.
func (s heard) sameAsPerflibModel(m builder.Model) {
	s.t.Helper()
	switch m := m.(type) {
	case *builder.QueryData:
		s.query(m)
	case *builder.InstanceList:
		s.count("instance", len(*m))
		for i, in := range *m {
			s.agree(fmt.Sprintf("instance[%d].InstanceId", i), in.InstanceId)
			s.text(fmt.Sprintf("instance[%d].Name", i), in.Name)
		}
	case *builder.Identifiers:
		s.identifiers(*m)
	case *builder.CounterSetRegInfo:
		s.guid("CounterSetGuid", m.CounterSetGuid)
		s.agree("InstanceType", uint32(m.InstanceType))
		s.agree("NumCounters", len(m.Counters))
		for i, c := range m.Counters {
			s.registered(fmt.Sprintf("counter[%d].", i), c)
		}
	case *builder.CounterRegInfo:
		s.registered("counter[0].", *m)
	case *builder.RegString:
		s.text("Text", string(*m))
	case *builder.RegGUID:
		s.guid("guid[0]", layout.GUID(*m))
	case *builder.GUIDs:
		s.count("guid", len(*m))
		for i, g := range *m {
			s.guid(fmt.Sprintf("guid[%d]", i), g)
		}
	case *builder.StringBuffer:
		s.strings(*m)
	case *builder.CounterSetInfo:
		s.template(*m)
	case *builder.CounterSetInstance:
		s.guid("CounterSetGuid", m.CounterSetGuid)
		s.agree("InstanceId", m.InstanceId)
		s.text("Name", m.Name)
		s.count("slot", len(m.Values))
		for i, v := range m.Values {
			s.agree(fmt.Sprintf("slot[%d]", i), v)
		}
	default:
		s.t.Fatalf("no comparison of a %T", m)
	}
}

// count wants n items of that name, which no field counts.
func (s heard) count(name string, n int) {
	s.t.Helper()
	items := map[string]bool{}
	for path := range s.entries {
		if item, _, _ := strings.Cut(path, "."); strings.HasPrefix(item, name+"[") {
			items[item] = true
		}
	}
	if len(items) != n {
		s.t.Errorf("C says something of %d %ss, there are %d", len(items), name, n)
	}
}

func (s heard) query(q *builder.QueryData) {
	s.t.Helper()
	s.agree("PerfTimeStamp", q.PerfTimeStamp)
	s.agree("dwNumCounters", len(q.Results))
	for i, r := range q.Results {
		path := fmt.Sprintf("result[%d].", i)
		s.agree(path+"dwStatus", r.Status)
		s.agree(path+"dwType", uint32(r.Type))
		if r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET {
			s.agree(path+"ids.dwCounters", len(r.Counters))
			for j, c := range r.Counters {
				s.agree(fmt.Sprintf("%sids.id[%d]", path, j), c.CounterId)
			}
		}
		s.row(path, r.Counters, r.Values, r.Texts)
		if r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET {
			s.agree(path+"instances.dwInstances", len(r.Instances))
		}
		for k, in := range r.Instances {
			path := fmt.Sprintf("%sinstance[%d].", path, k)
			s.agree(path+"InstanceId", in.InstanceId)
			s.text(path+"Name", in.Name)
			s.row(path, r.Counters, in.Values, in.Texts)
		}
	}
}

// row compares the values of one instance, or of an answer without any.
func (s heard) row(path string, counters []builder.QueryCounter, numbers []uint64, texts []string) {
	s.t.Helper()
	for j, n := range numbers {
		path := fmt.Sprintf("%sdata[%d].value", path, j)
		if !counters[j].Bytes {
			s.agree(path, n)
			continue
		}
		text := texts[0]
		texts = texts[1:]
		switch len(text) {
		case 0:
			s.none(path)
		case 4:
			s.agree(path, binary.LittleEndian.Uint32([]byte(text)))
		case 8:
			s.agree(path, binary.LittleEndian.Uint64([]byte(text)))
		default:
			s.agree(path, "hex:"+hex.EncodeToString([]byte(text)))
		}
	}
	s.none(fmt.Sprintf("%sdata[%d].dwSize", path, len(numbers)))
}

func (s heard) identifiers(ids builder.Identifiers) {
	s.t.Helper()
	s.count("identifier", len(ids))
	for i, id := range ids {
		path := fmt.Sprintf("identifier[%d].", i)
		s.guid(path+"CounterSetGuid", id.CounterSetGuid)
		s.agree(path+"Status", id.Status)
		s.agree(path+"CounterId", id.CounterId)
		s.agree(path+"InstanceId", id.InstanceId)
		s.agree(path+"Index", id.Index)
		if id.Name != "" {
			s.text(path+"Name", id.Name)
		}
	}
}

func (s heard) registered(path string, c builder.CounterRegInfo) {
	s.t.Helper()
	s.agree(path+"CounterId", c.CounterId)
	s.agree(path+"Type", uint32(c.Type))
	s.agree(path+"Attrib", uint64(c.Attrib))
	s.agree(path+"DefaultScale", c.DefaultScale)
	s.agree(path+"AggregateFunc", uint32(c.AggregateFunc))
	for name, id := range map[string]*uint32{"BaseCounterId": c.BaseCounterId, "PerfTimeId": c.PerfTimeId, "PerfFreqId": c.PerfFreqId, "MultiId": c.MultiId} {
		if id == nil {
			id = new(uint32(0xFFFFFFFF))
		}
		s.agree(path+name, *id)
	}
}

func (s heard) strings(m builder.StringBuffer) {
	s.t.Helper()
	s.agree("dwCounters", len(m.Entries))
	for i, e := range m.Entries {
		path := fmt.Sprintf("entry[%d].", i)
		s.agree(path+"dwCounterId", e.CounterId)
		if e.None {
			s.none(path + "Text")
		} else {
			s.text(path+"Text", e.Text)
		}
	}
}

func (s heard) template(m builder.CounterSetInfo) {
	s.t.Helper()
	s.guid("CounterSetGuid", m.CounterSetGuid)
	s.guid("ProviderGuid", m.ProviderGuid)
	s.agree("InstanceType", uint32(m.InstanceType))
	s.agree("NumCounters", len(m.Counters))
	for i, c := range m.Counters {
		path := fmt.Sprintf("counter[%d].", i)
		s.agree(path+"CounterId", c.CounterId)
		s.agree(path+"Type", uint32(c.Type))
		s.agree(path+"Attrib", uint64(c.Attrib))
		s.agree(path+"Scale", c.Scale)
		s.agree(path+"Offset", c.Offset)
	}
}
