package page_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

// This example writes a page for each file, and the index, to a folder.
func Example() {
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	block := []byte{16, 0, 0, 0, 7, 0, 0, 0, 'C', 0, ':', 0, 0, 0, 0, 0}
	file := report.File{
		Path: "volumes.bin", Kind: layout.InstancesKind, Block: block,
		Result: validate.Bytes(layout.InstancesKind, block, validate.Context{}),
	}

	var index page.Index
	w, err := os.Create(filepath.Join(dir, index.Add(file)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	if err := page.Write(w, file, page.Options{Index: page.IndexName}); err != nil {
		fmt.Println(err)
	}
	for name, write := range index.Pages(report.End{}) {
		w, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer w.Close()
		if err := write(w); err != nil {
			fmt.Println(err)
		}
	}

	list, err := os.ReadDir(dir)
	for _, entry := range list {
		fmt.Println(entry.Name())
	}
	fmt.Println(err)
	// Output:
	// index.html
	// volumes.bin-78fbb75b9275.html
	// <nil>
}
