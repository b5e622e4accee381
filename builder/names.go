package builder

import (
	"strings"
	"unicode"

	"github.com/perfblock/perfblock/layout"
)

// checkName checks the instance's name, and where it is to stand.
func (o *Object) checkName(in *Instance) error {
	here, size := layout.Path{}, layout.PERF_INSTANCE_DEFINITION.Size
	if err := checkLetters(in.Name, o.CodePage); err != nil {
		return &layout.Error{Path: here.Field("Name"), Off: -1, Err: err}
	}
	m := o.measure(in)
	switch {
	case in.Name != "" && m.offset < uint64(size):
		return fault(here, "NameOffset", layout.ErrRange, "%d is inside the definition: it is 0 or at least %d", in.NameOffset, size)
	case m.whole < uint64(size) || m.whole < m.offset+m.length || m.whole%layout.Align != 0:
		return fault(here, "ByteLength", layout.ErrRange, "%d is no length of this instance: it is 0, or a multiple of 8 from %d on", m.whole, up(max(uint64(size), m.offset+m.length), layout.Align))
	}
	return nil
}

// fullName is what tells two named instances of an object apart. The parents are
// told apart by their own object, so position stands for name.
type fullName struct {
	object, instance uint32
	name             string
}

// key returns the instance's full name as .NET compares it: ignoring case.
func (o *Object) key(in *Instance) fullName {
	k := fullName{in.ParentObjectTitleIndex, in.ParentObjectInstance, in.Name}
	if k.object == 0 {
		k.instance = 0 // no parent, so its position says nothing
	}
	if o.CodePage == 0 {
		k.name = strings.Map(upper, in.Name)
	} else {
		k.name = upperASCII(in.Name)
	}
	return k
}

// upper returns the upper case of r as .NET's ordinal comparison has it, which
// keeps the two letters whose upper case would be ASCII.
func upper(r rune) rune {
	if r == 'ı' || r == 'ſ' {
		return r
	}
	return unicode.ToUpper(r)
}

func upperASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// checkNames refuses a second instance of one full name.
func (o *Object) checkNames() error {
	if o.DuplicateNames {
		return nil
	}
	if i, j, found := o.duplicate(); found {
		return fault(instancePath(j), "Name", ErrDuplicate, "%q is the name of instance[%d] too; DuplicateNames allows it", o.Instances[j].Name, i)
	}
	return nil
}

// duplicate returns the first two instances of one full name.
func (o *Object) duplicate() (first, second int, found bool) {
	seen := make(map[fullName]int, len(o.Instances))
	for i := range o.Instances {
		if o.Instances[i].Name == "" {
			continue
		}
		k := o.key(&o.Instances[i])
		if first, found := seen[k]; found {
			return first, i, true
		}
		seen[k] = i
	}
	return 0, 0, false
}
