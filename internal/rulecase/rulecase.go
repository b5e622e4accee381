// Package rulecase loads the fixtures of rules: for each a block that breaks it, and
// a near miss that differs from it by the smallest legal step.
//
// They are two specs in a folder called as the rule is. The comment at the head of
// broken.yaml says what is wrong, and then, a line each:
//
//	# want: RULE PATH       a finding that it must give; there may be no others
//	# differs: PATH ...     the places in which the near miss differs
//	# longer: REASON        instead, where the two cannot be of one length
//	# query: TEXT           the query that was asked, which may be empty
//	# range: FIRST LAST     First Counter and Last Counter of the provider
//	# role: given | told    what identifiers are for
//	# identifiers: FILE     a spec beside it, of what PerfQueryCounterInfo returned
//	# registration: FILE    a spec beside it, of what is registered of a counter set; may be said again
//	# counters: N           how many counters the set of an instance block has
package rulecase

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// A Case is the fixtures of a rule.
type Case struct {
	Rule    string // its name
	Note    string // what is wrong in the broken block
	Kind    layout.Kind
	Broken  []byte
	Near    []byte
	Wants   []Want
	Differs []string
	Longer  string
	Context validate.Context
}

// A Want is a finding that a broken block must give.
type Want struct{ Rule, Path string }

// Load reads the cases in a folder, in order of their names.
func Load(dir string) ([]Case, error) {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, f := range folders {
		c, err := load(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func load(dir string) (Case, error) {
	c := Case{Rule: filepath.Base(dir)}
	text, err := os.ReadFile(filepath.Join(dir, "broken.yaml"))
	if err != nil {
		return c, err
	}
	if err := c.directives(dir, text); err != nil {
		return c, fmt.Errorf("%s: %w", dir, err)
	}
	if c.Kind, c.Broken, err = build(filepath.Join(dir, "broken.yaml")); err != nil {
		return c, err
	}
	kind, near, err := build(filepath.Join(dir, "near.yaml"))
	if err != nil {
		return c, err
	}
	if kind != c.Kind {
		return c, fmt.Errorf("%s: the two blocks are not of one kind", dir)
	}
	c.Near = near
	return c, nil
}

func build(path string) (layout.Kind, []byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, nil, err
	}
	s, err := spec.Parse(path, text)
	if err != nil {
		return 0, nil, err
	}
	b, err := s.Build()
	return s.Kind(), b, err
}

// buildOf builds a spec that is to be of that kind.
func buildOf(kind layout.Kind, path string) ([]byte, error) {
	is, b, err := build(path)
	if err == nil && is != kind {
		err = fmt.Errorf("%s is of kind %v, not %v", path, is, kind)
	}
	return b, err
}

// directives reads the comment at the head of a spec in the folder.
func (c *Case) directives(dir string, text []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line, comment := strings.CutPrefix(lines.Text(), "# ")
		if !comment {
			break
		}
		word, rest, directive := strings.Cut(line, ":")
		rest = strings.TrimSpace(rest)
		fields := strings.Fields(rest)
		switch {
		case directive && word == "want":
			if len(fields) == 1 {
				fields = append(fields, "") // the whole input
			}
			if len(fields) != 2 {
				return fmt.Errorf("%q is no rule and path", rest)
			}
			c.Wants = append(c.Wants, Want{fields[0], fields[1]})
		case directive && word == "differs":
			c.Differs = append(c.Differs, fields...)
		case directive && word == "longer":
			c.Longer = rest
		case directive && word == "query":
			c.Context.Query = &rest
		case directive && word == "range":
			if len(fields) != 2 {
				return fmt.Errorf("%q is no first and last index", rest)
			}
			for i, to := range []*uint32{&c.Context.FirstCounter, &c.Context.LastCounter} {
				n, err := strconv.ParseUint(fields[i], 10, 32)
				if err != nil {
					return err
				}
				*to = uint32(n)
			}
		case directive && word == "role":
			role, ok := map[string]validate.Role{"given": validate.GivenRole, "told": validate.ToldRole}[rest]
			if !ok {
				return fmt.Errorf("%q is no role", rest)
			}
			c.Context.Role = role
		case directive && word == "identifiers":
			b, err := buildOf(layout.IdentifiersKind, filepath.Join(dir, rest))
			if err != nil {
				return err
			}
			c.Context.Identifiers = b
		case directive && word == "registration":
			b, err := buildOf(layout.RegSetKind, filepath.Join(dir, rest))
			if err != nil {
				return err
			}
			c.Context.Registrations = append(c.Context.Registrations, b)
		case directive && word == "counters":
			n, err := strconv.ParseUint(rest, 10, 32)
			if err != nil {
				return err
			}
			c.Context.Counters = uint32(n)
		default:
			c.Note = strings.TrimSpace(c.Note + " " + line)
		}
	}
	return lines.Err()
}
