//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// aws is a script that imitates the command aws s3 cp. The buckets are subfolders of the folder s3.
const aws = `#!/bin/sh
set -e
[ "$1 $2" = "s3 cp" ]
shift 2
[ "$1" != --recursive ] || shift
place() { case $1 in s3://*) echo "$S3/${1#s3://}" ;; *) echo "$1" ;; esac; }
exec cp -r "$(place "$1")" "$(place "$2")"
`

// TestRecipes runs the shell scripts in docs/fleet.md, as the page shows them, in a folder of captures. The
// merged report must equal the report of a single run.
func TestRecipes(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	page, err := os.ReadFile("../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	recipes := map[string]string{} // by heading
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		heading, _, _ := strings.Cut(section, "\n")
		for _, m := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(section, -1) {
			recipes[heading] += m[1]
		}
	}
	const worker = "perfblock lint --files-from - --format jsonl --exit-zero"
	for _, row := range []struct{ heading, script string }{
		{"xargs", "RECIPE"},
		{"Spark", "mkdir records; for i in 0 1; do " + worker + " < list-$i > records/part-0000$i; done\nRECIPE"},
		{"AWS Batch", `mkdir -p s3/BUCKET/lists s3/BUCKET/records; mv list-* s3/BUCKET/lists; mv captures s3/BUCKET
for AWS_BATCH_JOB_ARRAY_INDEX in 0 1; do
RECIPE
rm -r captures list part.jsonl # the next child has a machine of its own
done
perfblock merge s3/BUCKET/records/* --out sarif=all.sarif`},
	} {
		recipe := recipes[row.heading]
		if recipe == "" {
			t.Errorf("docs/fleet.md has no script under %s; the headings are %q", row.heading, recipes)
			continue
		}
		delete(recipes, row.heading)
		t.Run(row.heading, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			want := fleetFolder(t, dir)
			script := strings.Replace(row.script, "RECIPE", recipe, 1)
			c := exec.CommandContext(t.Context(), shell, "-euc", script)
			c.Dir = dir
			c.Env = append(os.Environ(), "S3="+filepath.Join(dir, "s3"), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			out, err := c.CombinedOutput()
			if err != nil && c.ProcessState.ExitCode() != int(errFaulty) { // merge exits with 1 for the findings
				t.Fatalf("%s\n%v\n%s", script, err, out)
			}
			got, err := os.ReadFile(filepath.Join(dir, "all.sarif"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-one run +recipe)\n%s", diff)
			}
		})
	}
	for heading := range recipes {
		t.Errorf("no test runs the script under %s", heading)
	}
}

// fleetFolder writes captures, two lists that divide the captures, and a program that imitates aws. It returns the
// expected report in the format sarif.
func fleetFolder(t *testing.T, dir string) string {
	t.Helper()
	for _, folder := range []string{"captures", "bin"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	var list []string
	for _, path := range captures(t, filepath.Join(dir, "captures")) {
		if strings.HasSuffix(path, ".bin") && !strings.HasPrefix(path, "gone") {
			list = append(list, "captures/"+path)
		}
	}
	half := len(list) / 2
	for name, text := range map[string]string{
		"list-0": strings.Join(list[:half], "\n"), "list-1": strings.Join(list[half:], "\n"), "bin/aws": aws,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	records := lintPaths(t, dir, list)
	report := pipe(t, dir, strings.Join(records, ""), "merge", "-", "--exit-zero", "--format", "sarif")
	return strings.Replace(report, `"exitCode": 0`, `"exitCode": 1`, 1) // the recipes run merge without --exit-zero
}
