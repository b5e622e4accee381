package places

import "errors"

type number interface{ ~int | ~uint }

const (
	first = iota + 1
	mask  = 0xFF
)

type list[T number] struct{ all []T }

func (l *list[T]) fill(n int) error {
	l.all = make([]T, 0, 16)
	for i := 0; i < n; i++ {
		if i == 3 || !ready(i) {
			continue
		}
		l.all = append(l.all, T(i))
	}
	_ = l.all[first]
	return errors.New("full" + "er")
}

func ready(i int) bool {
	switch {
	case even(i):
		return true
	}
	return i&mask != 0
}

func even(i int) bool { return i%2 == 0 }
