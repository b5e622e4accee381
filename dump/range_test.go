package dump_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestRanges selects lines of the complete hex dump with inRanges, and checks that the hex dump of the ranges has exactly
// these lines.
func TestRanges(t *testing.T) {
	t.Parallel()
	b := faultyBlock(t)
	b = append(b, make([]byte, 500)...)
	n := int64(len(b))
	findings := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
	findings = append(findings, validate.Finding{Rule: validate.Rules()[0], Off: n + 3, Got: "end"})
	for _, tt := range []struct {
		ranges []dump.Range
		reason string
	}{
		{nil, "nil shows all"},
		{[]dump.Range{}, "no range shows nothing"},
		{[]dump.Range{{0, n}}, "a range of all bytes shows all"},
		{[]dump.Range{{0, math.MaxInt64}}, "a range may end after the last byte"},
		{[]dump.Range{{4, 8}}, "a range may begin where one part ends, and end where another begins"},
		{[]dump.Range{{7, 9}}, "a range may have the last byte of one part and the first of another"},
		{[]dump.Range{{0, 1}, {40, 60}, {n - 1, n}}, "there may be several ranges, one of them in the middle of unread bytes"},
		{[]dump.Range{{n - 300, n - 299}, {n - 200, n - 180}}, "two ranges in unread bytes show their lines"},
		{[]dump.Range{{n, n + 100}}, "a range after the last byte shows nothing of the block"},
	} {
		o := dump.Options{Findings: findings, Ranges: tt.ranges}
		if diff := cmp.Diff(inRanges(t, written(t, b, dump.Options{Findings: findings}), tt.ranges), written(t, b, o)); diff != "" {
			t.Errorf("%v: %s (-want +got)\n%s", tt.ranges, tt.reason, diff)
		}
	}
}

func written(t *testing.T, b []byte, o dump.Options) string {
	t.Helper()
	var out strings.Builder
	if _, err := dump.Formats()[0].Write(&out, layout.DataBlockKind, b, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// inRanges returns the lines of a hex dump that are in a range. If only later lines of a part are in a range, it also
// returns the first line of the part. Each line has a range of bytes. A line that shows no bytes has the
// range of one byte, for example a finding about the end of the block.
func inRanges(t *testing.T, hex string, ranges []dump.Range) string {
	t.Helper()
	if ranges == nil {
		return hex
	}
	var out, part string
	for line := range strings.Lines(hex) {
		var off int64
		if _, err := fmt.Sscanf(line, "%x", &off); err != nil {
			t.Fatal(err)
		}
		columns := strings.SplitN(line, "|", 3)
		first, length := columns[2] != "\n", int64(len(strings.Fields(columns[1])))
		if first {
			part = line
		}
		for _, r := range ranges {
			if r.From < off+max(length, 1) && off < r.To {
				if !first {
					out += part
				}
				out += line
				part = ""
				break
			}
		}
	}
	return out
}
