package report_test

import (
	"net/url"
	"testing"

	"github.com/perfblock/perfblock/validate/report"
)

// TestURIInFolder checks that the URI of an absolute path is relative if the path is in the working folder.
func TestURIInFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, folder string
		windows      bool
		want, reason string
	}{
		{"/src/a/cpu 1.bin", "/src", false, "a/cpu%201.bin", "below the folder"},
		{"/src/a.bin", "/src/", false, "a.bin", "a folder with a separator at its end"},
		{"/a.bin", "/", false, "a.bin", "the root"},
		{"/srcs/a.bin", "/src", false, "file:///srcs/a.bin", "a path in another folder, whose name starts with the name of the folder"},
		{"/src/../a.bin", "/src", false, "file:///a.bin", "a path that leaves the folder with .."},
		{"/src", "/src", false, "file:///src", "the folder itself"},
		{"/SRC/a.bin", "/src", false, "file:///SRC/a.bin", "letter case counts"},
		{`c:\Src\a.bin`, `C:\src`, true, "a.bin", "letter case does not count on Windows"},
		{`D:\src\a.bin`, `C:\src`, true, "file:///D%3A/src/a.bin", "another drive"},
		{`\\host\share\x\a.bin`, `\\host\share\x`, true, "file://host/share/x/a.bin", "a share"},
		{"a.bin", "/src", false, "a.bin", "a relative path"},
	} {
		if got := report.URIOf(tt.path, tt.folder, tt.windows); got != tt.want {
			t.Errorf("%q in %q: got %s, want %s: %s", tt.path, tt.folder, got, tt.want, tt.reason)
		}
	}
}

func TestURI(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path    string
		windows bool
		want    string
		reason  string
	}{
		{"cpu.bin", false, "cpu.bin", "a relative path"},
		{"./a//b/../cpu.bin", false, "a/cpu.bin", "a path is cleaned, so that a file has only one URI"},
		{"../cpu.bin", false, "../cpu.bin", "a parent folder"},
		{"a b/100%.bin", false, "a%20b/100%25.bin", "characters that are not allowed in a URI, or start an escape"},
		{"c:x#y?z", false, "c%3Ax%23y%3Fz", "the path must not add a scheme, a query or a fragment"},
		{"é\xff", false, "%C3%A9%FF", "any bytes"},
		{`a\b`, false, "a%5Cb", "a backslash is a part of a name, except on Windows"},
		{"/tmp/a b", false, "file:///tmp/a%20b", "an absolute path"},
		{"//a/b", false, "file:///a/b", "two slashes at the start are not a host"},
		{"-", false, "-", "standard input"},
		{`a\b c\cpu.bin`, true, "a/b%20c/cpu.bin", "a path with both separators"},
		{`.\cpu.bin`, true, "cpu.bin", "a relative path"},
		{`C:\a b\cpu.bin`, true, "file:///C%3A/a%20b/cpu.bin", "a drive"},
		{`C:cpu.bin`, true, "C%3Acpu.bin", "relative to the current folder of a drive"},
		{`\\host\share\cpu.bin`, true, "file://host/share/cpu.bin", "a share"},
		{`\a`, true, "file:///a", "an absolute path without a drive"},
	} {
		got := report.URIOf(tt.path, "", tt.windows)
		if got != tt.want {
			t.Errorf("%q: got %s, want %s: %s", tt.path, got, tt.want, tt.reason)
		}
		if u, err := url.Parse(got); err != nil || u.Scheme != "" && u.Scheme != "file" {
			t.Errorf("%q: %s is %v, %v", tt.path, got, u, err)
		}
	}
}
