package report

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/perfblock/perfblock/validate"
)

// A Comparison has what is needed to compare a text with the texts of other runs as one run compares them: the text,
// and the settings of its run.
type Comparison struct {
	Totals // of the findings that do not depend on other files

	Rules        []RuleSetting `json:"rules"`                  // the rules of the comparison; no other findings have them
	Apart        bool          `json:"apart,omitempty"`        // only some of the rules compare the text
	MaxFindings  int           `json:"maxFindings,omitempty"`  // as in [validate.Options]
	Suppressions []Suppression `json:"suppressions,omitempty"` // of findings of the rules
	Text         Packed        `json:"text"`
	Header       Packed        `json:"header,omitempty"` // the header of an .ini file; nil if there is none
}

// A RuleSetting is the severity of a rule for a text.
type RuleSetting struct {
	Rule     string `json:"rule"` // ID
	Severity string `json:"severity"`
	Reason   string `json:"reason,omitempty"`
}

// A Suppression suppresses Count findings of a rule at a structural path.
type Suppression struct {
	Rule  string `json:"rule"` // name
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Options returns the options of a validator with the severities of the rules.
func (c *Comparison) Options() (validate.Options, error) {
	o := validate.Options{MaxFindings: c.MaxFindings}
	for _, r := range c.Rules {
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

// has reports whether the findings of a rule come from the comparison.
func (c *Comparison) has(rule string) bool {
	return c != nil && slices.ContainsFunc(c.Rules, func(r RuleSetting) bool { return r.Rule == rule })
}

// maxText is the largest length of a text in bytes that a Comparison has. It bounds the memory for a record.
const maxText = 16 << 20

// Packed is a text in gzip, which JSON has in base64.
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
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("is longer than %d bytes", maxText)
	}
	return text, err
}

// comparison returns the Comparison of the file, or nil if the file has none or its text is too long.
func (f *File) comparison() *Comparison {
	if f.Comparison == nil || len(f.Block) > maxText {
		return nil
	}
	return f.Comparison()
}

// Compare calls compare for each text, in the order of [Records.Write]. compare gets the file with its text, and with its
// Comparison unless the record has none. It returns the findings of the rules of the Comparison: the Result, the Places and
// Suppressed of the file that it returns. They replace those of the records.
func (r *Records) Compare(compare func(File) (File, error)) error {
	for _, e := range r.sorted() {
		m := e.file
		if m == nil || m.record == nil || !m.record.Text {
			continue
		}
		f, err := m.record.file()
		if err != nil {
			return err
		}
		c := m.record.Comparison
		if c != nil {
			if f.Block, err = c.Text.Unpack(); err == nil && fmt.Sprintf("sha256:%x", sha256.Sum256(f.Block)) != e.digest {
				err = errors.New("the text does not have the digest of the record")
			}
			f.Comparison = func() *Comparison { return c }
		}
		if err == nil {
			f, err = compare(f)
		}
		if err != nil {
			return fmt.Errorf("%s: cannot be compared: %w; the record was changed, or another version of perfblock wrote it", e.path, err)
		}
		if c != nil {
			m.compared = File{Result: f.Result, Places: f.Places, Suppressed: f.Suppressed}
		}
	}
	return nil
}
