package definition

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/validate"
)

// TestCompareFile checks the differences in numbers, names and elements between an .ini file and a definition.
func TestCompareFile(t *testing.T) {
	t.Parallel()
	p, err := Parse("shop.yaml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	same, _, err := p.AppendINI(nil)
	if err != nil {
		t.Fatal(err)
	}
	const other = `[info]
drivername=Shop
symbolfile=shop.h
[objects]
SHOP_QUEUES_009_NAME=
TOPICS_009_NAME=
[languages]
009=English
[text]
SHOP_QUEUES_009_NAME=Shop Queues
SHOP_QUEUES_DEPTH_009_NAME=Depth
SHOP_QUEUES_OLDEST_009_NAME=Oldest
TOPICS_009_NAME=Topics
`
	sameHeader, err := p.AppendHeader(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason, ini, header string
		want                []string
	}{
		{"a file that is made from the definition does not differ", string(same), string(sameHeader), nil},
		{"each missing, new or renumbered counter is reported", other, "#define SHOP_QUEUES 0\n#define SHOP_QUEUES_DEPTH 2\n#define SHOP_QUEUES_OLDEST 4\n#define TOPICS 6\n", []string{
			`counterSet[0] 10:1 the counter "Hit ratio" of shop.yaml:8:9 is missing`,
			`counterSet[0] 10:1 the counter "Published/sec" of shop.yaml:6:9 is missing`,
			`counterSet[0].counter[0].title 11:1 the number of SHOP_QUEUES_DEPTH is 2`,
			`counterSet[0].counter[1] 12:1 the counter "Oldest" is not in shop.yaml`,
			`counterSet[1] 13:1 the set "Topics" is not in shop.yaml`,
		}},
	} {
		f, err := Read("shop.ini", []byte(tt.ini), singleFile("shop.h", tt.header))
		if err != nil {
			t.Fatal(err)
		}
		var v validate.Validator
		var got []string
		for _, at := range p.CompareFile(&v, f).Findings {
			got = append(got, fmt.Sprintf("%v %d:%d %s", at.Path, at.Line, at.Column, at.Got))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestCompareManifest checks that a manifest without the attribute "reference" differs from a definition with
// "reference: true", and that a manifest made from this definition does not differ.
func TestCompareManifest(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "shop.yaml", []byte(shop)).Provider
	old, _, err := p.AppendManifest(nil, ManifestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.Reference = true
	var v validate.Validator
	got := p.CompareFile(&v, mustRead(t, "shop.man", old)).Findings
	if len(got) != 4 || got[0].Message() != `the attributes of "Published/sec" are absent, must be reference, as in shop.yaml:6:9` {
		t.Errorf("the findings are %v", got)
	}
	current, _, err := p.AppendManifest(nil, ManifestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.CompareFile(&v, mustRead(t, "shop.man", current)).Findings; len(got) > 0 {
		t.Errorf("the findings are %v", got)
	}
}

// TestCompareUndefined checks a value that the manifest schema does not define, such as PERF_COUNTER_NODATA. It must
// differ from the default value, and must not differ from itself.
func TestCompareUndefined(t *testing.T) {
	t.Parallel()
	const set = "provider: Shop\ncounterSets: [{name: Queues, instances: %s, counters: [{name: Depth, type: %s}]}]\n"
	text := fmt.Sprintf(set, "instanceAggregate", "PERF_COUNTER_NODATA")
	p := mustRead(t, "old.yaml", []byte(text)).Provider
	for _, tt := range []struct {
		text string
		want []string
	}{
		{text, nil},
		{fmt.Sprintf(set, "single", "PERF_COUNTER_RAWCOUNT_HEX"), []string{
			`the instances of the set "Queues" are single, must be PERF_COUNTERSET_INSTANCE_AGGREGATE, as in old.yaml:2:41`,
			`the type of "Depth" is PERF_COUNTER_RAWCOUNT_HEX, must be PERF_COUNTER_NODATA, as in old.yaml:2:91`,
		}},
	} {
		var v validate.Validator
		var got []string
		for _, f := range p.CompareFile(&v, mustRead(t, "new.yaml", []byte(tt.text))).Findings {
			got = append(got, f.Message())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
	}
}
