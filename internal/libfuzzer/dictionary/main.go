// Dictionary writes the words that libFuzzer is to try: for targets that read blocks
// the numbers of package layout, and for those that read text its names and the words
// of the JSON Schemas. It is run in the folder of the module and given the folder to
// write to.
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: dictionary FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "dictionary:", err)
		os.Exit(1)
	}
}

func write(folder string) error {
	numbers, names, err := constants("github.com/perfblock/perfblock/layout")
	if err != nil {
		return err
	}
	words := slices.Concat(names, records(), rules(), marks)
	for _, schema := range []string{"spec", "config"} {
		more, err := vocabulary(filepath.Join("docs/schema", "perfblock-"+schema+".schema.json"))
		if err != nil {
			return err
		}
		words = append(words, more...)
	}
	for name, words := range map[string][]string{"binary": append(numbers, sizes()...), "text": words} {
		if err := os.WriteFile(filepath.Join(folder, name+".dict"), dictionary(words), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// longest is what libFuzzer takes of a word.
const longest = 64

// dictionary writes each word once, in order and in the form that libFuzzer reads.
func dictionary(words []string) []byte {
	set := map[string]bool{}
	for _, word := range words {
		if word != "" && len(word) <= longest {
			set[word] = true
		}
	}
	var b bytes.Buffer
	for _, word := range slices.Sorted(maps.Keys(set)) {
		b.WriteByte('"')
		for _, c := range []byte(word) {
			if c < ' ' || c > '~' || c == '"' || c == '\\' {
				fmt.Fprintf(&b, `\x%02X`, c)
			} else {
				b.WriteByte(c)
			}
		}
		b.WriteString("\"\n")
	}
	return b.Bytes()
}
