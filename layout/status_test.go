package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// Each status has a name of its own, and the statuses ascend.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	last, names := uint32(0), map[string]uint32{}
	for status := range layout.Statuses() {
		name := layout.StatusName(status)
		if other, double := names[name]; name == "" || double || status <= last {
			t.Errorf("%d, after %d, is %q, as is %d", status, last, name, other)
		}
		last, names[name] = status, status
	}
	for name, want := range map[string]uint32{"ERROR_WMI_INSTANCE_NOT_FOUND": 4201, "ERROR_ACCESS_DENIED": 5} {
		if names[name] != want {
			t.Errorf("%s is %d, want %d", name, names[name], want)
		}
	}
	if name := layout.StatusName(1); name != "" {
		t.Errorf("1 is %q", name)
	}
}
