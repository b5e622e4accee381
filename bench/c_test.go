//go:build cgo

package bench_test

import (
	"errors"

	"github.com/perfblock/perfblock/bench/c"
)

func init() {
	ops = append(ops, op{"fill", "c", hasStructs, byC((*c.Input).Fill)}, op{"refresh", "c", hasStructs, byC((*c.Input).Refresh)})
}

// byC returns a function that does work in C, n times.
func byC(work func(in *c.Input, buffer []byte, n int) int) func(*load, int) error {
	var loaded *load
	var in *c.Input // made from the block of loaded
	return func(l *load, n int) (err error) {
		if loaded != l {
			if in, err = c.NewInput(l.block); err != nil {
				return err
			}
			loaded = l
		}
		if work(in, l.scratch, n) != len(l.block) {
			return errors.New("the C function returns another length than the block has")
		}
		return nil
	}
}
