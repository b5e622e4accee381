package provider

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestCreateErrors checks which instances Create refuses.
func TestCreateErrors(t *testing.T) {
	t.Parallel()
	named, only, other := queues(), newSet("Only", single, layout.PERF_COUNTER_RAWCOUNT), newSet("Other", multiple, layout.PERF_COUNTER_RAWCOUNT)
	sum := newSet("Sum", layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTER_RAWCOUNT)
	p := start(t, newStandIn(), Options{}, named, only, sum)
	create(t, p, named, "Größe")
	create(t, p, only, "")
	for _, tt := range []struct {
		reason   string
		provider *Provider
		set      *CounterSet[Values]
		name     string
		want     string
		is       error
	}{
		{"Start has failed, and the caller did not check the error", nil, named, "a", `counter set "Queues": the provider is nil; check the error of Start`, nil},
		{"the set is nil", p, nil, "a", "the counter set is nil", nil},
		{"the set belongs to another provider", p, other, "a", `counter set "Other": the provider "Test" does not have this set`, nil},
		{"a name is necessary", p, named, "", `counter set "Queues", instance "": the name is empty`, nil},
		{"Windows ends the name at a NUL", p, named, "a\x00b", `instance "a\x00b": the name has a NUL at byte 1`, nil},
		{"bytes that are not UTF-8 would be replaced", p, named, "a\xff", "the name is not valid UTF-8 at byte 1", nil},
		{"Windows has room for 1,024 code units with the NUL", p, named, strings.Repeat("x", 1024), "the name has 1024 UTF-16 code units; a name must have at most 1023", nil},
		{"a character outside the BMP is two code units", p, named, strings.Repeat("\U0001F600", 512), "the name has 1024 UTF-16 code units", nil},
		{"* selects all instances in a query", p, named, "a*", "the name has a * at byte 1, which is a wildcard in a query", nil},
		{"two instances must not have the same name", p, named, "Größe", `the instance exists: "Größe"`, ErrDuplicate},
		{"two names must differ in more than case", p, named, "GRÖßE", `the instance exists: "Größe"; names must differ in more than case`, ErrDuplicate},
		{"a set without instances has no name", p, only, "a", `the set has no instances; pass "" as the name`, nil},
		{"a set without instances has only one", p, only, "", "the instance exists: this set can have only one", ErrDuplicate},
		{"Windows computes _Total", p, sum, "_total", "the name is _Total, the instance that Windows computes", nil},
	} {
		q, err := tt.set.Create(tt.provider, tt.name)
		if q != nil || err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: the error is %v, want %s", tt.reason, err, tt.want)
		}
	}
	for _, tt := range []struct{ reason, name string }{
		{"a name can have 1,023 code units", strings.Repeat("x", 1023)},
		{"characters outside the BMP have two code units each", strings.Repeat("\U0001F600", 511)},
		{"ı is not the lower case of I", "GRÖßE ı"},
		{"characters that consumers replace are allowed", `a(b)#1/c\d`},
		{"_Total is allowed in a set for which Windows does not compute _Total", "_Total"},
	} {
		if _, err := named.Create(p, tt.name); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}
