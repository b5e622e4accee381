// Package comparison defines the member "comparison" of a record in a jsonl report. The member contains a text that
// defines counters, such as an .ini file. The command perfblock merge reads the reports of several runs, and compares
// the texts in these members.
package comparison

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"

	"github.com/perfblock/perfblock/validate"
)

// A Text is a text that defines counters, and the settings of the run that validated the text.
type Text struct {
	Totals // of the findings that do not depend on other files

	Rules        []Setting     `json:"rules"`                  // the rules that compare texts
	Apart        bool          `json:"apart,omitempty"`        // the rule def-file-differs does not compare the text
	MaxFindings  int           `json:"maxFindings,omitempty"`  // as in [validate.Options]
	Suppressions []Suppression `json:"suppressions,omitempty"` // of findings of these rules
	Contents     Packed        `json:"text"`
	Header       Packed        `json:"header,omitempty"` // the header of an .ini file; nil if there is none
}

// A Setting is the severity of a rule in a run.
type Setting struct {
	Rule     string `json:"rule"` // ID
	Severity string `json:"severity"`
	Reason   string `json:"reason,omitempty"`
}

// A Suppression hides findings in the report of perfblock lint. It hides the findings of the rule Rule at the
// structural path Path, but at most Count findings.
type Suppression struct {
	Rule  string `json:"rule"` // name
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Options returns validation options with the severities in t.Rules.
func (t *Text) Options() (validate.Options, error) {
	o := validate.Options{MaxFindings: t.MaxFindings}
	for _, r := range t.Rules {
		severity, err := validate.ParseSeverity(r.Severity)
		if err != nil {
			return o, err
		}
		if _, err := validate.FindRule(r.Rule); err != nil {
			return o, fmt.Errorf("%w; another version of perfblock wrote the record", err)
		}
		o.Overrides = append(o.Overrides, validate.Override{Rule: r.Rule, Severity: severity, Reason: r.Reason})
	}
	return o, nil
}

// Has reports whether t.Rules contains a rule. A nil Text contains no rules.
func (t *Text) Has(rule string) bool {
	return t != nil && slices.ContainsFunc(t.Rules, func(r Setting) bool { return r.Rule == rule })
}

// MaxText is the largest size in bytes of the text in a record. The limit bounds the memory that a record needs.
const MaxText = 16 << 20

// Packed is a text compressed with gzip. In JSON, the compressed bytes are in base64.
type Packed []byte

// Pack compresses a text.
func Pack(text []byte) Packed {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text) // a bytes.Buffer has no errors
	_ = w.Close()
	return b.Bytes()
}

// Unpack returns the text. It returns an error for a text of more than 16 MiB.
func (p Packed) Unpack() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, MaxText+1))
	if err == nil && len(text) > MaxText {
		err = fmt.Errorf("is longer than %d bytes", MaxText)
	}
	return text, err
}

// Totals has the number of findings of a file.
type Totals struct {
	Counts     validate.Counts `json:"counts"`
	Truncated  bool            `json:"truncated"`
	Suppressed int             `json:"suppressed,omitempty"`
}
