package layout

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// A Path names a part of a block. The steps of a path are the records that contain the part,
// the outermost record first, and the part itself, as in object[0].instance[1].NameLength. Paths
// are comparable. The zero Path is the whole input. A path has at most five steps; further steps
// are ignored.
type Path struct {
	elems [maxDepth]Elem
	n     int
}

// maxDepth is the largest number of steps of a Path. The path of a part has at most four steps, such
// as object[0].instance[1].block.value[2]. Package provider adds a call as the first step.
const maxDepth = 5

// An Elem is a step of a [Path]: a name, and an index if the step is an element of a list.
type Elem struct {
	Name  string
	Index int // -1 if the step is not an element of a list
}

// Indexed reports whether the step is an element of a list.
func (e Elem) Indexed() bool { return e.Index >= 0 }

// At returns the path p with one more step, name[index].
func (p Path) At(name string, index int) Path { return p.push(Elem{name, index}) }

// Field returns the path p with one more step, name.
func (p Path) Field(name string) Path { return p.push(Elem{name, -1}) }

// Elems returns the steps of the path.
func (p Path) Elems() []Elem { return p.elems[:p.n:p.n] }

// Parent returns the path without its last step. The parent of the zero Path is the zero Path.
func (p Path) Parent() Path {
	if p.n > 0 {
		p.n--
		p.elems[p.n] = Elem{}
	}
	return p
}

// In returns a path that has first the steps of parent, then the steps of p.
func (p Path) In(parent Path) Path {
	for _, e := range p.Elems() {
		parent = parent.push(e)
	}
	return parent
}

func (p Path) lastStep() Elem {
	if p.n == 0 {
		return Elem{"", -1}
	}
	return p.elems[p.n-1]
}

func (p Path) push(e Elem) Path {
	if p.n < maxDepth {
		p.elems[p.n] = e
		p.n++
	}
	return p
}

func (p Path) String() string { return string(p.Append(nil)) }

// Append appends the path's text to b.
func (p Path) Append(b []byte) []byte {
	for i, e := range p.Elems() {
		if i > 0 {
			b = append(b, '.')
		}
		b = append(b, e.Name...)
		if e.Indexed() {
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(e.Index), 10)
			b = append(b, ']')
		}
	}
	return b
}

// ParsePath parses a path in the form of [Path.String]. The error wraps [ErrPath].
func ParsePath(s string) (Path, error) {
	var p Path
	for part := range strings.SplitSeq(s, ".") {
		if p.n == maxDepth {
			return Path{}, Faultf(ErrPath, "path %s has more than %d steps", quote.Short(s), maxDepth)
		}
		name, index, indexed := strings.Cut(part, "[")
		if !isWord(name) {
			return Path{}, Faultf(ErrPath, "%s in path %s is not a name", quote.Short(part), quote.Short(s))
		}
		e := Elem{name, -1}
		if indexed {
			digits, closed := strings.CutSuffix(index, "]")
			n, err := strconv.ParseUint(digits, 10, 31)
			if !closed || err != nil || strconv.FormatUint(n, 10) != digits {
				return Path{}, Faultf(ErrPath, "%s in path %s must have a decimal index in brackets", quote.Short(part), quote.Short(s))
			}
			e.Index = int(n)
		}
		p = p.push(e)
	}
	return p, nil
}

func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' && i > 0) {
			return false
		}
	}
	return s != ""
}
