package dump

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A jsonPrinter writes an array. Each part of the block is an element on its own line:
//
//	{"path":"object[0].NumInstances","offset":40,"length":4,"sort":"field","type":"LONG","value":-1,"meaning":"PERF_NO_INSTANCES"}
//
// docs/dump-json.md describes the members. A program can rebuild the block from the output.
type jsonPrinter struct {
	w         *bufio.Writer
	separator string // before the next element
}

func newJSON(w *bufio.Writer, _ layout.Kind, _ []byte, _ Options) printer {
	_ = w.WriteByte('[')
	return &jsonPrinter{w, "\n"}
}

func (j *jsonPrinter) end() { _, _ = j.w.WriteString("\n]\n") }

func (j *jsonPrinter) part(e *entry) {
	b := append(append(j.w.AvailableBuffer(), j.separator...), `{"path":"`...)
	j.separator = ",\n"
	b = append(e.Path.Append(b), `","offset":`...)
	b = append(strconv.AppendInt(b, e.Off(), 10), `,"length":`...)
	b = append(strconv.AppendInt(b, int64(e.Len()), 10), `,"sort":"`...)
	b = append(append(b, e.Sort.String()...), '"')
	meaning := e.meaning
	switch {
	case e.Sort == layout.FieldPart:
		b = append(append(append(b, `,"type":"`...), e.Field.Type.C()...), '"')
	case e.Sort == layout.ValuePart && !e.Untyped:
		b = append(append(append(b, `,"type":"`...), meaning...), '"')
		meaning = ""
	}
	switch e.form {
	case decimal, hexadecimal:
		b = appendValue(append(b, `,"value":`...), e)
	case guid:
		b = append(append(append(b, `,"text":"`...), e.text...), '"')
	case quoted:
		b = appendUnquoted(append(b, `,"text":`...), e.text)
	case inexact:
		meaning = join(string(e.text), meaning)
	}
	if e.Sort == layout.UnreadPart && e.Err == nil && !e.findingsOnly() {
		meaning = e.reason()
	}
	if meaning != "" {
		b = appendMember(b, "meaning", meaning)
	}
	if e.title != "" {
		b = appendMember(b, "name", e.title)
		if e.builtIn {
			b = append(b, `,"builtIn":true`...)
		}
	}
	if e.target >= 0 {
		b = strconv.AppendInt(append(b, `,"target":`...), e.target, 10)
	}
	if e.Err != nil {
		b = appendMember(b, "error", e.Err.Error())
	}
	b = appendFindings(b, e.findings)
	if !e.whole && e.Len() > 0 { // neither the value nor the text determines all bytes
		b = j.writeHex(append(b, `,"bytes":"`...), e.Bytes())
	}
	_, _ = j.w.Write(append(b, '}')) // the writer keeps the error
}

// writeHex writes line, and then raw in hex. The result has the bytes that are not yet written, such as the closing
// quote. The caller must write the result.
func (j *jsonPrinter) writeHex(line, raw []byte) []byte {
	for piece := range slices.Chunk(raw, 1<<10) { // in pieces, to need little memory
		line = hex.AppendEncode(line, piece)
		if _, err := j.w.Write(line); err != nil {
			break // the next Write returns the error too
		}
		line = j.w.AvailableBuffer()
	}
	return append(line, '"')
}

// appendValue appends a number. A number of 8 bytes is in quotes, because many readers of JSON would round it.
func appendValue(b []byte, e *entry) []byte {
	if e.Len() == 8 {
		b = append(b, '"')
	}
	if e.form == hexadecimal {
		b = strconv.AppendUint(b, e.number, 10)
	} else {
		b = append(b, e.text...)
	}
	if e.Len() == 8 {
		b = append(b, '"')
	}
	return b
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
	b = append(append(append(b, `,"`...), name...), `":"`...)
	for _, r := range text {
		b = appendJSONRune(b, r)
	}
	return append(b, '"')
}

// appendUnquoted appends the result of [appendText] as a string of JSON.
func appendUnquoted(b, quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return append(b, quoted...)
	}
	b = append(b, '"')
	for rest := string(quoted[1 : len(quoted)-1]); rest != ""; {
		r, _, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			break // the result of appendText is always valid
		}
		b, rest = appendJSONRune(b, r), tail
	}
	return append(b, '"')
}

// appendJSONRune appends a character of a string of JSON. It escapes characters that are not
// printable, because users also read JSON in a terminal.
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
	return appendHex(append(b, `\u`...), uint64(r), 4)
}
