// Package form reads and writes YAML mappings, and makes their JSON Schema and their reference page. A table of the
// keys describes each mapping. Reading reports all faults at once, each with its line and column. The caller writes:
//
//	var mapping = form.Mapping[Item]{Name: "item", What: "an item", Doc: "An item.", Keys: []form.Key[Item]{
//		{Name: "name", Form: form.Text, Required: true, Doc: "The name.", Field: func(i *Item) any { return &i.Name }}}}
//	err := mapping.Read(root, &item)              // root is from yamltext.Reader.Load
//	text, err := mapping.Append(nil, &item, &reader)
//	schema := form.Encode(mapping.Section().Schema())
//
// A [Key] has a [Form], which reads and writes one type of value. The package has forms for texts, numbers, words,
// GUIDs, booleans and lists of mappings. A caller makes other forms as literals.
//
// A mapping can contain itself: one of its keys then has the [List] of this mapping as its form. A function must make
// such a Mapping, because the initializer of a variable cannot refer to the variable. The [yamltext.Reader] limits the
// depth.
package form

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// A Form reads, writes and describes one type of value. A Form that is only for reading may have no Zero and no
// Write.
type Form struct {
	Name   string  // the description in the reference
	Schema Members // as JSON Schema
	// Read stores the value of the node n in a field of the model. The caller adds the line and column of n to an
	// error without a position.
	Read func(n *yaml.Node, to any) error
	// Zero reports whether the field is unset, as if its key were missing. The key of an unset field is written
	// only if the key is required.
	Zero func(from any) bool
	// Write writes the value after the colon of its key. A short value follows a space on the same line. A list or a
	// mapping can have lines of its own: Write then begins each of them with indent, a line feed and spaces. If indent
	// is "", the value is inside braces and must stay on the line of its key.
	Write func(w *Writer, from any, indent string) error
}

// A Writer collects the text of a mapping in B. If the text becomes longer than a [yamltext.Reader] can read, the
// Writer discards the text and only counts its bytes. The error of [Mapping.Append] then states the number of bytes.
type Writer struct {
	B       []byte
	start   int // the offset of the text in B
	most    int // the largest length of the text in bytes
	dropped int // bytes that were discarded
}

// Add writes s.
func (w *Writer) Add(s string) { w.B = append(w.B, s...) }

// Addf writes a text in the format of package fmt.
func (w *Writer) Addf(format string, args ...any) { w.B = fmt.Appendf(w.B, format, args...) }

// Comma writes a comma before every item except item 0.
func (w *Writer) Comma(i int) {
	if i > 0 {
		w.Add(", ")
	}
}

// bound discards the text if it is too long.
func (w *Writer) bound() {
	if n := w.len(); n > w.most {
		w.dropped, w.B = n, w.B[:w.start]
	}
}

// len returns the length of the text so far.
func (w *Writer) len() int { return w.dropped + len(w.B) - w.start }

// Append appends the text of a whole mapping to b, in the order of the keys. The text has the required keys and the
// keys of all fields that are set. If the text is larger than the limits of r allow, Append returns an error. On any
// error, Append returns b unchanged.
func (m *Mapping[T]) Append(b []byte, from *T, r *yamltext.Reader) ([]byte, error) {
	w := Writer{B: b, start: len(b), most: r.MaxBytes}
	if err := m.write(&w, from, "\n  ", "\n"); err != nil {
		return b, err
	}
	w.Add("\n")
	if w.len() > r.MaxBytes {
		return b, fmt.Errorf("the text has %d bytes, must have at most %d: a longer text cannot be parsed", w.len(), r.MaxBytes)
	}
	if f, ok := errors.AsType[*yamltext.Fault](r.CheckSize(w.B[w.start:], false)); ok {
		return b, fmt.Errorf("the text cannot be parsed: %w", f.Err)
	}
	return w.B, nil
}
