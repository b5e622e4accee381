package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A ruleBreaker makes blocks that break rules: generated blocks, or a given block with a fault.
type ruleBreaker struct {
	seed uint64
	kind string     // of --kind, "" if it is not given
	name string     // of the given block
	base *fuzz.Base // nil for generated blocks
}

// breaker returns the ruleBreaker for the flags and the FILE at path.
func (c *genCommand) breaker(path string) (*ruleBreaker, error) {
	b := &ruleBreaker{seed: c.seed}
	if c.kindGiven {
		b.kind = c.kind.value
	}
	if c.workload.value == "" && path == "" {
		return b, nil
	}
	base, err := c.base(path)
	if err != nil {
		return nil, err
	}
	b.name, b.kind, c.names = base.name, base.model.Kind().String(), base.names
	if b.base, err = fuzz.NewBase(base.model); err != nil {
		return nil, fmt.Errorf("%s: %w", base.name, err)
	}
	return b, nil
}

// breakRule returns a block that breaks the rule. If b.base is nil, it tries several seeds until the block has the kind
// of --kind.
func (b *ruleBreaker) breakRule(r *validate.Rule) (fuzz.Broken, error) {
	about := r.Kinds()
	if b.kind != "" && len(about) > 0 && !slices.ContainsFunc(about, func(k layout.Kind) bool { return k.String() == b.kind }) {
		return fuzz.Broken{}, fmt.Errorf("the rule %s does not check blocks of kind %s, only %s", r.Name, b.kind, kindList(about, "and"))
	}
	if b.base != nil {
		broken, err := b.base.Break(r.Name, fuzz.Seed(b.seed), fuzz.Config{})
		if errors.Is(err, fuzz.ErrNoPlace) {
			err = fmt.Errorf("%s: %w", b.name, err)
		}
		return broken, err
	}
	for i := range uint64(64) {
		broken, err := fuzz.Break(r.Name, fuzz.Seed(b.seed+i<<32), fuzz.Config{})
		if err != nil || b.kind == "" || broken.Kind.String() == b.kind {
			return broken, err
		}
	}
	return fuzz.Broken{}, fmt.Errorf("--seed %d makes no block of kind %s that breaks %s; try another seed", b.seed, b.kind, r.Name)
}

// breakRule writes a block that breaks the rule, and the files that lint needs to find the fault.
func (c *genCommand) breakRule(path string) error {
	from, err := c.breaker(path)
	if err != nil {
		return err
	}
	b, err := from.breakRule(c.broken.rule)
	if err != nil {
		return err
	}
	return c.writeBroken(b, path)
}

// writeBroken writes the block and its context files, and prints the flags that lint needs to find the fault. It does not
// overwrite the FILE.
func (c *genCommand) writeBroken(b fuzz.Broken, file string) error {
	files := c.brokenFiles(b.Rule+"-"+strconv.FormatUint(c.seed, 10), b)
	to := files[0].Path
	flags, missing := lintFlags(b, to), to == outfile.Stdout && len(files) > 1
	if missing {
		files = files[:1]
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	replaced := existing(paths[1:])
	if err := checkSame(paths, []string{file}); err != nil {
		return err
	}
	if err := c.writeAll(files...); err != nil {
		return err
	}
	if len(b.Also) > 0 {
		complain(fmt.Errorf("the fault breaks %s and also %s", b.Rule, strings.Join(b.Also, ", ")))
	}
	for _, path := range replaced {
		complain(fmt.Errorf("the existing file %s is replaced", path))
	}
	switch {
	case missing:
		complain(fmt.Errorf("to find the fault that breaks the rule %s, lint needs more blocks; with -o FILE, gen writes these blocks too", b.Rule))
	case len(flags) > 0:
		complain(fmt.Errorf("to find the fault that breaks the rule %s, run lint with %s", b.Rule, strings.Join(flags, " ")))
	}
	return nil
}

// brokenFiles returns the file of the block, and then its context files.
func (c *genCommand) brokenFiles(base string, b fuzz.Broken) []outfile.File {
	files := []outfile.File{c.blockFileOf(base, b.Kind, b.Block)}
	for _, f := range contextFiles(b, files[0].Path) {
		files = append(files, outfile.Bytes(f.path, f.b))
	}
	return files
}

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

// A faultlessRule is a rule for which no block was made.
type faultlessRule struct {
	Rule   string `json:"rule"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// breakAll writes a block for each rule, and a manifest. It writes all files or none.
func (c *genCommand) breakAll(path string) error {
	from, err := c.breaker(path)
	if err != nil {
		return err
	}
	to := filepath.Join(c.path, manifestFile)
	batch, err := outfile.Begin(c.folders(), []string{to})
	if err != nil {
		return writeError([]string{c.path, to}, err)
	}
	defer batch.Discard()
	m := faultManifest{Schema: 1, Blocks: []faultBlock{}, Without: []faultlessRule{}}
	for _, r := range validate.Rules() {
		b, err := from.breakRule(r)
		if err != nil {
			m.Without = append(m.Without, faultlessRule{r.ID, r.Name, err.Error()})
			continue
		}
		files := c.brokenFiles(b.Rule, b)
		for _, f := range files {
			if err := checkSame([]string{f.Path}, []string{path}); err != nil {
				return err
			}
			if err := batch.Add(f); err != nil {
				return writeError([]string{f.Path}, err)
			}
		}
		m.Blocks = append(m.Blocks, c.faultOf(r, &b, files[0].Path))
	}
	if len(m.Blocks) == 0 {
		return fmt.Errorf("gen could not make a block for any rule; the reason for the rule %s is: %s", m.Without[0].Name, m.Without[0].Reason)
	}
	if err := m.write(batch.Writer(0)); err != nil {
		return writeError([]string{to}, err)
	}
	if err := batch.Commit(); err != nil {
		return writeError([]string{to}, err)
	}
	complain(fmt.Errorf("%s: the manifest lists %s; gen made no block for %s", to, quote.Count(len(m.Blocks), "block"), quote.Count(len(m.Without), "rule")))
	return nil
}

// faultOf returns the entry of the manifest for the block at path. File names in the entry do not include the folder.
func (c *genCommand) faultOf(r *validate.Rule, b *fuzz.Broken, path string) faultBlock {
	name := filepath.Base(path)
	f := faultBlock{File: name, Kind: b.Kind.String(), Rule: r.ID, Name: r.Name, Also: b.Also, Flags: lintArgs(*b, name), Findings: []faultFinding{}}
	type place struct{ rule, path string }
	before, seen := map[place]bool{}, map[string]bool{}
	v, err := validate.New(validate.Options{MaxFindings: -1})
	if err != nil {
		panic(err) // impossible, because these options are valid
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
