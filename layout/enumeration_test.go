package layout_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
)

// An enumCase has the constants of a C enum in perflib.h, and functions of the Go type for this
// enum.
type enumCase struct {
	name  string
	is    func(constant string) bool
	count int
	text  func(uint32) string
	valid func(uint32) bool
}

func prefixed(prefix string) func(string) bool {
	return func(name string) bool {
		return strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, "PERF_COUNTERSET_FLAG_")
	}
}

var enumerations = []enumCase{
	{
		"PerfCounterDataType", func(name string) bool {
			return name == "PERF_ERROR_RETURN" || name == "PERF_SINGLE_COUNTER" || name == "PERF_COUNTERSET" || strings.HasPrefix(name, "PERF_MULTIPLE_")
		}, 5,
		func(v uint32) string { return layout.PerfCounterDataType(v).String() },
		func(v uint32) bool { return layout.PerfCounterDataType(v).Valid() },
	},
	{
		"PerfRegInfoType", prefixed("PERF_REG_"), 10,
		func(v uint32) string { return layout.PerfRegInfoType(v).String() },
		func(v uint32) bool { return layout.PerfRegInfoType(v).Valid() },
	},
	{
		"InstanceType", prefixed("PERF_COUNTERSET_"), 6,
		func(v uint32) string { return layout.InstanceType(v).String() },
		func(v uint32) bool { return layout.InstanceType(v).Valid() },
	},
	{
		"AggregateFunc", prefixed("PERF_AGGREGATE_"), 5,
		func(v uint32) string { return layout.AggregateFunc(v).String() },
		func(v uint32) bool { return layout.AggregateFunc(v).Valid() },
	},
}

func TestEnumerationsOfPerflib(t *testing.T) {
	t.Parallel()
	for _, e := range enumerations {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			names := map[uint32]string{}
			for name, value := range facts(t, cfacts.Perflib, true) {
				if e.is(name) {
					names[uint32(value)] = name
				}
			}
			if len(names) != e.count {
				t.Errorf("C has %d values, want %d: %v", len(names), e.count, names)
			}
			for v := range uint32(40) {
				checkNamed(t, e, v, names)
			}
			checkNamed(t, e, math.MaxUint32, names)
		})
	}
}

func checkNamed(t *testing.T, e enumCase, v uint32, names map[uint32]string) {
	t.Helper()
	name, named := names[v]
	want := name
	if !named {
		want = fmt.Sprint(v)
	}
	if e.text(v) != want || e.valid(v) != named {
		t.Errorf("%d: %s, valid %t; want %s, %t", v, e.text(v), e.valid(v), want, named)
	}
}

func TestAttrib(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		attrib layout.Attrib
		want   string
		valid  bool
	}{
		{0, "0x0", true},
		{0x01, "PERF_ATTRIB_BY_REFERENCE", true},
		{0x02, "PERF_ATTRIB_NO_DISPLAYABLE", true},
		{0x04, "PERF_ATTRIB_NO_GROUP_SEPARATOR", true},
		{0x08, "PERF_ATTRIB_DISPLAY_AS_REAL", true},
		{0x10, "PERF_ATTRIB_DISPLAY_AS_HEX", true},
		{0x11, "PERF_ATTRIB_BY_REFERENCE|PERF_ATTRIB_DISPLAY_AS_HEX", true},
		{0x1F, "PERF_ATTRIB_BY_REFERENCE|PERF_ATTRIB_NO_DISPLAYABLE|PERF_ATTRIB_NO_GROUP_SEPARATOR|PERF_ATTRIB_DISPLAY_AS_REAL|PERF_ATTRIB_DISPLAY_AS_HEX", true},
		{0x20, "0x20", false},
		{0x22, "PERF_ATTRIB_NO_DISPLAYABLE|0x20", false},
		{1 << 63, "0x8000000000000000", false},
		{1<<32 | 1, "PERF_ATTRIB_BY_REFERENCE|0x100000000", false},
	} {
		if tt.attrib.String() != tt.want || tt.attrib.Valid() != tt.valid {
			t.Errorf("0x%x: %v, valid %t; want %s, %t", uint64(tt.attrib), tt.attrib, tt.attrib.Valid(), tt.want, tt.valid)
		}
		if got, err := layout.ParseAttrib(tt.want); err != nil || got != tt.attrib {
			t.Errorf("%s reads as %v, %v", tt.want, got, err)
		}
	}
	if got, err := layout.ParseAttrib(" PERF_ATTRIB_DISPLAY_AS_REAL |2| 0X4 "); err != nil || got != 0x0E {
		t.Errorf("words between spaces read as %v, %v", got, err)
	}
	for _, text := range []string{"", "|", "PERF_ATTRIB_DISPLAY_AS_REAL|", "perf_attrib_display_as_hex", "-1", "0x", "0x10000000000000000"} {
		if got, err := layout.ParseAttrib(text); !errors.Is(err, layout.ErrRange) || got != 0 {
			t.Errorf("%q reads as %v, %v", text, got, err)
		}
	}
	for name, value := range facts(t, cfacts.Perflib, true) {
		if strings.HasPrefix(name, "PERF_ATTRIB_") && layout.Attrib(value).String() != name {
			t.Errorf("%s is 0x%x in C, which is %v in Go", name, value, layout.Attrib(value))
		}
	}
}

// TestStringConstants compares the string constants with the values in the documentation. The values from the C
// compiler include only numbers.
func TestStringConstants(t *testing.T) {
	t.Parallel()
	if layout.PERF_WILDCARD_INSTANCE != "*" || layout.PERF_AGGREGATE_INSTANCE != "_Total" {
		t.Errorf("%q and %q", layout.PERF_WILDCARD_INSTANCE, layout.PERF_AGGREGATE_INSTANCE)
	}
	if layout.NoString != math.MaxUint32 {
		t.Errorf("NoString is 0x%x", layout.NoString)
	}
}

// TestStatusNames checks that the statuses are in ascending order and that their names are
// unique.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	last, names := uint32(0), map[string]uint32{}
	for _, s := range cname.Statuses {
		status, name := s.Value, layout.StatusName(s.Value)
		if other, double := names[name]; name != s.Name || name == "" || double || status <= last {
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
