package titles

import (
	"fmt"
	"strings"
	"testing"
)

// TestMostTables tests that a .reg file with very many languages is refused.
func TestMostTables(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(regHeader + "\r\n")
	for i := range mostTables + 1 {
		fmt.Fprintf(&b, "[%s\\%04X]\r\n\"Counter\"=hex(7):32,00,00,00,41,00,00,00,00,00\r\n", perflibKey, i+1)
	}
	if _, err := Read([]byte(b.String())); err == nil || !strings.Contains(err.Error(), "more than 1024 values") {
		t.Errorf("got %v, want an error", err)
	}
}
