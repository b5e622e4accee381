package form

import (
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// short is the largest length of a mapping that [List] writes in braces.
const short = 100

// List returns the form of a list of mappings. A short item is written on one line in braces. In a longer item, each
// key is on a line of its own.
func List[E any](name string, item *Mapping[E]) *Form { return listOf(name, item, short) }

// BracedList is [List] with all items in braces, whatever their length.
func BracedList[E any](name string, item *Mapping[E]) *Form { return listOf(name, item, math.MaxInt) }

// BlockList is [List] with each key of an item on its own line.
func BlockList[E any](name string, item *Mapping[E]) *Form { return listOf(name, item, 0) }

// listOf returns the form of a list of mappings. An item of up to `most` bytes is on one line, such as {a: 1, b: 2}.
func listOf[E any](name string, item *Mapping[E], most int) *Form {
	return &Form{
		Name:   "list of " + name,
		Schema: ListSchema(Ref(item.Name)),
		Read: func(n *yaml.Node, to any) error {
			out := to.(*[]E)
			return ReadEach(n, func(_ int, n *yaml.Node) error {
				var e E
				err := item.Read(n, &e)
				*out = append(*out, e)
				return err
			})
		},
		Zero: func(from any) bool { return len(*from.(*[]E)) == 0 },
		Write: func(w *Writer, from any, indent string) error {
			list := *from.(*[]E)
			_, noun, _ := strings.Cut(item.What, " ") // without the article
			return WriteEach(w, len(list), indent, noun, func(i int) error {
				if most > 0 || indent == "" { // in braces, if this takes at most `most` bytes or all items are on one line
					start := len(w.B)
					err := item.WriteBraced(w, &list[i])
					if fits := indent == "" || len(w.B)-start <= most; err != nil || fits {
						return err
					}
					w.B = w.B[:start]
				}
				inner := indent + "  "
				return item.write(w, &list[i], inner+"  ", inner)
			})
		},
	}
}

// ReadEach calls read for each item of the list n and returns the faults of all items.
func ReadEach(n *yaml.Node, read func(i int, n *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return yamltext.Want(n, "a list")
	}
	var faults yamltext.Faults
	for i, one := range yamltext.Items(n) {
		if faults.Add(read(i, one)); faults.Full() {
			break
		}
	}
	return faults.Err()
}

// WriteEach writes a list of n items: each on its own line, or all on one line if indent is "". For the noun
// "instance", an error starts with "instance 3: ". Without a noun, WriteEach returns the error of write.
func WriteEach(w *Writer, n int, indent, noun string, write func(i int) error) error {
	flow := n == 0 || indent == ""
	if flow {
		w.Add(" [")
	}
	for i := range n {
		if flow {
			w.Comma(i)
		} else {
			w.Add(indent)
			w.Add("- ")
		}
		if err := write(i); err != nil {
			if noun == "" {
				return err
			}
			return fmt.Errorf("%s %d: %w", noun, i, err)
		}
		w.bound()
	}
	if flow {
		w.Add("]")
	}
	return nil
}
