package fuzz_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestNilSource checks that a nil Source makes the same choices as a Source without bytes.
func TestNilSource(t *testing.T) {
	t.Parallel()
	same := func(name string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	empty := new(fuzz.Source)
	for _, kind := range layout.Kinds() {
		same(kind.String(), fuzz.Model(kind, nil, fuzz.Config{}), fuzz.Model(kind, empty, fuzz.Config{}))
	}
	same("Join", fuzz.Join(nil, fuzz.Config{}), fuzz.Join(empty, fuzz.Config{}))
	same("Damage", fuzz.Damage(nil, []byte("block")), fuzz.Damage(empty, []byte("block")))
	got, err := fuzz.Break("data-signature", nil, fuzz.Config{})
	want, wantErr := fuzz.Break("data-signature", empty, fuzz.Config{})
	same("Break", got, want)
	same("the error of Break", err, wantErr)
	base, err := fuzz.NewBase(new(builder.DataBlock))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"data-signature", "ctr-base-missing"} { // the block has no place for the second fault
		got, err = base.Break(rule, nil, fuzz.Config{})
		want, wantErr = base.Break(rule, empty, fuzz.Config{})
		same("Base.Break", got, want)
		same("the error of Base.Break", err, wantErr)
	}
}

// TestNilModel checks the errors for models, a Base and a Series that are nil or zero.
func TestNilModel(t *testing.T) {
	t.Parallel()
	models := []builder.Model{nil}
	for _, kind := range layout.Kinds() {
		m, err := builder.NewModel(kind)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, reflect.Zero(reflect.TypeOf(m)).Interface().(builder.Model))
	}
	const want = "the model is nil, must be a model of package builder"
	for _, m := range models {
		if _, err := fuzz.NewBase(m); err == nil || err.Error() != want || !errors.Is(err, layout.ErrRange) {
			t.Errorf("NewBase(%T): got %v, want %s", m, err, want)
		}
		if _, err := fuzz.NewSeries(m, fuzz.SeriesOptions{}); err == nil || err.Error() != want || !errors.Is(err, layout.ErrRange) {
			t.Errorf("NewSeries(%T): got %v, want %s", m, err, want)
		}
	}
	for _, b := range []*fuzz.Base{nil, {}} {
		const want = "the Base is nil or zero, must be from NewBase"
		if _, err := b.Break("data-signature", nil, fuzz.Config{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, series := range []*fuzz.Series{nil, {}} {
		const want = "the Series is nil or zero, must be from NewSeries"
		if _, err := series.Next(); err == nil || err.Error() != want || !errors.Is(err, layout.ErrRange) {
			t.Errorf("got %v, want %s", err, want)
		}
		for v := range series.Values() {
			t.Errorf("got the value %v of a Series without blocks", v)
		}
	}
}
