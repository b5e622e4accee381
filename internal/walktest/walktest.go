// Package walktest checks [layout.Walk] and [layout.FindAll] on any bytes. Tests of several packages use it.
package walktest

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// Inside checks that err is a [*layout.Error] whose bytes are inside an input of n bytes.
func Inside(t testing.TB, err error, n int) {
	t.Helper()
	e, ok := errors.AsType[*layout.Error](err)
	if !ok {
		t.Fatalf("%v is not a layout.Error", err)
	}
	if e.Off < 0 || e.Len < 0 || e.Off > int64(n) || e.Off+int64(e.Len) > int64(n) {
		t.Fatalf("%v: the error is about %d bytes at %d, outside the input of %d bytes", e, e.Len, e.Off, n)
	}
}

// Check checks the parts that Walk yields for b. The parts must cover all of b. If Walk yields no error, FindAll must
// find each part.
func Check(t testing.TB, kind layout.Kind, b []byte) {
	t.Helper()
	var fault error
	var parts []layout.Part
	var paths []layout.Path
	end, n, shown := int64(0), 0, 0
	for p := range layout.Walk(kind, b) {
		if n++; n > len(b)+1 { // one part for each byte, and an empty part if the input ends early
			t.Fatalf("there are too many parts for an input of %d bytes", len(b))
		}
		if shown += p.Len(); shown > 9*len(b) { // a byte can be in up to 8 values that overlap
			t.Fatalf("the parts overlap too often: they have more than 9 times as many bytes as the input, which has %d", len(b))
		}
		if p.Off() < 0 || p.Off() > end || p.End() > int64(len(b)) || p.Off() != end && !kind.V1() { // parts of V2 must not overlap
			t.Fatalf("%v has the bytes %d to %d, but the previous parts end at %d of %d", p.Path, p.Off(), p.End(), end, len(b))
		}
		end = max(end, p.End())
		switch {
		case p.Err != nil:
			if fault = p.Err; p.Sort != layout.UnreadPart {
				t.Fatalf("%v is %v and has %v", p.Path, p.Sort, p.Err)
			}
			Inside(t, p.Err, len(b))
		case p.Len() == 0:
			t.Fatalf("%v, %v, is empty", p.Path, p.Sort)
		}
		if path, err := layout.ParsePath(p.Path.String()); err != nil || path != p.Path {
			t.Fatalf("path %v parses as %v, %v", p.Path, path, err)
		}
		if p.Sort != layout.UnreadPart {
			parts, paths = append(parts, p), append(paths, p.Path)
		}
	}
	if end != int64(len(b)) {
		t.Fatalf("the parts end at %d, but the input has %d bytes", end, len(b))
	}
	for i, q := range layout.FindAll(kind, b, paths) {
		switch p := parts[i]; {
		case q.Err != nil && fault == nil && (!kind.V1() || p.Sort != layout.PaddingPart):
			t.Fatalf("Walk yields no error, but FindAll does not find %v: %v", p.Path, q.Err)
		case q.Err != nil && !errors.Is(q.Err, layout.ErrPath):
			Inside(t, q.Err, len(b))
		case q.Err != nil, kind.V1() && p.Sort == layout.PaddingPart: // several gaps can have the same path
		case q.Off() != p.Off() || q.Len() != p.Len() || q.Sort != p.Sort || q.Record != p.Record || q.Field != p.Field || q.Untyped != p.Untyped:
			t.Fatalf("Walk yields %v as a %v of %d bytes at %d; FindAll returns a %v of %d bytes at %d", p.Path, p.Sort, p.Len(), p.Off(), q.Sort, q.Len(), q.Off())
		}
	}
}
