package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"go/build"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"math"
	"os"
	"os/exec"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// marks are what YAML and JSON are made of, and no schema names.
var marks = []string{"---\n", "- ", ": ", "? ", "{}", "[]", "null", "true", "~", "|\n", ">-\n", "&a ", "*a", "<<: ", "!!binary ", "!!str ", "0x", "-1", "\\u0000", "\ufeff"}

// constants are the exported constants of a package: as bytes of a block, and by name.
func constants(path string) (numbers, names []string, err error) {
	// A program that was built without paths does not know where Go is.
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, nil, err
	}
	build.Default.GOROOT = strings.TrimSpace(string(root))
	p, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import(path)
	if err != nil {
		return nil, nil, err
	}
	scope := p.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !c.Exported() || c.Val().Kind() != constant.Int {
			continue
		}
		names = append(names, name)
		if n, exact := constant.Int64Val(c.Val()); exact {
			numbers = append(numbers, number(n))
		}
	}
	return numbers, names, nil
}

// number is how a block holds a number: in four bytes if they are enough.
func number(n int64) string {
	if n < math.MinInt32 || n > math.MaxUint32 {
		return string(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	return string(binary.LittleEndian.AppendUint32(nil, uint32(n)))
}

// sizes are those of the records, which lengths and offsets are made of.
func sizes() (words []string) {
	signature, _ := binary.Append(nil, binary.LittleEndian, layout.Signature())
	words = append(words, string(signature))
	for _, r := range all() {
		words = append(words, number(int64(r.Size)))
	}
	return words
}

func all() []*layout.Record {
	return append(append([]*layout.Record{}, layout.Winperf...), layout.Perflib...)
}

// records are the names of records and fields, which patches are written with.
func records() (words []string) {
	for _, r := range all() {
		words = append(words, r.In)
		for _, f := range r.Fields {
			words = append(words, f.Name)
		}
	}
	return words
}

func rules() (words []string) {
	for _, r := range validate.Rules() {
		words = append(words, r.ID, r.Name)
	}
	return words
}

// vocabulary are the keys and the fixed values that a JSON Schema names.
func vocabulary(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return named(schema), nil
}

func named(node any) (words []string) {
	switch node := node.(type) {
	case []any:
		for _, n := range node {
			words = append(words, named(n)...)
		}
	case map[string]any:
		for key, n := range node {
			switch n := n.(type) {
			case map[string]any:
				if key == "properties" {
					for name := range n {
						words = append(words, name+": ", `"`+name+`": `)
					}
				}
			case []any:
				if key == "enum" {
					for _, value := range n {
						words = append(words, strings.TrimSpace(fmt.Sprint(value)))
					}
				}
			case string:
				if key == "const" {
					words = append(words, n)
				}
			}
			words = append(words, named(n)...)
		}
	}
	return words
}
