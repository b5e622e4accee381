package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// A junitWriter writes a JUnit report, with a test suite for each file and a test case for each finding.
type junitWriter struct {
	w *bufio.Writer // keeps the first error
}

func newJUnit(w *bufio.Writer, _ Options) reporter {
	_, _ = w.WriteString(xml.Header + "<testsuites name=\"perfblock\">\n")
	return &junitWriter{w}
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	File     string      `xml:"file,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
	Out      string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Error   *junitFault `xml:"error"`
	Failure *junitFault `xml:"failure"`
	Out     string      `xml:"system-out,omitempty"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (j *junitWriter) file(f *File) error {
	name := terminal.Printable(f.name())
	suite := junitSuite{Name: name, File: name}
	if f.Detected {
		suite.Out = "the kind " + f.kind() + " was detected from the bytes\n"
	}
	if f.Suppressed > 0 {
		suite.Out += suppressions(f.Suppressed) + "\n"
	}
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		message := terminal.Printable(found.Message())
		text := fmt.Sprintf("%v at %s: %s\nfix: %s\n", found.Severity, f.spot(i), message, terminal.Printable(found.Rule.Fix))
		// The name has no offset, so it does not change when the block grows.
		c := junitCase{Name: strings.TrimSpace(found.Rule.ID + " " + found.Rule.Name + " " + found.Path.String()), Class: name}
		if t := f.threshold(); t != validate.Off && found.Severity >= t {
			c.Failure = &junitFault{message, found.Severity.String(), text}
			suite.Failures++
		} else {
			c.Out = text
		}
		suite.Cases = append(suite.Cases, c)
	}
	switch all := f.Result.Counts.AtLeast(validate.Info); {
	case all == 0:
		// Jenkins and GitLab ignore a test suite without a test case.
		suite.Cases = []junitCase{{Name: "no findings", Class: name}}
	case f.Result.Truncated:
		suite.Out += severityCounts(f.Result.Counts) + "; " + f.unlisted()
	}
	suite.Tests = len(suite.Cases)
	return j.suite(suite)
}

func (j *junitWriter) unchecked(u *Unchecked) error {
	name := terminal.Printable((&File{Path: u.Path}).name())
	fault := &junitFault{Message: u.message(), Type: "unchecked"}
	return j.suite(junitSuite{Name: name, File: name, Tests: 1, Errors: 1, Cases: []junitCase{{Name: "validated", Class: name, Error: fault}}})
}

func (j *junitWriter) skipped(string) error { return nil }

func (j *junitWriter) suite(s junitSuite) error {
	b, err := xml.MarshalIndent(s, " ", " ")
	if err != nil {
		return err
	}
	_, _ = j.w.Write(b)
	return j.w.WriteByte('\n')
}

func (j *junitWriter) finish(e End) error {
	if e.Interrupted {
		fault := &junitFault{Message: "interrupted: files are missing from this report", Type: "interrupted"}
		if err := j.suite(junitSuite{Name: "perfblock", Tests: 1, Errors: 1, Cases: []junitCase{{Name: "all files", Class: "perfblock", Error: fault}}}); err != nil {
			return err
		}
	}
	_, err := j.w.WriteString("</testsuites>\n")
	return err
}
