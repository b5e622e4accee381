package fuzz_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// declareModels adds the rows of each field of a model, given or not. What is not given is
// computed, or none.
func (c *coverage) declareModels(t *testing.T) {
	t.Helper()
	c.section("Fields of models")
	for _, kind := range layout.Kinds() {
		c.declareModel(reflect.TypeOf(empty(t, kind)).Elem())
	}
}

// ours reports whether it is a struct or list of package builder.
func ours(t reflect.Type) bool { return strings.HasSuffix(t.PkgPath(), "/builder") }

func (c *coverage) declareModel(t reflect.Type) {
	switch {
	case t.Kind() == reflect.Slice:
		if ours(t) {
			for _, n := range []string{": none", ": one", ": more"} {
				c.declare(t.String(), "records"+n)
			}
		}
		c.declareModel(t.Elem())
	case t.Kind() == reflect.Struct && ours(t):
		for f := range t.Fields() {
			if f.Type.Kind() == reflect.Slice {
				for _, n := range []string{": none", ": one", ": more"} {
					c.declare(t.String(), f.Name+n)
				}
				c.declareModel(f.Type)
				continue
			}
			c.declare(t.String(), f.Name+" not given")
			c.declare(t.String(), f.Name+" given")
		}
	}
}

func (c *coverage) models(m builder.Model) { c.model(reflect.ValueOf(m).Elem()) }

func (c *coverage) model(v reflect.Value) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Slice:
		if ours(t) {
			c.number(t.String(), "records", v.Len())
		}
		if e := t.Elem().Kind(); e == reflect.Struct {
			for i := range v.Len() {
				c.model(v.Index(i))
			}
		}
	case t.Kind() == reflect.Struct && ours(t):
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Type.Kind() == reflect.Slice {
				c.number(t.String(), f.Name, v.Field(i).Len())
				c.model(v.Field(i))
				continue
			}
			c.see(t.String(), f.Name+" not given", v.Field(i).IsZero())
			c.see(t.String(), f.Name+" given", !v.Field(i).IsZero())
		}
	}
}
