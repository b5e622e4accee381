package layout_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	names := "[data-block objects query-data instances identifiers reg-set reg-counter reg-string reg-guid strings guids template instance-block]"
	if got := fmt.Sprint(layout.Kinds()); got != names {
		t.Errorf("the kinds are %v", got)
	}
	for i, k := range []layout.Kind{
		layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind, layout.InstancesKind, layout.IdentifiersKind,
		layout.RegSetKind, layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind,
		layout.StringsKind, layout.GUIDsKind, layout.TemplateKind, layout.InstanceBlockKind,
	} {
		if layout.Kinds()[i] != k {
			t.Errorf("kind %d is %v, not %v", i, layout.Kinds()[i], k)
		}
		if got, err := layout.ParseKind(k.String()); err != nil || got != k {
			t.Errorf("%v reads as %v, %v", k, got, err)
		}
		v1 := slices.Contains([]layout.Kind{layout.DataBlockKind, layout.ObjectsKind}, k)
		if k.V1() != v1 {
			t.Errorf("%v: of V1 %t", k, k.V1())
		}
	}
	if k := layout.Kind(len(layout.Kinds())); k.V1() || k.String() != "13" {
		t.Errorf("one more: %v", k)
	}
	for _, text := range []string{"", "Objects", "data block", "object", "objects "} {
		_, err := layout.ParseKind(text)
		if !errors.Is(err, layout.ErrRange) || !strings.Contains(err.Error(), "data-block, objects") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestKindOfRegistration checks the kind for each documented request code of PerfQueryCounterSetRegistrationInfo.
// Other codes must have no kind.
func TestKindOfRegistration(t *testing.T) {
	t.Parallel()
	for code, want := range map[layout.PerfRegInfoType]string{
		1: "reg-set", 2: "reg-counter", 3: "reg-string", 4: "reg-string", 5: "strings", 6: "strings",
		7: "reg-string", 8: "reg-guid", 9: "reg-string", 10: "strings",
	} {
		if k, ok := code.Kind(); !ok || k.String() != want {
			t.Errorf("%v gives %v, %t, want %s", code, k, ok, want)
		}
	}
	for _, code := range []layout.PerfRegInfoType{0, 11, math.MaxUint32} {
		if k, ok := code.Kind(); ok {
			t.Errorf("%v gives %v", code, k)
		}
	}
}

func TestHasSignature(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		bytes  string
		want   bool
		reason string
	}{
		{"P\x00E\x00R\x00F\x00", true, "the signature alone is enough"},
		{"P\x00E\x00R\x00F\x00\x01", true, "other bytes may follow the signature"},
		{"P\x00E\x00R\x00F", false, "the signature must be complete"},
		{"", false, "an empty input has no signature"},
		{"PERF\x00\x00\x00\x00", false, "the signature must be in UTF-16"},
		{"\x00P\x00E\x00R\x00F", false, "the signature must be little-endian"},
		{"p\x00e\x00r\x00f\x00", false, "the signature must be in upper case"},
		{"\x00P\x00E\x00R\x00F\x00", false, "the signature must be at the start"},
		{"P\x00E\x00R\x00F\x01", false, "the last byte must be 0"},
	} {
		if got := layout.HasSignature([]byte(tt.bytes)); got != tt.want {
			t.Errorf("%q: %t, want %t: %s", tt.bytes, got, tt.want, tt.reason)
		}
	}
}

func TestDetailLevels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		level layout.DetailLevel
		name  string
		valid bool
	}{
		{100, "PERF_DETAIL_NOVICE", true}, {200, "PERF_DETAIL_ADVANCED", true}, {300, "PERF_DETAIL_EXPERT", true}, {400, "PERF_DETAIL_WIZARD", true},
		{0, "0", false}, {99, "99", false}, {101, "101", false}, {500, "500", false}, {math.MaxUint32, "4294967295", false},
	} {
		if tt.level.String() != tt.name || tt.level.Valid() != tt.valid {
			t.Errorf("%d: %v, valid %t", uint32(tt.level), tt.level, tt.level.Valid())
		}
		if got, err := layout.ParseDetailLevel(tt.name); tt.valid && (err != nil || got != tt.level) {
			t.Errorf("%s reads as %v, %v", tt.name, got, err)
		}
	}
	for _, text := range []string{"", "PERF_DETAIL_", "NOVICE", "perf_detail_novice", "PERF_DETAIL_NOVICE "} {
		if got, err := layout.ParseDetailLevel(text); !errors.Is(err, layout.ErrRange) || got != 0 {
			t.Errorf("%q reads as %v, %v", text, got, err)
		}
	}
}
