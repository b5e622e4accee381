package hostiletext

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Limits for reading a text: a part for each byte of the text, enough for a tree of single
// characters, and a part for the first use of a reader. The time is by the wall clock and
// therefore generous.
const (
	bytesPerByte, bytesOnce = 2048, 1 << 20
	timePerByte, timeOnce   = 20 * time.Microsecond, 2 * time.Second
	longestMessage          = 10_000
)

// Hold reads the text twice and fails the test if reading takes more memory or time than
// the length of the text justifies, if the error has no position in the text, or if the
// two errors differ. Memory is counted for the whole process: no other test may run in
// parallel. Time is the shorter of the two readings.
func Hold(t testing.TB, text []byte, read func() (line, column int, err error)) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	line, column, err := read()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > bytesOnce+bytesPerByte*uint64(len(text)) {
		t.Fatalf("reading %d bytes allocates %d bytes: %.80v", len(text), n, err)
	}
	start = time.Now()
	_, _, again := read()
	took = min(took, time.Since(start))
	if took > timeOnce+timePerByte*time.Duration(len(text)) {
		t.Fatalf("reading %d bytes takes %v: %.80v", len(text), took, err)
	}
	switch {
	case fmt.Sprint(err) != fmt.Sprint(again):
		t.Fatalf("the same text gives two errors:\n%v\n%v", err, again)
	case err == nil:
	case len(err.Error()) > longestMessage:
		t.Fatalf("the message has %d bytes: %.200v", len(err.Error()), err)
	case !isPosition(string(text), line, column):
		t.Fatalf("%d:%d is not a position in the text: %v\n%.1000q", line, column, err, text)
	}
}

// isPosition reports whether the text has the line and the line has the column, where the
// column after the last character counts too. Lines end as in an editor or as in YAML.
func isPosition(text string, line, column int) bool {
	in := func(lineEnds *strings.Replacer) bool {
		lines := strings.Split(lineEnds.Replace(text), "\n")
		return line >= 1 && line <= len(lines) && column >= 1 && column <= utf8.RuneCountInString(lines[line-1])+1
	}
	return in(strings.NewReplacer()) || in(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n"))
}
