package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// maxAnnotations is the number of annotations of each level that GitHub shows for a step of a job.
const maxAnnotations = 10

// A githubWriter writes workflow commands, which GitHub Actions shows as annotations.
type githubWriter struct {
	w      *bufio.Writer // keeps the first error
	levels map[string]*githubLevel
	noter
}

// A githubLevel counts the annotations of a level.
type githubLevel struct {
	all, written int
	last         string // the annotation to write last
}

func newGitHub(w *bufio.Writer, _ Options) reporter {
	return &githubWriter{w: w, levels: map[string]*githubLevel{"error": {}, "warning": {}, "notice": {}}}
}

var githubLevels = map[validate.Severity]string{validate.Error: "error", validate.Warning: "warning", validate.Info: "notice"}

func (g *githubWriter) file(f *File) error {
	g.add(f)
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		at := ""
		if f.Form != "" {
			at = githubPlace(textPlace(found))
		}
		g.annotate(githubLevels[max(found.Severity, validate.Info)], f.Path, at, found.Rule.ID+" "+found.Rule.Name, f.spot(i)+f.detected()+": "+found.Message())
	}
	for severity, level := range githubLevels {
		g.levels[level].all += f.Result.Counts.Of(severity)
	}
	_, err := g.w.Write(nil)
	return err
}

func (g *githubWriter) unchecked(u *Unchecked) error {
	for _, r := range u.reasons() {
		at, message := "", r.Message
		if r.Fault != "" && r.Line > 0 {
			at, message = githubPlace(r.Line, max(r.Column, 1)), r.Fault
		}
		g.levels["error"].all++
		g.annotate("error", u.Path, at, "not validated", message)
	}
	_, err := g.w.Write(nil)
	return err
}

// githubPlace returns the properties for a line and a column of a text.
func githubPlace(line, column int) string { return fmt.Sprintf("line=%d,col=%d,", line, column) }

// annotate writes the first maxAnnotations-1 annotations of a level. It stores the next annotation for finish, and
// drops all later ones. position is a text from githubPlace, or empty.
func (g *githubWriter) annotate(level, path, position, title, message string) {
	if path == stdin {
		path = ""
	}
	var file string
	if path != "" {
		file = "file=" + property.Replace(terminal.Printable(path)) + "," + position
	}
	text := fmt.Sprintf("::%s %stitle=%s::%s\n", level, file, property.Replace(title), data.Replace(terminal.Printable(message)))
	switch l := g.levels[level]; {
	case l.written < maxAnnotations-1:
		l.written++
		_, _ = g.w.WriteString(text)
	case l.last == "":
		l.last = text
	}
}

// finish ends each level with at most one annotation. If only the stored annotation is left, finish writes it.
// Otherwise, if annotations are left, finish writes their number. The last notice also has the notes about all files.
// If there are such notes, this notice has the number of notices left, even if only the stored notice is left.
func (g *githubWriter) finish(e End) error {
	if e.Interrupted {
		g.levels["error"].all++
		g.annotate("error", "", "", "interrupted", "files are missing from this report")
	}
	for _, level := range []string{"error", "warning", "notice"} {
		l := g.levels[level]
		var texts []string
		if level == "notice" {
			for _, n := range g.notes() {
				texts = append(texts, n.text)
			}
		}
		switch more := l.all - l.written; {
		case more == 1 && l.last != "" && len(texts) == 0:
			_, _ = g.w.WriteString(l.last)
		case more > 0:
			texts = append(texts, fmt.Sprintf("not listed: %d more of this level", more))
		}
		if len(texts) > 0 {
			_, _ = fmt.Fprintf(g.w, "::%s title=perfblock::%s\n", level, strings.Join(texts, "; "))
		}
	}
	_, err := g.w.Write(nil)
	return err
}

// Both replacers escape text in a workflow command, as the toolkit of GitHub Actions does.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
