package layout_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// What is shown of a status is what it is read by.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	last := uint32(0)
	for status := range layout.Statuses() {
		got, err := layout.ParseStatus(layout.StatusName(status))
		if err != nil || got != status || status <= last {
			t.Errorf("%d, after %d, is %q, which is read as %d, %v", status, last, layout.StatusName(status), got, err)
		}
		last = status
	}
	for _, tt := range []struct {
		reason, name string
		want         uint32
	}{
		{"no instances", "ERROR_WMI_INSTANCE_NOT_FOUND", 4201},
		{"one of the first", "ERROR_ACCESS_DENIED", 5},
	} {
		if got, err := layout.ParseStatus(tt.name); got != tt.want || err != nil || layout.StatusName(tt.want) != tt.name {
			t.Errorf("%s: %d, %v", tt.reason, got, err)
		}
	}
	if got, err := layout.ParseStatus("ERROR_SUCCESS"); !errors.Is(err, layout.ErrRange) {
		t.Errorf("a name that is none is read as %d, %v", got, err)
	}
	if name := layout.StatusName(1); name != "" {
		t.Errorf("1 is %q", name)
	}
}
