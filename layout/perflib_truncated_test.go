package layout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestPerflibTruncated reads each block without its last bytes, for every possible number of missing bytes. The reader
// must return an error if the remaining bytes are not a complete block.
func TestPerflibTruncated(t *testing.T) {
	t.Parallel()
	for _, block := range perflibBlocks(t) {
		b, fills := block.bytes, map[int]bool{}
		switch block.title { // these blocks declare no length or count, so they may end after any record
		case "instances":
			fills = map[int]bool{0: true, 16: true, 40: true}
		case "identifiers":
			fills = map[int]bool{0: true, 48: true, 88: true}
		case "GUIDs":
			fills = map[int]bool{0: true, 16: true}
		case "registered text":
			fills = map[int]bool{0: true}
		}
		for n := range len(b) {
			err := follow(t, block.title, b[:n:n]).err
			if (err == nil) != fills[n] {
				t.Errorf("%s: %d bytes of %d: %v", block.title, n, len(b), err)
			}
		}
	}
}

// TestPerflibTooShort checks that a block shorter than its structure causes ErrShort. The Off and
// Len of the error must cover all bytes of the block.
func TestPerflibTooShort(t *testing.T) {
	t.Parallel()
	for _, block := range perflibBlocks(t) {
		name, _, _ := strings.Cut(block.title, ":")
		size := map[string]int{
			"query": 48, "instances": 8, "identifiers": 40, "strings": 8, "registered set": 32, "registered counter": 48,
			"GUIDs": 16, "template": 40, "set instance": 32,
		}[name]
		path := map[string]string{"instances": "instance[0]", "identifiers": "identifier[0]", "registered counter": "counter[0]", "GUIDs": "guid[0]"}[name]
		for n := 1; n < size; n++ {
			err := follow(t, block.title, block.bytes[:n:n]).err
			want := fmt.Sprintf("%d bytes are less than the %d bytes of a ", n, size)
			if n == 1 {
				want = fmt.Sprintf("1 byte is less than the %d bytes of a ", size)
			}
			e, ok := errors.AsType[*layout.Error](err)
			if !ok || !errors.Is(err, layout.ErrShort) || e.Off != 0 || e.Len != n || e.Path.String() != path || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %d bytes: %v", block.title, n, err)
			}
		}
	}
}
