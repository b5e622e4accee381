package builder

import "github.com/perfblock/perfblock/layout"

// named decodes what ends with a name: that, and its Size where another would be
// computed. v starts with the record r. times is how many are to come, as far as is
// known, this one included.
func (d *decoder) named(v layout.Span, r *layout.Record, n layout.Name, times int, path func() layout.Path) (name string, size uint32, err error) {
	if name, err = d.text(n, times, "Name", path); err != nil {
		return "", 0, err
	}
	behind, _ := v.Sub(uint64(n.End()-v.Off()), uint64(v.End()-n.End()))
	if !isZero(behind.Bytes()) {
		if err := d.loseUnlessZero(path().Field("padding"), behind); err != nil {
			return "", 0, err
		}
	}
	switch need, whole := namedLen(r, name), uint64(v.Len()); {
	case whole == need:
	case whole < need && n.Len() == 0:
		return "", 0, broken(path(), r, v, "Size", layout.ErrBounds, "%d leaves no room for a name", whole)
	case whole%layout.Align != 0: // which it is too where there is less than needed
		return name, 0, d.loseField(path(), r, v, "Size", "%d is no multiple of 8", whole)
	default:
		size = uint32(whole)
	}
	return name, size, nil
}

// text decodes a name or text, the field of what path tells, that is there even where it
// has no characters. times is how many are to come, as far as is known, this one included.
func (d *decoder) text(n layout.Name, times int, field string, path func() layout.Path) (string, error) {
	if n.Len() == utf16NUL && n.Terminated() {
		return "", nil
	}
	if text, plain := d.plainName(n, times); plain {
		return text, nil
	}
	return d.name(n, path().Field(field), false)
}
