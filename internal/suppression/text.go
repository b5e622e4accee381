package suppression

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/validate"
)

// version is the version of the format. It must change when the form of structural paths changes.
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

// Read reads the list in the file at path. Read returns the error of opening or reading the file, or the
// error of [Parse].
func Read(path string) (*List, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 2*int64(reader.MaxBytes+2))) // more than MaxBytes characters, also in UTF-16
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Parse reads a list. file is the name for messages. An error has its line and column. If a merge has
// doubled an entry, Parse reads one entry with the larger count.
func Parse(file string, text []byte) (*List, error) {
	l := new(List)
	if err := l.parse(file, text); err != nil {
		return nil, yamltext.Report(err, func(f *yamltext.Fault) error {
			if f.Line == 0 {
				return fmt.Errorf("%s: %w", file, f.Err)
			}
			return fmt.Errorf("%s:%d:%d: %w", file, f.Line, f.Column, f.Err)
		})
	}
	return l, nil
}

func (l *List) parse(file string, text []byte) error {
	text, err := yamltext.Decode(text)
	if err != nil {
		return err
	}
	root, err := reader.Load(file, text)
	switch {
	case errors.Is(err, yamltext.ErrEmpty):
		return nil
	case err != nil:
		return err
	}
	var faults yamltext.Faults
	versioned := false
	each(root, "a list of suppressions", []string{"version", "files"}, &faults, func(name, value *yaml.Node) {
		switch name.Value {
		case "version":
			versioned = true
			if value.Kind != yaml.ScalarNode || value.Value != version {
				faults.Add(yamltext.On(value, "version is %s, must be %s; use the version of perfblock that wrote the file", quote.Short(value.Value), version))
			}
		case "files":
			if yamltext.IsNull(value) {
				return
			}
			each(value, "files", nil, &faults, func(name, value *yaml.Node) { faults.Add(l.readFile(name.Value, value)) })
		}
	})
	if !versioned && len(faults) == 0 {
		faults.Add(yamltext.On(root, "the key version is required, version: %s", version))
	}
	return faults.Err()
}

// each calls read for each key of the mapping n. known lists the allowed keys; nil allows any text.
func each(n *yaml.Node, what string, known []string, faults *yamltext.Faults, read func(name, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		faults.Add(yamltext.On(n, "%s must be a mapping, is %s", what, yamltext.Describe(n)))
		return
	}
	seen := make(map[string]bool)
	for i := 0; i < len(n.Content) && !faults.Full(); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		switch {
		case name.Kind != yaml.ScalarNode:
			faults.Add(yamltext.On(name, "a key must be a text, is %s", yamltext.Describe(name)))
		case known != nil && !slices.Contains(known, name.Value):
			faults.Add(yamltext.On(name, "no key %s: the keys are %s%s", quote.Short(name.Value), strings.Join(known, ", "), suggest.DidYouMean(name.Value, known)))
		case seen[name.Value] && known != nil:
			faults.Add(yamltext.On(name, "%s is repeated; remove one", name.Value))
		default:
			seen[name.Value] = true
			read(name, value)
		}
	}
}

func (l *List) readFile(file string, n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return yamltext.On(n, "the entries of a file must be a list, are %s", yamltext.Describe(n))
	}
	var faults yamltext.Faults
	for _, one := range yamltext.Items(n) {
		if faults.Full() {
			break
		}
		e, err := readEntry(one)
		if err != nil {
			faults.Add(err)
			continue
		}
		in := l.entry(fileKey(file), key{e.Rule, e.Path})
		in.count = max(in.count, e.Count)
		if in.reason == "" {
			in.reason = e.Reason
		}
	}
	return faults.Err()
}

func readEntry(n *yaml.Node) (Entry, error) {
	e := Entry{Count: 1}
	var faults yamltext.Faults
	each(n, "an entry", []string{"rule", "path", "count", "reason"}, &faults, func(name, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || yamltext.IsNull(value) {
			faults.Add(yamltext.Under(name.Value, value, yamltext.Want(value, "a text")))
			return
		}
		switch name.Value {
		case "rule":
			e.Rule = value.Value
			if r, err := validate.FindRule(e.Rule); err == nil { // a rule of another version has no findings
				e.Rule = r.Name
			}
		case "path":
			e.Path = value.Value
		case "reason":
			e.Reason = strings.Join(strings.Fields(value.Value), " ")
		case "count":
			count, err := strconv.ParseUint(value.Value, 10, 31)
			if e.Count = int(count); err != nil || count == 0 {
				faults.Add(yamltext.On(value, "count: is %s, must be a whole number, at least 1", quote.Short(value.Value)))
			}
		}
	})
	if len(faults) == 0 && e.Rule == "" {
		faults.Add(yamltext.On(n, "an entry requires the key rule"))
	}
	return e, faults.Err()
}

// Append appends the text of the list to dst. If the list is too large to be read again, Append returns dst
// unchanged and an error.
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

// plain returns a text as a scalar of YAML, with quotes only if YAML requires them.
func plain(text string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./", r))
	}
	if text == "" || strings.HasPrefix(text, "-") || strings.HasPrefix(text, ".") || strings.ContainsFunc(text, special) {
		return quoted(text)
	}
	return text
}

// quoted returns a text as a scalar of YAML in quotes.
func quoted(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text) // the escapes of Go are escapes of YAML, too
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
