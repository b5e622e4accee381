package report

import (
	"cmp"
	"slices"
	"strings"
)

// An entry is a file of the report. If no run validated it, it has no digest, and file is nil.
type entry struct {
	recordKey
	order    int // the number of blocks before the file in its archive
	file     *merged
	unjudged *jsonlUnjudged
}

// sorted returns the files in the order of Write.
func (r *Records) sorted() []entry {
	var list []entry
	last := make(map[string]int) // by path of a file that was validated: the largest order
	for key, m := range r.files {
		list = append(list, entry{recordKey: key, order: m.order, file: m})
		last[key.path] = max(last[key.path], m.order)
	}
	for key, u := range r.unjudged {
		// If the order is larger than that of the validated file, the record is of another member with the same path.
		// If it is smaller, another run found more blocks in the members before this one.
		if order, validated := last[key.path]; !validated || order < key.order {
			list = append(list, entry{recordKey: recordKey{path: key.path}, order: key.order, unjudged: u})
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(comparePaths(archiveOf(a.path), archiveOf(b.path)), cmp.Compare(a.order, b.order), comparePaths(a.path, b.path), cmp.Compare(a.digest, b.digest))
	})
	return list
}

// archiveOf returns the path of the file on disk: the part of the path before the first !/ with an odd number of
// exclamation marks.
func archiveOf(path string) string {
	for i := 0; i < len(path); i++ {
		if path[i] != '!' {
			continue
		}
		marks := i
		for i+1 < len(path) && path[i+1] == '!' {
			i++
		}
		if marks = i + 1 - marks; marks%2 == 1 && strings.HasPrefix(path[i+1:], "/") {
			return path[:i]
		}
	}
	return path
}

// comparePaths compares the parts of two paths one by one: a/b is before a.bin, as in a walk of their folder.
func comparePaths(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x != y {
			switch {
			case x == '/':
				return -1
			case y == '/':
				return 1
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}
