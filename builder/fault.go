package builder

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// The errors of this package, beside those of package layout. Compare with [errors.Is].
var (
	ErrBase        = errors.New("counter and base do not fit")
	ErrCount       = errors.New("wrong number of values")
	ErrConflict    = errors.New("values at the same place differ")
	ErrDuplicate   = errors.New("two instances have the same name")
	ErrDuplicateID = errors.New("two counters have the same id")
	ErrForeign     = errors.New("belongs to another template")
	ErrMoreData    = errors.New("the buffer is too small")
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

// within adds the path of the whole to an error about a part.
func within(parent layout.Path, err error) error {
	var e *layout.Error
	if errors.As(err, &e) {
		inner := *e
		inner.Path = e.Path.In(parent)
		return &inner
	}
	return err
}

// inText returns the text of an error about a text, with its place as a byte of the text.
func inText(err error) string {
	if e, ok := errors.AsType[*layout.Error](err); ok {
		return fmt.Sprintf("%v, at byte %d", e.Err, e.Off)
	}
	return err.Error()
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

var blockPath = layout.Path{}.Field("block")

func rootPath() layout.Path          { return layout.Path{} }
func objectPath(i int) layout.Path   { return layout.Path{}.At("object", i) }
func counterPath(i int) layout.Path  { return layout.Path{}.At("counter", i) }
func instancePath(i int) layout.Path { return layout.Path{}.At("instance", i) }
func valuePath(i int) layout.Path    { return layout.Path{}.At("value", i) }
func resultPath(i int) layout.Path   { return layout.Path{}.At("result", i) }
func dataPath(i int) layout.Path     { return layout.Path{}.At("data", i) }
func entryPath(i int) layout.Path    { return layout.Path{}.At("entry", i) }
