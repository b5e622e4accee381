package report

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"runtime"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// A gitlabWriter writes a report for GitLab Code Quality: one array with an issue for each finding.
type gitlabWriter struct {
	w      *bufio.Writer  // keeps the first error
	folder string         // Options.Folder
	list   int            // issues so far
	files  map[string]int // number of files with issues, by path
	noter
}

func newGitLab(w *bufio.Writer, o Options) reporter {
	return &gitlabWriter{w: w, folder: o.Folder, files: make(map[string]int)}
}

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

var gitlabSeverities = map[validate.Severity]string{validate.Error: "critical", validate.Warning: "minor", validate.Info: "info"}

func (g *gitlabWriter) file(f *File) error {
	g.add(f)
	if len(f.Result.Findings) == 0 {
		return nil
	}
	at, prints := g.next(f.Path), fingerprints(f)
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		text := f.spot(i) + f.detected() + ": " + terminal.Printable(found.Message())
		line := 1
		if f.Form != "" {
			line, _ = textPlace(found)
		}
		if err := g.issue(at, line, found.Rule.ID+" "+found.Rule.Name, gitlabSeverities[max(found.Severity, validate.Info)], text, prints[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *gitlabWriter) unchecked(u *Unchecked) error {
	return g.issue(g.next(u.Path), 1, "not-validated", "blocker", u.message(), "not-validated")
}

// A gitlabFile identifies a file in a report. Two files can have the same path: if a file changed between two runs, the
// merged report has both versions.
type gitlabFile struct {
	path   string // in the repository
	number int    // of earlier files in the report with the same path
}

// next adds the file at path to the report, and returns its gitlabFile.
func (g *gitlabWriter) next(path string) gitlabFile {
	path = inFolder(path, g.folder, runtime.GOOS == "windows")
	g.files[path]++
	return gitlabFile{path, g.files[path] - 1}
}

// issue adds an issue. GitLab ignores an issue that has the fingerprint of another issue. If several files have the same
// path, the fingerprint also depends on the number of the file.
func (g *gitlabWriter) issue(at gitlabFile, line int, rule, severity, text, print string) error {
	if at.number > 0 {
		print = fmt.Sprintf("%s\x00%d", print, at.number)
	}
	separator := ",\n"
	if g.list == 0 {
		separator = "[\n"
	}
	g.list++
	_, _ = g.w.WriteString(separator)
	sum := sha256.Sum256([]byte(at.path + "\x00" + print))
	_, err := g.w.Write(terminal.JSON(gitlabIssue{text, rule, fmt.Sprintf("%x", sum[:16]), severity, gitlabLocation{at.path, gitlabLines{line}}}, ""))
	return err
}

func (g *gitlabWriter) finish(e End) error {
	for _, n := range g.notes() {
		if err := g.issue(gitlabFile{path: "."}, 1, n.name, "info", n.text, n.name); err != nil {
			return err
		}
	}
	if e.Interrupted {
		if err := g.issue(gitlabFile{path: "."}, 1, "interrupted", "blocker", "files are missing from this report", "interrupted"); err != nil {
			return err
		}
	}
	closing := "\n]\n"
	if g.list == 0 {
		closing = "[]\n"
	}
	_, err := g.w.WriteString(closing)
	return err
}
