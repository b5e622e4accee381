package layout_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// codePageText repeats the list of known code pages, grouped by use.
const codePageText = `
UTF-16 (0) and the computer's default pages: 0-3 42
MS-DOS and its successors: 437 708-710 720 737 775 850 852 855 857-858 860-866 869 874
Windows, one byte: 1250-1258
Windows, east Asia: 932 936 949-950 1361
EBCDIC of IBM: 37 500 870 875 1026 1047 1140-1149
EBCDIC of IBM, countries: 20273 20277-20278 20280 20284-20285 20290 20297 20420 20423-20424 20833 20838 20871 20880 20905 20924 21025 21027
Macintosh: 10000-10008 10010 10017 10021 10029 10079 10081-10082
Taiwan: 20000-20005
IA5, ASCII and teletext: 20105-20108 20127 20261 20269
KOI8: 20866 21866
Japan, China and Korea: 20932 20936 20949
ISO 8859: 28591-28599 28603 28605 38598
Europa: 29001
ISO 2022: 50220-50222 50225 50227 50229
EBCDIC, mixed: 50930-50931 50933 50935-50937 50939
EUC and similar: 51932 51936 51949-51950 52936 54936
India: 57002-57011
UTF-7 and UTF-8: 65000-65001
`

func TestKnownCodePage(t *testing.T) {
	t.Parallel()
	known := map[uint32]bool{}
	for line := range strings.Lines(strings.TrimSpace(codePageText)) {
		what, list, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatal(line)
		}
		for word := range strings.FieldsSeq(list) {
			first, last, isRange := strings.Cut(word, "-")
			if !isRange {
				last = first
			}
			var from, to uint32
			if _, err := fmt.Sscan(first+" "+last, &from, &to); err != nil {
				t.Fatal(what, err)
			}
			for id := from; id <= to; id++ {
				known[id] = true
			}
		}
	}
	for id := range uint32(70_000) {
		if got := layout.KnownCodePage(id); got != known[id] {
			t.Errorf("code page %d is known: %v", id, got)
		}
	}
	for _, id := range []uint32{1 << 16, 1<<16 + 1252, math.MaxInt32, math.MaxUint32} {
		if layout.KnownCodePage(id) {
			t.Errorf("code page %d is known", id)
		}
	}
}
