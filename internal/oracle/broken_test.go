package oracle_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/oracle"
)

// limit returns a context that ends after a minute. A walk that does not end then fails the test.
func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func reason(t *testing.T, err error) string {
	t.Helper()
	if broken, ok := errors.AsType[*oracle.BrokenError](err); ok {
		return broken.Reason
	}
	t.Errorf("got error %v, want a BrokenError", err)
	return ""
}

func TestTruncated(t *testing.T) {
	t.Parallel()
	w := need(t)
	for _, f := range fixtures(t) {
		whole := f.ends() // lengths at which the truncated block is valid, because its list ends there
		var cuts [][]byte
		for n := 0; n < len(f.block); n += long.Count(3, 1) {
			cuts = append(cuts, f.block[:n])
		}
		results, err := w.WalkAll(limit(t), f.kind, cuts)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			if n := len(cuts[i]); whole[n] != (r.Err == nil) {
				t.Errorf("%s cut at %d: %d entries, error %v", f.name, n, len(r.Entries), r.Err)
			}
		}
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	w := need(t)
	const most = 1<<32 - 1
	rows := []struct {
		file, path string
		value      uint64
		want       string // part of the reason
	}{
		{"extremes.txt", "HeaderLength", 87, "length 87 is less than 88"},
		{"extremes.txt", "HeaderLength", 0, "less than"},
		{"extremes.txt", "HeaderLength", most, "less than 4294967295"},
		{"extremes.txt", "TotalByteLength", most, "do not fit"},
		{"extremes.txt", "NumObjectTypes", 3, "PERF_OBJECT_TYPE"},
		{"extremes.txt", "NumObjectTypes", most, "PERF_OBJECT_TYPE"},
		{"extremes.txt", "SystemNameOffset", 89, "system name"},
		{"extremes.txt", "SystemNameLength", most, "system name"},
		{"extremes.txt", "object[0].TotalByteLength", 0, "object"},
		{"extremes.txt", "object[1].block.ByteLength", 0, "length 0 is less than 4"},
		{"extremes.txt", "object[1].counter[2].CounterOffset", 22, "value in its counter block"},
		{"extremes.txt", "object[1].counter[2].CounterOffset", most, "value in its counter block"},
		{"sample.txt", "object[0].HeaderLength", 63, "length 63 is less than 64"},
		{"sample.txt", "object[0].DefinitionLength", 63, "less than 64"},
		{"sample.txt", "object[0].DefinitionLength", 183, "PERF_COUNTER_DEFINITION"},
		{"sample.txt", "object[0].TotalByteLength", 183, "less than 184"},
		{"sample.txt", "object[0].NumCounters", most, "PERF_COUNTER_DEFINITION"},
		{"sample.txt", "object[0].counter[1].ByteLength", 0, "length 0 is less than 40"},
		{"sample.txt", "object[0].counter[1].CounterSize", most, "value in its counter block"},
		{"sample.txt", "object[1].NumInstances", 3, "PERF_INSTANCE_DEFINITION"},
		{"sample.txt", "object[1].NumInstances", 1<<31 - 1, "PERF_INSTANCE_DEFINITION"},
		{"sample.txt", "object[1].NumInstances", 1 << 31, "instances"},
		{"sample.txt", "object[1].instance[0].ByteLength", 0, "length 0 is less than 24"},
		{"sample.txt", "object[1].instance[0].NameOffset", most, "name in its instance"},
		{"sample.txt", "object[1].instance[1].NameLength", 33, "name in its instance"},
		{"sample.txt", "object[1].instance[1].block.ByteLength", 9, "counter block"},

		{"query", "dwTotalSize", 47, "length 47 is less than 48"},
		{"query", "dwTotalSize", 393, "query data: 393 bytes at 0 do not fit before 392"},
		{"query", "dwTotalSize", 391, "result: 112 bytes at 280 do not fit before 391"},
		{"query", "dwNumCounters", 6, "PERF_COUNTER_HEADER"},
		{"query", "dwNumCounters", most, "PERF_COUNTER_HEADER"},
		{"query", "result[0].dwSize", 15, "length 15 is less than 16"},
		{"query", "result[1].dwType", 3, "no type 3"},
		{"query", "result[1].dwType", most, "no type"},
		{"query", "result[1].dwSize", 31, "counter data"},
		{"query", "result[1].data[0].dwDataSize", 9, "value in its counter data"},
		{"query", "result[1].data[0].dwSize", 7, "length 7 is less than 8"},
		{"query", "result[2].ids.dwSize", 19, "ids in their record: 12 bytes at 8 do not fit before 19"},
		{"query", "result[2].ids.dwSize", 7, "length 7 is less than 8"},
		{"query", "result[2].ids.dwSize", most, "do not fit"},
		{"query", "result[2].ids.dwCounters", 5, "ids in their record"},
		{"query", "result[2].ids.dwCounters", most, "ids in their record"},
		{"query", "result[2].ids.dwCounters", 4, "PERF_COUNTER_DATA"},
		{"query", "result[3].instances.dwTotalSize", 7, "length 7 is less than 8"},
		{"query", "result[3].instances.dwTotalSize", 81, "instances: 81 bytes"},
		{"query", "result[3].instances.dwTotalSize", 79, "counter data"},
		{"query", "result[3].instances.dwInstances", 3, "PERF_INSTANCE_HEADER"},
		{"query", "result[3].instances.dwInstances", most, "PERF_INSTANCE_HEADER"},
		{"query", "result[3].instance[0].Size", 7, "length 7 is less than 8"},
		{"query", "result[3].instance[0].Size", 12, "no NUL"},
		{"query", "result[3].instance[1].Size", 41, "instance: 41 bytes"},
		{"query: no instances", "result[0].instances.dwInstances", 1, "PERF_INSTANCE_HEADER"},
		{"shortids.txt", "result[1].ids.dwCounters", 4, "ids in their record"},
		{"instances", "instance[0].Size", 0, "less than 8"},
		{"instances", "instance[2].Size", 9, "no NUL"},
		{"identifiers", "identifier[0].Size", 39, "length 39 is less than 40"},
		{"identifiers", "identifier[0].Size", 41, "no NUL"},
		{"identifiers", "identifier[2].Size", 57, "identifier: 57 bytes"},
		{"strings", "dwSize", 31, "entries"},
		{"strings", "dwSize", 49, "strings: 49 bytes"},
		{"strings", "dwSize", 44, "no NUL"},
		{"strings", "dwCounters", 6, "entries"},
		{"strings", "dwCounters", most, "entries"},
		{"strings", "entry[0].dwOffset", 48, "offsets point out"},
		{"strings", "entry[0].dwOffset", 31, "offsets point out"},
		{"strings: from the entries", "entry[1].dwOffset", 16, "offsets point out"},
		{"registered set", "NumCounters", 1, "128 bytes are not 80"},
		{"registered set", "NumCounters", most, "128 bytes are not"},
		{"registered text", "Text", 0x0001_0000_0000, "no NUL ends"},
		{"template", "NumCounters", 3, "PERF_COUNTER_INFO"},
		{"template", "NumCounters", most, "PERF_COUNTER_INFO"},
		{"set instance", "dwSize", 31, "length 31 is less than 32"},
		{"set instance", "dwSize", 57, "instance: 57 bytes"},
		{"set instance", "dwSize", 53, "name in its instance"},
		{"set instance", "InstanceNameOffset", 31, "length 31 is less than 32"},
		{"set instance", "InstanceNameSize", most, "name in its instance"},
	}
	blocks := map[string][][]byte{} // by kind
	for _, row := range rows {
		f := load(t, row.file)
		blocks[f.kind] = append(blocks[f.kind], f.withField(t, row.path, row.value))
	}
	results := map[string][]oracle.Result{}
	for kind, list := range blocks {
		var err error
		if results[kind], err = w.WalkAll(limit(t), kind, list); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range rows {
		next := results[load(t, row.file).kind]
		if got := reason(t, next[0].Err); !strings.Contains(got, row.want) {
			t.Errorf("%s = %d: refused because %q, want %q", row.path, row.value, got, row.want)
		}
		results[load(t, row.file).kind] = next[1:]
	}
}

// TestAnyBytes checks that the walker does not crash for any bytes. It must return either entries
// or the reason why it refuses the bytes.
func TestAnyBytes(t *testing.T) {
	t.Parallel()
	w := need(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, f := range fixtures(t) {
		var blocks [][]byte
		for at := 0; at+4 <= len(f.block); at += long.Count(14, 2) {
			was := binary.LittleEndian.Uint32(f.block[at:])
			for _, value := range []uint32{0, 1, was - 1, was + 1, was * 2, 1<<31 - 1, 1 << 31, 1<<32 - 40, 1<<32 - 1, random.Uint32()} {
				block := bytes.Clone(f.block)
				binary.LittleEndian.PutUint32(block[at:], value)
				blocks = append(blocks, block)
			}
		}
		for range long.Count(30, 2000) {
			block := bytes.Clone(f.block)
			for range 1 + random.IntN(8) {
				block[random.IntN(len(block))] = byte(random.Uint32())
			}
			blocks = append(blocks, block)
		}
		results, err := w.WalkAll(limit(t), f.kind, blocks)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		refused := 0
		for i, r := range results {
			if r.Err != nil {
				refused++
			}
			for _, e := range r.Entries {
				if e.Off < 0 || e.Size <= 0 || e.Off+int64(e.Size) > int64(len(blocks[i])) {
					t.Errorf("%s: %v is not within the block", f.name, e)
				}
			}
		}
		fixed := f.kind == "guids" || f.kind == "reg-guid" || f.kind == "reg-counter" // without lengths and offsets
		if (refused == 0) != fixed || refused == len(results) {
			t.Errorf("%s: %d of %d refused: the damage is too strong or too weak", f.name, refused, len(results))
		}
	}
}

// TestOutputIsBounded checks the limit of the walker's output.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	w := need(t)
	// The block has less than a megabyte. It has 20,000 instances, and 1,000 counters with the same offset, so it has
	// 20 million values.
	for _, size := range []uint32{4, 0} {
		_, err := w.Walk(limit(t), "objects", crowded(1000, 20000, size))
		if got := reason(t, err); !strings.Contains(got, "too long") {
			t.Errorf("values of %d bytes: refused because %q, want that the output is too long", size, got)
		}
	}
	if _, err := w.Walk(limit(t), "strings", longText(2000, 60_000)); !strings.Contains(reason(t, err), "too long") {
		t.Errorf("2000 entries with the same text: %v", err)
	}
	some := long.Count(20, 200)
	if entries, err := w.Walk(limit(t), "strings", longText(some, 60_000)); err != nil || len(entries) != 2+3*some {
		t.Errorf("%d entries with the same text: %d entries of the walker, error %v", some, len(entries), err)
	}
	if entries, err := w.Walk(limit(t), "objects", crowded(1000, 20, 4)); err != nil || len(entries) != 14+10*1000+20*(6+1+1000) {
		t.Errorf("a few instances: %d entries, error %v", len(entries), err)
	}
}

// crowded returns an object whose counters all have the CounterOffset 4.
func crowded(counters, instances int, size uint32) []byte {
	var b []byte
	put := func(words ...uint32) {
		for _, v := range words {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	definitions := 64 + 40*counters
	put(uint32(definitions+32*instances), uint32(definitions), 64, 0, 0, 0, 0, 0, uint32(counters), 0, uint32(instances), 0, 0, 0, 0, 0)
	for range counters {
		put(40, 0, 0, 0, 0, 0, 0, 0, size, 4)
	}
	for range instances {
		put(24, 0, 0, 0, 0, 0)
		put(8, 0)
	}
	return b
}
