package builder

import (
	"errors"

	"github.com/perfblock/perfblock/layout"
)

// What decoding does alike for the registration of a counter set and for a template.

// rowCount returns the number of counters that the header v starts with says, or fewer
// where the bytes cannot hold as many, of which the cursor over them tells.
func rowCount(r, row *layout.Record, v layout.Span, n uint32) (int, error) {
	if n > maxCounters {
		return 0, broken(layout.Path{}, r, v, "NumCounters", ErrTooLarge, "%d counters are more than the %d that a set can have", n, maxCounters)
	}
	return min(int(n), (v.Len()-int(r.Size))/int(row.Size)), nil
}

// setLevel returns the level as the model has it, where 0 is the default.
func (d *decoder) setLevel(path layout.Path, r *layout.Record, s layout.Span, got layout.DetailLevel) (layout.DetailLevel, error) {
	switch got {
	case layout.PERF_DETAIL_NOVICE:
		return 0, nil
	case 0:
		return 0, d.loseField(path, r, s, "DetailLevel", "%v instead of %v", got, layout.PERF_DETAIL_NOVICE)
	}
	return got, nil
}

// attrib drops the bits that are no flags.
func (d *decoder) attrib(path layout.Path, r *layout.Record, s layout.Span, got layout.Attrib) (layout.Attrib, error) {
	if got.Valid() {
		return got, nil
	}
	return got & attribs, d.loseField(path, r, s, "Attrib", "%v has bits that are no flags", got)
}

const attribs = layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_NO_DISPLAYABLE | layout.PERF_ATTRIB_NO_GROUP_SEPARATOR |
	layout.PERF_ATTRIB_DISPLAY_AS_REAL | layout.PERF_ATTRIB_DISPLAY_AS_HEX

// setScale drops a scale that a counter cannot have.
func (d *decoder) setScale(path layout.Path, r *layout.Record, s layout.Span, field string, got int32) (int32, error) {
	if scales(got) {
		return got, nil
	}
	return 0, d.loseField(path, r, s, field, "%d is not %d to %d", got, minSetScale, maxSetScale)
}

// behind drops what lies behind the n bytes of the buffer that were read.
func (d *decoder) behind(b []byte, n int) error {
	if len(b) == n {
		return nil
	}
	rest := layout.NewSpan(b[n:], int64(n))
	return d.lose(layout.Path{}.Field("rest"), rest, "%d bytes behind the %d that belong to it", rest.Len(), n)
}

// what returns what an error says without its place.
func what(err error) error {
	if e, ok := errors.AsType[*layout.Error](err); ok {
		return e.Err
	}
	return err
}
