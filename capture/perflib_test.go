package capture

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestSets checks the sequence of V2.
func TestSets(t *testing.T) {
	t.Parallel()
	many, single := layout.GUID{Data1: 1}, layout.GUID{Data1: 2}
	file := func(guid layout.GUID) string { return strings.Trim(guid.String(), "{}") }
	regSet := func(guid layout.GUID, kind layout.InstanceType) []byte {
		return marshal(t, &builder.CounterSetRegInfo{CounterSetGuid: guid, InstanceType: kind, DetailLevel: layout.PERF_DETAIL_NOVICE})
	}
	sets := func() map[layout.GUID]map[layout.PerfRegInfoType][]byte {
		return map[layout.GUID]map[layout.PerfRegInfoType][]byte{
			many: {
				layout.PERF_REG_COUNTERSET_STRUCT:       regSet(many, layout.PERF_COUNTERSET_MULTI_INSTANCES),
				layout.PERF_REG_COUNTERSET_ENGLISH_NAME: marshal(t, builder.RegString("Queues")),
				layout.PERF_REG_COUNTERSET_NAME_STRING:  marshal(t, builder.RegString("Schlangen")),
			},
			single: {layout.PERF_REG_COUNTERSET_STRUCT: regSet(single, layout.PERF_COUNTERSET_SINGLE_INSTANCE)},
		}
	}
	large := marshal(t, fuzz.New[builder.QueryData](fuzz.Seed(3), fuzz.Config{}))
	large = append(large, make([]byte, 200_000)...)
	for _, tt := range []struct {
		reason  string
		query   Query
		status  map[layout.GUID]Status
		members string
		notes   int
		err     string
	}{
		{"a set is found by its name or by its GUID", Query{Sets: []string{"queues", single.String()}, Count: 2}, nil,
			file(many) + ".reg-set.bin " + file(many) + ".english-name.reg-string.bin " + file(many) + ".name.009.reg-string.bin " +
				file(single) + ".reg-set.bin query.identifiers.bin 0001.query-data.bin 0002.query-data.bin", 10, ""},
		{"a set is found by its name in any language", Query{Sets: []string{"Schlangen"}, Languages: []string{}}, nil,
			file(many) + ".reg-set.bin " + file(many) + ".english-name.reg-string.bin query.identifiers.bin 0001.query-data.bin", 1, ""},
		{"a set without a provider is noted", Query{Sets: []string{"Queues", single.String()}, Languages: []string{}}, map[layout.GUID]Status{single: noSuchSet},
			file(many) + ".reg-set.bin " + file(many) + ".english-name.reg-string.bin " + file(single) + ".reg-set.bin query.identifiers.bin 0001.query-data.bin", 4, ""},
		{"no set can be added", Query{Sets: []string{"Queues"}, Languages: []string{}}, map[layout.GUID]Status{many: noSuchSet}, "", 0,
			`the counter set "Queues": Windows error 4200 (unknown counter set, or its provider does not run)`},
		{"a misspelled name", Query{Sets: []string{"Queuees"}}, nil, "", 0, `no counter set has the name "Queuees"; use the name of a registered counter set, or its GUID; did you mean Queues?`},
		{"the registration of an unknown GUID cannot be read", Query{Sets: []string{layout.GUID{Data1: 3}.String()}}, nil, "", 0,
			`the counter set "{00000003-0000-0000-0000-000000000000}": PERF_REG_COUNTERSET_STRUCT: Windows error 4200 (unknown counter set, or its provider does not run)`},
	} {
		f := &fake{t: t, sets: sets(), status: tt.status, data: []callResult{{bytes: large[:100]}, {bytes: large}}}
		b, err := tt.query.run(t.Context(), f)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if members := strings.ReplaceAll(memberNames(b), "v2/", ""); got != tt.err || members != tt.members || b != nil && len(b.Notes) != tt.notes {
			t.Errorf("%s: error %q, members %q", tt.reason, got, members)
			if b != nil {
				t.Errorf("%q", b.Notes)
			}
		}
		if err == nil && strings.Join(f.log[len(f.log)-2:], ",") != "close query,close key" {
			t.Errorf("%s: calls %q", tt.reason, f.log)
		}
		if err == nil {
			var ids builder.Identifiers
			if err := ids.UnmarshalBinary(f.added); err != nil || ids[0].Name != "*" || len(ids) > 1 && ids[1].Name != "" {
				t.Errorf("%s: identifiers %+v, error %v", tt.reason, ids, err)
			}
		}
	}
}
