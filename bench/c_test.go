//go:build cgo

package bench_test

import (
	"errors"

	"github.com/perfblock/perfblock/bench/c"
)

func init() {
	ops = append(ops, op{"fill", "c", byC((*c.Input).Fill)}, op{"refresh", "c", byC((*c.Input).Refresh)})
}

func byC(work func(in *c.Input, buffer []byte, n int) int) func(*load, int) error {
	var loaded *load
	var in *c.Input // of loaded
	return func(l *load, n int) (err error) {
		if loaded != l {
			if in, err = c.NewInput(l.data, l.block); err != nil {
				return err
			}
			loaded = l
		}
		if work(in, l.scratch, n) != len(l.block) {
			return errors.New("C returns another length")
		}
		return nil
	}
}
