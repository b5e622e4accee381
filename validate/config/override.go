package config

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// An Override has settings for some files. A field that is nil is not set.
type Override struct {
	Paths   []string // globs; at least one must match the file
	Kind    *FileKind
	Profile *validate.Profile
	Rules   []validate.Override // as in [Config]

	origins origins
}

// Overriding returns the indexes of the overrides that apply to the file at path. Files with the same indexes have
// the same settings. path is relative to the folder of the configuration, with / between folders. For a block
// without a file, path is "" and the result is nil.
func (c Config) Overriding(path string) []int {
	var list []int
	for i, o := range c.Overrides {
		if matchAny(o.Paths, path) {
			list = append(list, i)
		}
	}
	return list
}

// For applies the overrides of one file to c, and returns the result without overrides. The path of the file must
// have the form that [Config.Overriding] requires.
func (c Config) For(path string) Config {
	applying, overrides := c.Overriding(path), c.Overrides
	c.Overrides = nil
	for _, i := range applying {
		o := &overrides[i]
		c = c.With(Config{Kind: o.Kind, Profile: o.Profile, Rules: o.Rules, origins: o.origins})
	}
	return c
}

// Excluded reports whether the globs in Exclude match a file or a folder. path has the form that
// [Config.Overriding] requires. perfblock lint does not call Excluded for a file that the command line names.
func (c Config) Excluded(path string) bool { return matchAny(c.Exclude, path) }

func matchAny(globs []string, path string) bool {
	return path != "" && slices.ContainsFunc(globs, func(glob string) bool { return match(glob, path) })
}

// match reports whether a glob matches a path, or a folder or an archive that contains the path.
func match(glob, path string) bool {
	glob = strings.TrimSuffix(glob, "/")
	if rooted, ok := strings.CutPrefix(glob, "/"); ok {
		glob = rooted
	} else if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	glob += "/**" // matches the file or folder itself, and all paths in it
	if doublestar.MatchUnvalidated(glob, path) {
		return true
	}
	// The path of a file in an archive is archive.zip!/file.
	return strings.Contains(path, "!/") && doublestar.MatchUnvalidated(glob, strings.ReplaceAll(path, "!/", "/"))
}

// A FileKind is the kind of the contents of a file. It is the name of a [layout.Kind], or [Titles].
type FileKind string

// Titles is the kind of a file that is a title database.
const Titles FileKind = "titles"

// String returns the name of the kind.
func (k FileKind) String() string { return string(k) }

// parseFileKind accepts "titles" and each name that [layout.ParseKind] accepts.
func parseFileKind(name string) (FileKind, error) {
	if name == Titles.String() {
		return Titles, nil
	}
	k, err := layout.ParseKind(name)
	if err != nil {
		return "", layout.Faultf(layout.ErrRange, "%s is not a kind: it must be one of %s", quote.Short(name), strings.Join(fileKinds(), ", "))
	}
	return FileKind(k.String()), nil
}

func fileKinds() []string { return slices.Concat(words(layout.Kinds()), []string{Titles.String()}) }
