package fuzz_test

import (
	"reflect"
	"strconv"

	"github.com/perfblock/perfblock/builder"
)

// leaves returns what a model holds, each plain value under its path. What a path leads to
// is at least itself: a list has a leaf for its length, a pointer one for being there. A
// base goes by the number of its counter, so that those behind it keep theirs.
func leaves(model any) map[string]any {
	all := map[string]any{}
	addLeaves(all, "", reflect.ValueOf(model))
	return all
}

func addLeaves(all map[string]any, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			all[path] = 0
			return
		}
		addLeaves(all, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			addLeaves(all, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		all[path+".len"] = v.Len()
		at := 0
		for i := range v.Len() {
			in := path + "[" + strconv.Itoa(at) + "]"
			if c, ok := v.Index(i).Interface().(builder.Counter); ok && c.CounterType.IsBase() {
				in = path + "[" + strconv.Itoa(at-1) + "]base"
			} else {
				at++
			}
			addLeaves(all, in, v.Index(i))
		}
	default:
		all[path] = v.Interface()
	}
}

// differing returns the paths under which two models do not hold the same.
func differing(a, b map[string]any) map[string]bool {
	paths := map[string]bool{}
	for path, v := range a {
		if w, ok := b[path]; !ok || v != w {
			paths[path] = true
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			paths[path] = true
		}
	}
	return paths
}
