package config

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A FileKind is what a file has: the name of the kind of its blocks, or [Titles].
type FileKind string

// Titles is the kind of a file that is a title database.
const Titles FileKind = "titles"

// String returns the name of the kind.
func (k FileKind) String() string { return string(k) }

// ParseFileKind returns the kind with a name: a name that [layout.ParseKind] accepts, or titles.
func ParseFileKind(name string) (FileKind, error) {
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
