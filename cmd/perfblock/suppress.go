package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suppression"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// suppressFlags are the flags of lint for lists of suppressions.
type suppressFlags struct {
	file, existing string
	prune          bool
}

func (f *suppressFlags) flags(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.file, "suppressions", "", "do not report the findings in the list `FILE`")
	set.StringVar(&f.existing, "suppress-existing", "", "add all findings to the list `FILE`")
	set.BoolVar(&f.prune, "prune-suppressions", false, "delete the suppressions that match no finding")
}

func (f *suppressFlags) suppressor(cmd *cobra.Command) (*suppressor, error) {
	given := cmd.Flags().Changed
	for _, flag := range []string{"suppressions", "suppress-existing"} {
		if path, _ := cmd.Flags().GetString(flag); given(flag) && (path == "" || path == stdinPath) {
			return nil, fmt.Errorf("--%s requires the name of a file", flag)
		}
	}
	if given("suppressions") && given("suppress-existing") {
		return nil, errors.New("--suppressions and --suppress-existing exclude each other: --suppress-existing also reads the list")
	}
	return &suppressor{file: f.file + f.existing, add: given("suppress-existing"), prune: f.prune, lists: make(map[string]*knownFindings)}, nil
}

// checkOutput returns an error if the list of --suppress-existing cannot be written. Without the list, a report must not
// count the findings as suppressed.
func (f *suppressFlags) checkOutput() error {
	if f.existing == "" {
		return nil
	}
	batch, err := outfile.Begin(nil, []string{f.existing})
	if err != nil {
		return writeError([]string{f.existing}, err)
	}
	batch.Discard()
	return nil
}

// A suppressor removes findings that are in a list of suppressions. The lock of the checker guards the suppressor.
type suppressor struct {
	file       string // the list for all blocks; "" for the lists that configurations name
	add, prune bool
	lists      map[string]*knownFindings // by path
}

// knownFindings are the contents of a list of suppressions, or the error from reading the list.
type knownFindings struct {
	path string
	list *suppression.List
	err  error
}

// mostSuppressed is the largest number of findings of each severity that can be suppressed in a block. It limits the
// memory.
const mostSuppressed = 100_000

// listFor returns the list of suppressions for blocks with the given settings. It returns nil if the settings have no
// list.
func (s *suppressor) listFor(p *policy, c config.Config) *knownFindings {
	path := s.file
	if path == "" {
		if c.Suppressions == "" {
			return nil
		}
		if path = filepath.FromSlash(c.Suppressions); !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(p.path), path)
		}
	}
	k := s.lists[path]
	if k == nil {
		k = &knownFindings{path: path}
		k.list, k.err = suppression.Read(path)
		switch {
		case s.add && errors.Is(k.err, fs.ErrNotExist):
			k.list, k.err = new(suppression.List), nil
		case errors.Is(k.err, fs.ErrNotExist):
			k.err = fmt.Errorf("%w; lint --suppress-existing %s writes the list", configError(k.err), quoted(path))
		case k.err != nil:
			k.err = configError(k.err)
		}
		s.lists[path] = k
	}
	return k
}

// suppressKnown removes from a verdict the findings that the list of suppressions has. places returns the structural paths
// of findings.
func (c *checker) suppressKnown(b block.Source, v *verdict, places func([]validate.Finding) []string) {
	known, settings := v.settings.known, v.settings.config
	if known == nil || v.Unchecked != nil {
		return
	}
	file, list := known.fileOf(b), places(v.Findings)
	if c.suppressor.add {
		known.list.Add(file, v.Findings, list)
	}
	v.suppress(known.list, file, list, settings.Options().MaxFindings, func(rule string) bool { return c.mayReport(rule, settings, v.compared) })
}

// fileOf returns the name by which the list of suppressions refers to the file of a block.
func (k *knownFindings) fileOf(b block.Source) string {
	if b.File == stdinPath {
		return b.Path
	}
	return relativeTo(k.path, b)
}

// suppress removes the findings that the list contains for a file. It then limits the number of findings of each
// severity.
func (v *verdict) suppress(list *suppression.List, file string, places []string, maximum int, checks func(rule string) bool) {
	var suppressed validate.Counts
	v.Findings, suppressed = list.Apply(file, v.Findings, places, !v.Truncated, checks)
	v.suppressed = suppressed.AtLeast(validate.Info)
	v.Counts.Error -= suppressed.Error
	v.Counts.Warning -= suppressed.Warning
	v.Counts.Info -= suppressed.Info
	v.limit(maximum)
}

// limit keeps the first findings of each severity, up to the maximum, as the validator does.
func (v *verdict) limit(maximum int) {
	maximum = cmp.Or(maximum, validate.DefaultMaxFindings)
	listed := make(map[validate.Severity]int)
	v.Findings = slices.DeleteFunc(v.Findings, func(f validate.Finding) bool {
		listed[f.Severity]++
		return maximum > 0 && listed[f.Severity] > maximum
	})
	v.Truncated = len(v.Findings) < v.Counts.AtLeast(validate.Info)
}

// mayReport reports whether a rule can have findings in blocks with the given settings. compared is true if the
// blocks were compared with older samples.
func (c *checker) mayReport(name string, settings config.Config, compared bool) bool {
	r, err := validate.FindRule(name)
	if err != nil {
		return true
	}
	switch pair := slices.Contains(samples.Rules(), r); {
	case pair && !compared, !pair && r.Needs != "" && !c.hasContext():
		return false
	}
	options := settings.Options()
	severity := r.In(options.Profile)
	for _, o := range options.Overrides {
		if list, err := validate.MatchRules(o.Rule); err == nil && slices.Contains(list, r) {
			severity = o.Severity
		}
	}
	return severity != validate.Off
}

func (c *checker) hasContext() bool {
	x := &c.context
	return c.definition != nil || x.Query != nil || x.FirstCounter != 0 || x.Identifiers != nil || x.Registrations != nil || x.Role != 0 || x.Counters != 0
}

// mostNoted limits the number of suppressions that noteGone lists.
const mostNoted = 10

// finishSuppressions writes the lists that have changed. It also prints notes about suppressions that match no finding.
func (c *checker) finishSuppressions() error {
	s := c.suppressor
	if s.prune && len(s.lists) == 0 {
		return errors.New("--prune-suppressions: no list of suppressions is in use; name one with --suppressions, or in " + config.FileName)
	}
	for _, path := range slices.Sorted(maps.Keys(s.lists)) {
		k := s.lists[path]
		if k.err != nil {
			continue // the list could not be read, so its blocks were not validated
		}
		gone := k.list.Gone()
		if s.prune && len(gone) > 0 {
			k.list.Prune()
			complain(fmt.Errorf("%s: removed %s without findings", path, suppressionCount(gone)))
		}
		if s.add || s.prune && len(gone) > 0 {
			if err := k.write(); err != nil {
				return err
			}
		}
		if s.add {
			complain(fmt.Errorf("%s: now has %s; to use this list, run lint with --suppressions, or set the key suppressions in %s", path, suppressionCount(k.list.Entries()), config.FileName))
		}
		if !s.prune {
			noteGone(path, gone)
		}
	}
	return nil
}

// markMissing marks the entries whose file does not exist. It looks only at entries whose path is in a folder of the
// inputs, or matches a glob of the inputs.
func (s *suppressor) markMissing(list inputs.List) {
	for _, k := range s.lists {
		if k.err != nil {
			continue
		}
		k.list.Missing(func(name string) bool {
			file, _, _ := strings.Cut(filepath.FromSlash(name), filepath.FromSlash(block.InFile))
			if name == stdinPath {
				return false
			}
			if !filepath.IsAbs(file) {
				file = filepath.Join(filepath.Dir(k.path), file)
			}
			_, err := os.Lstat(file)
			return errors.Is(err, fs.ErrNotExist) && list.Walks(file)
		})
	}
}

func (k *knownFindings) write() error {
	text, err := k.list.Append(nil)
	if err != nil {
		return fmt.Errorf("%s: %w", k.path, err)
	}
	return writeError([]string{k.path}, outfile.WriteAll(outfile.Bytes(k.path, text)))
}

// noteGone lists suppressions that match no finding.
func noteGone(path string, gone []suppression.Entry) {
	for i, e := range gone {
		if i == mostNoted {
			complain(fmt.Errorf("%s: %d more suppressions without findings", path, len(gone)-i))
			break
		}
		complain(fmt.Errorf("%s: %s: %s does not occur any more%s", path, e.File, strings.TrimSpace(e.Rule+" "+e.Path), times(e.Count)))
	}
	if len(gone) > 0 {
		complain(fmt.Errorf("%s: --prune-suppressions removes %s without findings", path, suppressionCount(gone)))
	}
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(", %d times", n)
}

// suppressionCount returns the number of findings that the entries suppress, as text.
func suppressionCount(entries []suppression.Entry) string {
	n := 0
	for _, e := range entries {
		n += e.Count
	}
	return quote.Count(n, "suppression")
}

// relativeTo returns the path of a block relative to the folder of a file, with slashes.
func relativeTo(file string, b block.Source) string {
	inside := b.File
	folder, err := filepath.Abs(filepath.Dir(file))
	whole, err2 := filepath.Abs(b.File)
	if err == nil && err2 == nil {
		if inside, err = filepath.Rel(folder, whole); err != nil { // on another drive
			inside = whole
		}
	}
	return filepath.ToSlash(inside) + strings.TrimPrefix(b.Path, b.File) // the end names a block in the file
}
