package oracle

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/layout"
)

// Disagreements returns a line for each difference between package layout and an independent reader, such as the
// walker. Paths, offsets, lengths and values must be equal. Without entries, Disagreements returns nil.
func Disagreements(kind layout.Kind, block []byte, entries []Entry) (lines []string) {
	differ := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	others := make(map[string]Entry, len(entries))
	for _, e := range entries {
		others[e.Path] = e
	}
	for p := range layout.Walk(kind, block) {
		optional := p.Sort == layout.PaddingPart || p.Sort == layout.UnreadPart && p.Err == nil || p.Field != nil && p.Field.Role.Kind == layout.Padding
		if _, ok := others[p.Path.String()]; !ok && !optional && len(entries) > 0 {
			differ("the other reader does not find %v", p.Path)
		}
	}
	// If values or strings share bytes, layout.Walk can omit some of them. layout.FindAll finds all.
	var paths []layout.Path
	found := entries[:0:0]
	for _, e := range entries {
		path, err := layout.ParsePath(e.Path)
		if err != nil {
			differ("%v", err)
			continue
		}
		paths, found = append(paths, path), append(found, e)
	}
	for i, p := range layout.FindAll(kind, block, paths) {
		e := found[i]
		if p.Err != nil {
			differ("the other reader finds %s, but package layout returns an error: %v", e.Value, p.Err)
		} else if got := walkerValue(p); got != e.Value || p.Off() != e.Off || p.Len() != e.Size {
			differ("package layout finds %s = %s, %d bytes at %d; the other reader finds %s, %d bytes at %d", e.Path, got, p.Len(), p.Off(), e.Value, e.Size, e.Off)
		}
	}
	return lines
}

// walkerValue returns the value of a part in the format of [Entry.Value].
func walkerValue(p layout.Part) string {
	if n, ok := p.Int(); ok && p.Field.Type == layout.U64 {
		return strconv.FormatUint(uint64(n), 10)
	} else if ok {
		return strconv.FormatInt(n, 10)
	}
	if n, ok := p.Number(); ok && p.Sort == layout.ValuePart {
		return strconv.FormatUint(n, 10)
	}
	return "hex:" + hex.EncodeToString(p.Bytes())
}
