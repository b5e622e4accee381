package provider

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/validate"
)

// TestRules checks each rule with the calls in testdata/rules: calls that break the rule, and similar calls without
// findings.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(filepath.Join("testdata/rules", r.Name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for at := range strings.Lines(string(a.Comment)) {
				if at, is := strings.CutPrefix(at, "want: "); is {
					want = append(want, r.Name+" "+strings.TrimSpace(at))
				}
			}
			if len(want) == 0 || len(a.Files) != 2 || a.Files[0].Name != "broken/calls" || a.Files[1].Name != "near/calls" {
				t.Fatal("the file must have wanted findings, broken/calls and near/calls")
			}
			if diff := gocmp.Diff(want, findingsIn(t, a.Files[0].Data)); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
			if got := findingsIn(t, a.Files[1].Data); got != nil {
				t.Errorf("near miss: %s", got)
			}
		})
	}
	files, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(files) != len(rules) {
		t.Errorf("%d files for %d rules, %v", len(files), len(rules), err)
	}
}

// findingsIn returns the name and the place of each finding in the calls of a log.
func findingsIn(t *testing.T, text []byte) (list []string) {
	t.Helper()
	var l log
	for text := range strings.Lines(string(text)) {
		m := parseCall(t, strings.TrimRight(text, "\r\n"))
		l.add(&m)
	}
	if want := strings.ReplaceAll(string(text), "\r\n", "\n"); l.text.String() != want {
		t.Fatalf("the log of the calls is\n%s\nthe text is\n%s", l.text.String(), want)
	}
	for _, f := range l.findings {
		list = append(list, fmt.Sprintf("%s %d:%d", f.Rule.Name, f.Line, f.Column))
	}
	return list
}

var (
	callText    = regexp.MustCompile(`^(\w+)\((?:(".*"), (\d+))?\)$`)
	writesText  = regexp.MustCompile(`^(-?\d+)(?: to (-?\d+))?$`)
	objectsText = regexp.MustCompile(`(\d+) \((\d+) bytes(?:, NumInstances (-\d+))?(?:, parent ([\d ]+))?\)`)
)

// parseCall returns the call that a line of a log describes.
func parseCall(t *testing.T, text string) callResult {
	t.Helper()
	number := func(s string, bits int) int64 {
		n, err := strconv.ParseInt(s, 10, bits)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return n
	}
	values := strings.Split(text, "  ")
	of := callText.FindStringSubmatch(values[0])
	if of == nil {
		t.Fatalf("%s: no call", text)
	}
	m := callResult{call: call{Function: of[1]}, limit: Probe{}.limit(of[1])}
	if of[2] != "" {
		query, err := strconv.Unquote(of[2])
		if err != nil {
			t.Fatal(err)
		}
		m.Query, m.Size = query, int(number(of[3], 32))
	}
	for _, v := range values[1:] {
		name, value, _ := strings.Cut(v, " ")
		switch name {
		case "buffer":
			m.Place = place(value)
		case "failure":
			m.failure = value
		case "error":
			m.err, _ = strconv.Unquote(value)
		case "status":
			m.Status = uint32(number(value, 64))
		case "bytes":
			m.Bytes = uint32(number(value, 64))
		case "objects":
			m.Objects = uint32(number(value, 64))
		case "pointer":
			m.Pointer = number(value, 64)
		case "changed":
			w := writesText.FindStringSubmatch(value)
			m.Outside.First = number(w[1], 64)
			m.Outside.N = number(cmp.Or(w[2], w[1]), 64) - m.Outside.First + 1
		case "time":
			took, err := time.ParseDuration(strings.ReplaceAll(value, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			m.Took = took
		case "data":
			m.written.header = value == "PERF_DATA_BLOCK"
			for _, o := range objectsText.FindAllStringSubmatch(value, -1) {
				one := object{title: uint32(number(o[1], 64)), length: uint32(number(o[2], 64))}
				if o[3] != "" {
					one.instances = int32(number(o[3], 32))
				}
				for p := range strings.FieldsSeq(o[4]) {
					one.parents = append(one.parents, uint32(number(p, 64)))
				}
				m.written.objects = append(m.written.objects, one)
			}
		default:
			t.Fatalf("%s: no value %q", text, name)
		}
	}
	return m
}

// TestTexts checks the texts of the rules PERF30xx.
func TestTexts(t *testing.T) {
	t.Parallel()
	ids := regexp.MustCompile(`^PERF30\d\d prov-[a-z-]+$`)
	sentences := regexp.MustCompile(`^[A-Z].*[^ .]\.$`)
	for _, r := range rules {
		if !ids.MatchString(r.ID+" "+r.Name) || r.Doc == "" || strings.HasSuffix(r.Doc, ".") || !sentences.MatchString(r.Why) || !sentences.MatchString(r.Fix) || len(r.Sources) == 0 {
			t.Errorf("%s %s: a text is not in the form of the others", r.ID, r.Name)
		}
		if _, ok := validate.FindEvent(r.Event); r.Event != 0 && !ok {
			t.Errorf("%s: validate.Events has no event %d", r.ID, r.Event)
		}
		if !slices.Contains(validate.Rules(), &r.Rule) {
			t.Errorf("%s is not registered", r.ID)
		}
	}
}

// TestConditions checks conditions of rules. The files in testdata/rules do not cover these conditions.
func TestConditions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, log, want string }{
		{"with 0 bytes the pointer is checked by prov-no-data", `Collect("Global", 8)  status 0  bytes 0  objects 0  pointer +8`, "prov-no-data 1:53"},
		{"with ERROR_MORE_DATA the pointer must not move", `Collect("Global", 8)  status 234  bytes 0  objects 0  pointer +8`, "prov-more-data-outputs 1:55"},
		{"an object shorter than its header has a wrong length, and the number of objects is not known", `Collect("Global", 4096)  status 0  bytes 128  objects 9  pointer +128  data 2 (8 bytes)`, "prov-object-sum 1:72"},
		{"the bytes of a buffer that was too small are not checked as objects", `Collect("Global", 8)  status 0  bytes 16  objects 9  pointer +16`, "prov-bytes-bound 1:33"},
		{"a wrong number of bytes and a wrong pointer are both reported", `Collect("Global", 4096)  status 0  bytes 100  objects 1  pointer +104  data 2 (104 bytes)`, "prov-bytes-align 1:36\nprov-pointer-match 1:58"},
		{"a requested object may be returned with its parents, and with the parents of these", `Collect("4", 4096)  status 0  bytes 300  objects 3  pointer +300  data 2 (100 bytes), 3 (100 bytes, parent 2), 4 (100 bytes, parent 3)`, "prov-bytes-align 1:31"},
		{"a parent counts only if its child is requested", `Collect("3", 4096)  status 0  bytes 304  objects 3  pointer +304  data 2 (104 bytes), 3 (100 bytes), 4 (100 bytes, parent 2)`, "prov-unrequested 1:67"},
		{"a hang is reported once, and not as a long duration too", `Collect("Global", 8)  failure hang  time 20.00 s`, "prov-exception 1:23"},
		{"a write that ended the process is reported once, and not as an exception too", `Collect("Global", 8)  buffer before a guard  failure exception 0xc0000005  changed 8`, "prov-guard 1:76"},
		{"a rule has one finding for each query", `Collect("Global", 8)  status 5  bytes 0  objects 0  pointer +0
Collect("Global", 0)  status 5  bytes 0  objects 0  pointer +0
Collect("2", 0)  status 5  bytes 0  objects 0  pointer +0`, "prov-return-code 1:23\nprov-return-code 3:18"},
		{"an error of a Go function must wrap ErrMoreData", `Collect("Global", 8)  error "no service"  bytes 0  objects 0  pointer +0`, "prov-return-code 1:23"},
	} {
		if diff := gocmp.Diff(tt.want, strings.Join(findingsIn(t, []byte(tt.log+"\n")), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
