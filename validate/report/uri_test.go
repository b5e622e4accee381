package report_test

import (
	"net/url"
	"testing"

	"github.com/perfblock/perfblock/validate/report"
)

func TestURI(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path    string
		windows bool
		want    string
		reason  string
	}{
		{"cpu.bin", false, "cpu.bin", "as it is"},
		{"./a//b/../cpu.bin", false, "a/cpu.bin", "one file has one URI"},
		{"../cpu.bin", false, "../cpu.bin", "what is above stays above"},
		{"a b/100%.bin", false, "a%20b/100%25.bin", "what a URI cannot hold, or would read as an escape"},
		{"c:x#y?z", false, "c%3Ax%23y%3Fz", "no scheme, no fragment, no query"},
		{"é\xff", false, "%C3%A9%FF", "the bytes of the name, whatever they are"},
		{`a\b`, false, "a%5Cb", "a name may have it where it separates nothing"},
		{"/tmp/a b", false, "file:///tmp/a%20b", "a path from the root"},
		{"//a/b", false, "file:///a/b", "no host"},
		{"-", false, "-", "standard input"},
		{`a\b c\cpu.bin`, true, "a/b%20c/cpu.bin", "two separators"},
		{`.\cpu.bin`, true, "cpu.bin", "as it is"},
		{`C:\a b\cpu.bin`, true, "file:///C:/a%20b/cpu.bin", "a drive"},
		{`C:cpu.bin`, true, "C%3Acpu.bin", "relative to a folder that nobody has said"},
		{`\\host\share\cpu.bin`, true, "file://host/share/cpu.bin", "a share"},
		{`\a`, true, "file:///a", "a path from the root of some drive"},
	} {
		got := report.URIOf(tt.path, tt.windows)
		if got != tt.want {
			t.Errorf("%q: got %s, want %s: %s", tt.path, got, tt.want, tt.reason)
		}
		if u, err := url.Parse(got); err != nil || u.Scheme != "" && u.Scheme != "file" {
			t.Errorf("%q: %s is %v, %v", tt.path, got, u, err)
		}
	}
}
