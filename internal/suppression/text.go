package suppression

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/validate"
)

// version is the version of the format. It must change when the syntax of structural paths changes.
const version = "1"

// reader limits the size of a list, to about 40,000 entries.
var reader = yamltext.Reader{What: "a list of suppressions", MaxBytes: 16 << 20, MaxMarks: 512 << 10, MaxDepth: 8}

// maxFile is the largest length of a path in bytes. The path is a YAML key, which has at most 1,024
// characters including quotes and escapes.
const maxFile = 900

// head is the comment at the start of a list.
const head = `# Findings that perfblock lint does not report. lint --suppress-existing adds entries, and
# --prune-suppressions removes entries without findings. Write a reason beside an entry to keep it:
# {rule: ..., path: ..., reason: "why"}. Other comments are lost.
`

// listMapping describes a list.
var listMapping = form.Mapping[List]{What: "a list of suppressions",
	Keys: []form.Key[List]{
		{Name: "version", Form: versionForm, Required: true, Field: func(*List) any { return nil }},
		{Name: "files", Form: filesForm, Field: func(l *List) any { return l }},
	},
}

// entryMapping describes an entry. An entry for an unknown rule is kept, because another version of perfblock can
// have the rule.
var entryMapping = form.Mapping[Entry]{What: "an entry",
	Keys: []form.Key[Entry]{
		{Name: "rule", Form: form.Text, Required: true, Field: func(e *Entry) any { return &e.Rule }},
		{Name: "path", Form: form.Text, Field: func(e *Entry) any { return &e.Path }},
		{Name: "count", Form: countForm, Field: func(e *Entry) any { return &e.Count }},
		{Name: "reason", Form: form.Text, Field: func(e *Entry) any { return &e.Reason }},
	},
}

var versionForm = &form.Form{Read: func(n *yaml.Node, _ any) error {
	if n.Kind != yaml.ScalarNode || n.Value != version {
		return fmt.Errorf("is %s, must be %s; use the version of perfblock that wrote the file", yamltext.Describe(n), version)
	}
	return nil
}}

var countForm = &form.Form{Read: func(n *yaml.Node, to any) error {
	count, err := strconv.ParseUint(n.Value, 10, 31)
	if err != nil || count == 0 {
		return fmt.Errorf("is %s, must be a whole number, at least 1", yamltext.Describe(n))
	}
	*to.(*int) = int(count)
	return nil
}}

// filesForm describes the entries of all files. It accepts a file or an entry that occurs twice, because a merge of two
// versions of a list can produce duplicates.
var filesForm = &form.Form{Read: func(n *yaml.Node, to any) error {
	if yamltext.IsNull(n) {
		return nil
	}
	return form.ReadKeys(n, "files", func(name, value *yaml.Node) error {
		return form.ReadEach(value, func(_ int, n *yaml.Node) error {
			e := Entry{Count: 1}
			if err := entryMapping.Read(n, &e); err != nil {
				return err
			}
			if r, err := validate.FindRule(e.Rule); err == nil {
				e.Rule = r.Name // the text may have the ID
			}
			in := to.(*List).entry(fileKey(name.Value), key{e.Rule, e.Path})
			in.count = max(in.count, e.Count)
			in.reason = cmp.Or(in.reason, strings.Join(strings.Fields(e.Reason), " "))
			return nil
		})
	})
}}

// Read reads the list in the file at path. Read returns the error of opening or reading the file, or the
// error of [Parse].
func Read(path string) (*List, error) {
	text, err := reader.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Parse reads a list. Errors begin with the file name, and with the line and the column if the fault has a place. If
// several entries have the same file, rule and path, the largest count applies.
func Parse(file string, text []byte) (*List, error) {
	l := new(List)
	root, err := reader.LoadOptional(file, text)
	if root != nil && err == nil {
		err = listMapping.Read(root, l)
	}
	if err != nil {
		return nil, yamltext.Report(err, func(f *yamltext.Fault) error {
			if f.Line == 0 {
				return fmt.Errorf("%s: %w", file, f.Err)
			}
			return fmt.Errorf("%s:%d:%d: %w", file, f.Line, f.Column, f.Err)
		})
	}
	return l, nil
}

// Append appends the text of the list to dst. If the text could not be read again, because the list is too large or the
// path of a file is too long, Append returns dst unchanged and an error.
func (l *List) Append(dst []byte) ([]byte, error) {
	entries := l.Entries()
	text := fmt.Appendf(nil, "%sversion: %s\nfiles:\n", head, version)
	for i, e := range entries {
		if i == 0 || entries[i-1].File != e.File {
			if len(e.File) > maxFile {
				return dst, fmt.Errorf("%s: the path is longer than %d bytes, so the findings of this file cannot be suppressed", e.File, maxFile)
			}
			text = fmt.Appendf(text, "  %s:\n", plain(e.File))
		}
		text = fmt.Appendf(text, "    - {rule: %s", plain(e.Rule))
		if e.Path != "" {
			text = fmt.Appendf(text, ", path: %s", quoted(e.Path))
		}
		if e.Count > 1 {
			text = fmt.Appendf(text, ", count: %d", e.Count)
		}
		if e.Reason != "" {
			text = fmt.Appendf(text, ", reason: %s", quoted(e.Reason))
		}
		text = append(text, "}\n"...)
	}
	if err := reader.CheckSize(text, false); err != nil {
		return dst, fmt.Errorf("%s are too many for one list: set the rules with the most findings to off; %w", quote.Count(len(entries), "suppression"), err)
	}
	return append(dst, text...), nil
}

// plain returns a text as a YAML scalar. The scalar has quotes only if YAML requires quotes.
func plain(text string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./", r))
	}
	if text == "" || strings.HasPrefix(text, "-") || strings.HasPrefix(text, ".") || strings.ContainsFunc(text, special) {
		return quoted(text)
	}
	return text
}

// quoted returns a text as a YAML scalar in quotes.
func quoted(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text) // the escapes of Go are escapes of YAML, too
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
