package provider

import (
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestSnapshot checks the block that Snapshot returns for each instance type. No rule may report anything in the block.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	sets := []*CounterSet[Values]{
		queues(), newSet("Only", single, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT), newSet("None", single, layout.PERF_COUNTER_RAWCOUNT),
		newSet("Empty", multiple, layout.PERF_COUNTER_RAWCOUNT), newSet("Sum", layout.PERF_COUNTERSET_SINGLE_AGGREGATE, layout.PERF_COUNTER_RAWCOUNT),
	}
	p := start(t, newStandIn(), Options{}, sets[0], sets[1], sets[2], sets[3], sets[4])
	for _, name := range []string{"first", "deleted", "last"} {
		create(t, p, sets[0], name).Counters[1].Store(1<<32 + 5) // Windows reads 4 bytes
	}
	create(t, p, sets[1], "").Counters[1].Store(1 << 40)
	create(t, p, sets[4], "x")
	deleted := p.sets[sets[0]].names["DELETED"]
	if err := (&Instance{&lease{deleted}}).Delete(); err != nil {
		t.Fatal(err)
	}
	block := snapshot(t, p)
	var data builder.QueryData
	if err := data.UnmarshalBinary(block); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range data.Results {
		got = append(got, fmt.Sprintf("%v %d %d", r.Type, r.Status, r.Values))
		for _, in := range r.Instances {
			got = append(got, fmt.Sprintf("%s %d %d", in.Name, in.InstanceId, in.Values))
		}
	}
	want := []string{
		"PERF_COUNTERSET 0 []", "first 0 [0 5]", "last 2 [0 5]",
		"PERF_MULTIPLE_COUNTERS 0 [0 1099511627776]",
		"PERF_ERROR_RETURN 4201 []", "PERF_ERROR_RETURN 4201 []",
		"PERF_COUNTERSET 0 []", "x 0 [0]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the results are %q, want %q", got, want)
	}
}

// snapshot returns a snapshot. It fails the test if a rule has a finding in the snapshot.
func snapshot(t testing.TB, p *Provider) []byte {
	t.Helper()
	block, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Bytes(layout.QueryDataKind, block, validate.Context{}).Err(validate.Info); err != nil {
		t.Error(err)
	}
	return block
}

// TestSnapshotNames checks that a consumer gets the names of instances unchanged. Some names have control characters,
// or separators of counter paths.
func TestSnapshotNames(t *testing.T) {
	t.Parallel()
	set := queues()
	p := start(t, newStandIn(), Options{}, set)
	want := []string{`a/b(c)#1\`, "\n", " ", "_Total", "Größe 😀"}
	for _, name := range want {
		create(t, p, set, name)
	}
	var data builder.QueryData
	if err := data.UnmarshalBinary(snapshot(t, p)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range data.Results[0].Instances {
		got = append(got, in.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the names are %q, want %q", got, want)
	}
}
