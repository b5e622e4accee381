package builder

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/perfblock/perfblock/layout"
)

// ErrField is the error for struct fields that do not match the counters, such as a field of a wrong type, or a
// number that does not fit its counter. The error text names the field, or the struct if a field is missing.
var ErrField = errors.New("the struct field cannot hold the counter")

// Define returns an object whose counters are the fields of the struct T, in order:
//
//	type site struct {
//		Requests uint64 `perf:"type=PERF_COUNTER_BULK_COUNT,scale=-1"`
//		Queue    uint32
//	}
//	object, err := builder.Define[site](4002)
//
// A field is a uint32, int32, uint64 or int64, or an atomic.Uint32, Int32, Uint64 or Int64. An
// unexported field is ignored if it has no tag perf. An embedded field is an error, except with the
// tag `perf:"-"`. [Bind] copies the fields of a T to the counter block of an instance. The tag perf
// has items, separated by commas:
//
//	type=NAME    the CounterType. Without it, a field of 4 bytes is a PERF_COUNTER_RAWCOUNT, and
//	             a field of 8 bytes is a PERF_COUNTER_LARGE_RAWCOUNT.
//	name=TEXT    the Name. A text with a comma is in single quotes: name='Bytes in, total'. A quote in
//	             such a text is written twice.
//	title=N      the CounterNameTitleIndex. Without it, the index of a base is 0. The index of any other
//	             counter is the title of the object plus 2n for the nth field; bases count as fields.
//	scale=N      the DefaultScale, -7 to 7
//	level=NAME   the DetailLevel, such as PERF_DETAIL_ADVANCED
//	offset=N     the CounterOffset, 8 or more: a multiple of 4, or of 8 for a field of 8 bytes. The offsets
//	             of later fields continue from there. Two values must not share bytes.
//	default      the object's DefaultCounter is this counter
//	-            the field is ignored
//
// A counter that requires a base must be followed by a field whose tag has the type of that base. The counter
// is as wide as its field, with one exception: a PERF_AVERAGE_TIMER has 4 bytes, and its field has 8, with a
// value below 2^32. Without offset=, the values have the same order and alignment as in a struct of these fields on a
// 64-bit system, and start at offset 8 of the counter block. [Bind] can therefore copy adjacent fields together, except
// fields with a type of package sync/atomic.
//
// The error wraps [ErrField] and names the field. [Object.Compile] reports all other errors.
func Define[T any](title uint32) (*Object, error) {
	fields, err := fieldsOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	o := NewObject(title)
	next := uint64(0)
	titles := make(map[uint32]string) // the name of the field, by title index
	for i, f := range fields {
		c := Counter{Name: f.counterName, CounterType: f.counterType, CounterSize: f.size, DefaultScale: f.scale, DetailLevel: f.level}
		switch {
		case f.counterType.IsText():
			return nil, f.error("a field cannot hold the text of a %v: use NewObject and Object.Counter instead of a struct", f.counterType)
		case f.size == 4 && readAs8(f.counterType):
			return nil, f.error("it has 4 bytes, must have 8, because readers read 8 bytes for a %v", f.counterType)
		case f.counterType == layout.PERF_AVERAGE_TIMER:
			c.CounterSize = 4
		}
		switch width, number := f.counterType.Width(); {
		case !number || width == 0:
			return nil, f.error("a %v has no numeric value and cannot have a field", f.counterType)
		case width != f.size && !readAs8(f.counterType):
			return nil, f.error("it has %d bytes, must have %d, the width of a %v", f.size, width, f.counterType)
		}
		if f.counterType.NeedsBase() && (i+1 == len(fields) || !f.counterType.TakesBase(fields[i+1].counterType)) {
			return nil, f.error("a %v requires a base: add a field with type=%s after it", f.counterType, baseName(f.counterType))
		}
		switch index := uint64(title) + 2*uint64(i+1); {
		case f.hasTitle:
			c.CounterNameTitleIndex = f.title
		case f.counterType.IsBase():
		case index > math.MaxUint32:
			return nil, f.error("its title index is %d, must be at most %d: add title= to its tag", index, uint32(math.MaxUint32))
		default:
			c.CounterNameTitleIndex = uint32(index)
		}
		if other := titles[c.CounterNameTitleIndex]; other != "" && c.CounterNameTitleIndex != 0 {
			return nil, f.error("its title index is %d, and %s has the same title index: change title= in one of the two tags", c.CounterNameTitleIndex, other)
		}
		titles[c.CounterNameTitleIndex] = f.name
		if f.isDefault && o.DefaultCounter != nil {
			return nil, f.error("its tag has the item default, which only one field can have")
		}
		if f.isDefault {
			o.DefaultCounter = new(int32(i))
		}
		next = roundUp(next, uint64(f.size))
		if f.at != 0 {
			next = uint64(f.at - structAt)
		}
		if next > math.MaxUint32-structAt-uint64(f.size) {
			return nil, f.error("its offset is above %d: change offset= in the tag of an earlier field", uint32(math.MaxUint32))
		}
		c.CounterOffset = structAt + uint32(next)
		next += uint64(f.size)
		for j, other := range o.Counters {
			if c.CounterOffset < other.CounterOffset+fields[j].size && other.CounterOffset < c.CounterOffset+f.size {
				return nil, f.error("its offset is %d, so it shares bytes with %s: change offset= in one of the two tags", c.CounterOffset, fields[j].name)
			}
		}
		o.Define(c)
	}
	return o, nil
}

// readAs8 reports whether readers read 8 bytes for a counter type, even for a value of 4 bytes.
func readAs8(t layout.CounterType) bool {
	return t == layout.PERF_AVERAGE_TIMER || t.Multi() && t.NeedsBase()
}

// structAt is the offset of a struct in a counter block. It is a multiple of 8, so that fields of 8 bytes are
// aligned.
const structAt = 8

// A field is a struct field that holds the value of a counter.
type field struct {
	name   string // for errors, such as "field Queue of main.site"
	index  int    // in the struct
	offset uintptr
	kind   fieldKind
	size   uint32 // 4 or 8

	counterType layout.CounterType
	counterName string
	title       uint32
	hasTitle    bool
	scale       int32
	level       layout.DetailLevel
	isDefault   bool
	at          uint32 // the CounterOffset, or 0
}

// A fieldKind determines how a field is loaded and stored.
type fieldKind uint8

const (
	plain32 fieldKind = iota // uint32 or int32
	plain64                  // uint64 or int64
	atomicUint32
	atomicInt32
	atomicUint64
	atomicInt64
)

// atomicKinds has the types of package sync/atomic that a field can have.
var atomicKinds = map[reflect.Type]fieldKind{
	reflect.TypeFor[atomic.Uint32](): atomicUint32,
	reflect.TypeFor[atomic.Int32]():  atomicInt32,
	reflect.TypeFor[atomic.Uint64](): atomicUint64,
	reflect.TypeFor[atomic.Int64]():  atomicInt64,
}

func (f *field) error(format string, args ...any) error {
	return fault("", ErrField, f.name+": "+format, args...)
}

// fieldsOf returns the fields of t that are counters.
func fieldsOf(t reflect.Type) ([]field, error) {
	if t.Kind() != reflect.Struct {
		return nil, fault("", ErrField, "%v is no struct, must be a struct with a field for each counter", t)
	}
	var fields []field
	for i := range t.NumField() {
		s := t.Field(i)
		tag, hasTag := s.Tag.Lookup("perf")
		if !hasTag && strings.Contains(" "+string(s.Tag), " perf:") {
			return nil, fault("", ErrField, "field %s of %v: its tag %q is malformed, must be key:\"value\" pairs, separated by spaces", s.Name, t, s.Tag)
		}
		if tag == "-" || !s.IsExported() && !hasTag && !s.Anonymous {
			continue
		}
		f := field{name: "field " + s.Name + " of " + t.String(), index: i, offset: s.Offset}
		switch {
		case s.Anonymous:
			return nil, f.error(`it is embedded: give the field a name, or add the tag perf:"-"`)
		case !s.IsExported():
			return nil, f.error("it has a tag and is not exported: start its name with an upper-case letter, or remove the tag")
		}
		if err := f.setType(s.Type); err != nil {
			return nil, err
		}
		if err := f.setTag(tag); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	if len(fields) == 0 {
		return nil, fault("", ErrField, "%v has no field that is a counter", t)
	}
	return fields, nil
}

// setType sets the kind and the size of the field, and the default type of its counter.
func (f *field) setType(t reflect.Type) error {
	kind, isAtomic := atomicKinds[t]
	switch {
	case isAtomic:
		f.kind = kind
	case t.Kind() == reflect.Uint32 || t.Kind() == reflect.Int32:
		f.kind = plain32
	case t.Kind() == reflect.Uint64 || t.Kind() == reflect.Int64:
		f.kind = plain64
	default:
		return f.error(`its type is %v, must be uint32, int32, uint64, int64 or one of these types of sync/atomic; the tag perf:"-" excludes a field`, t)
	}
	switch f.kind {
	case plain32, atomicUint32, atomicInt32:
		f.size, f.counterType = 4, layout.PERF_COUNTER_RAWCOUNT
	default:
		f.size, f.counterType = 8, layout.PERF_COUNTER_LARGE_RAWCOUNT
	}
	return nil
}

func (f *field) setTag(tag string) error {
	if tag == "" {
		return nil
	}
	seen := make(map[string]bool)
	for more := true; more; {
		var item string
		var err error
		if item, tag, more, err = cutItem(tag); err != nil {
			return f.error("the tag perf has the item %q: %v", item, err)
		}
		key, value, assigned := strings.Cut(strings.TrimSpace(item), "=")
		if seen[key] {
			return f.error("the tag perf has two items %s, must have one", key)
		}
		seen[key] = true
		switch key {
		case "name":
			f.counterName, err = unquoted(value)
		case "type":
			f.counterType, err = layout.ParseCounterType(value)
		case "title":
			n, fault := strconv.ParseUint(value, 10, 32)
			if f.title, f.hasTitle = uint32(n), true; fault != nil {
				err = fmt.Errorf("must be a whole number from 0 to %d", uint32(math.MaxUint32))
			}
		case "scale":
			n, fault := strconv.ParseInt(value, 10, 32)
			if f.scale = int32(n); fault != nil || n < layout.MinScale || n > layout.MaxScale {
				err = fmt.Errorf("must be a whole number from %d to %d", layout.MinScale, layout.MaxScale)
			}
		case "level":
			f.level, err = layout.ParseDetailLevel(value)
		case "offset":
			n, fault := strconv.ParseUint(value, 10, 32)
			if f.at = uint32(n); fault != nil || n < structAt || n > math.MaxUint32-8 || n%uint64(f.size) != 0 {
				err = fmt.Errorf("must be a multiple of %d and at least %d", f.size, structAt)
			}
		case "default":
			f.isDefault = true
			if assigned {
				err = errors.New("default has no value")
			}
		default:
			return f.error("the tag perf has the item %q, must have name=, type=, title=, scale=, level=, offset= or default; the item \"-\" must stand alone", item)
		}
		if err != nil {
			return f.error("the tag perf has the item %q: %v", item, err)
		}
	}
	return nil
}

// cutItem splits a tag after the first item. more reports whether a comma follows the item. A comma inside single
// quotes does not end an item.
func cutItem(tag string) (item, rest string, more bool, err error) {
	if name, isName := strings.CutPrefix(strings.TrimLeftFunc(tag, unicode.IsSpace), "name='"); isName {
		end := 0
		for end < len(name) && (name[end] != '\'' || strings.HasPrefix(name[end:], "''")) {
			if name[end] == '\'' {
				end++
			}
			end++
		}
		if end == len(name) {
			return tag, "", false, errors.New("the name has no closing quote")
		}
		after := len(tag) - len(name) + end + 1
		between, rest, more := strings.Cut(tag[after:], ",")
		if strings.TrimSpace(between) != "" {
			return tag, "", false, errors.New("a comma must follow the closing quote of the name")
		}
		return tag[:after], rest, more, nil
	}
	item, rest, more = strings.Cut(tag, ",")
	return item, rest, more, nil
}

// unquoted returns a name in a tag without its single quotes. An empty name is an error.
func unquoted(value string) (string, error) {
	if strings.HasPrefix(value, "'") {
		value = strings.ReplaceAll(value[1:len(value)-1], "''", "'")
	}
	if value == "" {
		return "", errors.New("the name is empty")
	}
	return value, nil
}
