// Package suppression keeps a list of findings that a team knows, so that only new findings are reported.
//
//	list, err := suppression.Read("suppressions.yaml")
//	paths := identity.Of(kind, block, findings)
//	left, suppressed := list.Apply("fixtures/cpu.bin", findings, paths, complete, wasChecked)
//
// The list is a YAML file that people read, review and merge. Each entry is a line:
//
//	version: 1
//	files:
//	  fixtures/cpu.bin:
//	    - {rule: inst-name-duplicate, path: 'object[238].instance["a"#1].Name', reason: "bug 7"}
//	    - {rule: ctr-default-scale, path: 'object[238].counter[6].DefaultScale', count: 2}
//
// An entry is identified by its file, its rule and its structural path: see package identity. Its count is
// the number of findings that it suppresses, 1 by default. When the list is written again, reasons are kept
// and comments are lost.
package suppression

import (
	"cmp"
	"slices"
	"sync"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
)

// An Entry suppresses Count findings of a rule at a structural path in a file.
type Entry struct {
	File   string // relative to the folder of the list, with / between folders
	Rule   string // the name of the rule
	Path   string // structural path, "" for the whole block
	Count  int
	Reason string // one line, "" for none
}

// A List has the findings that a team knows. The zero value is empty. The methods of a List are safe for
// concurrent use.
type List struct {
	mu    sync.Mutex
	files map[string]map[key]*entry
}

type key struct{ rule, path string }

type entry struct {
	count   int
	reason  string
	found   int  // largest number of findings in a call of Apply
	checked bool // a call of Apply looked for findings, or the file does not exist
}

// fileKey returns the name of a file in a list.
func fileKey(file string) string { return quote.Unicode(file) }

// Apply removes the suppressed findings of a file. It returns the other findings in a slice that reuses the memory of
// findings, and the number of removed findings of each severity. paths[i] is the structural path of findings[i].
//
// Apply also marks an entry of the file as checked if wasChecked returns true for the rule of the entry. [List.Gone]
// ignores entries without this mark. If findings does not have all findings of the file, complete must be false, and
// Apply then marks no entry.
func (l *List) Apply(file string, findings []validate.Finding, paths []string, complete bool, wasChecked func(rule string) bool) (left []validate.Finding, suppressed validate.Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.files[fileKey(file)]
	if len(entries) == 0 {
		return findings, suppressed
	}
	found := make(map[key]int)
	left = findings[:0]
	for i, f := range findings {
		k := key{f.Rule.Name, paths[i]}
		e := entries[k]
		if e == nil || found[k] >= e.count {
			left = append(left, f)
			continue
		}
		found[k]++
		switch f.Severity {
		case validate.Error:
			suppressed.Error++
		case validate.Warning:
			suppressed.Warning++
		default:
			suppressed.Info++
		}
	}
	clear(findings[len(left):])
	for k, e := range entries {
		e.found = max(e.found, found[k])
		e.checked = e.checked || complete && wasChecked(k.rule)
	}
	return left, suppressed
}

// Missing calls isMissing for each file of the list. If a file is missing, [List.Gone] returns the entries of the file.
func (l *List) Missing(isMissing func(file string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for file, entries := range l.files {
		if isMissing(file) {
			for _, e := range entries {
				e.checked = true
			}
		}
	}
}

// Add adds entries, or increases the counts of entries, until the list suppresses all findings of a file. The
// reasons of entries do not change.
func (l *List) Add(file string, findings []validate.Finding, paths []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := make(map[key]int)
	for i := range findings {
		found[key{findings[i].Rule.Name, paths[i]}]++
	}
	for k, n := range found {
		e := l.entry(fileKey(file), k)
		e.count = max(e.count, n)
	}
}

// Put adds an entry. If the list has an entry with the same file, rule and path, Put replaces that entry.
func (l *List) Put(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	to := l.entry(fileKey(e.File), key{e.Rule, e.Path})
	to.count, to.reason = e.Count, e.Reason
}

// EntriesOf returns the entries of a file, sorted by rule and path.
func (l *List) EntriesOf(file string) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := List{files: map[string]map[key]*entry{file: l.files[fileKey(file)]}}
	return one.Entries()
}

// entry returns the entry of a file with a key. If there is no such entry, the method adds an entry with count 0.
func (l *List) entry(file string, k key) *entry {
	if l.files == nil {
		l.files = make(map[string]map[key]*entry)
	}
	if l.files[file] == nil {
		l.files[file] = make(map[key]*entry)
	}
	if l.files[file][k] == nil {
		l.files[file][k] = new(entry)
	}
	return l.files[file][k]
}

// Gone returns the entries whose count is larger than the number of findings that [List.Apply] found for the entry.
// Count is the difference. Gone ignores entries that were not checked by [List.Apply] or [List.Missing].
func (l *List) Gone() []Entry {
	return l.list(func(e *entry) int {
		if !e.checked {
			return 0
		}
		return e.count - e.found
	})
}

// Prune subtracts the counts that [List.Gone] returns from the counts of the list. Prune removes an entry when the
// count becomes 0.
func (l *List) Prune() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for file, entries := range l.files {
		for k, e := range entries {
			if !e.checked {
				continue
			}
			if e.count = min(e.count, e.found); e.count == 0 {
				delete(entries, k)
			}
		}
		if len(entries) == 0 {
			delete(l.files, file)
		}
	}
}

// Entries returns all entries, sorted by file, rule and path.
func (l *List) Entries() []Entry { return l.list(func(e *entry) int { return e.count }) }

// list returns the entries for which the given function returns more than 0, sorted by file, rule and path. The field
// Count is the result of the function.
func (l *List) list(count func(*entry) int) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Entry
	for file, entries := range l.files {
		for k, e := range entries {
			if n := count(e); n > 0 {
				list = append(list, Entry{file, k.rule, k.path, n, e.reason})
			}
		}
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path))
	})
	return list
}
