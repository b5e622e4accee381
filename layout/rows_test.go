package layout_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// ExampleRows reads all instances of an object, with the values of all counters.
func ExampleRows() {
	block, err := builder.NewObject(238).
		Counter(6, layout.PERF_COUNTER_RAWCOUNT).Counter(8, layout.PERF_COUNTER_LARGE_RAWCOUNT).
		Instance("0", 1, 1<<40).Instance("_Total", 2, 1<<41).
		MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	var (
		rows   layout.Rows
		name   []byte
		values []uint64
	)
	for object, err := range layout.ReadObjects(block) {
		if err != nil {
			log.Fatal(err)
		}
		if err := rows.Open(object); err != nil {
			log.Fatal(err)
		}
		for rows.Next() {
			if name, err = rows.Name().AppendText(name[:0]); err != nil {
				log.Fatal(err)
			}
			values = rows.AppendValues(values[:0])
			fmt.Printf("%s %d\n", name, values)
		}
		if err := rows.Err(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 [1 1099511627776]
	// _Total [2 2199023255552]
}

// TestRowsDoNotAllocate reads an object twice with the same Rows, including the names. The second time, no call may
// allocate.
func TestRowsDoNotAllocate(t *testing.T) {
	b := newObject(100, 100, 8, func(int) (uint32, uint32) { return 4, 4 })
	var (
		rows   layout.Rows
		name   []byte
		values []uint64
	)
	read := func() {
		for o, err := range layout.ReadObjects(b) {
			if err != nil {
				t.Fatal(err)
			}
			if err := rows.Open(o); err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				name, _ = rows.Name().AppendText(name[:0])
				values = rows.AppendValues(values[:0])
			}
		}
	}
	read()
	if len(values) != 100 {
		t.Fatalf("the last row has %d values, must have 100", len(values))
	}
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations, must be none", n)
	}
}

// TestRowsOfBrokenObjects checks the errors of faulty definitions and blocks, twice with the same Rows.
func TestRowsOfBrokenObjects(t *testing.T) {
	t.Parallel()
	const object, counter, block = 0, layout.SizeofObjectType, layout.SizeofObjectType + 2*layout.SizeofCounterDefinition
	for _, tt := range []struct {
		reason string
		at     int
		value  uint32
		want   string // the error, "" for none
		rows   int
	}{
		{"nothing is wrong", object, 136 + 8 + 16, "", 1},
		{"the definitions end after the object", object + 4, 1 << 20, "object[0].DefinitionLength at 0x4: 1048576 is more than 160, the length of the object", 0},
		{"a value overlaps ByteLength of the block", counter + 36, 2, "object[0].counter[0].CounterOffset at 0x64: 2 is inside the block's ByteLength field", 0},
		{"a value ends after the block", counter + 36, 16, "object[0].counter[0].CounterOffset at 0x64: 8 bytes from 0x10 do not fit into 16 bytes", 0},
		{"the block ends after the object", block, 32, "object[0].block.ByteLength at 0x90: 32 bytes from 0x0 do not fit into 16 bytes", 0},
		{"the object has no instances at present", object + 40, 0, "", 0},
		{"the object has metadata only", object + 40, 1<<32 - 2, "", 0},
	} {
		b, err := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_LARGE_RAWCOUNT).Counter(6, layout.PERF_COUNTER_NODATA).Single(7, 0).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(b[tt.at:], tt.value)
		var rows layout.Rows
		for range 2 {
			n := 0
			for o, err := range layout.ReadObjects(b) {
				if err != nil {
					t.Fatal(tt.reason, err)
				}
				_ = rows.Open(o)
				for rows.Next() {
					n++
				}
			}
			got := ""
			if rows.Err() != nil {
				got = rows.Err().Error()
			}
			if got != tt.want || n != tt.rows {
				t.Errorf("%s: %d rows and the error %q, must be %d and %q", tt.reason, n, got, tt.rows, tt.want)
			}
		}
	}
	var zero layout.Rows
	if zero.Next() || zero.Err() != nil || len(zero.AppendValues(nil)) > 0 || zero.Name().Len() > 0 || zero.Block().ByteLength() != 0 {
		t.Error("the zero Rows has a row or an error")
	}
}

// TestRowsAreBounded checks that Open refuses an object with far more values than bytes. Reading the values would
// take minutes.
func TestRowsAreBounded(t *testing.T) {
	t.Parallel()
	const header, counter, instance = layout.SizeofObjectType, layout.SizeofCounterDefinition, layout.SizeofInstanceDefinition
	sameOffset := func(int) (uint32, uint32) { return 8, 8 }
	smallest := func(int) (uint32, uint32) { return 4, 4 }
	manyInstances := newObject(100, 100, 8, smallest)
	setField(t, layout.ObjectsKind, manyInstances, "object[0].NumInstances", math.MaxInt32)
	refused := func(counters, instances, blockLen int64) string {
		bytes := header + counters*counter + instances*(instance+blockLen)
		return fmt.Sprintf("object[0].NumCounters at 0x20: %d counters of %d instances are %d values, must be at most %d for an object of %d bytes", counters, instances, counters*instances, 1<<16+bytes, bytes)
	}
	for _, tt := range []struct {
		reason string
		bytes  []byte
		want   string // the error of Open, "" for none
	}{
		{"200,000 counters with the same offset and 100,000 instances", newObject(200_000, 100_000, 16, sameOffset), refused(200_000, 100_000, 16)},
		{"counters without a value take time too", newObject(13_000, 15_000, 8, func(int) (uint32, uint32) { return 8, 0 }), refused(13_000, 15_000, 8)},
		{"65,536 values and one for each byte", newObject(252, 344, 8, smallest), ""},
		{"one value more", newObject(79, 1463, 8, smallest), refused(79, 1463, 8)},
		{"values that share no bytes", newObject(1_000, 1_000, 4_004, func(i int) (uint32, uint32) { return uint32(4 + 4*i), 4 }), ""},
		{"two billion instances, most of them without bytes", manyInstances, "object[0].instance[100] at 0x1c60: 0 bytes are less than the 24 bytes of a PERF_INSTANCE_DEFINITION"},
	} {
		var rows layout.Rows
		values := 0
		for o, err := range layout.ReadObjects(tt.bytes) {
			if err != nil {
				t.Fatal(tt.reason, err)
			}
			_ = rows.Open(o)
			var row []uint64
			for rows.Next() {
				row = rows.AppendValues(row[:0])
				if values += len(row); values > len(tt.bytes)+1<<16 {
					t.Fatalf("%s: more than %d values in %d bytes", tt.reason, values, len(tt.bytes))
				}
			}
		}
		got := ""
		if rows.Err() != nil {
			got = rows.Err().Error()
		}
		if got != tt.want {
			t.Errorf("%s: the error is %q, must be %q", tt.reason, got, tt.want)
		}
	}
}

// TestRowsBytesIsLinear reads the values of a row from the last to the first. The test would take seconds if each
// call of Bytes searched the row.
func TestRowsBytesIsLinear(t *testing.T) {
	t.Parallel()
	const n = 1 << 16
	r := builder.MultipleCounters().Define(make([]builder.QueryCounter, n)...)
	for i := range r.Counters {
		r.Counters[i] = builder.QueryCounter{CounterId: uint32(i), Bytes: true}
		r.Values, r.Texts = append(r.Values, 0), append(r.Texts, fmt.Sprint(i))
	}
	b, err := new(builder.QueryData{}).Add(r).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	q, err := layout.ReadQueryData(b)
	if err != nil {
		t.Fatal(err)
	}
	for result, err := range q.Results() {
		var rows layout.Rows
		if err == nil {
			err = rows.OpenResult(result)
		}
		if err != nil || !rows.Next() {
			t.Fatal("there is no row:", err, rows.Err())
		}
		start := time.Now()
		for i := n - 1; i >= 0; i-- {
			if got := string(rows.Bytes(i)); got != fmt.Sprint(i) {
				t.Fatalf("value %d is %q", i, got)
			}
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("reading %d values takes %v, must take milliseconds", n, took)
		}
	}
}
