package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// manifestFile is the name of the file that lists the blocks of --break all.
const manifestFile = "manifest.json"

// A faultManifest lists blocks that break one rule each. docs/fuzzing.md describes its members.
type faultManifest struct {
	Schema  int             `json:"schema"`
	Blocks  []faultBlock    `json:"blocks"`
	Without []faultlessRule `json:"rulesWithoutBlock"`
}

// A faultBlock is a block that breaks a rule.
type faultBlock struct {
	File     string         `json:"file"`
	Kind     string         `json:"kind"`
	Rule     string         `json:"rule"` // the ID, as in the JSON of lint
	Name     string         `json:"name"`
	Also     []string       `json:"also,omitempty"`
	Flags    []string       `json:"flags,omitempty"`
	Findings []faultFinding `json:"findings"`
	Before   []string       `json:"before,omitempty"`
}

type faultFinding struct {
	Rule     string `json:"rule"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
	Offset   int64  `json:"offset"`
	Length   int    `json:"length"`
}

// A faultlessRule is a rule without a block.
type faultlessRule struct {
	Rule   string `json:"rule"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// breakAll writes a block for each rule, and a manifest. It writes all files or none.
func (c *genCommand) breakAll(args []string, kindGiven bool) error {
	from, err := c.breaker(strings.Join(args, ""), kindGiven)
	if err != nil {
		return err
	}
	if err := c.makeFolder(); err != nil {
		return err
	}
	to := filepath.Join(c.path, manifestFile)
	batch, err := outfile.Begin([]string{to})
	if err != nil {
		return writeError([]string{to}, err)
	}
	defer batch.Discard()
	m := faultManifest{Schema: 1, Blocks: []faultBlock{}, Without: []faultlessRule{}}
	for _, r := range validate.Rules() {
		b, err := from.breakRule(r)
		if err != nil {
			m.Without = append(m.Without, faultlessRule{r.ID, r.Name, err.Error()})
			continue
		}
		files, err := c.faultFiles(&b)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := checkSame([]string{f.Path}, args); err != nil {
				return err
			}
			if err := batch.Add(f); err != nil {
				return writeError([]string{f.Path}, err)
			}
		}
		m.Blocks = append(m.Blocks, c.faultOf(r, &b, files[0].Path))
	}
	if len(m.Blocks) == 0 {
		return fmt.Errorf("no rule can be broken: %s: %s", m.Without[0].Name, m.Without[0].Reason)
	}
	if err := m.write(batch.Writer(0)); err != nil {
		return writeError([]string{to}, err)
	}
	if err := batch.Commit(); err != nil {
		return writeError([]string{to}, err)
	}
	complain(fmt.Errorf("%s: %s, and %s without one", to, quote.Count(len(m.Blocks), "block"), quote.Count(len(m.Without), "rule")))
	return nil
}

// faultFiles returns the file of the block and those that lint needs beside it.
func (c *genCommand) faultFiles(b *fuzz.Broken) ([]outfile.File, error) {
	first, err := c.blockFileOf(b.Rule, b.Kind, b.Block)
	if err != nil {
		return nil, err
	}
	files := []outfile.File{first}
	for _, f := range contextFiles(*b, first.Path) {
		files = append(files, outfile.File{Path: f.path, Fill: f.write})
	}
	return files, nil
}

// faultOf returns the entry of a block at a path. The names of files are those in the folder.
func (c *genCommand) faultOf(r *validate.Rule, b *fuzz.Broken, path string) faultBlock {
	name := filepath.Base(path)
	f := faultBlock{File: name, Kind: b.Kind.String(), Rule: r.ID, Name: r.Name, Also: b.Also, Flags: lintArgs(*b, name), Findings: []faultFinding{}}
	type place struct{ rule, path string }
	before, seen := map[place]bool{}, map[string]bool{}
	v, err := validate.New(validate.Options{MaxFindings: -1})
	if err != nil {
		panic(err) // the options have no rules
	}
	for _, g := range v.Bytes(b.Kind, b.Before, b.Context).Findings {
		before[place{g.Rule.Name, g.Path.String()}] = true
	}
	for _, g := range v.Bytes(b.Kind, b.Block, b.Context).Findings {
		at := g.Path.String()
		switch {
		case !before[place{g.Rule.Name, at}]:
			f.Findings = append(f.Findings, faultFinding{g.Rule.ID, g.Rule.Name, g.Severity.String(), at, g.Off, g.Len})
		case !seen[g.Rule.Name]:
			seen[g.Rule.Name] = true
			f.Before = append(f.Before, g.Rule.Name)
		}
	}
	slices.Sort(f.Before)
	return f
}

// write writes the manifest, with each block and each rule on a line of its own.
func (m *faultManifest) write(w io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\"schema\":%d,", m.Schema)
	writeLines(&text, "blocks", m.Blocks)
	text.WriteString(",\n")
	writeLines(&text, "rulesWithoutBlock", m.Without)
	text.WriteString("}\n")
	_, err := text.WriteTo(w)
	return err
}

// writeLines writes a member of an object in JSON: an array with each element on a line of its own.
func writeLines[T any](w *bytes.Buffer, name string, list []T) {
	fmt.Fprintf(w, "%q:[", name)
	for i, element := range list {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
		w.Write(terminal.JSON(element, ""))
	}
	w.WriteString("\n]")
}
