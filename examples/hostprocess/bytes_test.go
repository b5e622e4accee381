package main

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// wantBytes lists bytes of the block of twoProcesses, computed by hand from winperf.h.
var wantBytes = []struct {
	at   int
	hex  string
	what string
}{
	// The header has 88 bytes. A name of 10 bytes follows, and padding up to offset 104.
	{0, "50 00 45 00 52 00 46 00", `signature "PERF"`},
	{20, "18 0a 00 00", "TotalByteLength 2584"},
	{24, "68 00 00 00 02 00 00 00 e6 00 00 00", "HeaderLength 104, 2 objects, DefaultObject 230"},
	{36, "d0 07 01 00 06 00 01 00 00 00 00 00 0a 00 00 00", "2000-01-01, a Saturday, 00:00:10.000"},
	{72, "00 21 63 2b eb 53 bf 01", "PerfTime100nSec 125911584100000000"},
	{88, "48 00 4f 00 53 00 54 00 00 00 00 00 00 00 00 00", "HOST, NUL, padding"},

	// The Process object starts with 64 + 28 * 40 = 1184 bytes of definitions.
	{104, "80 07 00 00 a0 04 00 00 40 00 00 00", "Process: TotalByteLength 1920, DefinitionLength 1184, HeaderLength 64"},
	{116, "e6 00 00 00 00 00 00 00 e7 00 00 00", "name 230, help 231"},
	{136, "1c 00 00 00 00 00 00 00 03 00 00 00", "28 counters, the first as default, 3 instances"},
	{152, "00 21 63 2b eb 53 bf 01 80 96 98 00 00 00 00 00", "the clock of Elapsed Time, 10,000,000 ticks a second"},
	{168, "28 00 00 00 06 00 00 00 00 00 00 00 07 00 00 00", "counter 0: 40 bytes, name 6, help 7"},
	{196, "00 05 51 20 08 00 00 00 08 00 00 00", "PERF_100NSEC_TIMER, 8 bytes at 8"},
	{396, "00 04 41 10 04 00 00 00 30 00 00 00", "counter 5, Page Faults/sec: PERF_COUNTER_COUNTER, 4 bytes at 48"},
	{716, "00 05 24 30 08 00 00 00 68 00 00 00", "counter 13, Elapsed Time: PERF_ELAPSED_TIME, 8 bytes at 104"},
	{1276, "00 01 01 00 08 00 00 00 c8 00 00 00", "counter 27, Working Set - Private: large, 8 bytes at 200"},

	// An instance has a definition of 24 bytes, a name of 8, 12 or 14 bytes, padding to a multiple
	// of 8, and a counter block of 208 bytes.
	{1288, "20 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff 18 00 00 00 08 00 00 00", "32 bytes, no parent, no unique id, a name of 8 bytes at 24"},
	{1312, "7a 00 73 00 68 00 00 00", "zsh, NUL"},
	{1320, "d0 00 00 00 00 00 00 00", "a counter block of 208 bytes"},
	{1328, "33 00 00 00 00 00 00 00 11 00 00 00 00 00 00 00 22 00 00 00 00 00 00 00", "times: both, user, privileged"},
	{1360, "00 00 00 00 33 00 00 00", "Virtual Bytes"},
	{1368, "ff ff ff ff 00 00 00 00", "Page Faults/sec, padding"},
	{1416, "01 00 00 00 08 00 00 00", "1 thread, priority 8"},
	{1424, "00 40 6d 25 eb 53 bf 01", "started at 125911584000000000"},
	{1432, "07 00 00 00 00 00 00 00", "process 7, no parent process"},
	{1464, "00 02 00 00 00 00 00 00 00 03 00 00 00 00 00 00", "200 writes, 300 reads and writes"},
	{1520, "55 00 00 00 00 00 00 00", "Working Set - Private"},

	{1528, "28 00 00 00", "40 bytes"},
	{1552, "67 00 72 00 f6 00 df 00 65 00 00 00 00 00 00 00", "größe, NUL, padding"},
	{1672, "00 21 63 2b eb 53 bf 01", "the start is unknown, so the value is the time of the block"},
	{1680, "2c 01 00 00 07 00 00 00", "process 300, created by 7"},

	{1800, "5f 00 54 00 6f 00 74 00 61 00 6c 00 00 00 00 00", "_Total, NUL, padding"},
	{1824, "36 00 00 00 00 00 00 00", "processor time 0x33 + 3"},
	{1864, "01 00 00 00", "page faults: 0xFFFFFFFF + 2 wraps"},
	{1920, "00 40 6d 25 eb 53 bf 01", "the earliest start"},
	{2016, "5a 00 00 00 00 00 00 00", "private working set 0x55 + 5"},

	// The Thread object starts with 64 + 5 * 40 = 264 bytes of definitions. Its counter blocks have
	// 40 bytes.
	{2024, "30 02 00 00 08 01 00 00 40 00 00 00 e8 00 00 00", "Thread: 560 bytes, definitions 264, header 64, name 232"},
	{2288, "20 00 00 00 e6 00 00 00 00 00 00 00 ff ff ff ff 18 00 00 00 04 00 00 00 30 00 00 00", "thread 0 of Process instance 0"},
	{2360, "20 00 00 00 e6 00 00 00 01 00 00 00 ff ff ff ff 18 00 00 00 04 00 00 00 30 00 00 00", "thread 0 of Process instance 1"},
	{2432, "20 00 00 00 e6 00 00 00 01 00 00 00 ff ff ff ff 18 00 00 00 04 00 00 00 31 00 00 00", "thread 1 of Process instance 1"},
	{2496, "2c 01 00 00 2d 01 00 00", "thread 301 of process 300"},
	{2504, "28 00 00 00 e6 00 00 00 02 00 00 00", "_Total of Process instance 2"},
	{2544, "28 00 00 00 00 00 00 00 36 00 00 00 00 00 00 00", "a counter block of 40 bytes, processor time 0x33 + 3"},
}

// TestBytes compares the block of twoProcesses with wantBytes.
func TestBytes(t *testing.T) {
	t.Parallel()
	b := encode(t, twoProcesses())
	if len(b) != 2584 {
		t.Fatalf("the block has %d bytes, want 2584", len(b))
	}
	for _, c := range wantBytes {
		want, err := hex.DecodeString(strings.ReplaceAll(c.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := b[c.at : c.at+len(want)]; !bytes.Equal(got, want) {
			t.Errorf("at %d: got % x, want % x: %s", c.at, got, want, c.what)
		}
	}
}
