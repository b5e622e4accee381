package report

import (
	"bufio"
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

const (
	homepage     = "https://github.com/perfblock/perfblock"
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// maxResults is the largest number of results in a log. GitHub shows only 5,000 results.
const maxResults = 5000

// maxLocated is the largest number of notifications about files, for each level. The limit bounds the memory.
const maxLocated = 1000

// A sarifWriter writes a log with at most maxResults findings: those with the highest severities. To bound the memory,
// the log lists only files with a result or a notification.
type sarifWriter struct {
	w         *bufio.Writer
	folder    string // Options.Folder
	run       sarifRun
	rules     map[string]int // from ID to index
	results   map[validate.Severity][]sarifResult
	artifacts []sarifArtifact  // of the results and notifications so far; the log lists only those that it uses
	located   map[string]int   // for each level: the number of notifications about files
	profile   validate.Profile // of all files; Strict if their profiles differ
	files     int              // files that were validated
	listed    int              // number of findings in all files
	noter
}

func newSARIF(w *bufio.Writer, o Options) reporter {
	s := &sarifWriter{w: w, folder: o.Folder, rules: make(map[string]int), results: make(map[validate.Severity][]sarifResult), located: make(map[string]int)}
	s.run = sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "perfblock", Version: o.Version, InformationURI: homepage, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		Artifacts:   []sarifArtifact{},
		Results:     []sarifResult{},
	}
	for i, r := range validate.Rules() {
		s.rules[r.ID] = i
	}
	return s
}

// file adds a file and its findings. It keeps at most maxResults results of each severity, because the log cannot
// have more results.
func (s *sarifWriter) file(f *File) error {
	a := artifactOf(f, s.next(f.Path))
	if s.files++; s.files == 1 {
		s.profile = f.Profile
	} else if s.profile != f.Profile {
		s.profile = validate.Strict
	}
	s.add(f)
	if f.Form != "" {
		s.run.ColumnKind = "unicodeCodePoints"
	}
	s.listed += len(f.Result.Findings)
	prints := fingerprints(f)
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		severity := max(found.Severity, validate.Info) // a caller can make a finding without a severity
		if kept := s.results[severity]; len(kept) < maxResults {
			s.results[severity] = append(kept, s.resultOf(f, i, a.Location, prints[i]))
			s.addArtifact(a)
		}
	}
	if f.Detected {
		s.notifyAt(a, "note", "the kind "+f.kind()+" was detected from the bytes")
	}
	if f.Suppressed > 0 {
		s.notifyAt(a, "note", suppressions(f.Suppressed))
	}
	if f.Result.Truncated {
		s.notifyAt(a, "warning", severityCounts(f.Result.Counts)+"; "+f.unlisted())
	}
	return nil
}

// unchecked adds an artifact for a file that was not validated, and a notification for each error.
func (s *sarifWriter) unchecked(u *Unchecked) error {
	a := targetOf(u.Path, s.next(u.Path))
	for _, r := range u.reasons() {
		s.notifyAt(a, "error", plainMessage(r.Message))
	}
	s.run.Invocations[0].ExecutionSuccessful = false
	return nil
}

// finish writes the log, with the results of the highest severity first.
func (s *sarifWriter) finish(e End) error {
	run := &s.run
	for _, r := range validate.Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(r, s.profile))
	}
	run.Properties.Profile = s.profile.String()
	run.Invocations[0].ExitCode = e.ExitCode
	for _, severity := range slices.Backward(validate.Severities()) {
		list := s.results[severity]
		run.Results = append(run.Results, list[:min(len(list), maxResults-len(run.Results))]...)
	}
	if without := s.files - s.listArtifacts(); without > 0 {
		s.notify("note", "validated "+quote.Count(without, "file")+" without a result in this log")
	}
	if s.located["note"] > maxLocated {
		for _, n := range s.notes() {
			s.notify("note", n.text)
		}
	}
	for _, level := range []string{"error", "warning"} {
		if more := s.located[level] - maxLocated; more > 0 {
			s.notify(level, quote.Count(more, "more notification")+" of this level")
		}
	}
	if s.listed > len(run.Results) {
		s.notify("warning", fmt.Sprintf("this log has %d of %d findings, errors before warnings", len(run.Results), s.listed))
	}
	if s.others > 0 {
		s.notify("note", quote.Count(s.others, "file")+" skipped (not a block, or not a regular file)")
	}
	if e.Interrupted {
		s.notify("error", "interrupted: files are missing from this log")
		run.Invocations[0].ExecutionSuccessful = false
	}
	_, err := s.w.Write(append(terminal.JSON(sarifLog{sarifVersion, sarifSchema, []sarifRun{*run}}, " "), '\n'))
	return err
}

// listArtifacts adds artifacts to the run: the files with results, and the files with notifications. It returns
// the number of files with results.
func (s *sarifWriter) listArtifacts() (withResults int) {
	run := &s.run
	uses := make(map[int][]*sarifArtifactLocation) // by index in s.artifacts
	use := func(l *sarifLocation) {
		at := &l.PhysicalLocation.ArtifactLocation
		uses[at.Index] = append(uses[at.Index], at)
	}
	for i := range run.Results {
		use(&run.Results[i].Locations[0])
	}
	withResults = len(uses)
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		for i := range n.Locations {
			use(&n.Locations[i])
		}
	}
	for i, a := range s.artifacts {
		if uses[i] == nil {
			continue
		}
		a.Location.Index = len(run.Artifacts)
		for _, at := range uses[i] {
			at.Index = a.Location.Index
		}
		run.Artifacts = append(run.Artifacts, a)
	}
	return withResults
}

// next returns the location of the next artifact. path is the path of its file.
func (s *sarifWriter) next(path string) sarifArtifactLocation {
	return sarifArtifactLocation{uriOf(path, s.folder, runtime.GOOS == "windows"), len(s.artifacts)}
}

// addArtifact adds an artifact to the log. It does nothing if a is already the last artifact.
func (s *sarifWriter) addArtifact(a sarifArtifact) {
	if a.Location.Index == len(s.artifacts) {
		s.artifacts = append(s.artifacts, a)
	}
}

// notify adds a message to the run.
func (s *sarifWriter) notify(level, text string, locations ...sarifLocation) {
	in := &s.run.Invocations[0]
	n := sarifNotification{level, sarifText{Text: text}, append([]sarifLocation{}, locations...)}
	in.ToolExecutionNotifications = append(in.ToolExecutionNotifications, n)
}

// notifyAt adds a notification about a file to the run. If the run already has maxLocated notifications of this level,
// notifyAt only counts the notification.
func (s *sarifWriter) notifyAt(a sarifArtifact, level, text string) {
	s.located[level]++
	if s.located[level] <= maxLocated {
		s.addArtifact(a)
		s.notify(level, text, sarifLocation{PhysicalLocation: sarifPhysicalLocation{ArtifactLocation: a.Location}})
	}
}

// artifactOf returns the description of a file that was validated. If the file has its block in hex or base64, the
// description has no length, because only the length of the decoded block is known.
func artifactOf(f *File, at sarifArtifactLocation) sarifArtifact {
	a := targetOf(f.Path, at)
	switch {
	case f.Form != "":
		a.Length = new(f.size())
	case f.Input == "":
		a.Length, a.MimeType = new(f.size()), "application/octet-stream"
	}
	return a
}

// targetOf returns the description of a file, with only a location and roles.
func targetOf(path string, at sarifArtifactLocation) sarifArtifact {
	a := sarifArtifact{Location: at, Roles: []string{"analysisTarget"}}
	if path == stdin {
		a.Roles = append(a.Roles, "standardStream")
	}
	return a
}

// resultOf returns the SARIF result for finding i. print is the fingerprint of the finding.
func (s *sarifWriter) resultOf(f *File, i int, at sarifArtifactLocation, print string) sarifResult {
	found := &f.Result.Findings[i]
	object, counter := f.titles(i)
	r := sarifResult{
		RuleID: found.Rule.ID, RuleIndex: -1, Level: level(found.Severity), Message: sarifText{Text: plainMessage(found.Message())},
		Locations: []sarifLocation{locationOf(f, found, at)}, PartialFingerprints: map[string]string{fingerprintKey: print},
		Properties: sarifResultProperties{found.Rule.Event, terminal.Printable(found.Reason), object, counter},
	}
	if i, known := s.rules[found.Rule.ID]; known {
		r.RuleIndex = i
	}
	return r
}

// locationOf returns the location of a finding: a line and a column in a text, or a range of bytes in a block.
func locationOf(f *File, found *validate.Finding, at sarifArtifactLocation) sarifLocation {
	// GitHub refuses results without a line, so a region in a block has line 1.
	physical := sarifPhysicalLocation{ArtifactLocation: at, Region: &sarifRegion{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}}
	off, length := place(found)
	switch {
	case f.Form != "":
		line, column := textPlace(found)
		physical.Region = &sarifRegion{StartLine: line, StartColumn: column, EndLine: line, EndColumn: column}
	case f.Input == "":
		physical.Region.ByteOffset, physical.Region.ByteLength = &off, &length
	default: // the file has the block in hex or base64
		physical.Address = &sarifAddress{off, length, "data"}
	}
	location := sarifLocation{PhysicalLocation: physical}
	if path := found.Path.String(); path != "" {
		location.LogicalLocations = []sarifLogicalLocation{{path}}
	}
	return location
}

// sarifRuleOf returns the description of a rule. The description has the severity under the profile p.
func sarifRuleOf(r *validate.Rule, p validate.Profile) sarifRule {
	rule := sarifRule{
		ID: r.ID, Name: r.Name,
		ShortDescription:     sarifText{Text: plainMessage(rulepage.Sentence(r.Doc))},
		FullDescription:      sarifText{Text: plainMessage(rulepage.Sentence(r.Doc) + " " + r.Why)},
		Help:                 sarifText{Text: braces.Replace(rulepage.Text(r)), Markdown: braces.Replace(rulepage.Body(r))},
		DefaultConfiguration: sarifConfiguration{Enabled: true, Level: level(r.In(p))},
		Properties:           sarifRuleProperties{tags(r)},
	}
	if r.In(p) == validate.Off {
		rule.DefaultConfiguration = sarifConfiguration{Enabled: false, Level: level(r.Severity)}
	}
	if len(r.Sources) > 0 {
		rule.HelpURI = r.Sources[0].URL
	}
	return rule
}

// level returns the name of a severity in SARIF.
func level(s validate.Severity) string { return cmp.Or(sarifLevels[s], "none") }

var sarifLevels = map[validate.Severity]string{validate.Error: "error", validate.Warning: "warning", validate.Info: "note"}

// subjects maps the first word of a rule name to the record or text that the rule checks. For example, ctr is a
// counter.
var subjects = map[string]string{"data": "data-block", "obj": "object", "ctr": "counter", "inst": "instance", "blk": "counter-block", "def": "definition", "sym": "header", "pair": "two-samples"}

// tags returns the words with which a user can select the rule.
func tags(r *validate.Rule) []string {
	subject, _, _ := strings.Cut(r.Name, "-")
	subject = cmp.Or(subjects[subject], subject)
	list := []string{"performance-counters", subject}
	if subject == "v2" {
		for _, k := range r.Kinds() {
			list = append(list, k.String())
		}
	}
	for _, form := range r.Forms {
		if form != subject {
			list = append(list, form)
		}
	}
	if r.Event != 0 {
		list = append(list, "perflib-event")
	}
	if r.Needs != "" {
		list = append(list, "needs-context")
	}
	return list
}

// braces doubles braces: a single brace starts or ends a placeholder of SARIF (2.1.0
// section 3.11.5).
var braces = strings.NewReplacer("{", "{{", "}", "}}")

// plainMessage escapes braces and links, so that text from a block cannot become a link (SARIF 2.1.0 section
// 3.11.6).
func plainMessage(text string) string {
	return braces.Replace(strings.ReplaceAll(terminal.Printable(text), "](", "] ("))
}
