package config

import (
	"errors"
	"io"
	"os"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// reader has the bounds of a text, which are far above those of a file with every rule.
var reader = yamltext.Reader{What: "a configuration", MaxBytes: 1 << 20, MaxMarks: 64 << 10, MaxDepth: 8}

// Parse reads a text. file is for messages and is not opened. A text of more than 1 MiB, or
// with more than 65,536 of the characters , : [ { ? - # & * and !, is an error. An empty text
// sets nothing. The error is an [*Error], or unwraps to several.
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
	return fileMapping.read(root, c)
}

// Read reads the file at path. The error is that of opening or reading the file, or that of
// [Parse].
func Read(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return Config{}, folder(path)
	}
	text, err := io.ReadAll(io.LimitReader(f, 2*int64(reader.MaxBytes+2))) // more than the bound, also in UTF-16
	if err != nil {
		return Config{}, err
	}
	return Parse(path, text)
}
