package fuzz_test

import (
	"encoding/binary"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

func regSetAgrees(t *testing.T, want builder.CounterSetRegInfo, b []byte) {
	t.Helper()
	v, err := layout.ReadCounterSetRegInfo(b)
	fatal(t, err)
	alike(t, wire.GetCounterSetRegInfo(v.Bytes()), wire.CounterSetRegInfo{
		CounterSetGuid: want.CounterSetGuid, DetailLevel: level(want.DetailLevel), NumCounters: uint32(len(want.Counters)), InstanceType: want.InstanceType,
	})
	i := 0
	for c, err := range v.Counters() {
		fatal(t, err)
		regCounterAgrees(t, want.Counters[i], c)
		i++
	}
	if i != len(want.Counters) {
		t.Fatalf("%d counters", i)
	}
}

func regCounterAgrees(t *testing.T, want builder.CounterRegInfo, v layout.CounterRegInfo) {
	t.Helper()
	id := func(id *uint32) uint32 {
		if id == nil {
			return 0xFFFFFFFF
		}
		return *id
	}
	alike(t, wire.GetCounterRegInfo(v.Bytes()), wire.CounterRegInfo{
		CounterId: want.CounterId, Type: want.Type, Attrib: want.Attrib, DetailLevel: level(want.DetailLevel), DefaultScale: want.DefaultScale,
		BaseCounterId: id(want.BaseCounterId), PerfTimeId: id(want.PerfTimeId), PerfFreqId: id(want.PerfFreqId), MultiId: id(want.MultiId),
		AggregateFunc: want.AggregateFunc,
	})
}

func templateAgrees(t *testing.T, want builder.CounterSetInfo, b []byte) {
	t.Helper()
	v, err := layout.ReadCounterSetInfo(b)
	fatal(t, err)
	alike(t, wire.GetCounterSetInfo(v.Bytes()), wire.CounterSetInfo{
		CounterSetGuid: want.CounterSetGuid, ProviderGuid: want.ProviderGuid, NumCounters: uint32(len(want.Counters)), InstanceType: want.InstanceType,
	})
	i := 0
	for c, err := range v.Counters() {
		fatal(t, err)
		w := want.Counters[i]
		if w.Size == 0 {
			w.Size = map[layout.CounterType]uint32{layout.PERF_SIZE_DWORD: 4, layout.PERF_SIZE_LARGE: 8}[w.Type.Size()]
		}
		alike(t, wire.GetCounterInfo(c.Bytes()), wire.CounterInfo{
			CounterId: w.CounterId, Type: w.Type, Attrib: w.Attrib, Size: w.Size, DetailLevel: level(w.DetailLevel), Scale: w.Scale, Offset: w.Offset,
		})
		i++
	}
	if i != len(want.Counters) {
		t.Fatalf("%d counters", i)
	}
}

func setInstanceAgrees(t *testing.T, want builder.CounterSetInstance, b []byte) {
	t.Helper()
	v, err := layout.ReadCounterSetInstance(b)
	fatal(t, err)
	name, err := v.Name()
	fatal(t, err)
	if text, err := name.Text(); text != want.Name || err != nil || v.CounterSetGuid() != want.CounterSetGuid || v.InstanceId() != want.InstanceId || v.Len()%8 != 0 {
		t.Fatalf("%q, %v, of %+v", text, err, wire.GetCounterSetInstance(v.Bytes()))
	}
	var values []uint64
	for slot := range v.Slots() {
		values = append(values, binary.LittleEndian.Uint64(slot.Bytes()))
	}
	alike(t, values, want.Values)
}

func stringsAgree(t *testing.T, want builder.StringBuffer, b []byte) {
	t.Helper()
	v, err := layout.ReadStringBuffer(b)
	fatal(t, err)
	got := builder.StringBuffer{FromEntries: v.Base() != 0}
	for e := range v.Entries() {
		name, err := e.Text()
		fatal(t, err)
		text, err := name.Text()
		fatal(t, err)
		got.Entries = append(got.Entries, builder.StringCounter{CounterId: e.DwCounterId(), Text: text, None: name.Len() == 0})
	}
	alike(t, got, want)
}

func guidsAgree(t *testing.T, want builder.GUIDs, b []byte) {
	t.Helper()
	var got builder.GUIDs
	for id, err := range layout.ReadGUIDs(b) {
		fatal(t, err)
		got = append(got, id)
	}
	alike(t, got, want)
}

// level returns the level that stands for the default.
func level(l layout.DetailLevel) layout.DetailLevel {
	if l == 0 {
		return layout.PERF_DETAIL_NOVICE
	}
	return l
}

func alike[T any](t *testing.T, got, want T) {
	t.Helper()
	if diff := unlike(want, got); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}
