package inputs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/inputs"
)

// TestUnpack checks the members of files that are not on disk.
func TestUnpack(t *testing.T) {
	t.Parallel()
	archive := zipOf(testMember{name: "a.bin", text: "A"}, testMember{name: "b/c.gz", text: gzipOf("C")})
	for _, row := range []struct{ reason, path, contents, want string }{
		{"a file that is not an archive is the only member", "gs://x/a.bin", "A", lines("gs://x/a.bin named: A")},
		{"the rest of the path is a part of such a file", "gs://x/a.reg!/Block", "A", lines("gs://x/a.reg named part Block: A")},
		{"the file may be empty", "s3://x/a", "", lines("s3://x/a named: ")},
		{"all members of an archive are read", "gs://x/a.zip", archive, lines("gs://x/a.zip!/a.bin: A", "gs://x/a.zip!/b/c.gz!/c: C")},
		{"one member of an archive is read", "gs://x/a.zip!/a.bin", archive, lines("gs://x/a.zip!/a.bin named: A")},
		{"the folder of the archive ends in an exclamation mark", "x!!/a.zip!/a.bin", archive, lines("x!!/a.zip!/a.bin named: A")},
		{"the archive must have the named member", "gs://x/a.zip!/z", archive, lines(`error: gs://x/a.zip: has no member "z"`)},
	} {
		var got strings.Builder
		for m, err := range inputs.Unpack(t.Context(), row.path, []byte(row.contents)) {
			var contents []byte
			if err == nil {
				contents, err = m.Read()
			}
			if err != nil {
				got.WriteString("error: " + err.Error() + "\n")
				continue
			}
			got.WriteString(m.Path)
			if m.Named {
				got.WriteString(" named")
			}
			if m.Part != "" {
				got.WriteString(" part " + m.Part)
			}
			got.WriteString(": " + string(contents) + "\n")
		}
		if diff := cmp.Diff(row.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", row.reason, diff)
		}
	}
}
