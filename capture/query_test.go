package capture

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/perftest"
)

// A fake is a [system] whose answers are scripted. Its clock moves only in wait.
type fake struct {
	t      *testing.T
	v1     *perftest.Registry
	sets   map[layout.GUID]map[layout.PerfRegInfoType][]byte
	status map[layout.GUID]Status // that addCounters writes
	data   []answer               // of queryCounterData

	log    []string
	clock  time.Time
	added  []byte
	cancel func() // called by the first wait of a second or more
}

// An answer is the result of one call of V2: a status other than 0, or bytes.
type answer struct {
	status Status
	bytes  []byte
}

func (f *fake) next(list []answer) (answer, []answer) {
	if len(list) == 0 {
		f.t.Error("unexpected call")
		return answer{status: 87}, nil
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

// sized copies b to buf. If buf is too small, it returns the required size and the status notEnoughMemory, as the
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
	var a answer
	a, f.data = f.next(f.data)
	if a.status != 0 {
		return 12345678, a.status
	}
	return sized(buf, a.bytes)
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

// TestValue checks the calls that read a value of HKEY_PERFORMANCE_DATA, and the result.
func TestValue(t *testing.T) {
	t.Parallel()
	block := bytes.Repeat([]byte("block..."), 40_000) // 320,000 bytes: the fourth buffer is large enough
	for _, tt := range []struct {
		reason string
		block  []byte
		script func(*perftest.Registry)
		want   string // an error
		log    string
		size   int // of the buffer of the next call
	}{
		{"the first buffer is large enough", block[:1], nil, "", "238", firstSize},
		{"the buffer doubles until the value fits", block, nil, "", "238", 8 * firstSize},
		{"a size of 0 is ignored", block, func(r *perftest.Registry) { r.MoreData(perftest.Zero) }, "", "238", 8 * firstSize},
		{"a size that is too small is ignored", block, func(r *perftest.Registry) { r.MoreData(perftest.TooSmall) }, "", "238", 8 * firstSize},
		{"a size that is too large is ignored", block, func(r *perftest.Registry) { r.MoreData(perftest.TooLarge) }, "", "238", 8 * firstSize},
		{"a busy system is asked again, later each time", block[:1], fails(1, busy, notReady, lockFailed, waitTimeout), "", "wait 50ms,wait 100ms,wait 200ms,wait 400ms,238", firstSize},
		{"a system that stays busy is an error", block, fails(perftest.Always, busy), "Windows error 170 (busy): another program holds the performance counters; run the command again", "wait 50ms,wait 100ms,wait 200ms,wait 400ms,wait 800ms,wait 1.6s,wait 3.2s", firstSize},
		{"access denied is an error, without another call", block, fails(1, accessDenied), "Windows error 5 (access denied): run as administrator, or as a member of the group Performance Monitor Users", "", firstSize},
		{"an unknown status is an error with its number", block, fails(1, 1722), "Windows error 1722", "", firstSize},
		{"the buffer does not grow above the limit", block, fails(perftest.Always, moreData), "has more than 256 MiB; select fewer objects", "", maxSize},
		{"success without bytes is an error", nil, nil, "the system returned no bytes", "238", firstSize},
	} {
		f := &fake{t: t, v1: perftest.New(perftest.Bytes(tt.block))}
		if tt.script != nil {
			tt.script(f.v1)
		}
		r := &run{sys: f, size: firstSize}
		b, err := r.value(t.Context(), "238")
		got := ""
		if err != nil {
			got = err.Error()
		} else if !bytes.Equal(b, tt.block) {
			t.Errorf("%s: got %d bytes, want %d", tt.reason, len(b), len(tt.block))
		}
		if got != tt.want || strings.Join(f.log, ",") != tt.log || r.size != tt.size {
			t.Errorf("%s: error %q, calls %q, size %d; want %q, %q, %d", tt.reason, got, strings.Join(f.log, ","), r.size, tt.want, tt.log, tt.size)
		}
	}
}

// fails returns a script in which calls return each status.
func fails(calls int, list ...Status) func(*perftest.Registry) {
	return func(r *perftest.Registry) {
		for _, status := range list {
			r.Fail(calls, syscall.Errno(status))
		}
	}
}

// TestGrowth checks a value that grows while the buffer for it is allocated.
func TestGrowth(t *testing.T) {
	t.Parallel()
	block := make([]byte, 320_000)
	f := &fake{t: t, v1: perftest.New(perftest.Bytes(block[:70_000]), perftest.Bytes(block[:140_000]), perftest.Bytes(block))}
	f.v1.Grow()
	r := &run{sys: f, size: firstSize}
	if b, err := r.value(t.Context(), "238"); len(b) != len(block) || err != nil {
		t.Errorf("got %d bytes, want %d; error %v", len(b), len(block), err)
	}
}

// TestObjects checks the queries of V1, the members of the bundle and the times of the samples.
func TestObjects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason  string
		query   Query
		members string
		log     string
		err     string
	}{
		{"a word is queried after the title tables", Query{Objects: []string{"global"}}, "titles/Counter 009.bin titles/Help 009.bin v1/0001.data-block.bin=Global", "Counter 009,Help 009,Global,close key", ""},
		{"indexes and names are one query", Query{Objects: []string{"4", "processor", "THREAD"}}, "titles/Counter 009.bin titles/Help 009.bin v1/0001.data-block.bin=4 238 500 502", "Counter 009,Help 009,4 238 500 502,close key", ""},
		{"a word is a query of its own", Query{Objects: []string{"Costly", "4"}, Languages: []string{}}, "v1/0001-1.data-block.bin=Costly v1/0001-2.data-block.bin=4", "Costly,4,close key", ""},
		{"the interval is between two samples, not before the first", Query{Objects: []string{"4"}, Languages: []string{}, Count: 3, Interval: 5 * time.Second}, "v1/0001.data-block.bin=4 v1/0002.data-block.bin=4 v1/0003.data-block.bin=4", "4,wait 5s,4,wait 5s,4,close key", ""},
		{"the error for a misspelled name suggests the right one", Query{Objects: []string{"Procesor"}}, "", "Counter 009,Help 009,close key", `no title table has the name "Procesor"; use the name of an object in a selected language, or its title index; did you mean Processor?`},
		{"the text of pair 1 is not a name", Query{Objects: []string{"1847x"}}, "", "Counter 009,Help 009,close key", `no title table has the name "1847x"; use the name of an object in a selected language, or its title index`},
	} {
		f := &fake{t: t, v1: registry()}
		b, err := tt.query.run(t.Context(), f)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.err || strings.Join(f.log, ",") != tt.log || memberNames(b) != tt.members {
			t.Errorf("%s: error %q, calls %q, members %q", tt.reason, got, strings.Join(f.log, ","), memberNames(b))
		}
	}
}

func memberNames(b *Bundle) string {
	var names []string
	if b != nil {
		for _, m := range b.Members {
			name := m.Name
			if m.Kind == "data-block" {
				name += "=" + m.Query
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// TestEnd checks that samples are kept when a later one fails or the user stops the capture.
func TestEnd(t *testing.T) {
	t.Parallel()
	query := Query{Objects: []string{"4"}, Languages: []string{}, Count: 3}
	f := &fake{t: t, v1: registry()}
	f.v1.Fail(2, 0)
	f.v1.Fail(1, syscall.Errno(accessDenied))
	b, err := query.run(t.Context(), f)
	if status, _ := errors.AsType[Status](err); status != accessDenied || memberNames(b) != "v1/0001.data-block.bin=4 v1/0002.data-block.bin=4" {
		t.Errorf("a third sample without rights: %v, members %q", err, memberNames(b))
	}
	ctx, cancel := context.WithCancel(t.Context())
	f = &fake{t: t, v1: registry(), cancel: cancel}
	b, err = query.run(ctx, f)
	if !errors.Is(err, context.Canceled) || memberNames(b) != "v1/0001.data-block.bin=4" || !slices.Contains(f.log, "close key") {
		t.Errorf("a capture that is stopped: %v, members %q, calls %q", err, memberNames(b), f.log)
	}
	f = &fake{t: t, v1: registry()}
	f.v1.Fail(1, syscall.Errno(accessDenied))
	if b, err = query.run(t.Context(), f); err == nil || b != nil {
		t.Errorf("no sample: %v, members %q", err, memberNames(b))
	}
}

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
		f := &fake{t: t, sets: sets(), status: tt.status, data: []answer{{bytes: large[:100]}, {bytes: large}}}
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

// TestBundle checks that Read returns the bundle that Write wrote, and checks the errors about files that are not bundles.
func TestBundle(t *testing.T) {
	t.Parallel()
	f := &fake{t: t, v1: registry(), clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	b, err := (Query{Objects: []string{"Processor"}, Tool: "test"}).run(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := b.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	b.started = time.Time{}
	if diff := cmp.Diff(b, again, cmp.AllowUnexported(Bundle{})); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	db, err := again.Titles()
	if name, _ := db.Name("009", 238); err != nil || name != "Processor" {
		t.Errorf("238 is %q, error %v", name, err)
	}
	if help, _ := db.Name("009", 239); help != "The processors." {
		t.Errorf("239 is %q", help)
	}
	for _, tt := range []struct{ reason, old, new, want string }{
		{"a manifest of a newer version is refused", `"version": 1`, `"version": 2`, "has a manifest of version 2, must be 1; use the version of perfblock that made the bundle, or a newer one"},
		{"a zip with another manifest.json is not a bundle", format, "perfblock-nothing", ErrNotBundle.Error()},
		{"an unknown kind is refused", `"kind": "titles"`, `"kind": "title?"`, `the member "titles/Counter 009.bin": `},
		{"a name must not lead out of the zip", "titles/Help 009.bin", "../titles/Help 9.bin", `the manifest lists "../titles/Help 9.bin", which is not a path inside the zip`},
		{"each member of the manifest must be in the zip", "titles/Help 009.bin", "titles/Help 007.bin", `the manifest lists the member "titles/Help 007.bin", which is not in the zip; the bundle is damaged`},
		{"the manifest must list a member only once", "titles/Help 009.bin", "titles/Counter 009.bin", `the manifest lists the member "titles/Counter 009.bin" twice`},
		{"the manifest must be JSON", `"version": 1`, `"version": x`, "the member manifest.json: invalid character"},
	} {
		var changed bytes.Buffer
		if err := rewrite(&changed, file.Bytes(), tt.old, tt.new); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(changed.Bytes()); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
	for n := range file.Len() {
		if _, err := Read(file.Bytes()[:n]); err == nil {
			t.Fatalf("the first %d bytes are a bundle", n)
		}
	}
}

// TestCheck checks queries that are refused before Windows is called.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query Query
		want  string
	}{
		{Query{}, "the query selects nothing; give at least one object (V1) or counter set (V2)"},
		{Query{Objects: []string{"4"}, Count: -1}, "the number of samples is -1, must be at least 1"},
		{Query{Objects: []string{"4"}, Interval: -1}, "the interval is -1ns, must not be negative"},
		{Query{Objects: []string{"4"}, Languages: []string{"de"}}, ""},
		{Query{Objects: []string{"4"}, Languages: []string{"english"}}, `the language is "english", must be a hexadecimal number such as 009, which is English`},
	} {
		got := ""
		if err := tt.query.check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
