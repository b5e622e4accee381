// Package suppression keeps a list of findings that a team knows, so that only new findings are reported.
//
//	list, err := suppression.Read("suppressions.yaml")
//	result := list.Apply("fixtures/cpu.bin", result, identity.Of(kind, block, result.Findings), checks)
//
// The list is a file of YAML that people read, review and merge. An entry has a line of its own:
//
//	version: 1
//	files:
//	  fixtures/cpu.bin:
//	    - {rule: inst-name-duplicate, path: 'object[238].instance["a"#1].Name', reason: "bug 7"}
//	    - {rule: ctr-default-scale, path: 'object[238].counter[6].DefaultScale', count: 2}
//
// An entry is identified by its file, its rule and its structural path: see package identity. Its count is
// the number of findings that it stands for, 1 by default. A reason is kept when the list is written again;
// comments are not.
package suppression

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/perfblock/perfblock/validate"
)

// An Entry stands for Count findings of a rule at a structural path in a file.
type Entry struct {
	File   string // relative to the folder of the list, with / between folders
	Rule   string // the name of the rule
	Path   string // structural path, "" for the whole block
	Count  int
	Reason string // one line, "" for none
}

// A List is a list of entries. The zero value is empty. Its methods are safe for concurrent use.
type List struct {
	mu    sync.Mutex
	files map[string]map[key]*entry
}

type key struct{ rule, path string }

type entry struct {
	count   int
	reason  string
	found   int  // largest number of findings in a call of Apply
	checked bool // a call of Apply looked for findings
}

// fileKey returns the name of a file in a list. Bytes that are not UTF-8 are U+FFFD, because YAML has none.
func fileKey(file string) string { return strings.ToValidUTF8(file, "\uFFFD") }

// Apply returns the findings of a file that no entry stands for, in place, and the counts of those that one
// stands for. paths has the structural path of each finding. checks reports whether the validation
// checked a rule, and whole whether findings has all findings; otherwise an entry without findings can
// still have one.
func (l *List) Apply(file string, findings []validate.Finding, paths []string, whole bool, checks func(rule string) bool) (left []validate.Finding, suppressed validate.Counts) {
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
		e.checked = e.checked || whole && checks(k.rule)
	}
	return left, suppressed
}

// Add adds an entry for each finding of a file that no entry stands for. Reasons are kept.
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

// entry returns the entry with a key, which it adds with count 0 if there is none.
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

// Gone returns the entries of files that were validated which stand for more findings than there are. Their
// Count is the number of missing findings.
func (l *List) Gone() []Entry {
	return l.list(func(e *entry) int {
		if !e.checked {
			return 0
		}
		return e.count - e.found
	})
}

// Prune removes what [List.Gone] returns.
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

// list returns the entries for which count is above 0, with that count, sorted.
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
