package dump

import (
	"bufio"
	"encoding/hex"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A jsonShower writes an array with an element on a line for each part:
//
//	{"path":"object[0].NumInstances","offset":40,"length":4,"sort":"field","type":"LONG","value":-1,"meaning":"PERF_NO_INSTANCES"}
//
// What each member is, docs/dump-json.md says. Nothing is lost: what no value and no
// text tells has its bytes. These go to the writer piece by piece, so that a line may be
// longer than the memory there is.
type jsonShower struct {
	w    *bufio.Writer
	line []byte
	some bool
}

func newJSON(w *bufio.Writer, _ layout.Kind, _ []byte, _ Options) shower { return &jsonShower{w: w} }

func (j *jsonShower) end() {
	if !j.some {
		_, _ = j.w.WriteString("[")
	}
	_, _ = j.w.WriteString("\n]\n")
}

func (j *jsonShower) part(s *said) {
	start := ",\n"
	if !j.some {
		start, j.some = "[\n", true
	}
	b := append(append(j.line[:0], start...), `{"path":"`...)
	b = append(s.Path.Append(b), '"')
	b = strconv.AppendInt(append(b, `,"offset":`...), s.Off(), 10)
	b = strconv.AppendInt(append(b, `,"length":`...), int64(s.Len()), 10)
	b = append(append(append(b, `,"sort":"`...), s.Sort.String()...), '"')
	meaning := s.meaning
	switch s.Sort {
	case layout.FieldPart:
		b = appendMember(b, "type", s.Field.Type.C())
	case layout.ValuePart:
		if s.Untyped {
			break
		}
		b, meaning = appendMember(b, "type", meaning), ""
	}
	if len(s.number) > 0 {
		b = append(b, `,"value":`...)
		if s.Len() == 8 {
			b = append(append(append(b, '"'), s.number...), '"')
		} else {
			b = append(b, s.number...)
		}
	}
	if s.guid {
		b = append(append(append(b, `,"text":"`...), s.value...), '"')
	}
	if len(s.text) > 0 && s.exact {
		b = appendUnquoted(append(b, `,"text":`...), s.text)
	} else if len(s.text) > 0 {
		meaning = join(string(s.text), meaning)
	}
	if s.Sort == layout.UnreadPart && s.err == nil && !s.nothing() {
		meaning = s.reason()
	}
	if meaning != "" {
		b = appendMember(b, "meaning", meaning)
	}
	if s.target >= 0 {
		b = strconv.AppendInt(append(b, `,"target":`...), s.target, 10)
	}
	if s.err != nil {
		b = appendMember(b, "error", s.err.Error())
	}
	b = appendFindings(b, s.findings)
	if !s.whole && s.Len() > 0 {
		b = j.bytes(append(b, `,"bytes":"`...), s.Bytes())
	}
	j.line = append(b, '}')
	_, _ = j.w.Write(j.line) // the writer keeps the error
}

// bytes writes line and what raw is in hex, and returns the rest of the line.
func (j *jsonShower) bytes(line, raw []byte) []byte {
	for piece := range slices.Chunk(raw, 1<<10) {
		line = hex.AppendEncode(line, piece)
		if _, err := j.w.Write(line); err != nil {
			break // which Write meets too
		}
		line = line[:0]
	}
	return append(line, '"')
}

func appendFindings(b []byte, findings []validate.Finding) []byte {
	for i, f := range findings {
		if i == 0 {
			b = append(b, `,"findings":[`...)
		} else {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"rule":"`...), f.Rule.ID...), '"')
		b = appendMember(b, "severity", f.Severity.String())
		b = append(appendMember(b, "message", f.Message()), '}')
	}
	if len(findings) > 0 {
		b = append(b, ']')
	}
	return b
}

func appendMember(b []byte, name, text string) []byte {
	b = append(append(append(b, `,"`...), name...), `":`...)
	b = append(b, '"')
	if isPlain(text) {
		return append(append(b, text...), '"')
	}
	for _, r := range text {
		b = appendJSONRune(b, r)
	}
	return append(b, '"')
}

// isPlain reports whether text stands in quotes as it is, as nearly all does.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7F {
			return false
		}
	}
	return true
}

// appendUnquoted appends text that [AppendText] has quoted, in the quotes of JSON.
func appendUnquoted(b, quoted []byte) []byte {
	b = append(b, '"')
	for rest := string(quoted[1 : len(quoted)-1]); rest != ""; {
		r, _, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			break // not of our quoting
		}
		b, rest = appendJSONRune(b, r), tail
	}
	return append(b, '"')
}

// appendJSONRune keeps to what a terminal can show, as JSON ends up on one.
func appendJSONRune(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case strconv.IsPrint(r):
		return utf8.AppendRune(b, r)
	case r > 0xFFFF:
		hi, lo := utf16.EncodeRune(r)
		return appendJSONRune(appendJSONRune(b, hi), lo)
	}
	return append(b, '\\', 'u', hexDigit(r>>12), hexDigit(r>>8), hexDigit(r>>4), hexDigit(r))
}

func hexDigit(r rune) byte { return "0123456789abcdef"[r&15] }
