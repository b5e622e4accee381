package builder

import (
	"github.com/perfblock/perfblock/internal/quote"
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

// checkNames refuses a second instance of one full name.
func (o *Object) checkNames() error {
	if o.DuplicateNames {
		return nil
	}
	if i, j, found := o.duplicate(); found {
		return fault(instancePath(j), "Name", ErrDuplicate, "%s is the name of instance[%d] too; DuplicateNames allows it", quote.Short(o.Instances[j].Name), i)
	}
	return nil
}
