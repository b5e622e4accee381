package hostiletext

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/cputime"
)

// What reading may take: for each byte of the text as much as a tree of nothing but marks
// needs, and what a first use of a reader costs.
const (
	bytesPerByte, bytesOnce = 2048, 1 << 20
	timePerByte, timeOnce   = 20 * time.Microsecond, 2 * time.Second
	longestMessage          = 10_000
)

// Hold fails the test where reading the text takes more memory or time than its length
// justifies, or ends with an error that has no place in the text, or with another error
// when it is read again. The memory is that of the whole program: nothing may run beside it.
func Hold(t testing.TB, text []byte, read func() (line, column int, err error)) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cputime.Used()
	line, column, err := read()
	took := cputime.Used() - start
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > bytesOnce+bytesPerByte*uint64(len(text)) {
		t.Fatalf("reading %d bytes takes %d of memory: %.80v", len(text), n, err)
	}
	if took > timeOnce+timePerByte*time.Duration(len(text)) {
		t.Fatalf("reading %d bytes takes %v: %.80v", len(text), took, err)
	}
	_, _, again := read()
	switch {
	case fmt.Sprint(err) != fmt.Sprint(again):
		t.Fatalf("read twice, a text gives two errors:\n%v\n%v", err, again)
	case err == nil:
	case len(err.Error()) > longestMessage:
		t.Fatalf("a message of %d bytes: %.200v", len(err.Error()), err)
	case !isPlace(string(text), line, column):
		t.Fatalf("%d:%d is no place in the text: %v\n%.1000q", line, column, err, text)
	}
}

// isPlace reports whether a line has the column, one behind its end included. A line ends
// where an editor ends it, or also where YAML does.
func isPlace(text string, line, column int) bool {
	of := func(ends *strings.Replacer) bool {
		lines := strings.Split(ends.Replace(text), "\n")
		return line >= 1 && line <= len(lines) && column >= 1 && column <= utf8.RuneCountInString(lines[line-1])+1
	}
	return of(strings.NewReplacer()) || of(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n"))
}
