package libfuzzer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
)

// Target gives a target as libFuzzer calls it. The body runs before the first input,
// in the folder that its package has in files, beside the program: a test may read
// what lies beside it.
func Target(folder string, body func(*F)) func(input []byte) {
	start := sync.OnceValues(func() (reflect.Value, []reflect.Type) {
		program, err := os.Executable()
		if err != nil {
			panic(err)
		}
		f, err := Body(filepath.Join(filepath.Dir(program), "files", filepath.FromSlash(folder)), body)
		if err != nil {
			panic(err)
		}
		return f.fuzz, f.types()
	})
	return func(input []byte) {
		fuzz, types := start()
		run(func(t *T) {
			fuzz.Call(append([]reflect.Value{reflect.ValueOf(t)}, decode(types, input)...))
		})
	}
}

// Body runs the body of a target in a folder, and goes back to where it was.
func Body(folder string, body func(*F)) (f *F, err error) {
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(folder); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Chdir(back)) }()
	f = new(F)
	body(f)
	if !f.fuzz.IsValid() {
		return nil, fmt.Errorf("%s: the target does not call Fuzz", folder)
	}
	return f, nil
}

// Replay runs a target with every input in a folder, for a profile of what a corpus
// reaches.
func Replay(folder string, target func(input []byte)) error {
	return filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		input, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target(input)
		return nil
	})
}
