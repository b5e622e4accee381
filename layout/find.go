package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
)

// Find returns the part at a path that [Walk] yields: a field, a name, a value or padding. It also
// returns whole records: object[0].instance[1] is the definition with its name,
// object[0].instance[1].block is the counter block of that instance, and SystemTime is a whole
// SYSTEMTIME. The zero [Path] is the whole input. Walk omits some parts that Find returns: names,
// values and padding of length 0, and values and texts that overlap others.
//
// The error is an [*Error]. If the block does not have the part, the error wraps [ErrPath], lists the parts that exist,
// and its Off is -1. If a fault makes the part unreadable, Find returns the error of this fault.
func Find(kind Kind, b []byte, path Path) (Part, error) {
	p := FindAll(kind, b, []Path{path})[0]
	return p, p.Err
}

// FindAll is [Find] for many paths in one walk. It returns a part for each path, in the same
// order. If a path is not found, its part is empty and has the error in Err.
func FindAll(kind Kind, b []byte, paths []Path) []Part {
	var f finder
	parts := make([]Part, len(paths))
	places := make([]*place, len(paths))
	for i, path := range paths {
		places[i] = f.addWanted(path, &parts[i])
	}
	if int(kind) < len(kindNames) {
		f.storeIfWanted(Part{Span: NewSpan(b, 0), Sort: RecordPart})
	}
	w := walker{yield: f.storeIfWanted, find: &f, done: f.missing == 0}
	w.walk(kind, NewSpan(b, 0))
	for i, path := range paths {
		if at := places[i]; !at.found {
			parts[i] = Part{Path: path, Err: f.notFound(path)}
		} else if parts[i] = *at.part; parts[i].Err != nil {
			parts[i] = Part{Path: path, Err: parts[i].Err}
		}
	}
	return parts
}

// A finder collects parts from a walk.
type finder struct {
	root    place
	missing int // number of wanted parts that are not found yet
}

// A place is a part that the caller of Find wants, or a record that contains wanted parts.
type place struct {
	part    *Part           // where a wanted part is stored; nil if the place is not wanted
	found   bool            // the walk has stored *part
	wanted  map[Elem]*place // the direct parts that are wanted or contain wanted parts
	record  *Record         // nil if the walk has not reached the record
	lists   []list          // the lists of direct parts, for the message about a wrong path
	parts   []string        // the names of the other direct parts
	fault   error           // why a direct part was not read
	listEnd error           // why a list of direct parts ended early
}

// A list has the name of its elements, such as "instance", and the number of elements.
type list struct {
	name string
	n    int
}

// places returns the place of the parent of path, and the place of path itself. A place is nil if the caller of Find
// wants no part at this path and no part below it.
func (f *finder) places(path Path) (parent, own *place) {
	parent, own = &f.root, &f.root
	for _, e := range path.Elems() {
		if parent = own; parent == nil {
			break
		}
		own = parent.wanted[e]
	}
	return parent, own
}

// addWanted adds a wanted path and returns its place. The walk later stores the part at this path in *part.
func (f *finder) addWanted(path Path, part *Part) *place {
	at := &f.root
	for _, e := range path.Elems() {
		next := at.wanted[e]
		if next == nil {
			next = new(place)
			if at.wanted == nil {
				at.wanted = make(map[Elem]*place)
			}
			at.wanted[e] = next
		}
		at = next
	}
	if at.part == nil {
		at.part = part
		f.missing++
	}
	return at
}

// storeIfWanted stores p if the caller of Find wants this part. It returns false when all wanted parts are found.
func (f *finder) storeIfWanted(p Part) bool {
	last := p.Path.lastStep()
	switch last.Name {
	case "hole", "rest", "extension": // never wanted, because several of them can have the same path
		return true
	}
	in, at := f.places(p.Path)
	if p.Sort != FieldPart || last.Indexed() {
		in.addName(last)
	}
	if at != nil && at.part != nil && !at.found {
		*at.part, at.found = p, true
		f.missing--
	}
	return f.missing > 0
}

// enter stores the record at the start of s if the caller of Find wants the whole record. It reports whether the caller
// wants parts inside the record.
func (f *finder) enter(r *Record, s Span, path Path) bool {
	in, at := f.places(path)
	in.addName(path.lastStep())
	if at == nil {
		return false
	}
	if at.part != nil {
		whole := Part{Span: s, Path: path, Sort: RecordPart, Record: r}
		if _, err := s.record(r); err != nil {
			whole.Err = err.prefixPath(path)
		}
		f.storeIfWanted(whole)
	}
	at.record = r
	return at.wanted != nil
}

// addName adds the name of a part to p.lists if the part is an element of a list, and otherwise to p.parts. The message
// about a wrong path shows these names. addName ignores fields, because the message gets their names from p.record.
func (p *place) addName(part Elem) {
	switch {
	case p == nil || part.Name == "" || p.field(part.Name):
	case part.Indexed():
		p.setLength(part.Name, part.Index+1)
	case !slices.Contains(p.parts, part.Name):
		p.parts = append(p.parts, part.Name)
	}
}

// setLength stores n as the number of elements of a list. After several calls for a list, the largest n remains.
func (p *place) setLength(name string, n int) {
	for i := range p.lists {
		if p.lists[i].name == name {
			p.lists[i].n = max(n, p.lists[i].n)
			return
		}
	}
	p.lists = append(p.lists, list{name, n})
}

// setFault stores the error that says why the part at path was not read.
func (f *finder) setFault(path Path, err error) {
	if in, _ := f.places(path); in != nil && in.fault == nil {
		in.fault = err
	}
	if path.lastStep().Name == "rest" {
		f.endList(path.Parent(), err)
	}
}

// endList stores the error that says why a list in the record at path ended early.
func (f *finder) endList(path Path, err error) {
	if _, at := f.places(path); at != nil && at.listEnd == nil {
		at.listEnd = err
	}
}

// keepFault stores err, the fault of the record at path. The fault ends the list that contains the record.
func (f *finder) keepFault(r *Record, path Path, err error) {
	if _, at := f.places(path); at != nil {
		at.record = r
	}
	f.endList(path.Parent(), err)
}

// values finds the wanted values of a counter block, including overlapping values that the
// walk omits.
func (f *finder) values(block CounterBlock, path Path, slots slots) {
	_, at := f.places(path)
	if len(slots.all) > 0 {
		at.setLength("value", len(slots.all))
	}
	if slots.err != nil {
		f.endList(path, slots.err)
	}
	for e := range at.wanted {
		if e.Name != "value" || !e.Indexed() || e.Index >= len(slots.all) {
			continue
		}
		c := slots.all[e.Index]
		value, err := block.Value(c)
		f.storeIfWanted(Part{Span: value, Path: path.push(e), Sort: ValuePart, Type: c.CounterType(), Err: err})
	}
}

// findText finds the string of an entry if the string is wanted. Unlike Walk, findText finds a string that overlaps
// another string.
func (f *finder) findText(e StringCounter) {
	path := e.Path().Field("Text")
	if _, at := f.places(path); at != nil {
		name, err := e.Text()
		f.storeIfWanted(Part{Span: name.Span, Path: path, Sort: NamePart, Err: err})
	}
}

// elementNames has the names that the elements of lists have in a path. partsByName has the names of the other parts,
// except plain fields.
var (
	elementNames = []string{"object", "counter", "instance", "value", "result", "id", "data", "identifier", "entry", "guid", "slot"}
	partsByName  = []string{"block", "ids", "instances", "SystemTime", "SystemName", "Name", "Text", "value", "gap", "padding"}
)

// notFound returns the error for a path that the walk did not find.
func (f *finder) notFound(path Path) error {
	if path.n == 0 {
		return f.root.listEnd
	}
	at := path.Parent()
	_, in := f.places(at)
	for at.n > 0 && in.record == nil {
		at = at.Parent()
		_, in = f.places(at)
	}
	next := path.elems[at.n]
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
			return fmt.Sprintf("%s has %v", where, l)
		default:
			return fmt.Sprintf("%s requires an index; elements in %s: %v", part.Name, where, l)
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
