package cfacts

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const constPrefix = "const "

// Format returns the text of the file with the given facts: a line "name value" for each fact, sorted by name. The
// values of constants are in hex.
func (h Header) Format(facts []Fact) ([]byte, error) {
	facts, err := sorted(facts)
	if err != nil {
		return nil, err
	}
	out := fmt.Appendf(nil, "# Facts about %s from a C compiler. Made by: go test ./internal/cfacts -update. DO NOT EDIT.\n", h)
	for _, f := range facts {
		if strings.HasPrefix(f.Name, constPrefix) {
			out = fmt.Appendf(out, "%s 0x%08x\n", f.Name, f.Value)
		} else {
			out = fmt.Appendf(out, "%s %d\n", f.Name, f.Value)
		}
	}
	return out, nil
}

// Parse returns the facts in a file, sorted by name. Lines that begin with # are comments.
func Parse(file []byte) ([]Fact, error) {
	var facts []Fact
	for i, line := range bytes.Split(file, []byte("\n")) {
		text := strings.TrimSpace(string(line))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		space := strings.LastIndexByte(text, ' ')
		if space < 0 {
			return nil, fmt.Errorf("line %d: %q must be a name and a value", i+1, text)
		}
		value, err := strconv.ParseInt(text[space+1:], 0, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		facts = append(facts, Fact{Name: text[:space], Value: value})
	}
	return sorted(facts)
}

// sorted returns a copy of facts, sorted by name. It returns an error if there are no facts, or if two facts have the
// same name.
func sorted(facts []Fact) ([]Fact, error) {
	if len(facts) == 0 {
		return nil, errors.New("no facts")
	}
	facts = slices.SortedFunc(slices.Values(facts), func(a, b Fact) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(facts); i++ {
		if facts[i].Name == facts[i-1].Name {
			return nil, fmt.Errorf("%s: duplicate fact", facts[i].Name)
		}
	}
	return facts, nil
}
