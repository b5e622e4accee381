//go:build unix

package provider

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// shopObjects returns four objects: sites, workers whose parents are sites, a cache without instances, and an object
// that startShop publishes as costly. The title indexes start at first. All values are n.
func shopObjects(t testing.TB, first uint32, n uint64) []byte {
	t.Helper()
	objects := builder.Objects{
		*builder.NewObject(first).Counter(first+2, layout.PERF_COUNTER_BULK_COUNT).Counter(first+4, layout.PERF_COUNTER_RAWCOUNT).
			Instance("shop", n, n).Instance("blog", n, n),
		*builder.NewObject(first+6).Counter(first+8, layout.PERF_COUNTER_RAWCOUNT).
			Child(first, 0, "w", n).Child(first, 1, "w", n),
		*builder.NewObject(first+10).Counter(first+12, layout.PERF_RAW_FRACTION).Counter(0, layout.PERF_RAW_BASE).Single(n, n),
		*builder.NewObject(first+14).Counter(first+16, layout.PERF_COUNTER_LARGE_RAWCOUNT).Single(n),
	}
	b, err := objects.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// startShop starts a process with the bridge, and a publisher that publishes the result of shopObjects.
func startShop(t *testing.T, memory string) (*fileSharing, *bridgeProcess, *Publisher) {
	t.Helper()
	s := newFileSharing(t)
	h := newBridge(t, s, memory)
	return s, h, publishShop(t, s)
}

// publishShop starts a publisher that publishes the result of shopObjects.
func publishShop(t *testing.T, s sharer) *Publisher {
	t.Helper()
	p := startPublisher(t, s)
	if err := p.Write(shopObjects(t, FirstCounter, 7), FirstCounter+14); err != nil {
		t.Fatal(err)
	}
	return p
}

func startPublisher(t *testing.T, s sharer) *Publisher {
	t.Helper()
	p, err := publish(s, testService)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// titlesOf returns the titles of objects. It adds NumInstances in parentheses to a title if NumInstances is
// negative.
func titlesOf(t *testing.T, objects []byte) string {
	t.Helper()
	var list []string
	for o, err := range layout.ReadObjects(objects) {
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(o.ObjectNameTitleIndex())
		if n := o.NumInstances(); n < 0 {
			text += fmt.Sprintf("(%d)", n)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// TestBridgeQueries checks which objects the bridge returns for each query.
func TestBridgeQueries(t *testing.T) {
	t.Parallel()
	_, h, _ := startShop(t, "copy")
	for _, tt := range []struct{ reason, query, want string }{
		{"Global returns all objects except the costly ones", "Global", "5000 5006 5010(-1)"},
		{"the case of a word does not matter, as current documents say", "gLOBAL", "5000 5006 5010(-1)"},
		{"the sample of Microsoft reads an empty query as Global", "", "5000 5006 5010(-1)"},
		{"Costly returns only costly objects", "Costly", "5014(-1)"},
		{"a number returns the object with the title", "5010", "5010(-1)"},
		{"a costly object is returned for its title", "5014", "5014(-1)"},
		{"parents are returned too, because the names of workers need them", "5006", "5000 5006"},
		{"objects are in the order of the publisher", "5010 5000", "5000 5010(-1)"},
		{"spaces around numbers are ignored", "  5010  5000 ", "5000 5010(-1)"},
		{"a number must match as a whole", "50100 501 15010", ""},
		{"a number of more than 32 bits is not cut to 5010", "4294972306 99999999999999999999999999", ""},
		{"a title of another provider returns nothing", "238", ""},
		{"a word in a list is not a number", "238 x5010 5010x", ""},
		{"Foreign asks for another computer", "Foreign server 5010", ""},
		{"a query for names is not for providers", "Counter 009", ""},
		{"a word must match as a whole", "Globally", ""},
		{"MetadataGlobal returns definitions without instances", "MetadataGlobal", "5000(-2) 5006(-2) 5010(-3)"},
		{"MetadataCostly returns definitions of costly objects", "metadatacostly", "5014(-3)"},
	} {
		data := h.collectAll(tt.query)
		if got := titlesOf(t, data); got != tt.want {
			t.Errorf("%q returns %q, want %q: %s", tt.query, got, tt.want, tt.reason)
		}
		if err := validate.Bytes(layout.ObjectsKind, data, validate.Context{Query: &tt.query, FirstCounter: 5000, LastCounter: 6000}).Err(validate.Warning); err != nil {
			t.Errorf("%q: %v", tt.query, err)
		}
	}
	without := registered
	without.metadata = false
	h.register(without)
	for _, query := range []string{"MetadataGlobal", "MetadataCostly"} {
		if data := h.collectAll(query); len(data) > 0 {
			t.Errorf("%s returns %s, must return nothing if the service has not opted in", query, titlesOf(t, data))
		}
	}
}

// TestBridgeReturnsWhatWasWritten checks that the bridge changes nothing in the published objects except their titles.
func TestBridgeReturnsWhatWasWritten(t *testing.T) {
	t.Parallel()
	s := newFileSharing(t)
	h, p := newBridge(t, s, "copy"), startPublisher(t, s)
	for n := range uint64(5) {
		if err := p.Write(shopObjects(t, FirstCounter, n)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shopObjects(t, 5000, n), h.collectAll("Global")); diff != "" {
			t.Errorf("Write %d: (-written +read):\n%s", n, diff)
		}
	}
	large := builder.NewObject(FirstCounter).Counter(FirstCounter+2, layout.PERF_COUNTER_RAWCOUNT)
	for i := range 5000 {
		large.Instance(fmt.Sprint("instance ", i), uint64(i))
	}
	block, err := builder.Objects{*large}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(block); err != nil {
		t.Fatal(err)
	}
	if got := h.collectAll("5000"); len(got) != len(block) || len(got) < smallestBuffer {
		t.Errorf("the bridge returns %d bytes of %d in a new generation", len(got), len(block))
	}
	if err := p.Write(nil); err != nil || len(h.collectAll("Global")) != 0 {
		t.Errorf("after Write(nil), which returned %v, there are objects", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Write(block); err == nil {
		t.Error("Write after Close returned no error")
	}
	if len(h.collectAll("Global")) != 0 || h.open() != "" {
		t.Error("after Close there are objects, or Open has reported a fault")
	}
}

// TestBridgeRoom checks the status and the data of Collect for buffers that are smaller and larger than the data.
func TestBridgeRoom(t *testing.T) {
	t.Parallel()
	_, h, _ := startShop(t, "copy")
	want := h.collectAll("Global")
	for room := range len(want) + 32 {
		status, _, data := h.collect("Global", room)
		if room < len(want) {
			if status != 234 {
				t.Fatalf("status %d with %d bytes of room for %d", status, room, len(want))
			}
		} else if status != 0 || !bytes.Equal(data, want) {
			t.Fatalf("status %d, or other data, with %d bytes of room for %d", status, room, len(want))
		}
	}
	if status, _, _ := h.collect("238", 0); status != 0 {
		t.Errorf("no object was requested, and the status with an empty buffer is %d", status)
	}
}

// TestPublishAudience checks the rights of consumers. They can open the mappings that hold the objects. They cannot
// open the lock of the publisher.
func TestPublishAudience(t *testing.T) {
	t.Parallel()
	s := newFileSharing(t)
	if err := startPublisher(t, s).Write(nil); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(s.folder)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]bool)
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name()] = info.Mode().Perm()&0o004 != 0
	}
	if diff := cmp.Diff(map[string]bool{"lock": false, "root": true, "root-00000001": true}, got); diff != "" {
		t.Errorf("mappings that consumers can open (-want +got):\n%s", diff)
	}
}

// TestBridgeRestart checks that a new publisher replaces the objects of a killed publisher.
func TestBridgeRestart(t *testing.T) {
	t.Parallel()
	s, h, _ := startShop(t, "share")
	// Imitate a killed publisher: its lock disappears. Its other mappings stay, as if a consumer had them open.
	os.Remove(s.path(lockPrefix + strings.ToLower(testService)))
	p := startPublisher(t, s)
	if len(h.collectAll("Global")) != 0 {
		t.Error("the objects of the killed publisher are returned after the start of the next one")
	}
	if err := p.Write(shopObjects(t, FirstCounter, 9)); err != nil {
		t.Fatal(err)
	}
	if p.number != 2 || !bytes.Equal(h.collectAll("Global"), shopObjects(t, 5000, 9)) {
		t.Errorf("generation %d, or not the objects of the new publisher", p.number)
	}
	if _, err := publish(s, strings.ToUpper(testService)); err == nil || !strings.Contains(err.Error(), "another publisher") {
		t.Errorf("a second publisher of the service: %v", err)
	}
}

// TestBridgeWhileWriting checks that the bridge never mixes the values of two calls of Write, while a publisher writes.
func TestBridgeWhileWriting(t *testing.T) {
	t.Parallel()
	_, h, p := startShop(t, "share")
	blocks := make([][]byte, 64)
	for i := range blocks {
		blocks[i] = shopObjects(t, FirstCounter, uint64(i))
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if err := p.Write(blocks[i%len(blocks)]); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	seen, none := make(map[uint64]bool), 0
	rounds := long.Count(500, 4000)
	for range rounds {
		data := h.collectAll("Global")
		if len(data) == 0 {
			none++
			continue
		}
		seen[sameValue(t, data)] = true
	}
	close(done)
	<-ended
	if len(seen) < 10 || none > rounds/10 {
		t.Errorf("%d of %d calls have returned nothing, the others %d different values", none, rounds, len(seen))
	}
}

// sameValue returns the value that all counters have. It fails the test if two counters have different values.
func sameValue(t *testing.T, objects []byte) uint64 {
	t.Helper()
	var all []uint64
	var rows layout.Rows
	for o, err := range layout.ReadObjects(objects) {
		if err == nil {
			err = rows.Open(o)
		}
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			all = rows.AppendValues(all)
		}
	}
	for _, v := range all {
		if v != all[0] {
			t.Fatalf("values of several writes: %d", all)
		}
	}
	if len(all) == 0 {
		t.Fatal("no values")
	}
	return all[0]
}
