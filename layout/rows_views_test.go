package layout_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// FuzzRows reads any bytes with Rows and with the views. Both must return the same names and values and stop with
// the same error.
func FuzzRows(f *testing.F) {
	for _, b := range perflibBlocks(f) {
		if b.kind() == layout.QueryDataKind {
			f.Add(false, b.bytes)
		}
	}
	f.Add(true, smallBytes(f)[smallObjects:])
	for _, b := range fixtures(f) {
		switch b.Kind {
		case layout.ObjectsKind, layout.QueryDataKind:
			f.Add(b.Kind.V1(), b.Bytes)
		case layout.DataBlockKind:
			if d, err := layout.ReadDataBlock(b.Bytes); err == nil && int(d.HeaderLength()) <= len(b.Bytes) {
				f.Add(true, b.Bytes[d.HeaderLength():])
			}
		}
	}
	f.Fuzz(func(t *testing.T, v1 bool, b []byte) {
		var rows layout.Rows
		if v1 {
			for o, err := range layout.ReadObjects(b) {
				if err != nil {
					return
				}
				got := readRows(t, &rows, func() error { return rows.Open(o) })
				if errors.Is(rows.Err(), layout.ErrRange) {
					if values := uint64(o.NumCounters()) * uint64(o.NumInstances()); values <= 1<<16+uint64(o.Len()) {
						t.Errorf("%v: %d values are not too many: %v", o.Path(), values, rows.Err())
					}
					continue
				}
				want := rowList{}
				want.addObject(o)
				want.compare(t, o.Path(), got)
			}
			return
		}
		q, err := layout.ReadQueryData(b)
		if err != nil {
			return
		}
		for r, err := range q.Results() {
			if err != nil {
				return
			}
			want := rowList{}
			want.addResult(r)
			want.compare(t, r.Path(), readRows(t, &rows, func() error { return rows.OpenResult(r) }))
		}
	})
}

// A rowList has the names and values of some rows, and the error that follows the rows.
type rowList struct {
	rows []instanceRow
	err  string
}

type instanceRow struct {
	Name, Path string
	Off        int64 // of the name, 0 if the name has no bytes
	Numbers    []uint64
	Bytes      [][]byte
	Data       []string // each value of a result, with its path and offset; nil for an object
}

func (w *rowList) compare(t *testing.T, path layout.Path, got rowList) {
	t.Helper()
	if diff := cmp.Diff(w.rows, got.rows); diff != "" {
		t.Errorf("%v: rows (-views +Rows):\n%s", path, diff)
	}
	if w.err != got.err {
		t.Errorf("%v: Rows returns the error %q, and the views return %q", path, got.err, w.err)
	}
}

// fail keeps the first error.
func (w *rowList) fail(err error) bool {
	if err != nil && w.err == "" {
		w.err = err.Error()
	}
	return w.err != ""
}

// readRows reads all rows with Rows.
func readRows(t *testing.T, rows *layout.Rows, open func() error) (got rowList) {
	t.Helper()
	err := open()
	for rows.Next() {
		row := instanceRow{Name: string(rows.Name().Bytes()), Numbers: rows.AppendValues(nil)}
		text, err := rows.Name().Text()
		if appended, appendErr := rows.Name().AppendText(nil); string(appended) != text || fmt.Sprint(appendErr) != fmt.Sprint(err) {
			t.Errorf("AppendText returns %q, %v, and Text returns %q, %v", appended, appendErr, text, err)
		}
		if in, id := rows.Instance(), rows.InstanceHeader(); len(row.Name) > 0 && in.Off()+id.Off() > 0 {
			row.Off, row.Path = rows.Name().Off(), fmt.Sprint(in.Path())
			if in.Off() == 0 {
				row.Path = fmt.Sprint(id.Path())
			}
		}
		for i := range row.Numbers {
			row.Bytes = append(row.Bytes, rows.Bytes(i))
			if len(rows.Counters()) == 0 { // only the values of an object have counters; Data is for a result
				row.addData(rows.Data(i))
			}
		}
		got.rows = append(got.rows, row)
	}
	if rows.Err() == nil && err != nil {
		t.Errorf("Open returns %v, and Err returns nil", err)
	}
	if rows.Next() || len(rows.AppendValues(nil)) > 0 || rows.Name().Len() > 0 {
		t.Error("there is a current row after the last row")
	}
	got.fail(rows.Err())
	return got
}

// addObject uses views, such as [layout.Instance], to read an object, and adds its rows to the list.
func (w *rowList) addObject(o layout.Object) {
	var counters []layout.Counter
	for c, err := range o.Counters() {
		if w.fail(err) {
			return
		}
		if c.CounterSize() > 0 && c.CounterOffset() < layout.SizeofCounterBlock {
			_, err := layout.CounterBlock{}.Value(c)
			w.fail(err)
			return
		}
		counters = append(counters, c)
	}
	if o.NumInstances() == layout.PERF_NO_INSTANCES {
		block, err := o.Block()
		if !w.fail(err) {
			w.addBlock(instanceRow{}, block, counters)
		}
		return
	}
	for in, err := range o.Instances() {
		if w.fail(err) {
			return
		}
		name, err := in.Name()
		if w.fail(err) {
			return
		}
		block, err := in.Block()
		if w.fail(err) {
			return
		}
		row := instanceRow{Name: string(name.Bytes())}
		if len(row.Name) > 0 {
			row.Off, row.Path = name.Off(), fmt.Sprint(in.Path())
		}
		if w.addBlock(row, block, counters); w.err != "" {
			return
		}
	}
}

func (w *rowList) addBlock(row instanceRow, block layout.CounterBlock, counters []layout.Counter) {
	for _, c := range counters {
		var value layout.Span
		if c.CounterSize() > 0 {
			var err error
			if value, err = block.Value(c); w.fail(err) {
				return
			}
		}
		row.add(value)
	}
	w.rows = append(w.rows, row)
}

func (r *instanceRow) add(value layout.Span) {
	n, _ := value.Number()
	r.Numbers, r.Bytes = append(r.Numbers, n), append(r.Bytes, append([]byte{}, value.Bytes()...))
}

func (r *instanceRow) addData(v layout.CounterData) {
	r.Data = append(r.Data, fmt.Sprintf("%v %d %x", v.Path(), v.Off(), v.Bytes()))
}

// addResult reads a result with the views.
func (w *rowList) addResult(r layout.Result) {
	if _, err := r.IDs(); r.DwType().Valid() && w.fail(err) {
		return
	}
	if !r.HasInstances() {
		if r.DwType() == layout.PERF_SINGLE_COUNTER || r.DwType() == layout.PERF_MULTIPLE_COUNTERS {
			w.addValues(instanceRow{}, r.Values())
		}
		return
	}
	list, err := r.Instances()
	if w.fail(err) {
		return
	}
	for in, err := range list.All() {
		if w.fail(err) {
			return
		}
		row := instanceRow{Name: string(in.Name().Bytes())}
		if len(row.Name) > 0 {
			row.Off, row.Path = in.Name().Off(), fmt.Sprint(in.Path())
		}
		if w.addValues(row, in.Values()); w.err != "" {
			return
		}
	}
}

func (w *rowList) addValues(row instanceRow, values func(func(layout.CounterData, error) bool)) {
	for v, err := range values {
		if w.fail(err) {
			return
		}
		value, err := v.Value()
		if w.fail(err) {
			return
		}
		row.add(value)
		row.addData(v)
	}
	w.rows = append(w.rows, row)
}
