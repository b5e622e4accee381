package config

import (
	"errors"
	"io"
	"os"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// reader limits the size of a configuration. The limits are far above the size of a file that sets
// every rule.
var reader = yamltext.Reader{What: "a configuration", MaxBytes: 1 << 20, MaxMarks: 64 << 10, MaxDepth: 8}

// Parse reads the text of a file. file is the name for messages; Parse does not open it. A text of
// more than 1 MiB, or with more than 65,536 of the characters , : [ { ? - # & * and !, is an error.
// An empty text sets nothing. The error is an [*Error], or unwraps to several.
func Parse(file string, text []byte) (Config, error) {
	var c Config
	if err := c.parse(file, text); err != nil {
		return Config{}, yamltext.Report(err, func(f *yamltext.Fault) error { return &Error{file, f.Line, f.Column, f.Err} })
	}
	return c, nil
}

func (c *Config) parse(file string, text []byte) error {
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
	case yamltext.IsNull(root):
		return nil
	}
	if err := fileMapping.Read(root, c); err != nil {
		return err
	}
	c.origins.place(file, 0)
	for i, o := range c.Overrides {
		o.origins.place(file, i+1)
	}
	return nil
}

// Read reads the file at path. It returns the error of opening or reading the file, or the error of
// [Parse].
func Read(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return Config{}, folderError(path)
	}
	text, err := io.ReadAll(io.LimitReader(f, 2*int64(reader.MaxBytes+2))) // more than MaxBytes characters, also in UTF-16, so that Parse reports a longer text
	if err != nil {
		return Config{}, err
	}
	return Parse(path, text)
}
