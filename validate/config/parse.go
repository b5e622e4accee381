package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/perfblock/perfblock/internal/yamltext"
	"go.yaml.in/yaml/v4"
)

// Bounds of a text, which are far beyond one that names every rule. Marks are what
// can begin something that takes memory in the tree.
const (
	maxText  = 1 << 20 // bytes
	maxMarks = 64 << 10
	maxDepth = 8 // lists and mappings in each other; three are of use
	marks    = ",:[{?-#&*!"
)

// Parse reads a text. file is for messages; it is not opened. A text of more than 1 MiB
// is refused, and one with more than 65,536 of the characters , : [ { ? - # & * and !.
// One without a document sets nothing. The error is an [*Error].
func Parse(file string, text []byte) (Config, error) {
	var c Config
	err := c.parse(bytes.TrimPrefix(text, []byte("\uFEFF")))
	if err == nil {
		return c, nil
	}
	f, placed := errors.AsType[*yamltext.Fault](err)
	if !placed {
		f = &yamltext.Fault{Line: 1, Column: 1, Err: err}
	}
	return Config{}, &Error{file, f.Line, f.Column, f.Err}
}

func (c *Config) parse(text []byte) error {
	if len(text) > maxText {
		return &yamltext.Fault{Line: 1, Column: 1, Err: fmt.Errorf("the text has more than the %d MiB that a configuration may have", maxText>>20)}
	}
	if err := checkMarks(text); err != nil {
		return err
	}
	if err := yamltext.CheckCharacters(text); err != nil {
		return err
	}
	root, err := yamltext.Load(text)
	switch {
	case errors.Is(err, yamltext.ErrNone):
		return nil
	case err != nil:
		return err
	}
	if err := yamltext.Check(root, maxDepth); err != nil {
		return err
	}
	if isNothing(root) {
		return nil
	}
	return fileMapping.read(root, c)
}

func checkMarks(text []byte) error {
	n := 0
	for i, c := range text {
		if strings.IndexByte(marks, c) < 0 {
			continue
		}
		if n++; n > maxMarks {
			return yamltext.At(text, i, "more than %d of the characters %s, which is too much for a configuration", maxMarks, marks)
		}
	}
	return nil
}

func isNothing(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// Read reads the file at path. The error is that of opening or reading it, or an
// [*Error] about its text.
func Read(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return Config{}, folder(path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxText+1)) // no more than it takes to see that it is too long
	if err != nil {
		return Config{}, err
	}
	return Parse(path, text)
}
