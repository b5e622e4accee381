package report

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

const (
	homepage     = "https://github.com/perfblock/perfblock"
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

	// fingerprint is the name under which a result is known again in another run. The
	// number changes when it is made of other things.
	fingerprint = "perfblock/v1"
)

// writeSARIF writes one run over all files.
func writeSARIF(w *bufio.Writer, files []File, o Options) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "perfblock", Version: o.Version, InformationURI: homepage, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: len(o.Unjudged) == 0, ExitCode: o.ExitCode}},
		Artifacts:   []sarifArtifact{},
		Results:     []sarifResult{},
		Properties:  sarifRunProperties{o.Profile.String()},
	}
	index := map[string]int{}
	for i, r := range validate.Rules() {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(r, o.Profile))
	}
	for i := range files {
		run.add(&files[i], index)
	}
	for i := range o.Unjudged {
		run.addUnjudged(&o.Unjudged[i])
	}
	_, err := w.Write(append(encode(sarifLog{sarifVersion, sarifSchema, []sarifRun{run}}, " "), '\n'))
	return err
}

// add adds what is to be said of a file.
func (run *sarifRun) add(f *File, rules map[string]int) {
	at := run.next(f.Path)
	run.Artifacts = append(run.Artifacts, artifactOf(f, at))
	seen := map[string]int{}
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		run.Results = append(run.Results, resultOf(f, found, at, rules, seen))
	}
	if f.Result.Truncated {
		run.notify("warning", strings.Join(severityCounts(f.Result.Counts), ", ")+"; "+unlisted(f.Result), at)
	}
}

// addUnjudged adds a file of which there is nothing to say but that: the tool was to
// look at it, so it is among the artifacts.
func (run *sarifRun) addUnjudged(u *Unjudged) {
	at := run.next(u.Path)
	run.Artifacts = append(run.Artifacts, targetOf(u.Path, at))
	run.notify("error", plainMessage(u.message()), at)
}

// next is where the artifact is that will be added next.
func (run *sarifRun) next(path string) sarifArtifactLocation {
	return sarifArtifactLocation{uriOf(path, runtime.GOOS == "windows"), len(run.Artifacts)}
}

// notify adds what is to be said of the run rather than of a block.
func (run *sarifRun) notify(level, text string, at sarifArtifactLocation) {
	in := &run.Invocations[0]
	in.ToolExecutionNotifications = append(in.ToolExecutionNotifications, sarifNotification{
		Level: level, Message: sarifText{Text: text},
		Locations: []sarifLocation{{PhysicalLocation: sarifPhysicalLocation{ArtifactLocation: at}}},
	})
}

// artifactOf describes a file that was judged. How long one is that is not the block
// byte by byte, nobody has said.
func artifactOf(f *File, at sarifArtifactLocation) sarifArtifact {
	a := targetOf(f.Path, at)
	if f.Input == "" {
		a.Length, a.MimeType = new(len(f.Block)), "application/octet-stream"
	}
	return a
}

// targetOf describes a file that was to be judged.
func targetOf(path string, at sarifArtifactLocation) sarifArtifact {
	a := sarifArtifact{Location: at, Roles: []string{"analysisTarget"}}
	if path == stdin {
		a.Roles = append(a.Roles, "standardStream")
	}
	return a
}

// resultOf is one finding. Rules has the index of each, and seen how often each
// fingerprint was in the file.
func resultOf(f *File, found *validate.Finding, at sarifArtifactLocation, rules, seen map[string]int) sarifResult {
	r := sarifResult{
		RuleID: found.Rule.ID, RuleIndex: -1, Level: level(found.Severity), Message: sarifText{Text: plainMessage(found.Message())},
		Locations: []sarifLocation{locationOf(f, found, at)},
	}
	if i, known := rules[found.Rule.ID]; known {
		r.RuleIndex = i
	}
	sum := sha256.Sum256([]byte(found.Rule.ID + "\x00" + found.Path.String() + "\x00" + found.Message()))
	hash := fmt.Sprintf("%x", sum[:16])
	seen[hash]++
	r.PartialFingerprints = map[string]string{fingerprint: fmt.Sprintf("%s:%d", hash, seen[hash])}
	if found.Rule.Event != 0 || found.Reason != "" {
		r.Properties = &sarifResultProperties{found.Rule.Event, printable(found.Reason)}
	}
	return r
}

// locationOf says where a finding is. A file that is not the block byte by byte has
// no region for it: the offset is one of the bytes that came of it.
func locationOf(f *File, found *validate.Finding, at sarifArtifactLocation) sarifLocation {
	physical := sarifPhysicalLocation{ArtifactLocation: at}
	off, length := place(found)
	if f.Input == "" {
		physical.Region = &sarifRegion{off, length}
	} else {
		physical.Address = &sarifAddress{off, length, "data"}
	}
	location := sarifLocation{PhysicalLocation: physical}
	if path := found.Path.String(); path != "" {
		location.LogicalLocations = []sarifLogicalLocation{{path}}
	}
	return location
}
