package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// kindHelp is a part of the help of commands that read a block.
const kindHelp = `Kinds of block. The kind comes from --kind, or from the PERF signature of a data-block, or
from the name of the file before its last extension: cpu.query-data.bin.`

// kindOf returns the kind of a block: the one the user has named, or data-block for the
// PERF signature, or the one in the name of the file. It does not guess, because a block
// read as another kind has misleading faults. A V2 kind in a flag or a name overrides the
// signature, because a text may start with PERF. No bytes at all are a block only of some
// kinds, which the user must have named.
func kindOf(s source, named string) (layout.Kind, error) {
	kind, known := kindInName(s.path)
	switch {
	case named == layout.ObjectsKind.String() && layout.HasSignature(s.b):
		return 0, fmt.Errorf("%s: has the PERF signature of a %v; use --kind %[2]v or no --kind", s.name, layout.DataBlockKind)
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
		return 0, fmt.Errorf("%s: has no PERF signature, and its bytes fit no kind; if it is a block, name its kind with --kind (%s cannot be detected)", s.name, undetectable())
	}
	return 0, fmt.Errorf("%s: has no PERF signature; name its kind with %s", s.name, strings.Join(fits, " or "))
}

// mayBeEmpty reports whether a function of perflib.h may return no bytes for the kind.
// Objects may not be empty: the provider may have failed.
func mayBeEmpty(k layout.Kind) bool {
	return k == layout.InstancesKind || k == layout.IdentifiersKind || k == layout.GUIDsKind
}

// kindInName returns the kind before the last extension of a file name, and whether the
// name has one.
func kindInName(path string) (layout.Kind, bool) {
	base := filepath.Base(path)
	extension := filepath.Ext(strings.TrimSuffix(base, filepath.Ext(base)))
	k, err := layout.ParseKind(strings.ToLower(strings.TrimPrefix(extension, ".")))
	return k, err == nil
}

// withKind returns base with the kind as an extension, so that [kindInName] finds it. Names
// have no V1 kind: a data-block has a signature.
func withKind(base string, kind layout.Kind) string {
	extension := "." + kind.String()
	if kind.V1() || strings.HasSuffix(strings.ToLower(base), extension) {
		return base
	}
	return base + extension
}

// fitting returns the flags --kind for the kinds that the bytes fit.
func fitting(b []byte) []string {
	var fits []string
	for _, k := range layout.Kinds() {
		flag := "--kind " + k.String()
		switch {
		case k == layout.DataBlockKind:
			switch n := wrongInSignature(b); n {
			case 1:
				fits = append(fits, flag+" (1 byte of the signature is wrong)")
			case 2:
				fits = append(fits, flag+" (2 bytes of the signature are wrong)")
			}
		case k == layout.ObjectsKind:
			if readable(k, b) {
				fits = append(fits, flag+withErrors(k, b))
			}
		case detectable(k) && readsFully(k, b):
			fits = append(fits, flag)
		}
	}
	return fits
}

// detectable reports whether blocks of the kind have lengths or counts that the bytes must
// agree with. Any bytes are a text, and any 16 bytes a GUID.
func detectable(k layout.Kind) bool {
	switch k {
	case layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind, layout.GUIDsKind:
		return false
	}
	return true
}

// undetectable lists the kinds that are not detectable.
func undetectable() string {
	kinds := names(kindOptions(slices.DeleteFunc(layout.Kinds(), detectable)))
	last := len(kinds) - 1
	return strings.Join(kinds[:last], ", ") + " and " + kinds[last]
}

// readsFully reports whether b reads as the V2 kind from the first byte to the last, with
// valid names and only the necessary padding. Bytes may follow query data: the rest of the
// caller's buffer.
func readsFully(k layout.Kind, b []byte) bool {
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

// readable reports whether b reads as the kind without an error.
func readable(k layout.Kind, b []byte) bool {
	for p := range layout.Walk(k, b) {
		if p.Err != nil {
			return false
		}
	}
	return true
}

// withErrors returns how many errors lint finds in a block of the kind, or "" for none:
// bytes may be readable by chance.
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

// wrongInSignature returns how many bytes of the PERF signature are wrong.
func wrongInSignature(b []byte) int {
	const signature = "P\x00E\x00R\x00F\x00"
	wrong := 0
	for i := range len(signature) {
		if i >= len(b) || b[i] != signature[i] {
			wrong++
		}
	}
	return wrong
}
