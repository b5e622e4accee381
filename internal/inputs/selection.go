package inputs

import "strings"

// A selection has the addresses of the members to read from one archive on disk. An address is a reported path. The
// methods do not become slower with more addresses. A nil selection means all members.
type selection struct {
	paths []string         // reported paths, in the order of the list
	found []bool           // by address: whether its member, or a member inside that member, was yielded
	at    map[string]int   // by path, and by path with each "!" at its end doubled: the index of the path in paths
	in    map[string][]int // by path of an archive with "!/" after it: the indexes in paths of its members
	whole int              // the number of paths that name a file and whose file was yielded
}

func newSelection(paths []string) *selection {
	w := &selection{paths: paths, found: make([]bool, len(paths)), at: make(map[string]int, len(paths)), in: make(map[string][]int)}
	for i, path := range paths {
		w.at[path], w.at[doubled(path)] = i, i
		for end := range path {
			if strings.HasPrefix(path[end:], "!/") {
				archive := path[:end+2]
				w.in[archive] = append(w.in[archive], i)
			}
		}
	}
	return w
}

// inside returns the indexes of the addresses that begin with path and "!/": members of an archive, or parts of a file.
func (w *selection) inside(path string) []int {
	if w == nil {
		return nil
	}
	return w.in[doubled(path)+"!/"]
}

// below finds the address that is equal to the path, or else the longest address of a folder or archive that contains
// the path. index is the index of this address. For the address a.zip!/b and the path a.zip!/b/c, rest is /c.
func (w *selection) below(path string) (index int, rest string, ok bool) {
	if w == nil {
		return 0, "", false
	}
	for end := len(path); end > 0; end-- {
		rest := path[end:]
		if rest != "" && rest[0] != '/' && !strings.HasPrefix(rest, "!/") {
			continue
		}
		if i, ok := w.at[path[:end]]; ok {
			return i, rest, true
		}
	}
	return 0, "", false
}

// mark records that the member at path, or an error for this path, was yielded.
func (w *selection) mark(path string) {
	if w == nil {
		return
	}
	if i, rest, ok := w.below(path); ok {
		if rest == "" && !w.found[i] {
			w.whole++
		}
		w.found[i] = true
	}
	for _, i := range w.inside(path) {
		w.found[i] = true
	}
}

// complete reports whether every address names a file that was already yielded. If so, the rest of the archive need
// not be read.
func (w *selection) complete() bool { return w != nil && w.whole == len(w.paths) }

func (w *selection) missing(yield func(path string) bool) {
	for i, path := range w.paths {
		if !w.found[i] && !yield(path) {
			return
		}
	}
}
