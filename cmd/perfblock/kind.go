package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// kindHelp is a part of the help of commands that read a block.
const kindHelp = `Kinds of block. The kind comes from --kind, or from the PERF signature of a data-block, or
from the name of the file before its last extension: cpu.query-data.bin.`

// kindOf returns the kind of a block: the kind of --kind, or data-block for the PERF signature,
// or the kind in the file name. It does not guess the kind: after a wrong guess, the findings
// would be misleading. A block without bytes must have a kind that [mayBeEmpty] accepts.
func kindOf(s source, named string) (layout.Kind, error) {
	kind, known := kindInName(s.path)
	switch {
	case named != "":
		var err error
		if kind, err = layout.ParseKind(named); err != nil {
			return 0, err
		}
		if contradicts(kind, s.b) {
			return 0, fmt.Errorf("%s: has the PERF signature of a %v; use --kind %[2]v or no --kind", s.name, layout.DataBlockKind)
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
		return 0, fmt.Errorf("%s: has no PERF signature, and its bytes fit no kind; if it is a block, name its kind with --kind (%s cannot be detected)", s.name, kindList(slices.DeleteFunc(layout.Kinds(), detectable), "and"))
	}
	return 0, fmt.Errorf("%s: has no PERF signature; name its kind with %s", s.name, strings.Join(fits, " or "))
}

// contradicts reports whether b is a data block, although kind is another kind. A data block
// starts with the signature PERF. The text of a reg-string can start with PERF too, but only a
// data block has a LittleEndian of 1.
func contradicts(kind layout.Kind, b []byte) bool {
	littleEndian := []byte{1, 0, 0, 0}
	switch at := int(layout.PERF_DATA_BLOCK.Field("LittleEndian").At); {
	case kind == layout.DataBlockKind || !layout.HasSignature(b):
		return false
	case kind == layout.RegStringKind:
		return bytes.HasPrefix(b[min(at, len(b)):], littleEndian)
	}
	return true
}

// mayBeEmpty reports whether a block of the kind may have no bytes. Such a block is a list
// without items. The result is false for objects: if there are none, the provider has probably
// failed.
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

// withKind returns base with the kind as an extension, so that [kindInName] finds it. The name of
// a data-block needs no kind, because the block has a signature.
func withKind(base string, kind layout.Kind) string {
	extension := "." + kind.String()
	if kind == layout.DataBlockKind || strings.HasSuffix(strings.ToLower(base), extension) {
		return base
	}
	return base + extension
}

// fitting returns a flag --kind for each kind that the block could have.
func fitting(b []byte) []string {
	var fits []string
	for _, k := range layout.Kinds() {
		flag := "--kind " + k.String()
		switch {
		case k == layout.DataBlockKind:
			if difference := signatureDifference(b); difference != "" {
				fits = append(fits, flag+difference)
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

// detectable reports whether blocks of the kind contain lengths or counts, by which they differ
// from other bytes. The other kinds are texts and GUIDs: any bytes could be a text, and any 16
// bytes a GUID.
func detectable(k layout.Kind) bool {
	switch k {
	case layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind, layout.GUIDsKind:
		return false
	}
	return true
}

// readsFully reports whether all bytes of b read as a block of the V2 kind, with valid names
// and no more padding than alignment requires. Unused bytes of the caller's buffer may follow
// query data.
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

// readable reports whether b reads as a block of the kind without an error.
func readable(k layout.Kind, b []byte) bool {
	for p := range layout.Walk(k, b) {
		if p.Err != nil {
			return false
		}
	}
	return true
}

// withErrors returns " (with 2 errors)", for example, if lint finds two errors in b as a block of
// the kind. It returns "" if lint finds none.
func withErrors(k layout.Kind, b []byte) string {
	n := validate.Bytes(k, b, validate.Context{}).Counts.Error
	if n == 0 {
		return ""
	}
	return " (with " + quote.Count(n, "error") + ")"
}

// signatureDifference describes the difference between the first bytes of b and the PERF
// signature, in parentheses for a message. It returns "" if the difference is more than two
// bytes.
func signatureDifference(b []byte) string {
	const signature = "P\x00E\x00R\x00F\x00"
	n, difference := 0, "wrong"
	for i := range min(len(b), len(signature)) {
		if b[i] != signature[i] {
			n++
		}
	}
	if missing := len(signature) - len(b); missing > 0 {
		if n > 0 {
			return "" // too little is left to compare
		}
		n, difference = missing, "missing"
	}
	switch n {
	case 1:
		return fmt.Sprintf(" (1 byte of the signature is %s)", difference)
	case 2:
		return fmt.Sprintf(" (2 bytes of the signature are %s)", difference)
	}
	return ""
}
