package builder_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func TestEveryKindHasAModel(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		m, err := builder.NewModel(kind)
		if err != nil || m.Kind() != kind {
			t.Errorf("%v: the model is of %v, %v", kind, m, err)
		}
	}
	none := layout.Kind(len(layout.Kinds()))
	if m, err := builder.NewModel(none); m != nil || !errors.Is(err, layout.ErrRange) {
		t.Errorf("a model of no kind: %v, %v", m, err)
	}
}

// checkEqual reports a difference between two models.
func checkEqual[T any](t *testing.T, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
	}
}

// putDWORD returns a function that overwrites 4 bytes at an offset with v.
func putDWORD(at int, v uint32) func([]byte) []byte {
	return func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
}

// insert returns a function that inserts n zero bytes, or deletes -n bytes, and adds n to the DWORDs at the offsets in
// lengths. These DWORDs must be before the inserted or deleted bytes.
func insert(at, n int, lengths ...int) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, l := range lengths {
			binary.LittleEndian.PutUint32(b[l:], uint32(int(binary.LittleEndian.Uint32(b[l:]))+n))
		}
		if n < 0 {
			return slices.Delete(b, at, at-n)
		}
		return slices.Insert(b, at, make([]byte, n)...)
	}
}

// inOrder returns a function that makes the given changes, in their order.
func inOrder(changes ...func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, c := range changes {
			b = c(b)
		}
		return b
	}
}

// checkLosses decodes b, which has data that the model cannot hold. paths lists the paths of this data, separated by
// spaces. `want` is the model that UnmarshalLossy must return.
func checkLosses[T any, P interface {
	*T
	UnmarshalBinary([]byte) error
	UnmarshalLossy([]byte) ([]*layout.Error, error)
	MarshalBinary() ([]byte, error)
}](t *testing.T, reason string, b []byte, paths string, want, old T) {
	t.Helper()
	got := old
	err := P(&got).UnmarshalBinary(b)
	e, ok := errors.AsType[*layout.Error](err)
	if first, _, _ := strings.Cut(paths, " "); !ok || e.Path.String() != first || !errors.Is(err, builder.ErrUnkept) {
		t.Errorf("%s: %v, want a loss at %s", reason, err, paths)
		return
	}
	if diff := cmp.Diff(old, got); diff != "" {
		t.Errorf("%s: the failed call changed the model:\n%s", reason, diff)
	}
	losses, err := P(&got).UnmarshalLossy(b)
	var at []string
	for _, l := range losses {
		at = append(at, l.Path.String())
	}
	if err != nil || strings.Join(at, " ") != paths {
		t.Errorf("%s: lost %v, %v; want %s", reason, losses, err, paths)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: kept (-want +got)\n%s", reason, diff)
	}
	var again T
	if b, err = P(&got).MarshalBinary(); err == nil {
		err = P(&again).UnmarshalBinary(b)
	}
	if diff := cmp.Diff(got, again); diff != "" || err != nil {
		t.Errorf("%s: %v, decoded again (-kept +again)\n%s", reason, err, diff)
	}
}

// checkRefused checks that encoding a model returns an error of the given kind at path, and
// returns the buffer unchanged.
func checkRefused[T interface {
	AppendBinary([]byte) ([]byte, error)
	EncodedLen() (int, error)
}](t *testing.T, reason string, model T, path string, kind error) {
	t.Helper()
	prefix := []byte("prefix")
	got, err := model.AppendBinary(prefix)
	e, ok := errors.AsType[*layout.Error](err)
	switch {
	case !ok:
		t.Errorf("%s: %v is no layout.Error", reason, err)
	case e.Path.String() != path || !errors.Is(err, kind) || e.Off != -1:
		t.Errorf("%s: %v (%v), want %v at %s", reason, err, errors.Unwrap(e.Err), kind, path)
	case !bytes.Equal(got, prefix):
		t.Errorf("%s: the failed call returned %q", reason, got)
	}
	if n, err := model.EncodedLen(); err == nil || n != 0 {
		t.Errorf("%s: EncodedLen says %d, %v", reason, n, err)
	}
}

// checkEncoding checks that a model has the given encoding, and that decoding returns an equal model.
func checkEncoding[T encoding.BinaryMarshaler, P interface {
	*T
	encoding.BinaryUnmarshaler
}](t *testing.T, model T, want []byte, back P) {
	t.Helper()
	got, err := model.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(hex.Dump(want), hex.Dump(got)))
	}
	if err := back.UnmarshalBinary(want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(model, *back); diff != "" {
		t.Errorf("decoded (-want +got)\n%s", diff)
	}
}

// appendZeros appends three bytes that belong to no record.
func appendZeros(b []byte) []byte { return append(b, 0, 0, 0) }

// checkBroken checks that decoding returns an error with the given path and offset, and does not change the model.
func checkBroken(t *testing.T, reason string, kind layout.Kind, b []byte, path string, off int64, want error) {
	t.Helper()
	m, err := builder.NewModel(kind)
	if err != nil {
		t.Fatal(err)
	}
	empty, _ := builder.NewModel(kind)
	for _, decode := range []func([]byte) error{
		m.UnmarshalBinary,
		func(b []byte) error { _, err := m.UnmarshalLossy(b); return err },
	} {
		err := decode(b)
		e, ok := errors.AsType[*layout.Error](err)
		if !ok || e.Path.String() != path || e.Off != off || !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v of %q at 0x%x", reason, err, want, path, off)
		}
		checkEqual(t, m, empty)
	}
}

// checkRoundTrip checks that a model encodes to bytes that decode to the same model.
func checkRoundTrip[T any, P interface {
	*T
	builder.Model
}](t *testing.T, reason string, model T, back P) {
	t.Helper()
	b, err := P(&model).MarshalBinary()
	if err != nil {
		t.Errorf("%s: %v", reason, err)
		return
	}
	if n, err := P(&model).EncodedLen(); n != len(b) || err != nil {
		t.Errorf("%s: EncodedLen says %d, %v, of %d", reason, n, err, len(b))
	}
	if err := back.UnmarshalBinary(b); err != nil {
		t.Errorf("%s: decoding: %v", reason, err)
		return
	}
	checkEqual(t, *back, model)
}

// hexBytes returns the bytes of a text with hex digits in each line. Three spaces start a comment.
func hexBytes(t *testing.T, text string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "   ")
		digits.WriteString(strings.ReplaceAll(line, " ", ""))
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return b
}
