package capture

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestBundle checks that Read returns the bundle that Write wrote. It also checks the errors for files that are not
// bundles.
func TestBundle(t *testing.T) {
	t.Parallel()
	f := &fake{t: t, v1: registry(), clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	b, err := (Query{Objects: []string{"Processor"}, Tool: "test"}).run(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := b.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	b.started = time.Time{}
	if diff := cmp.Diff(b, again, cmp.AllowUnexported(Bundle{})); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	db, err := again.Titles()
	if name, _ := db.Name("009", 238); err != nil || name != "Processor" {
		t.Errorf("238 is %q, error %v", name, err)
	}
	if help, _ := db.Name("009", 239); help != "The processors." {
		t.Errorf("239 is %q", help)
	}
	for _, tt := range []struct{ reason, old, new, want string }{
		{"a manifest of a newer version is refused", `"version": 1`, `"version": 2`, "has a manifest of version 2, must be 1; use the version of perfblock that made the bundle, or a newer one"},
		{"a zip with another manifest.json is not a bundle", format, "perfblock-nothing", ErrNotBundle.Error()},
		{"an unknown kind is refused", `"kind": "titles"`, `"kind": "title?"`, `the member "titles/Counter 009.bin": `},
		{"a name must not lead out of the zip", "titles/Help 009.bin", "../titles/Help 9.bin", `the manifest lists "../titles/Help 9.bin", which is not a path inside the zip`},
		{"each member of the manifest must be in the zip", "titles/Help 009.bin", "titles/Help 007.bin", `the manifest lists the member "titles/Help 007.bin", which is not in the zip; the bundle is damaged`},
		{"the manifest must list a member only once", "titles/Help 009.bin", "titles/Counter 009.bin", `the manifest lists the member "titles/Counter 009.bin" twice`},
		{"the manifest must be JSON", `"version": 1`, `"version": x`, "the member manifest.json: invalid character"},
	} {
		var changed bytes.Buffer
		if err := rewrite(&changed, file.Bytes(), tt.old, tt.new); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(changed.Bytes()); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
	for n := range file.Len() {
		if _, err := Read(file.Bytes()[:n]); err == nil {
			t.Fatalf("the first %d bytes are a bundle", n)
		}
	}
}

// TestWriteRefuses checks that Write writes nothing for members that Read would refuse.
func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	member := func(name string) Member { return Member{Name: name, Kind: TitlesKind} }
	for _, tt := range []struct {
		reason  string
		members []Member
		want    string
	}{
		{"two members must not have one name", []Member{member("a"), member("b"), member("a")}, `the manifest lists the member "a" twice`},
		{"a member must not have the name of the manifest", []Member{member(ManifestName)}, `the manifest lists the member "manifest.json" twice`},
		{"a name must not lead out of the zip", []Member{member("../a")}, `the manifest lists "../a", which is not a path inside the zip`},
		{"a kind must be known", []Member{{Name: "a", Kind: "b"}}, `the member "a": `},
	} {
		var file bytes.Buffer
		if err := (&Bundle{Members: tt.members}).Write(&file); err == nil || !strings.HasPrefix(err.Error(), tt.want) || file.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want the error %q", tt.reason, err, file.Len(), tt.want)
		}
	}
}
