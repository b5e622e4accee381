package capture

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/perftest"
)

// A fake is a [system] for tests. The test sets the results of the calls. The clock advances only in wait.
type fake struct {
	t      *testing.T
	v1     *perftest.Registry
	sets   map[layout.GUID]map[layout.PerfRegInfoType][]byte
	status map[layout.GUID]Status // the Status that addCounters writes for each counter set
	data   []callResult           // the results of queryCounterData

	log    []string
	clock  time.Time
	added  []byte
	cancel func() // called by the first wait of a second or more
}

// A callResult is the result of one call of V2: a status other than 0, or bytes.
type callResult struct {
	status Status
	bytes  []byte
}

func (f *fake) next(list []callResult) (callResult, []callResult) {
	if len(list) == 0 {
		f.t.Error("unexpected call")
		return callResult{status: 87}, nil
	}
	if len(list) == 1 {
		return list[0], list
	}
	return list[0], list[1:]
}

func (f *fake) queryValue(value string, buf []byte) (int, Status) {
	_, n, err := f.v1.Query(value, buf)
	if err != nil {
		number, isNumber := errors.AsType[syscall.Errno](err)
		if !isNumber {
			f.t.Error(err)
		}
		return n, Status(number)
	}
	f.log = append(f.log, value)
	return n, 0
}

// sized copies b to buf. If buf is too small, sized returns the required size and the status notEnoughMemory, as the
// functions of Perflib do.
func sized(buf, b []byte) (int, Status) {
	if len(b) > len(buf) {
		copy(buf, "remains of a failed call")
		return len(b), notEnoughMemory
	}
	return copy(buf, b), 0
}

func (f *fake) closeKey() { f.log = append(f.log, "close key") }

func (f *fake) enumerateCounterSet(buf []byte) (int, Status) {
	var all builder.GUIDs
	for guid := range f.sets {
		all = append(all, guid)
	}
	return sized(buf, marshal(f.t, all))
}

func (f *fake) queryRegistration(set layout.GUID, code layout.PerfRegInfoType, language uint32, buf []byte) (int, Status) {
	if f.sets[set] == nil {
		return 0, noSuchSet
	}
	localised := code >= layout.PERF_REG_COUNTERSET_NAME_STRING && code <= layout.PERF_REG_COUNTER_HELP_STRINGS
	if language != 0 && (!localised || language != 0x409) {
		f.t.Errorf("%v: language 0x%x", code, language)
	}
	b := f.sets[set][code]
	if b == nil {
		return 0, notFound
	}
	return sized(buf, b)
}

func (f *fake) openQuery() (uintptr, Status) { return 7, 0 }

func (f *fake) addCounters(query uintptr, b []byte) Status {
	f.expect(query)
	var list builder.Identifiers
	if err := list.UnmarshalBinary(b); err != nil {
		f.t.Error(err)
	}
	for i := range list {
		list[i].Status, list[i].Index = uint32(f.status[list[i].CounterSetGuid]), uint32(i)
	}
	f.added = marshal(f.t, list)
	copy(b, f.added)
	return 0
}

func (f *fake) queryCounterInfo(query uintptr, buf []byte) (int, Status) {
	f.expect(query)
	return sized(buf, f.added)
}

func (f *fake) queryCounterData(query uintptr, buf []byte) (int, Status) {
	f.expect(query)
	var result callResult
	result, f.data = f.next(f.data)
	if result.status != 0 {
		return 12345678, result.status
	}
	return sized(buf, result.bytes)
}

func (f *fake) closeQuery(query uintptr) {
	f.expect(query)
	f.log = append(f.log, "close query")
}

func (f *fake) expect(query uintptr) {
	if query != 7 {
		f.t.Errorf("the handle is %d", query)
	}
}

func (f *fake) computer() string { return "HOST" }
func (f *fake) version() string  { return "10.0.1" }
func (f *fake) now() time.Time   { return f.clock }

func (f *fake) wait(ctx context.Context, d time.Duration) error {
	f.log = append(f.log, "wait "+d.String())
	f.clock = f.clock.Add(d)
	if f.cancel != nil && d >= time.Second {
		f.cancel()
	}
	return ctx.Err()
}

func marshal(t *testing.T, m interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// registry returns a Registry with English titles and a data block.
func registry() *perftest.Registry {
	r := perftest.New(&builder.DataBlock{SystemName: "HOST"})
	r.MoreData(func(int, int) int { return 12345678 }) // the size has no meaning
	r.Titles(&titles.Database{Tables: []titles.Table{
		{Language: "009", Pairs: []titles.Pair{{Key: "1", Name: "1847"}, {Key: "4", Name: "System"}, {Key: "238", Name: "Processor"}, {Key: "500", Name: "Thread"}, {Key: "502", Name: "Thread"}}},
		{Language: "009", Kind: titles.Help, Pairs: []titles.Pair{{Key: "239", Name: "The processors."}}},
	}})
	return r
}
