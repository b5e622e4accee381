package bench_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A valueStore has the counter values of all instances of an object, either as numbers or as structs.
type valueStore interface {
	fill(w *builder.Fill, instances []instanceHead)
	refresh(r *builder.Refresh)
	Open(rows *layout.Rows, o layout.Object) error
	read(rows *layout.Rows) error // reads the names and the values of the opened object
}

// start starts the instance in w.
func (in *instanceHead) start(w *builder.Fill) {
	switch {
	case in.parentTitle != 0:
		w.Child(in.parentTitle, in.parent, in.name)
	case !in.single:
		w.Instance(in.name)
	}
	if in.id != nil {
		w.UniqueID(*in.id)
	}
}

// numbers has the values of all instances in one slice. Each instance has perRow values. If the slice is empty, all
// values in a written block are 0.
type numbers struct {
	perRow int
	all    []uint64
	names  int      // the number of bytes of all names that read has found
	into   []uint64 // where read stores the values of a row
}

func (v *numbers) fill(w *builder.Fill, instances []instanceHead) {
	rest := v.all
	for i := range instances {
		instances[i].start(w)
		if len(rest) > 0 {
			w.Values(rest[:v.perRow]...)
			rest = rest[v.perRow:]
		}
	}
}

func (v *numbers) refresh(r *builder.Refresh) {
	for rest := v.all; r.Next(); rest = rest[v.perRow:] {
		r.Values(rest[:v.perRow]...)
	}
}

func (v *numbers) Open(rows *layout.Rows, o layout.Object) error { return rows.Open(o) }

func (v *numbers) read(rows *layout.Rows) error {
	for rows.Next() {
		v.names += rows.Name().Len()
		v.into = rows.AppendValues(v.into[:0])
	}
	return rows.Err()
}

// structs has the values of each instance in a struct.
type structs[T any] struct {
	*builder.Binding[T]
	all   []T
	names int // the number of bytes of all names that read has found
	into  T   // where read stores the values of a row
}

func (v *structs[T]) fill(w *builder.Fill, instances []instanceHead) {
	for i := range instances {
		switch in := &instances[i]; {
		case in.parentTitle != 0:
			v.Child(w, in.parentTitle, in.parent, in.name, &v.all[i])
		case !in.single:
			v.Instance(w, in.name, &v.all[i])
		default:
			v.Fill(w, &v.all[i])
		}
		if id := instances[i].id; id != nil {
			w.UniqueID(*id)
		}
	}
}

func (v *structs[T]) refresh(r *builder.Refresh) {
	for i := 0; r.Next(); i++ {
		v.Refresh(r, &v.all[i])
	}
}

func (v *structs[T]) read(rows *layout.Rows) error {
	for rows.Next() {
		v.names += rows.Name().Len()
		if err := v.Read(rows, &v.into); err != nil {
			return err
		}
	}
	return rows.Err()
}

// These structs have the counters of an instance of Process and of Thread. The structs in c/fill.c have the same
// fields.
type (
	process struct {
		ProcessorTime, UserTime, PrivilegedTime                                   uint64
		VirtualBytesPeak, VirtualBytes                                            uint64
		PageFaults                                                                uint32
		WorkingSetPeak, WorkingSet, PageFileBytesPeak, PageFileBytes, Private     uint64
		ThreadCount, BasePriority                                                 uint32
		ElapsedTime                                                               uint64
		ID, CreatingID, PoolPaged, PoolNonpaged, HandleCount                      uint32
		Reads, Writes, Data, Others, ReadBytes, WriteBytes, DataBytes, OtherBytes uint64
		WorkingSetPrivate                                                         uint64
	}
	thread struct {
		ProcessorTime, UserTime, PrivilegedTime          uint64
		ContextSwitches                                  uint32
		ElapsedTime                                      uint64
		Start, Priority, BasePriority, State, WaitReason uint32
		ProcessID, ThreadID                              uint32
	}
)

// bindings maps the title index of an object to the bind function for its struct type.
var bindings = map[uint32]func(testing.TB, layout.Object, *builder.Template) valueStore{230: bind[process], 232: bind[thread]}

// bind returns the values of an object as structs of type T.
func bind[T any](tb testing.TB, o layout.Object, t *builder.Template) valueStore {
	tb.Helper()
	binding, err := builder.Bind[T](t)
	fatal(tb, err)
	v := &structs[T]{Binding: binding}
	var rows layout.Rows
	fatal(tb, v.Open(&rows, o))
	for rows.Next() {
		fatal(tb, v.Read(&rows, &v.into))
		v.all = append(v.all, v.into)
	}
	fatal(tb, rows.Err())
	return v
}
