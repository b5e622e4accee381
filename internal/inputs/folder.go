package inputs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/perfblock/perfblock/internal/quote"
)

// A walk finds all files in a folder, or the files that match a glob.
type walk struct {
	*finder
	dir, realDir string // the folder as the user wrote it, and its real path
	matches      int    // number of matches of the glob; an excluded folder counts too, because it can contain matches
}

// folder adds the files below dir that match the glob, and all files in matching folders.
func (f *finder) folder(dir string, g *glob) bool {
	dir = direct(dir)
	w := walk{finder: f, dir: dir, realDir: f.real(dir)}
	path := reported(dir)
	if path != "." && f.list.excludes(path, true) {
		return f.skip(path, Excluded)
	}
	more := w.enter("", g)
	if more && g != nil && w.matches == 0 {
		return f.fail(g.argument, errors.New("no file or folder matches this glob"))
	}
	return more
}

// direct returns the path of a folder without links if filepath.Clean would make it the path of another folder: in
// link/.., the system follows the link first, but Clean removes the link. Otherwise direct returns the path unchanged.
func direct(dir string) string {
	info, err := os.Stat(dir)
	cleaned, cleanErr := os.Stat(filepath.Clean(dir))
	if err != nil || cleanErr == nil && os.SameFile(info, cleaned) {
		return dir
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// enter adds the files in a folder. rel is the path of the folder relative to w.dir, with slashes, or "" for w.dir.
func (w *walk) enter(rel string, g *glob) bool {
	folder := filepath.Join(w.dir, rel)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) && g != nil && rel == "" {
		return true // nothing matches the glob
	}
	if err != nil && !w.fail(reported(folder), err) {
		return false
	}
	// Sort the names as reports show them, because perfblock merge sorts the paths of reports.
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
		return strings.Compare(quote.Unicode(a.Name()), quote.Unicode(b.Name()))
	})
	for _, e := range entries {
		if w.ctx.Err() != nil || !w.entry(e, path.Join(rel, e.Name()), g) {
			return false
		}
	}
	return true
}

// entry adds the file or folder with the relative path rel. The glob matches relative paths.
func (w *walk) entry(e fs.DirEntry, rel string, g *glob) bool {
	matches := g.match(rel)
	if !matches && !(e.IsDir() && g.canMatchIn(rel)) {
		return true
	}
	file := filepath.Join(w.dir, rel)
	shown := reported(file)
	if isHidden(e.Name()) && !g.matchesHidden(e.Name()) {
		return w.skip(shown, Hidden)
	}
	if matches {
		w.matches++
	}
	switch e.Type() {
	case 0:
		return w.file(stored{Member: Member{Path: shown}, source: diskFile(file)}, filepath.Join(w.realDir, rel))
	case fs.ModeSymlink:
		return w.link(file, shown)
	case fs.ModeDir:
		if w.list.excludes(shown, true) {
			w.matches++
			return w.skip(shown, Excluded)
		}
		if matches {
			g = nil // add the whole folder, as if a shell had expanded the glob
		}
		return w.enter(rel, g)
	}
	return w.skip(shown, Special)
}

// link adds the file to which a symbolic link points.
func (w *walk) link(file, shown string) bool {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return w.skip(shown, BrokenLink)
	case info.IsDir():
		return w.skip(shown, FolderLink)
	case !info.Mode().IsRegular():
		return w.skip(shown, Special)
	}
	return w.file(stored{Member: Member{Path: shown}, source: diskFile(file)}, w.real(file))
}

func isGlob(argument string) bool { return strings.ContainsAny(argument, "*?[{") }

// splitGlob splits a glob into a folder, and a glob for paths below this folder.
func splitGlob(argument string) (base string, g *glob, err error) {
	base, pattern := doublestar.SplitPattern(filepath.ToSlash(argument))
	if filepath.VolumeName(base) == base {
		base += "/" // C: is the working folder of the drive, and C:/ its root
	}
	g, err = newGlob(argument, pattern)
	return filepath.FromSlash(base), g, err
}

// Walks reports whether path is in a folder in Args, or whether a glob in Args matches path or a folder that contains
// path. The file at path need not exist. The folder in Args, or the folder in which the glob starts, must exist.
func (l List) Walks(path string) bool {
	for _, arg := range l.Args {
		base, g := arg, (*glob)(nil)
		if _, err := os.Stat(arg); err != nil {
			if base, g, err = splitGlob(arg); err != nil || !isGlob(arg) {
				continue
			}
		}
		if info, err := os.Stat(base); err != nil || !info.IsDir() {
			continue
		}
		if rel, ok := below(base, path); ok && g.reaches(rel) {
			return true
		}
	}
	return false
}

// below returns the path of a file relative to a folder, with slashes. ok is false if the file is not below the folder.
func below(folder, file string) (rel string, ok bool) {
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	rel, err = filepath.Rel(from, to)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// A glob matches paths below a folder. The nil glob matches all paths.
type glob struct {
	argument string // as the user wrote it
	pattern  string
	segments []string // the parts of pattern between slashes, up to the first that can span folders; it becomes "**"
}

func newGlob(argument, pattern string) (*glob, error) {
	pattern = foldCase(strings.TrimRight(pattern, "/"))
	if !doublestar.ValidatePattern(pattern) {
		return nil, errors.New("is not a file, and not a glob: a bracket is not closed; * ? ** [a-z] {a,b} are special")
	}
	g := &glob{argument: argument, pattern: pattern}
	for segment := range strings.SplitSeq(pattern, "/") {
		if strings.Contains(segment, "**") || !doublestar.ValidatePattern(segment) {
			g.segments = append(g.segments, "**")
			break
		}
		g.segments = append(g.segments, segment)
	}
	return g, nil
}

func (g *glob) match(path string) bool {
	return g == nil || doublestar.MatchUnvalidated(g.pattern, foldCase(path))
}

// reaches reports whether the glob matches the path or a folder that contains it.
func (g *glob) reaches(path string) bool {
	for end := range path {
		if path[end] == '/' && g.match(path[:end]) {
			return true
		}
	}
	return g.match(path)
}

// canMatchIn reports whether the glob can match paths in the folder. It may return true for a folder without
// matches.
func (g *glob) canMatchIn(folder string) bool {
	if g == nil {
		return true
	}
	for i, name := range strings.Split(foldCase(folder), "/") {
		switch {
		case i == len(g.segments):
			return false
		case g.segments[i] == "**":
			return true
		case !doublestar.MatchUnvalidated(g.segments[i], name):
			return false
		}
	}
	return true
}

// matchesHidden reports whether a part of the glob begins with a dot and matches the name.
func (g *glob) matchesHidden(name string) bool {
	return g != nil && slices.ContainsFunc(strings.Split(g.pattern, "/"), func(segment string) bool {
		return strings.HasPrefix(segment, ".") && doublestar.MatchUnvalidated(segment, foldCase(name))
	})
}

// foldCase returns the path in lower case on Windows, where names that differ only in case are one name.
func foldCase(path string) string {
	if runtime.GOOS == "windows" {
		return strings.ToLower(path)
	}
	return path
}
