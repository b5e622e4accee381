package block

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// Kind returns the kind of a block. It is the first of these kinds that is known:
//
//   - the kind that the user named
//   - data-block, if the block has the PERF signature
//   - the kind in the file name
//   - the only kind that the bytes fit; then detected is true
//
// The error is a [NotBlock] if no kind is known and the bytes fit no kind.
func (s Source) Kind(named string) (kind layout.Kind, detected bool, err error) {
	kind, known := KindInName(s.Path)
	if !known {
		kind, known = KindInName(s.File)
	}
	switch {
	case named != "":
		if kind, err = layout.ParseKind(named); err != nil {
			return 0, false, err
		}
		if contradicts(kind, s.Bytes) {
			return 0, false, fmt.Errorf("%s: has the PERF signature of a %v; use --kind %[2]v or no --kind", s.Name(), layout.DataBlockKind)
		}
		known = true
	case layout.HasSignature(s.Bytes):
		return layout.DataBlockKind, false, nil
	}
	switch {
	case len(s.Bytes) == 0 && !known:
		return 0, false, NotBlock{Empty(s.Path)}
	case len(s.Bytes) == 0 && !mayBeEmpty(kind):
		return 0, false, Empty(s.Path)
	case known:
		return kind, false, nil
	}
	fits := fitting(s.Bytes)
	switch {
	case len(fits) == 0:
		return 0, false, NotBlock{fmt.Errorf("%s: has no PERF signature, and its bytes fit no kind; if it is a block, name its kind with --kind (%s cannot be detected)", s.Name(), undetectable())}
	case len(fits) == 1 && fits[0].flaw == "":
		return fits[0].kind, true, nil
	case len(fits) == 1:
		return 0, false, fmt.Errorf("%s: %s; if it is a %v, use --kind %[3]v", s.Name(), fits[0].flaw, fits[0].kind)
	}
	var flags []string // the user must choose, because a wrong guess would cause misleading findings
	for _, c := range fits {
		flag := "--kind " + c.kind.String()
		if c.flaw != "" {
			flag += " (" + c.flaw + ")"
		}
		flags = append(flags, flag)
	}
	return 0, false, fmt.Errorf("%s: its bytes fit several kinds; name the kind with %s", s.Name(), strings.Join(flags, " or "))
}

// contradicts reports whether b is a data block, but the user named another kind.
func contradicts(kind layout.Kind, b []byte) bool {
	littleEndian := []byte{1, 0, 0, 0}
	switch at := int(layout.PERF_DATA_BLOCK.Field("LittleEndian").At); {
	case kind == layout.DataBlockKind || !layout.HasSignature(b):
		return false
	case kind == layout.RegStringKind: // a string can start with PERF, but only a data block has LittleEndian 1
		return bytes.HasPrefix(b[min(at, len(b)):], littleEndian)
	}
	return true
}

// mayBeEmpty reports whether a block of the kind may have no bytes, because the block is a list without items.
func mayBeEmpty(k layout.Kind) bool {
	// The result for ObjectsKind is false, because a provider that returns no objects has probably failed.
	return k == layout.InstancesKind || k == layout.IdentifiersKind || k == layout.GUIDsKind
}

// KindInName returns the kind before the last extension of a file name. It returns false if the file name has no
// kind.
func KindInName(path string) (layout.Kind, bool) {
	base := filepath.Base(path)
	extension := filepath.Ext(strings.TrimSuffix(base, filepath.Ext(base)))
	k, err := layout.ParseKind(strings.ToLower(strings.TrimPrefix(extension, ".")))
	return k, err == nil
}

// WithKind adds the kind to a file name, such as cpu.query-data. It does not add data-block, and it does not add a kind
// that the name already ends with.
func WithKind(base string, kind layout.Kind) string {
	extension := "." + kind.String()
	if kind == layout.DataBlockKind || strings.HasSuffix(strings.ToLower(base), extension) {
		return base
	}
	return base + extension
}

// A candidate is a kind that a block could have. If all bytes fit the kind, flaw is "". Otherwise flaw says what does
// not fit.
type candidate struct {
	kind layout.Kind
	flaw string
}

// fitting returns the kinds that the block could have.
func fitting(b []byte) []candidate {
	var fits []candidate
	for _, k := range layout.Kinds() {
		switch {
		case k == layout.DataBlockKind:
			if difference := signatureDifference(b); difference != "" {
				fits = append(fits, candidate{k, difference})
			}
		case k == layout.ObjectsKind:
			if readable(k, b) {
				fits = append(fits, candidate{kind: k})
			}
		case detectable(k) && readsFully(k, b):
			fits = append(fits, candidate{kind: k})
		}
	}
	return fits
}

// undetectable lists the kinds that detection cannot find.
func undetectable() string {
	var names []string
	for _, k := range layout.Kinds() {
		if !detectable(k) {
			names = append(names, k.String())
		}
	}
	return quote.List(names, "and")
}

// detectable reports whether blocks of the kind contain lengths or counts, which are rarely valid by chance.
func detectable(k layout.Kind) bool {
	switch k {
	case layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind, layout.GUIDsKind:
		return false // for example, any 16 bytes could be a GUID
	}
	return true
}

// readsFully reports whether b is one complete block of the V2 kind, with valid names.
func readsFully(k layout.Kind, b []byte) bool {
	for p := range layout.Walk(k, b) {
		switch p.Sort {
		case layout.UnreadPart: // after query data, callers save the unused end of their buffer
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

// readable reports whether b reads as a block of the kind without an error.
func readable(k layout.Kind, b []byte) bool {
	for p := range layout.Walk(k, b) {
		if p.Err != nil {
			return false
		}
	}
	return true
}

// signatureDifference describes the difference between the first bytes of b and the PERF signature. It
// returns "" if more than two bytes differ.
func signatureDifference(b []byte) string {
	const signature = "P\x00E\x00R\x00F\x00"
	n, format := 0, "the PERF signature is wrong in %s"
	for i := range min(len(b), len(signature)) {
		if b[i] != signature[i] {
			n++
		}
	}
	if missing := len(signature) - len(b); missing > 0 {
		if n > 0 {
			return "" // too little is left to compare
		}
		n, format = missing, "the PERF signature is incomplete: it lacks %s"
	}
	if n == 0 || n > 2 {
		return ""
	}
	return fmt.Sprintf(format, quote.Count(n, "byte"))
}
