package builder

import (
	"errors"

	"github.com/perfblock/perfblock/layout"
)

// The errors of this package wrap these values, or values of package layout. Use [errors.Is] to test for a value.
var (
	ErrBase        = errors.New("counter and base do not match")
	ErrCount       = errors.New("wrong number of values, or a call in the wrong order")
	ErrConflict    = errors.New("two values overlap")
	ErrDuplicate   = errors.New("two instances have the same name")
	ErrDuplicateID = errors.New("two counters have the same id")
	ErrForeign     = errors.New("belongs to another template")
	ErrMoreData    = errors.New("the buffer is too small")
	ErrParent      = errors.New("no such parent instance")
	ErrReference   = errors.New("the referenced counter is missing or has the wrong type")
	ErrTooLarge    = errors.New("too large for the format")
	ErrUnkept      = errors.New("a model cannot hold it")
)

// fault returns an error about a field of a record, or about the whole record if field is empty. The caller adds the
// path of the record.
func fault(field string, kind error, format string, args ...any) error {
	path := here
	if field != "" {
		path = path.Field(field)
	}
	return &layout.Error{Path: path, Off: -1, Err: layout.Faultf(kind, format, args...)}
}

// faults are the errors of a model in the order of the checks. The method Error returns the text of the first error.
type faults []error

// mostFaults is the largest number of errors that are collected for a model. It bounds the time and the memory.
const mostFaults = 1000

// add adds err. If err is of type faults, add adds each error in err. It ignores nil, and the errors after mostFaults.
func (f *faults) add(err error) {
	if err != nil {
		f.addError(err)
	}
}

// addError implements add for an err that is not nil. It is a separate method, so that the compiler can inline add.
func (f *faults) addError(err error) {
	more, ok := err.(faults)
	if !ok {
		more = faults{err}
	}
	*f = append(*f, more[:min(len(more), mostFaults-len(*f))]...)
}

// each calls check for each element of a list with n elements and adds the errors, until f is full. The function path
// returns the path of an element.
func (f *faults) each(n int, path func(i int) layout.Path, check func(i int) error) {
	for i := 0; i < n && !f.full(); i++ {
		if err := check(i); err != nil {
			f.add(within(path(i), err))
		}
	}
}

func (f faults) full() bool { return len(f) >= mostFaults }

// err returns nil for no errors, the error itself for one error, and f for more errors.
func (f faults) err() error {
	switch len(f) {
	case 0:
		return nil
	case 1:
		return f[0]
	}
	return f
}

func (f faults) Error() string   { return f[0].Error() }
func (f faults) Unwrap() []error { return f }

// within adds parent at the start of the path of err, or of each error in err. It returns nil if err is nil.
func within(parent layout.Path, err error) error {
	if err == nil {
		return nil
	}
	if all, ok := err.(faults); ok {
		inner := make(faults, len(all))
		for i, e := range all {
			inner[i] = within(parent, e)
		}
		return inner
	}
	e, ok := errors.AsType[*layout.Error](err)
	if !ok {
		return &layout.Error{Path: parent, Off: -1, Err: err}
	}
	inner := *e
	inner.Path = e.Path.In(parent)
	return &inner
}

// The constants below list the allowed values of a field. The text of an error about any other value contains the list.
const (
	detailLevels  = "PERF_DETAIL_NOVICE (100), PERF_DETAIL_ADVANCED (200), PERF_DETAIL_EXPERT (300) or PERF_DETAIL_WIZARD (400)"
	noInstances   = "PERF_NO_INSTANCES (-1), PERF_METADATA_MULTIPLE_INSTANCES (-2) or PERF_METADATA_NO_INSTANCES (-3)"
	instanceTypes = "PERF_COUNTERSET_SINGLE_INSTANCE (0), _MULTI_INSTANCES (2), _SINGLE_AGGREGATE (4), _MULTI_AGGREGATE (6), _SINGLE_AGGREGATE_HISTORY (12) or _INSTANCE_AGGREGATE (22)"
	aggregates    = "PERF_AGGREGATE_UNDEFINED (0), _TOTAL (1), _AVG (2), _MIN (3) or _MAX (4)"
	resultTypes   = "PERF_ERROR_RETURN (0), PERF_SINGLE_COUNTER (1), PERF_MULTIPLE_COUNTERS (2), PERF_MULTIPLE_INSTANCES (4) or PERF_COUNTERSET (6)"
)

// The paths below are relative to the record that a function checks or decodes. An empty path is the path of the record
// itself.
var (
	here      layout.Path
	blockPath = here.Field("block")
)

func rootPath() layout.Path            { return here }
func objectPath(i int) layout.Path     { return here.At("object", i) }
func counterPath(i int) layout.Path    { return here.At("counter", i) }
func instancePath(i int) layout.Path   { return here.At("instance", i) }
func valuePath(i int) layout.Path      { return here.At("value", i) }
func resultPath(i int) layout.Path     { return here.At("result", i) }
func dataPath(i int) layout.Path       { return here.At("data", i) }
func identifierPath(i int) layout.Path { return here.At("identifier", i) }
func entryPath(i int) layout.Path      { return here.At("entry", i) }
