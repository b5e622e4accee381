package libfuzzer

import "reflect"

// F stands in for [testing.F] while a target's body runs: it keeps the seeds and the
// function.
type F struct {
	T
	seeds [][]any
	fuzz  reflect.Value
}

func (f *F) Add(args ...any) { f.seeds = append(f.seeds, args) }

func (f *F) Fuzz(fuzz any) { f.fuzz = reflect.ValueOf(fuzz) }

// types are those of the function's arguments behind its T.
func (f *F) types() (types []reflect.Type) {
	for i := 1; i < f.fuzz.Type().NumIn(); i++ {
		types = append(types, f.fuzz.Type().In(i))
	}
	return types
}
