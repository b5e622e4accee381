package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
)

// Find returns the part at a path: a field, a name, a value, padding, or a whole record with
// its contents. It accepts the paths that [Walk] yields for these parts, and the paths of whole
// records. For example, object[0].instance[1] is the definition with its name,
// object[0].instance[1].block is the counter block of that instance, and SystemTime is a whole
// SYSTEMTIME. The zero [Path] is the whole input. Find also finds names and padding that are
// empty, and values that share their offset with another value.
//
// The error is an [*Error]. If the block has no such part, the error wraps [ErrPath], lists the
// parts that exist, and has the Off -1. If a fault makes the part unreadable, the error is that
// fault.
func Find(kind Kind, b []byte, path Path) (Part, error) {
	p := FindAll(kind, b, []Path{path})[0]
	return p, p.Err
}

// FindAll is [Find] for many paths in one walk. It returns a part for each path, in the same
// order. If a path is not found, its part is empty and has the error in Err.
func FindAll(kind Kind, b []byte, paths []Path) []Part {
	f := finder{wanted: make(map[Path]*wanted, len(paths)), places: map[Path]*place{{}: {}}}
	for _, path := range paths {
		f.want(path)
	}
	if int(kind) < len(kindNames) {
		f.part(Part{Span: NewSpan(b, 0), Sort: RecordPart})
	}
	w := walker{yield: f.part, find: &f, done: f.missing == 0}
	w.walk(kind, NewSpan(b, 0))
	parts := make([]Part, len(paths))
	for i, path := range paths {
		if found := f.wanted[path]; !found.found {
			parts[i] = Part{Path: path, Err: f.reason(path)}
		} else if parts[i] = found.part; found.part.Err != nil {
			parts[i] = Part{Path: path, Err: found.part.Err}
		}
	}
	return parts
}

// A finder collects parts from a walk.
type finder struct {
	wanted  map[Path]*wanted
	missing int             // number of wanted parts that are not found yet
	places  map[Path]*place // the records that contain wanted parts
}

type wanted struct {
	part  Part
	found bool
}

// A place is the whole input, or a record with parts that the caller of Find wants. The message
// about a wrong path lists the direct parts of the record.
type place struct {
	record  *Record  // nil if the walk has not reached the record
	wanted  []Path   // the wanted direct parts
	lists   []list   // the lists of direct parts
	parts   []string // the names of the other direct parts
	fault   error    // why a part was not read
	listEnd error    // why a list ended early
}

// A list is a list of parts: the name of its elements, such as "instance", and their number.
type list struct {
	name string
	n    int
}

func (f *finder) want(path Path) {
	if f.wanted[path] != nil {
		return
	}
	f.wanted[path] = new(wanted)
	f.missing++
	for at := path.Parent(); f.places[at] == nil; at = at.Parent() {
		f.places[at] = new(place)
	}
	in := f.places[path.Parent()]
	in.wanted = append(in.wanted, path)
}

// part takes the next part of the walk and returns whether wanted parts are still missing. It
// ignores holes, rests and extensions, because several of them can have the same path.
func (f *finder) part(p Part) bool {
	switch p.Path.last().Name {
	case "hole", "rest", "extension":
		return true
	}
	if p.Sort != FieldPart || p.Path.last().Indexed() {
		f.note(p.Path)
	}
	if w := f.wanted[p.Path]; w != nil && !w.found {
		w.part, w.found = p, true
		f.missing--
	}
	return f.missing > 0
}

// enter takes the record at the start of s and returns whether the record contains wanted
// parts.
func (f *finder) enter(r *Record, s Span, path Path) bool {
	f.note(path)
	if f.wanted[path] != nil {
		whole := Part{Span: s, Path: path, Sort: RecordPart, Record: r}
		if r.length() != nil {
			if _, err := s.record(r); err != nil {
				whole.Err = err.under(path)
			}
		}
		f.part(whole)
	}
	in := f.places[path]
	if in != nil {
		in.record = r
	}
	return in != nil
}

// note adds the name of the part at path to the lists or parts of the place that contains it.
func (f *finder) note(path Path) {
	in := f.places[path.Parent()]
	last := path.last()
	switch {
	case in == nil || path.n == 0 || in.field(last.Name):
	case last.Indexed():
		in.count(last.Name, last.Index+1)
	case !slices.Contains(in.parts, last.Name):
		in.parts = append(in.parts, last.Name)
	}
}

// count sets the number of elements of the list called name to n, unless it is larger already.
func (p *place) count(name string, n int) {
	for i := range p.lists {
		if p.lists[i].name == name {
			p.lists[i].n = max(n, p.lists[i].n)
			return
		}
	}
	p.lists = append(p.lists, list{name, n})
}

// unread keeps the error that says why the part at path was not read.
func (f *finder) unread(path Path, err error) {
	if in := f.places[path.Parent()]; in != nil && in.fault == nil {
		in.fault = err
	}
	if path.last().Name == "rest" {
		f.endList(path.Parent(), err)
	}
}

// endList keeps the error that says why a list in the record at path ended early.
func (f *finder) endList(path Path, err error) {
	if in := f.places[path]; in != nil && in.listEnd == nil {
		in.listEnd = err
	}
}

// broken keeps err, the fault of the record at path. The fault ends the list that contains the
// record.
func (f *finder) broken(r *Record, path Path, err error) {
	if in := f.places[path]; in != nil {
		in.record = r
	}
	f.endList(path.Parent(), err)
}

// values finds the wanted values of a counter block, including overlapping values that the
// walk omits.
func (f *finder) values(block CounterBlock, path Path, slots slots) {
	in := f.places[path]
	in.count("value", len(slots.all))
	if slots.err != nil {
		f.endList(path, slots.err)
	}
	for _, want := range in.wanted {
		e := want.last()
		if e.Name != "value" || !e.Indexed() || e.Index >= len(slots.all) {
			continue
		}
		c := slots.all[e.Index]
		value, err := block.Value(c)
		f.part(Part{Span: value, Path: want, Sort: ValuePart, Type: c.CounterType(), Err: err})
	}
}

// text finds the string of an entry if it is wanted, even if it overlaps another string. Walk omits
// such a string.
func (f *finder) text(e StringCounter) {
	path := e.Path().Field("Text")
	if f.wanted[path] != nil {
		name, err := e.Text()
		f.part(Part{Span: name.Span, Path: path, Sort: NamePart, Err: err})
	}
}

// The names of path elements that are not fields: the elements of lists, and other parts.
var (
	elementNames = []string{"object", "counter", "instance", "value", "result", "id", "data", "identifier", "entry", "guid", "slot"}
	partsByName  = []string{"block", "ids", "instances", "SystemTime", "SystemName", "Name", "Text", "value", "gap", "padding"}
)

// reason returns why the walk did not find a path.
func (f *finder) reason(path Path) error {
	at := path.Parent()
	if path.n == 0 {
		return f.places[at].listEnd
	}
	for at.n > 0 && f.places[at].record == nil {
		at = at.Parent()
	}
	in, next := f.places[at], path.elems[at.n]
	switch {
	case next.Indexed() && in.listEnd != nil && slices.Contains(elementNames, next.Name):
		return in.listEnd
	case !next.Indexed() && in.fault != nil && (slices.Contains(partsByName, next.Name) || in.field(next.Name)):
		return in.fault
	}
	return &Error{Path: path, Off: -1, Err: Faultf(ErrPath, "%s", in.explain(at, next))}
}

func (p *place) field(name string) bool { return p.record != nil && p.record.Field(name) != nil }

// explain returns the message about a part that the record at path does not have.
func (p *place) explain(path Path, part Elem) string {
	where := path.String()
	if where == "" {
		where = "the block"
	}
	var words, has []string
	if p.record != nil {
		for _, f := range p.record.Fields {
			words, has = append(words, f.Name), append(has, f.Name)
		}
	}
	words, has = append(words, p.parts...), append(has, p.parts...)
	exists := slices.Contains(words, part.Name)
	for _, l := range p.lists {
		switch {
		case l.name != part.Name:
			words, has = append(words, l.name), append(has, l.String())
		case part.Indexed():
			return fmt.Sprintf("%s has %s, %v", where, l.count(), l)
		default:
			return fmt.Sprintf("%s requires an index, %v", part.Name, l)
		}
	}
	switch {
	case exists && part.Indexed():
		return part.Name + " has no index"
	case exists:
		return path.push(part).String() + " has no parts"
	case len(has) == 0:
		return where + " has no parts"
	}
	if near := suggest.Key(part.Name, words); near != "" {
		return fmt.Sprintf("%s has no %s%s", where, part.Name, near)
	}
	return fmt.Sprintf("%s has %s", where, strings.Join(has, ", "))
}

// count returns the number of elements with the noun, such as "2 instances".
func (l list) count() string {
	name := l.name
	switch {
	case l.n == 1 || name == "data":
	case name == "entry":
		name = "entries"
	default:
		name += "s"
	}
	return fmt.Sprintf("%d %s", l.n, name)
}

// String returns the paths of the elements, such as "instance[0] and instance[1]".
func (l list) String() string {
	switch l.n {
	case 1:
		return l.name + "[0]"
	case 2:
		return fmt.Sprintf("%s[0] and %[1]s[1]", l.name)
	}
	return fmt.Sprintf("%s[0] to %[1]s[%d]", l.name, l.n-1)
}
