package config

import (
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
	root, err := reader.LoadOptional(file, text)
	if root != nil && err == nil {
		err = fileMapping.Read(root, &c)
	}
	if err != nil {
		return Config{}, yamltext.Report(err, func(f *yamltext.Fault) error { return &Error{file, f.Line, f.Column, f.Err} })
	}
	c.origins.place(file, 0)
	for i, o := range c.Overrides {
		o.origins.place(file, i+1)
	}
	return c, nil
}

// Read reads the file at path. It returns the error of opening or reading the file, or the error of
// [Parse].
func Read(path string) (Config, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return Config{}, folderError(path)
	}
	text, err := reader.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	return Parse(path, text)
}
