package hostiletext

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Limits on the memory and the time for reading a text. A limit is the sum of a fixed amount and an amount for each
// byte of the text.
const (
	bytesPerByte, bytesOnce = 2048, 1 << 20                          // enough if each byte becomes a node of a tree
	timePerByte, timeOnce   = 20 * time.Microsecond, 2 * time.Second // high, because other programs may be running
	longestMessage          = 10_000
)

// Check fails the test if parse takes too much memory or time to read the text, or if the position of the error is not
// in the text. A second call must return the same error.
// No other test may run in parallel, because Check counts the memory of the whole process.
func Check(t testing.TB, text []byte, parse func() (line, column int, err error)) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	line, column, err := parse()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > bytesOnce+bytesPerByte*uint64(len(text)) {
		t.Fatalf("reading %d bytes allocates %d bytes: %.80v", len(text), n, err)
	}
	start = time.Now()
	_, _, again := parse()
	took = min(took, time.Since(start)) // other programs can slow down a call
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

// isPosition reports whether the text has the line and the column. The end of a line also has a column.
func isPosition(text string, line, column int) bool {
	in := func(lineEnds *strings.Replacer) bool {
		lines := strings.Split(lineEnds.Replace(text), "\n")
		return line >= 1 && line <= len(lines) && column >= 1 && column <= utf8.RuneCountInString(lines[line-1])+1
	}
	// Some readers end lines only at newlines, others at all line breaks of YAML.
	return in(strings.NewReplacer()) || in(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n"))
}
