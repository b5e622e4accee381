package definition

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/validate"
)

// schemas has the XML Schema of each version. The schemas and their examples were made from the documentation only,
// without this package.
var schemas = map[string]string{"1.1": "testdata/schema/manifest.xsd", "2.0": "testdata/schema/manifest-2.0.xsd"}

// TestManifestSchema checks with xmllint that AppendManifest writes manifests that the XML Schemas allow.
func TestManifestSchema(t *testing.T) {
	t.Parallel()
	requireXMLLint(t)
	for _, version := range []string{"1.1", "2.0", ""} {
		dir := t.TempDir()
		arguments := []string{"--noout", "--nonet", "--schema", schemas[cmp.Or(version, "2.0")]}
		for seed := range uint64(long.Count(30, 300)) {
			p := newRandom(seed).manifest()
			if version == "" {
				p.SchemaVersion = ""
			}
			text, _, err := p.AppendManifest(nil, ManifestOptions{Version: version})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, decimal(uint32(seed))+".man")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			arguments = append(arguments, path)
		}
		if out, err := exec.CommandContext(t.Context(), "xmllint", arguments...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", version, err, out)
		}
	}
}

// requireXMLLint skips the test if xmllint is not installed. If PERFBLOCK_ORACLE is "require", the test fails instead.
func requireXMLLint(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("xmllint"); err != nil {
		if os.Getenv("PERFBLOCK_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// disagreements has the examples about which the rules and the schemas disagree, with the reasons.
var disagreements = map[string]string{
	"11-all-types":             "a schema cannot require a reference for a type",
	"11-hex-ids-name-1023":     "a schema compares ids as texts: it takes 0xFFFFFFFE and 4294967294 for two ids",
	"20-nodisplay-without-ids": "the schema page requires nameID and descriptionID of counters that are displayed; this schema does not",
	"20-set-name-twice":        "the same",
	"11-version-unknown":       "the documentation allows any version; CTRPP decides by it",
}

// TestSchemaExamples checks that the rules and the XML Schemas agree about the examples of the schemas.
func TestSchemaExamples(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"valid", "broken"} {
		paths, err := filepath.Glob("testdata/schema/examples/" + folder + "/*.man")
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Read(path, text, nil)
			failed, why := err != nil, []string{}
			if err == nil {
				var v validate.Validator
				result := f.Check(&v)
				failed = result.Counts.Error > 0
				for _, finding := range result.Findings {
					why = append(why, finding.String())
				}
			}
			name := strings.TrimSuffix(filepath.Base(path), ".man")
			if want := (folder == "broken") != (disagreements[name] != ""); failed != want {
				t.Errorf("%s: an error is %v, want %v; %v\n%s", path, failed, want, err, strings.Join(why, "\n"))
			}
		}
	}
}

// TestManifestChanges changes one random attribute of a valid manifest. If the schema then refuses the manifest, a rule
// must report an error too.
func TestManifestChanges(t *testing.T) {
	t.Parallel()
	requireXMLLint(t)
	attribute := regexp.MustCompile(`\n +([a-zA-Z]+)="([^"]*)"`)
	values := []string{"", "x", "0x1F", "-11", "11", compositeName, "noDisplay", "Single", "{1}", "a b", "9", "sum", "4294967296", " 3 ", "007", "0x", "single "}
	for version, schema := range schemas {
		dir := t.TempDir()
		arguments := []string{"--noout", "--nonet", "--schema", schema}
		accepted := make(map[string]string) // the changes that no rule reports as an error, by the path of the file
		for seed := range uint64(long.Count(100, 1000)) {
			r := newRandom(seed)
			text, _, err := r.manifest().AppendManifest(nil, ManifestOptions{Version: version})
			if err != nil {
				t.Fatal(err)
			}
			all := attribute.FindAllSubmatchIndex(text, -1)
			at := all[r.IntN(len(all))]
			name := string(text[at[2]:at[3]])
			if name == "schemaVersion" || name == "xmlns" { // these attributes select the schema
				continue
			}
			value := values[r.IntN(len(values))]
			from, to, with := at[4], at[5], value // another value
			switch r.IntN(4) {
			case 0: // no attribute
				from, to, with = at[0], at[1], ""
			case 1: // another name
				from, to, with = at[2], at[3], "colour"
			}
			text = slices.Concat(text[:from], []byte(with), text[to:])
			path := filepath.Join(dir, decimal(uint32(seed))+".man")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			arguments = append(arguments, path)
			var v validate.Validator
			if f, err := Read(path, text, nil); err == nil && f.Check(&v).Counts.Error == 0 {
				accepted[path] = fmt.Sprintf("%s: %q", name, with)
			}
		}
		out, err := exec.CommandContext(t.Context(), "xmllint", arguments...).CombinedOutput()
		if err == nil {
			t.Errorf("%s: the schema accepts all changes", version)
		}
		for line := range strings.Lines(string(out)) {
			path, refused := strings.CutSuffix(strings.TrimSpace(line), " fails to validate")
			if change, is := accepted[path]; refused && is {
				t.Errorf("%s: %s is refused by the schema, and has no error", version, change)
			}
		}
	}
}
