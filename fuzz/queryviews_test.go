package fuzz_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// What was built is what the views of package layout read, which know nothing of models.
func viewsAgree(t *testing.T, m builder.Model, b []byte) {
	t.Helper()
	switch m := m.(type) {
	case *builder.DataBlock, *builder.Objects: // the oracle and the predictions look at their views
	case *builder.QueryData:
		queryAgrees(t, *m, b)
	case *builder.InstanceList:
		instancesAgree(t, *m, b)
	case *builder.Identifiers:
		identifiersAgree(t, *m, b)
	case *builder.CounterSetRegInfo:
		regSetAgrees(t, *m, b)
	case *builder.CounterRegInfo:
		v, err := layout.ReadCounterRegInfo(b)
		fatal(t, err)
		regCounterAgrees(t, *m, v)
	case *builder.RegString:
		if text, err := layout.ReadRegText(b).Text(); text != string(*m) || err != nil {
			t.Fatalf("the text is %q, %v", text, err)
		}
	case *builder.RegGUID:
		guidsAgree(t, builder.GUIDs{layout.GUID(*m)}, b)
	case *builder.GUIDs:
		guidsAgree(t, *m, b)
	case *builder.StringBuffer:
		stringsAgree(t, *m, b)
	case *builder.CounterSetInfo:
		templateAgrees(t, *m, b)
	case *builder.CounterSetInstance:
		setInstanceAgrees(t, *m, b)
	default:
		t.Fatalf("no one looks at a %v", m.Kind())
	}
}

func queryAgrees(t *testing.T, want builder.QueryData, b []byte) {
	t.Helper()
	q, err := layout.ReadQueryData(b)
	fatal(t, err)
	if int(q.DwTotalSize()) != len(b) || int(q.DwNumCounters()) != len(want.Results) {
		t.Fatalf("dwTotalSize %d of %d bytes, %d answers", q.DwTotalSize(), len(b), q.DwNumCounters())
	}
	for v, err := range q.Results() {
		fatal(t, err)
		r := want.Results[v.Index()]
		if v.DwType() != r.Type || v.DwStatus() != r.Status || v.Reserved() != 0 || v.Off()%8 != 0 || v.Len()%8 != 0 {
			t.Fatalf("%v is %+v at %d", v.Path(), wire.GetCounterHeader(v.Bytes()), v.Off())
		}
		ids, err := v.IDs()
		fatal(t, err)
		if i := 0; v.HasIDs() {
			for id := range ids.All() {
				if id != r.Counters[i].CounterId {
					t.Fatalf("%v[%d] is %d", ids.Path(), i, id)
				}
				i++
			}
			if i != len(r.Counters) {
				t.Fatalf("%d ids", i)
			}
		}
		sameRow(t, r.Counters, r.Values, r.Texts, v.Values())
		instances, err := v.Instances()
		fatal(t, err)
		if int(instances.DwInstances()) != len(r.Instances) {
			t.Fatalf("%d instances", instances.DwInstances())
		}
		for in, err := range instances.All() {
			fatal(t, err)
			i := r.Instances[in.Index()]
			if name, err := in.Name().Text(); name != i.Name || in.InstanceId() != i.InstanceId || err != nil || in.Off()%8 != 0 {
				t.Fatalf("%v at %d is %q %d, %v", in.Path(), in.Off(), name, in.InstanceId(), err)
			}
			sameRow(t, r.Counters, i.Values, i.Texts, in.Values())
		}
	}
}

func sameRow(t *testing.T, counters []builder.QueryCounter, numbers []uint64, texts []string, row func(func(layout.CounterData, error) bool)) {
	t.Helper()
	n := 0
	for v, err := range row {
		fatal(t, err)
		value, err := v.Value()
		fatal(t, err)
		if v.Off()%8 != 0 {
			t.Fatalf("%v stands at %d", v.Path(), v.Off())
		}
		if counters[n].Bytes {
			if string(value.Bytes()) != texts[0] {
				t.Fatalf("%v is % x", v.Path(), value.Bytes())
			}
			texts = texts[1:]
		} else if got, ok := value.Number(); got != numbers[n] || !ok || value.Len() == 4 != (counters[n].Size == 4) {
			t.Fatalf("%v is %d of %d bytes", v.Path(), got, value.Len())
		}
		n++
	}
	if n != len(numbers) || len(texts) > 0 {
		t.Fatalf("%d values, and %d texts are left", n, len(texts))
	}
}

func instancesAgree(t *testing.T, list builder.InstanceList, b []byte) {
	t.Helper()
	n := 0
	for in, err := range layout.ReadInstanceHeaders(b) {
		fatal(t, err)
		name, err := in.Name().Text()
		if want := list[n]; name != want.Name || err != nil || in.InstanceId() != want.InstanceId || in.Off()%8 != 0 || want.Size != 0 && in.Size() != want.Size {
			t.Fatalf("%v at %d is %q and %+v, %v", in.Path(), in.Off(), name, wire.GetInstanceHeader(in.Bytes()), err)
		}
		n++
	}
	if n != len(list) {
		t.Fatalf("%d instances", n)
	}
}

func identifiersAgree(t *testing.T, ids builder.Identifiers, b []byte) {
	t.Helper()
	n := 0
	for id, err := range layout.ReadCounterIdentifiers(b) {
		fatal(t, err)
		want := ids[n]
		name, err := id.Name().Text()
		record := wire.CounterIdentifier{
			CounterSetGuid: want.CounterSetGuid, Status: want.Status, Size: uint32(id.Len()),
			CounterId: want.CounterId, InstanceId: want.InstanceId, Index: want.Index,
		}
		if name != want.Name || err != nil || wire.GetCounterIdentifier(id.Bytes()) != record || id.Off()%8 != 0 || want.Size != 0 && id.Size() != want.Size {
			t.Fatalf("%v at %d is %q and %+v, %v", id.Path(), id.Off(), name, wire.GetCounterIdentifier(id.Bytes()), err)
		}
		n++
	}
	if n != len(ids) {
		t.Fatalf("%d identifiers", n)
	}
}

func fatal(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
