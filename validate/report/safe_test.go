package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// TestSARIFIsSafe checks by the schema that hostile texts do not break SARIF. [FuzzOutputIsSafe] checks
// the other formats with the same texts.
func TestSARIFIsSafe(t *testing.T) {
	t.Parallel()
	check := bySchema(schema(t, sarifSchema))
	texts := []string{strings.Join(hostileTexts, "")}
	if long.Enabled() {
		texts = hostileTexts
	}
	for _, s := range texts {
		for _, kind := range []layout.Kind{layout.DataBlockKind, layout.ObjectsKind} {
			checkReports(t, check, kind, []byte(s), s, int64(len(s)), 0)
		}
		checkReports(t, check, layout.DataBlockKind, nil, s, -3, -5)
	}
}

// FuzzOutputIsSafe checks that a report on any bytes and texts has only printable characters, and that JSON is
// valid.
func FuzzOutputIsSafe(f *testing.F) {
	for _, s := range hostileTexts {
		for kind := range layout.Kinds() {
			f.Add(uint8(kind), []byte(s), s, int64(len(s)), 0)
			f.Add(uint8(kind), []byte("P\x00E\x00R\x00F\x00"+s), s, int64(3), 5)
			f.Add(uint8(kind), []byte(s), s, int64(-3), -5)
		}
	}
	sarif := bySchema(schema(f, sarifSchema))
	f.Fuzz(func(t *testing.T, i uint8, b []byte, text string, off int64, n int) {
		kind := layout.Kinds()[int(i)%len(layout.Kinds())]
		// SARIF is slow, so only about 1 of 4,096 inputs is tested with SARIF. A checksum selects these inputs, so that
		// a failure can be repeated.
		if crc32.ChecksumIEEE(fmt.Appendf(nil, "%d %s %s %d %d", i, text, b, off, n))%4096 == 1 {
			checkReports(t, sarif, kind, b, text, off, n)
		} else {
			checkReports(t, nil, kind, b, text, off, n)
		}
	})
}

var hostileTexts = []string{"", "a", "\x1b[2J", "\u202e\u2066", "\r\n", "\xff\xc0\x80", "\u009b", "[a](b) {0}", "\U000e0001\U0001f600", "\u2028\x00", "a\x7f", `\x1b "`}

// checkReports checks reports in all formats. The argument text is the path of the file, and is also in the messages of
// a finding. If sarif is nil, checkReports skips the format sarif.
func checkReports(t *testing.T, sarif sarifCheck, kind layout.Kind, b []byte, text string, off int64, n int) {
	t.Helper()
	r := validate.Bytes(kind, b, validate.Context{})
	r.Findings = append(r.Findings, validate.Finding{
		Rule: validate.Rules()[0], Severity: validate.Error, Reason: text, Path: layout.Path{}.At("object", 0).Field("rest"),
		Off: off, Len: n, Got: text, Want: text,
	})
	files := []report.File{{Path: text, Kind: kind, Block: b, Result: r}, {Path: text, Input: text, Kind: kind, Block: b, Result: r}}
	for _, format := range report.Formats() {
		if format.Name == "sarif" && sarif == nil {
			continue
		}
		unchecked := []report.Unchecked{{Path: text, Err: errors.New(text)}}
		out := testCase{files: files, unchecked: unchecked}.write(t, format.Name, report.Options{Version: text})
		if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%s: %q at %d of\n%s", format.Name, out[i:min(len(out), i+4)], i, out)
		}
		switch format.Name {
		case "json", "sarif", "gitlab":
			if !json.Valid([]byte(out)) {
				t.Errorf("%s: no JSON\n%s", format.Name, out)
			}
		case "jsonl":
			for line := range strings.Lines(out) {
				if !json.Valid([]byte(line)) {
					t.Errorf("no JSON: %s", line)
				}
			}
		case "junit":
			if err := xml.Unmarshal([]byte(out), new(struct{})); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		case "github":
			checkCommands(t, out)
		}
		if format.Name == "sarif" {
			sarif(t, out)
		}
	}
}

// A sarifCheck fails the test if a log is not valid SARIF.
type sarifCheck func(t *testing.T, log string)

// bySchema returns a check that validates a log by the schema. The check ignores the rules in the log: see
// withoutRules.
func bySchema(schema *jsonschema.Schema) sarifCheck {
	return func(t *testing.T, log string) {
		if err := schema.Validate(withoutRules(parsed(t, log))); err != nil {
			t.Error(err)
		}
	}
}

// withoutRules removes the rules from a log, because they are the same in every log and take long to check.
func withoutRules(log any) any {
	run := log.(map[string]any)["runs"].([]any)[0].(map[string]any)
	delete(run["tool"].(map[string]any)["driver"].(map[string]any), "rules")
	return log
}

// TestJSONKeepsPaths checks that a JSON parser returns the original path. The JSON has escapes for the characters
// that are not printable.
func TestJSONKeepsPaths(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"a\x1b[2J", "\u202e", "\U000e0001", "a\nb", "\\u001b", "é😀", "\"<&>"} {
		var got struct{ Files []struct{ Path string } }
		if err := json.Unmarshal([]byte(write(t, "json", []report.File{{Path: path}}, report.Options{})), &got); err != nil || got.Files[0].Path != path {
			t.Errorf("%q: got %+v, %v", path, got, err)
		}
	}
}
