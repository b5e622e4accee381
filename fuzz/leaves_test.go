package fuzz_test

import (
	"fmt"
	"reflect"
)

// leaves returns what a model holds, each plain value under its path. What a path leads to
// is at least itself: a list has a leaf for its length, a pointer one for being there.
func leaves(model any) map[string]string {
	all := map[string]string{}
	addLeaves(all, "", reflect.ValueOf(model))
	return all
}

func addLeaves(all map[string]string, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			all[path] = "none"
			return
		}
		addLeaves(all, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			addLeaves(all, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		all[path+".len"] = fmt.Sprint(v.Len())
		for i := range v.Len() {
			addLeaves(all, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	default:
		all[path] = fmt.Sprintf("%#v", v.Interface())
	}
}

// differing returns the paths under which two models do not hold the same.
func differing(a, b map[string]string) map[string]bool {
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
