package cc

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Unpack writes the files of sources that match a pattern into dir, without their folders.
func Unpack(dir string, sources fs.FS, patterns ...string) error {
	for _, pattern := range patterns {
		names, err := fs.Glob(sources, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := fs.ReadFile(sources, name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, path.Base(name)), text, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
