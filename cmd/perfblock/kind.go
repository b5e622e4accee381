package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// kindHelp is for the help of commands that want to know the kind of a block.
const kindHelp = `Kinds of block. --kind names it, else the PERF signature tells a data-block, and else
the name of the file, where the kind stands before the last ending: cpu.query-data.bin.`

// kindOf returns the kind that the user has named, or the one whose signature the
// block has, or by which its file is called. It guesses nothing: a block read as
// another kind looks broken in ways that lead astray. A kind of V2 is taken as it is
// named whatever the bytes are: a text may well start with PERF. Nothing at all is a
// block of some kinds, but only of one that is known.
func kindOf(s source, named string) (layout.Kind, error) {
	kind, known := calledKind(s.path)
	switch {
	case named == layout.ObjectsKind.String() && layout.HasSignature(s.b):
		return 0, fmt.Errorf("%s: it has the PERF signature, so it is a %v and no other kind: leave --kind out", s.name, layout.DataBlockKind)
	case named != "":
		var err error
		if kind, err = layout.ParseKind(named); err != nil {
			return 0, err
		}
		known = true
	case layout.HasSignature(s.b):
		return layout.DataBlockKind, nil
	}
	switch {
	case len(s.b) == 0 && !(known && mayBeEmpty(kind)):
		return 0, empty(s.path)
	case known:
		return kind, nil
	}
	fits := fitting(s.b)
	if len(fits) == 0 {
		return 0, fmt.Errorf("%s: it has no PERF signature, and fits no kind in full that its bytes could tell: name one with --kind; %s cannot be told from bytes", s.name, untold())
	}
	return 0, fmt.Errorf("%s: it has no PERF signature, so name the kind of block that it is: %s", s.name, strings.Join(fits, " or "))
}

// mayBeEmpty reports whether a function of perflib.h may answer with no bytes of that
// kind. Objects are no such list: what wrote none may have failed.
func mayBeEmpty(k layout.Kind) bool {
	switch k {
	case layout.InstancesKind, layout.IdentifiersKind, layout.GUIDsKind:
		return true
	}
	return false
}

// calledKind returns the kind that stands before the last ending of a file's name, and
// whether one does.
func calledKind(path string) (layout.Kind, bool) {
	base := filepath.Base(path)
	ending := filepath.Ext(strings.TrimSuffix(base, filepath.Ext(base)))
	k, err := layout.ParseKind(strings.ToLower(strings.TrimPrefix(ending, ".")))
	return k, err == nil
}

// withKind returns the name without ending of a file that holds a block of that kind,
// so that it is understood again. The kinds of V1 are not in the names: of a data-block
// it would say nothing.
func withKind(base string, kind layout.Kind) string {
	ending := "." + kind.String()
	if kind.V1() || strings.HasSuffix(strings.ToLower(base), ending) {
		return base
	}
	return base + ending
}

// fitting returns the flags for those kinds that b may well be.
func fitting(b []byte) []string {
	var fits []string
	for _, k := range layout.Kinds() {
		flag := "--kind " + k.String()
		switch {
		case k == layout.DataBlockKind:
			switch n := signatureFaults(b); n {
			case 1:
				fits = append(fits, flag+" (1 byte of its signature is off)")
			case 2:
				fits = append(fits, flag+" (2 bytes of its signature are off)")
			}
		case k == layout.ObjectsKind:
			if readable(k, b) {
				fits = append(fits, flag+withErrors(k, b))
			}
		case telling(k) && filled(k, b):
			fits = append(fits, flag)
		}
	}
	return fits
}

// telling reports whether a block of that kind holds lengths or counts against which
// its bytes can be held. Any bytes do for a text, and any 16 for a GUID.
func telling(k layout.Kind) bool {
	switch k {
	case layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind, layout.GUIDsKind:
		return false
	}
	return true
}

// untold lists the kinds that no bytes tell of.
func untold() string {
	var names []string
	for _, k := range layout.Kinds() {
		if !telling(k) {
			names = append(names, k.String())
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// filled reports whether b reads as that kind of V2 from the first byte to the last,
// with names that are text and no more padding than there is reason for. Behind query
// data there may be what is left of the caller's buffer.
func filled(k layout.Kind, b []byte) bool {
	for p := range layout.Walk(k, b) {
		switch p.Sort {
		case layout.UnreadPart:
			if k != layout.QueryDataKind || p.Err != nil || p.Path != (layout.Path{}).Field("rest") {
				return false
			}
		case layout.PaddingPart:
			if p.Len() >= layout.Align {
				return false
			}
		case layout.NamePart:
			if _, err := p.Name().Text(); err != nil {
				return false
			}
		}
	}
	return true
}

// readable reports whether nothing is in the way of reading b as that kind.
func readable(k layout.Kind, b []byte) bool {
	for p := range layout.Walk(k, b) {
		if p.Err != nil {
			return false
		}
	}
	return true
}

// withErrors says how many errors a block of that kind would have, nothing if none:
// what can be read may be so by chance.
func withErrors(k layout.Kind, b []byte) string {
	switch n := validate.Bytes(k, b, validate.Context{}).Counts.Error; n {
	case 0:
		return ""
	case 1:
		return " (with 1 error)"
	default:
		return fmt.Sprintf(" (with %d errors)", n)
	}
}

// signatureFaults returns how many bytes of the signature are wrong.
func signatureFaults(b []byte) int {
	const signature = "P\x00E\x00R\x00F\x00"
	wrong := 0
	for i := range len(signature) {
		if i >= len(b) || b[i] != signature[i] {
			wrong++
		}
	}
	return wrong
}
