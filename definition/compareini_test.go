package definition_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestCompareINI checks that a block is compared only with the names and numbers of an .ini file, because an .ini file
// has no types, instances, bases or GUIDs.
func TestCompareINI(t *testing.T) {
	t.Parallel()
	const ini = "[info]\ndrivername=Cinema\nsymbolfile=cinema.h\n\n[objects]\nROOMS_009_NAME=\n\n[languages]\n009=English\n\n[text]\n" +
		"ROOMS_009_NAME=Rooms\nROOMS_009_HELP=Rooms.\nSOLD_009_NAME=Sold\nSOLD_009_HELP=Tickets.\n" +
		"FULL_009_NAME=Full\nFULL_009_HELP=Ratio.\nSEATS_009_NAME=Seats\nSEATS_009_HELP=Base.\n"
	const header = "#define ROOMS 0\n#define SOLD 2\n#define FULL 4\n#define SEATS 6\n"
	f, err := definition.Read("cinema.ini", []byte(ini), func(string) ([]byte, error) { return []byte(header), nil })
	if err != nil {
		t.Fatal(err)
	}
	const sold, full, seats = "{CounterNameTitleIndex: 5002, CounterType: PERF_COUNTER_BULK_COUNT}", "{CounterNameTitleIndex: 5004, CounterType: PERF_RAW_FRACTION}", "{CounterNameTitleIndex: 5006, CounterType: PERF_RAW_BASE}"
	objects := func(counters, instances string) string {
		return "kind: objects\nobjects:\n  - {ObjectNameTitleIndex: 5000, counters: [" + counters + "], " + instances + "}\n"
	}
	for _, tt := range []struct {
		reason string
		kind   layout.Kind
		block  string
		want   []string
		err    error
	}{
		{"types, sizes and bases are not compared", layout.ObjectsKind, objects(sold+", "+full+", "+seats, "instances: [{name: red, values: [1, 2, 3]}]"), nil, nil},
		{"the file does not say whether a set has instances", layout.ObjectsKind, objects(sold+", "+full+", "+seats, "NumInstances: PERF_NO_INSTANCES, values: [1, 2, 3]"), nil, nil},
		{"a number that the file lacks, and a counter that the block lacks", layout.ObjectsKind, objects("{CounterNameTitleIndex: 5008, CounterType: PERF_COUNTER_RAWCOUNT}, "+full+", "+seats, "NumInstances: PERF_NO_INSTANCES, values: [1, 2, 3]"), []string{
			`def-block-missing object[0]: the object has no "Sold", must have all counters of "Rooms"`,
			`def-block-unknown object[0].counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 5008, must be the index of a counter of "Rooms"`}, nil},
		{"a block of V2, whose GUIDs and ids the file lacks", layout.IdentifiersKind, "kind: identifiers\nidentifiers: [{CounterSetGuid: \"{b4fc721a-0378-476f-89ba-a5a79f810b36}\", CounterId: 1}]\n", nil, definition.ErrV1Only},
	} {
		result, err := f.Provider.Compare(new(validate.Validator), tt.kind, build(t, tt.block), validate.Context{FirstCounter: 5000})
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v", tt.reason, err)
		}
		var got []string
		for _, f := range result.Findings {
			got = append(got, fmt.Sprintf("%s %v: %s, %s", f.Rule.Name, f.Path, f.Got, f.Want))
		}
		if slices.Sort(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.reason, got, tt.want)
		}
	}
}
