package inputs

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"sync"
)

// Parallel limits the work that [Ordered] does at the same time. If a field is 0, the limit is the default in the
// comment of the field.
type Parallel struct {
	Workers int   // calls of process at once; the default is GOMAXPROCS
	Members int   // members that are processed, or whose results wait for earlier results; the default is 64 per worker
	Bytes   int64 // bytes of these members; the default is 256 MiB. A longer member is processed alone
}

// Ordered calls process with each member and error of a stream, and returns the results in the same order. Several
// calls run at once, within the limits of p.
//
// When ctx is cancelled, Ordered starts no more calls, but it still returns the results of all calls that it has
// started. So the results are those of the first members of the stream, without gaps. When the caller breaks the loop,
// the results of the running calls are dropped. All goroutines end before the loop ends.
func Ordered[T any](ctx context.Context, members iter.Seq2[Member, error], p Parallel, process func(Member, error) T) iter.Seq[T] {
	type input struct {
		Member
		err error
	}
	inputs := func(yield func(input) bool) {
		for m, err := range members {
			if !yield(input{m, err}) {
				return
			}
		}
	}
	size := func(in input) int64 { return in.size }
	return ordered(ctx, inputs, p, size, func(in input) T { return process(in.Member, in.err) })
}

// ordered is [Ordered] for elements of any type. size returns the number of bytes of an element, for the limit
// p.Bytes.
func ordered[In, Out any](ctx context.Context, elements iter.Seq[In], p Parallel, size func(In) int64, process func(In) Out) iter.Seq[Out] {
	p.Workers = cmp.Or(p.Workers, runtime.GOMAXPROCS(0))
	p.Members = cmp.Or(p.Members, 64*p.Workers)
	p.Bytes = cmp.Or(p.Bytes, 256<<20)
	type call struct {
		size   int64
		result chan Out
	}
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		calls := make(chan call, p.Members) // in the order of the elements
		freed := make(chan int64, p.Members)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()

		running.Go(func() {
			defer close(calls)
			workers := make(chan struct{}, p.Workers)
			members, bytes := 0, int64(0) // of the calls whose results are not yet yielded
			for element := range elements {
				c := call{max(size(element), 0), make(chan Out, 1)}
				if ctx.Err() != nil {
					return
				}
				for members == p.Members || members > 0 && c.size > p.Bytes-bytes {
					select {
					case n := <-freed:
						members, bytes = members-1, bytes-n
					case <-ctx.Done():
						return
					}
				}
				select {
				case workers <- struct{}{}:
				case <-ctx.Done():
					return
				}
				members, bytes = members+1, bytes+c.size
				calls <- c
				running.Go(func() {
					defer func() { <-workers }()
					c.result <- process(element)
				})
			}
		})

		for c := range calls {
			if !yield(<-c.result) {
				return
			}
			freed <- c.size
		}
	}
}
