package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/layout"
)

func TestSpansOfAnObject(t *testing.T) {
	t.Parallel()
	for o, err := range layout.ReadObjects(smallBytes(t)[smallObjects:]) {
		if err != nil {
			t.Fatal(err)
		}
		defs, err1 := o.Definitions()
		body, err2 := o.Body()
		if err1 != nil || err2 != nil || defs.Off() != o.Off()+64 || defs.Len() != 80 || body.Off() != o.Off()+144 || body.End() != o.End() {
			t.Errorf("%v: definitions %d to %d, body %d to %d, %v, %v", o.Path(), defs.Off(), defs.End(), body.Off(), body.End(), err1, err2)
		}
	}
}

// The bytes a cursor yields are the caller's, and leave no room to write over what follows.
func TestViewsAreWindows(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for o, err := range layout.ReadObjects(b) {
		if err == nil {
			t.Fatalf("%v was read from a header", o.Path())
		}
	}
	for o := range layout.ReadObjects(b[smallObjects:]) {
		for _, s := range []layout.Span{o.Span} {
			if cap(s.Bytes()) != s.Len() || &s.Bytes()[0] != &b[smallObjects+s.Off()] {
				t.Errorf("%v: %d bytes with room for %d", o.Path(), s.Len(), cap(s.Bytes()))
			}
		}
		for c := range o.Counters() {
			if c.Len() != 40 || cap(c.Bytes()) != 40 {
				t.Errorf("%v: a counter of %d bytes with room for %d", o.Path(), c.Len(), cap(c.Bytes()))
			}
		}
	}
}

// Every view names itself as [layout.Find] finds it.
func TestPathsOfViews(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)[smallObjects:]
	check := func(path layout.Path, s layout.Span) {
		t.Helper()
		if p, err := layout.Find(layout.ObjectsKind, b, path); err != nil || p.Off() != s.Off() || p.Len() != s.Len() {
			t.Errorf("%v: %d bytes at %d, %v; the view has %d at %d", path, p.Len(), p.Off(), err, s.Len(), s.Off())
		}
	}
	for o := range layout.ReadObjects(b) {
		check(o.Path(), o.Span)
		for c := range o.Counters() {
			check(c.Path(), c.Span)
		}
		for in := range o.Instances() {
			check(in.Path(), in.Span)
			if block, err := in.Block(); err != nil {
				t.Error(err)
			} else {
				check(block.Path(), block.Span)
			}
		}
		if block, err := o.Block(); o.Index() == 0 && err == nil {
			check(block.Path(), block.Span)
		}
	}
}
