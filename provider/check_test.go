package provider_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/validate"
)

// A market is a provider with two objects: queues, and consumers of messages. The parent of a consumer is a queue. The
// function fault can change the data and the results of Collect.
type market struct {
	queues, consumers *builder.Template
	fault             func(query string, buf []byte, n, objects *int, err *error)
}

func newMarket(t testing.TB) *market {
	t.Helper()
	compile := func(o *builder.Object) *builder.Template {
		template, err := o.Compile()
		if err != nil {
			t.Fatal(err)
		}
		return template
	}
	return &market{
		queues:    compile(builder.NewObject(5000).Counter(5002, layout.PERF_COUNTER_RAWCOUNT).Counter(5004, layout.PERF_COUNTER_RAWCOUNT)),
		consumers: compile(builder.NewObject(5006).Counter(5008, layout.PERF_COUNTER_RAWCOUNT)),
	}
}

func (s *market) Collect(query string, buf []byte) (n, objects int, err error) {
	f := builder.NewFixedFill(buf[:0])
	wants := func(title string) bool {
		words := strings.Fields(query)
		return query == "Global" || query == "" || len(words) > 0 && (words[0] == title || words[len(words)-1] == title)
	}
	if wants("5000") || wants("5006") {
		f.Object(s.queues)
		f.Instance("orders")
		f.Values(17, 3)
	}
	if wants("5006") {
		f.Object(s.consumers)
		f.Child(5000, 0, "mail")
		f.Values(4)
	}
	b, err := f.Done()
	n, objects = len(b), f.Objects()
	if err != nil {
		n, objects = 0, 0
	}
	if s.fault != nil {
		s.fault(query, buf, &n, &objects, &err)
	}
	return n, objects, err
}

// TestCheck checks the findings of a provider without a fault, and of providers with one fault each. Each finding must
// name the call.
func TestCheck(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	for _, tt := range []struct {
		reason string
		fault  func(query string, buf []byte, n, objects *int, err *error)
		want   string // the first finding
		rules  string // the rules of all findings, each rule once
	}{
		{"a right provider has no findings", nil, "", ""},
		{"an error must wrap ErrMoreData if the buffer is too small", func(_ string, _ []byte, _, _ *int, err *error) {
			if *err != nil {
				*err = errors.New("full")
			}
		}, `Collect("Global", 351).error at 4:25`, "prov-return-code"},
		{"the number of bytes must be a multiple of 8", func(_ string, _ []byte, n, _ *int, _ *error) {
			*n |= *n >> 8 & 1
		}, `Collect("Global", 65536).bytes at 1:37`, "prov-bytes-align prov-bytes-bound obj-truncated"},
		{"the number of bytes must fit into the buffer", func(_ string, _ []byte, n, objects *int, err *error) {
			if *err != nil {
				*n, *objects, *err = 352, 2, nil
			}
		}, `Collect("Global", 351).bytes at 4:35`, "prov-bytes-bound"},
		{"a negative number of bytes is too large", func(_ string, _ []byte, n, _ *int, _ *error) {
			if *n > 0 {
				*n = -1
			}
		}, `Collect("Global", 65536).bytes at 1:37`, "prov-bytes-bound"},
		{"the number of objects must match the data", func(_ string, _ []byte, n, objects *int, _ *error) {
			if *n > 0 {
				*objects = 3
			}
		}, `Collect("Global", 65536).objects at 1:48`, "prov-object-count"},
		{"the lengths of the objects must add up", func(_ string, buf []byte, n, _ *int, _ *error) {
			if *n > 0 {
				le.PutUint32(buf, le.Uint32(buf)-8)
			}
		}, `Collect("Global", 65536).data at 1:59`, "prov-object-sum obj-multi-length"},
		{"a result of 0 bytes must have 0 objects", func(_ string, _ []byte, n, objects *int, err *error) {
			if *n == 0 && *err == nil {
				*objects = 1
			}
		}, `Collect("Costly", 65536).objects at 13:46`, "prov-no-data"},
		{"with ErrMoreData the number of bytes must be 0, not the size that is needed", func(_ string, _ []byte, n, _ *int, err *error) {
			if *err != nil {
				*n = 352
			}
		}, `Collect("Global", 351).bytes at 4:37`, "prov-more-data-outputs"},
		{"the data must not start with a data block", func(_ string, buf []byte, n, _ *int, _ *error) {
			if *n > 0 {
				copy(buf, "P\x00E\x00R\x00F\x00")
			}
		}, `Collect("Global", 65536).data at 1:59`, "prov-data-block"},
		{"only the requested objects should be returned", func(query string, buf []byte, n, objects *int, _ *error) {
			if strings.HasPrefix(query, "5") && len(buf) > 1000 {
				*n, *objects, _ = newMarket(t).Collect("Global", buf)
			}
		}, `Collect("5000", 65536).data at`, "prov-unrequested"},
		{"metadata requires a value in the registry", func(query string, buf []byte, n, objects *int, err *error) {
			if strings.HasPrefix(query, "MetadataG") {
				f := builder.NewFixedFill(buf[:0])
				f.Object(newMarket(t).queues.Metadata())
				var b []byte
				if b, *err = f.Done(); *err == nil {
					*n, *objects = len(b), 1
				}
			}
		}, `Collect("MetadataGlobal", 65536).data at`, "prov-metadata"},
		{"a panic is a finding", func(_ string, buf []byte, _, _ *int, err *error) {
			if *err != nil {
				buf[len(buf)] = 1
			}
		}, `Collect("Global", 351).failure at 4:25`, "prov-exception"},
		{"the data is validated as objects", func(_ string, buf []byte, n, _ *int, _ *error) {
			if *n > 0 {
				buf[36] = 99 // DefaultCounter
			}
		}, `Collect("Global", 65536).object[0].DefaultCounter at`, "obj-default-counter"},
	} {
		s := newMarket(t)
		s.fault = tt.fault
		result := provider.Check(s.Collect)
		first, seen := "", ""
		for _, f := range result.Findings {
			if f.Severity == validate.Info && f.Rule.Name != "prov-unrequested" {
				continue
			}
			if first == "" {
				first = f.String()
			}
			if !strings.Contains(" "+seen+" ", " "+f.Rule.Name+" ") {
				seen = strings.TrimSpace(seen + " " + f.Rule.Name)
			}
		}
		if seen != tt.rules || !strings.Contains(first, tt.want) {
			t.Errorf("%s: rules %q, want %q; first finding %q, want %q\n%v\n%s", tt.reason, seen, tt.rules, first, tt.want, result.Findings, result.Log)
		}
		if tt.rules == "" {
			if err := result.Err(validate.Info); err != nil {
				t.Errorf("%s: %v", tt.reason, err)
			}
		}
	}
}

// TestLog checks the log of Check: the lines of the first six calls, and the order of the queries.
func TestLog(t *testing.T) {
	t.Parallel()
	log := provider.Check(newMarket(t).Collect).Log
	const want = `Collect("Global", 65536)  status 0  bytes 352  objects 2  data 5000 (200 bytes), 5006 (152 bytes, parent 5000)
Collect("Global", 352)  status 0  bytes 352  objects 2  data 5000 (200 bytes), 5006 (152 bytes, parent 5000)
Collect("Global", 360)  status 0  bytes 352  objects 2  data 5000 (200 bytes), 5006 (152 bytes, parent 5000)
Collect("Global", 351)  status 234  bytes 0  objects 0
Collect("Global", 4)  status 234  bytes 0  objects 0
Collect("Global", 0)  status 234  bytes 0  objects 0
`
	if diff := cmp.Diff(want, log[:min(len(want), len(log))]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var queries []string
	for line := range strings.Lines(log) {
		_, rest, _ := strings.Cut(line, `"`)
		query, _, _ := strings.Cut(rest, `"`)
		if n := len(queries); n == 0 || queries[n-1] != query {
			queries = append(queries, query)
		}
	}
	if diff := cmp.Diff([]string{"Global", "", "Costly", `Foreign \\\\PERFBLOCK`, "MetadataGlobal", "MetadataCostly", "5000", "5006", "5000 5006", "50000"}, queries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestProbe checks the effect of each field of a Probe.
func TestProbe(t *testing.T) {
	t.Parallel()
	v, err := validate.New(validate.Options{Overrides: []validate.Override{{Rule: "prov-metadata", Severity: validate.Off}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		probe  provider.Probe
		want   string
	}{
		{"titles are compared with First Counter and Last Counter", provider.Probe{FirstCounter: 6000, LastCounter: 6008}, "ctr-index-range"},
		{"an answer to a metadata query must not have values", provider.Probe{Metadata: true}, "prov-metadata"},
		{"a rule that is off has no findings", provider.Probe{Metadata: true, Validator: v}, ""},
		{"each call takes longer than the limit", provider.Probe{Timeout: 1}, "prov-duration"},
	} {
		collect := newMarket(t).Collect
		result := tt.probe.Check(func(query string, buf []byte) (int, int, error) {
			if query == "MetadataGlobal" {
				query = "Global"
			}
			return collect(query, buf)
		})
		if got := fmt.Sprint(result.Findings); (tt.want != "") != (len(result.Findings) > 0) || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %v", tt.reason, got)
		}
	}
}

// TestNoData checks that Check reports an error for a provider that never returns data.
func TestNoData(t *testing.T) {
	t.Parallel()
	result := provider.Check(func(string, []byte) (int, int, error) { return 0, 0, nil })
	if result.Unchecked == nil || result.Err(validate.Error) == nil || len(result.Findings) > 0 {
		t.Errorf("%+v", result)
	}
	result = provider.Check(func(string, []byte) (int, int, error) { panic("no\nservice") })
	if result.Unchecked != nil || strings.Count(result.Log, "panic: no service") != 5 || !strings.Contains(result.Log, "5 calls failed") {
		t.Errorf("%+v", result)
	}
}

// TestGoexit checks that Collect may end its goroutine with runtime.Goexit, as t.Fatal does.
func TestGoexit(t *testing.T) {
	t.Parallel()
	done, returned := make(chan bool), false
	go func() {
		defer close(done)
		provider.Check(func(string, []byte) (int, int, error) {
			runtime.Goexit()
			return 0, 0, nil
		})
		returned = true
	}()
	if <-done; returned {
		t.Error("Check returns after runtime.Goexit")
	}
}

// TestAnyOutput checks that Check does not panic for random outputs of Collect, and that a second Check of the same
// outputs returns the same log and the same findings.
func TestAnyOutput(t *testing.T) {
	t.Parallel()
	valid := make([]byte, 352)
	if _, _, err := newMarket(t).Collect("Global", valid); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range long.Count(50, 500) {
		data := slices.Clone(valid[:r.IntN(len(valid)+1)])
		for range r.IntN(4) {
			if len(data) > 0 {
				data[r.IntN(len(data))] = []byte{0, 1, 0x7F, 0xFF, 'P', byte(r.Uint32())}[r.IntN(6)]
			}
		}
		n, objects, fault := r.IntN(400)-8, r.IntN(4)-1, r.IntN(8)
		collect := func(_ string, buf []byte) (int, int, error) {
			switch copied := copy(buf, data); {
			case fault == 0:
				panic(string(data))
			case fault < 4 && copied < len(data):
				return 0, 0, builder.ErrMoreData
			case fault > 4:
				return len(data), objects, nil
			}
			return n, objects, nil
		}
		first, second := provider.Check(collect), provider.Check(collect)
		if diff := cmp.Diff(first.Log, second.Log); diff != "" {
			t.Errorf("logs (-first +second):\n%s", diff)
		}
		if diff := cmp.Diff(fmt.Sprint(first.Findings), fmt.Sprint(second.Findings)); diff != "" {
			t.Errorf("findings (-first +second):\n%s", diff)
		}
		if strings.ContainsFunc(first.Log, func(r rune) bool { return r < ' ' && r != '\n' }) {
			t.Errorf("a control character in the log:\n%q", first.Log)
		}
	}
}

// TestManyObjects checks that Check makes a limited number of calls for a provider that returns 256 KB of objects without
// counters.
func TestManyObjects(t *testing.T) {
	t.Parallel()
	data := make([]byte, 256<<10)
	for at := 0; at < len(data); at += layout.SizeofObjectType {
		binary.LittleEndian.PutUint32(data[at:], layout.SizeofObjectType)
		binary.LittleEndian.PutUint32(data[at+12:], uint32(at/layout.SizeofObjectType+1))
	}
	result := provider.Check(func(_ string, buf []byte) (int, int, error) {
		if len(buf) < len(data) {
			return 0, 0, builder.ErrMoreData
		}
		return copy(buf, data), len(data) / layout.SizeofObjectType, nil
	})
	if n := strings.Count(result.Log, "\n"); n > 1000 {
		t.Errorf("%d calls", n)
	}
}
