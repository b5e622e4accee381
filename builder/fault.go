package builder

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// The kinds of fault that a model can have beside those of package layout;
// compare with [errors.Is].
var (
	ErrBase        = errors.New("counter and base do not fit")
	ErrCount       = errors.New("wrong number of values")
	ErrConflict    = errors.New("values at one place differ")
	ErrDuplicate   = errors.New("two instances have one name")
	ErrDuplicateID = errors.New("two counters have one id")
	ErrParent      = errors.New("no such parent instance")
	ErrReference   = errors.New("counter and the one it refers to do not fit")
	ErrTooLarge    = errors.New("too large for the format")
	ErrUnkept      = errors.New("a model cannot keep it")
)

// fault returns an error at a field of the model; an empty field is the whole.
func fault(path layout.Path, field string, kind error, format string, args ...any) error {
	if field != "" {
		path = path.Field(field)
	}
	return &layout.Error{Path: path, Off: -1, Err: layout.Faultf(kind, format, args...)}
}

// within puts the path of an error about a part behind that of the whole.
func within(parent layout.Path, err error) error {
	var e *layout.Error
	if errors.As(err, &e) {
		inner := *e
		inner.Path = e.Path.In(parent)
		return &inner
	}
	return err
}

// inText says what an error about a text says, with its place as a byte of the text.
func inText(err error) string {
	if e, ok := errors.AsType[*layout.Error](err); ok {
		return fmt.Sprintf("%v, at byte %d", e.Err, e.Off)
	}
	return err.Error()
}

func rootPath() layout.Path          { return layout.Path{} }
func objectPath(i int) layout.Path   { return layout.Path{}.At("object", i) }
func counterPath(i int) layout.Path  { return layout.Path{}.At("counter", i) }
func instancePath(i int) layout.Path { return layout.Path{}.At("instance", i) }
