package inputs_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/perfblock/perfblock/internal/inputs"
)

// numbered returns n members with the paths 0, 1 and so on. Every third member has an error.
func numbered(n int, pulled *atomic.Int64) iter.Seq2[inputs.Member, error] {
	return func(yield func(inputs.Member, error) bool) {
		for i := range n {
			pulled.Add(1)
			var err error
			if i%3 == 2 {
				err = errors.New("third")
			}
			if !yield(inputs.Member{Path: fmt.Sprint(i)}, err) {
				return
			}
		}
	}
}

// The tests of Ordered run in a bubble of testing/synctest. The bubble fails if a goroutine of Ordered does not
// end. In a bubble, time.Sleep takes no real time.

func TestOrderedKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pulled, running, most atomic.Int64
		var got []string
		work := func(m inputs.Member, err error) string {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer running.Add(-1)
			time.Sleep(time.Duration(len(m.Path)*int(m.Path[len(m.Path)-1]-'0')) * time.Second)
			return fmt.Sprint(m.Path, err)
		}
		for r := range inputs.Ordered(t.Context(), numbered(100, &pulled), inputs.Parallel{Workers: 4}, work) {
			got = append(got, r)
		}
		var want []string
		for i := range 100 {
			want = append(want, fmt.Sprint(i, map[bool]any{true: "third", false: "<nil>"}[i%3 == 2]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
		if most.Load() != 4 {
			t.Errorf("%d workers ran at once, want 4", most.Load())
		}
	})
}

func TestOrderedBoundsMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pulled atomic.Int64
		first := make(chan bool)
		work := func(m inputs.Member, err error) string {
			if m.Path == "0" {
				<-first
			}
			return m.Path
		}
		go func() {
			synctest.Wait()
			if n := pulled.Load(); n != 6 { // one more waits until it may start
				t.Errorf("%d members are taken while the first one is worked on, want 6", n)
			}
			close(first)
		}()
		n := 0
		for range inputs.Ordered(t.Context(), numbered(20, &pulled), inputs.Parallel{Workers: 2, Members: 5}, work) {
			n++
		}
		if n != 20 {
			t.Errorf("%d results, want 20", n)
		}
	})
}

// TestOrderedBoundsBytes checks that a member that is longer than the bound is processed alone.
func TestOrderedBoundsBytes(t *testing.T) {
	enter(t, map[string]string{"a": "1", "b": "22", "c": "88888888", "d": "333", "e": "1", "f": "99999999"})
	list := inputs.List{Args: []string{"a", "b", "c", "d", "e", "f"}}
	var bytes, most atomic.Int64
	work := func(m inputs.Member, _ error) string {
		if n := bytes.Add(m.Size()); n > most.Load() && m.Size() < 8 {
			most.Store(n)
		} else if m.Size() == 8 && n != 8 {
			t.Errorf("%s is worked on while %d bytes of others are", m.Path, n-8)
		}
		defer bytes.Add(-m.Size())
		b, err := m.Read()
		if err != nil {
			t.Error(err)
		}
		return m.Path + string(b)
	}
	var got []string
	for r := range inputs.Ordered(t.Context(), list.All(t.Context()), inputs.Parallel{Workers: 6, Bytes: 4}, work) {
		got = append(got, r)
	}
	if want := []string{"a1", "b22", "c88888888", "d333", "e1", "f99999999"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if most.Load() > 4 {
		t.Errorf("%d bytes are worked on at once, want at most 4", most.Load())
	}
}

func TestOrderedEnds(t *testing.T) {
	for _, row := range []struct {
		reason string
		ends   func(result string, cancel context.CancelFunc) bool
		fewest int // the least number of results
	}{
		{"the caller breaks its loop", func(r string, _ context.CancelFunc) bool { return r != "5" }, 6},
		{"the caller breaks its loop at the first result", func(string, context.CancelFunc) bool { return false }, 1},
		{"the context is cancelled", func(r string, cancel context.CancelFunc) bool {
			if r == "5" {
				cancel()
			}
			return true
		}, 6},
	} {
		synctest.Test(t, func(t *testing.T) {
			var pulled atomic.Int64
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var got []string
			for r := range inputs.Ordered(ctx, numbered(1000, &pulled), inputs.Parallel{Workers: 3, Members: 10}, func(m inputs.Member, _ error) string {
				time.Sleep(time.Second)
				return m.Path
			}) {
				got = append(got, r)
				if !row.ends(r, cancel) {
					break
				}
			}
			if len(got) < row.fewest || len(got) > row.fewest+10 {
				t.Errorf("%s: %d results", row.reason, len(got))
			}
			for i, r := range got {
				if r != fmt.Sprint(i) {
					t.Errorf("%s: result %d is that of member %s", row.reason, i, r)
				}
			}
			if n := pulled.Load(); n > 30 {
				t.Errorf("%s: %d members are taken", row.reason, n)
			}
		})
	}
}

func TestOrderedWithoutMembers(t *testing.T) {
	var pulled atomic.Int64
	for r := range inputs.Ordered(t.Context(), numbered(0, &pulled), inputs.Parallel{}, func(inputs.Member, error) int { return 1 }) {
		t.Errorf("got %d", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for r := range inputs.Ordered(ctx, numbered(9, &pulled), inputs.Parallel{}, func(inputs.Member, error) int { return 1 }) {
		t.Errorf("got %d after the context was cancelled", r)
	}
}

// TestAllEnds checks that the stream of a list ends when its context is cancelled, even in the middle of an archive or
// while a read of standard input blocks.
func TestAllEnds(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		name := fmt.Sprintf("%02d", i)
		files["d/"+name] = name
		files["e/"+name+".zip"] = zipOf(testMember{name: "a", text: zipOf(testMember{name: "b"}, testMember{name: "c"})}, testMember{name: "d"})
		files["f/"+name+".tgz"] = gzipOf(tarOf(testMember{name: "a", text: gzipOf("b")}, testMember{name: "d"}))
	}
	enter(t, files)
	for _, folder := range []string{"d", "e", "f"} {
		for n := range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			got := 0
			for _, err := range (inputs.List{Args: []string{folder}}).All(ctx) {
				if err != nil {
					t.Fatal(err)
				}
				if got++; got == n+1 {
					break
				}
			}
			got = 0
			for range (inputs.List{Args: []string{folder}}).All(ctx) {
				if got++; got == n+1 {
					cancel()
				}
			}
			if got != n+1 {
				t.Errorf("%s: %d members after the context was cancelled at the %dth", folder, got, n+1)
			}
			cancel()
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	for range (inputs.List{Args: []string{"-"}, Stdin: blockedReader{cancel}}).All(ctx) {
		t.Error("there is a member after the context was cancelled")
	}
}

// A blockedReader calls onRead and then blocks forever.
type blockedReader struct{ onRead func() }

func (b blockedReader) Read([]byte) (int, error) {
	b.onRead()
	select {}
}
