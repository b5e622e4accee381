package report_test

import (
	"log"
	"os"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

func Example() {
	json, err := report.FormatNamed("json")
	if err != nil {
		log.Fatal(err)
	}
	w := json.NewWriter(os.Stdout, report.Options{})
	block := []byte("P\x00E\x00R\x00F\x00 and no more")
	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
	if err := w.File(report.File{Path: "cpu.bin", Kind: layout.DataBlockKind, Block: block, Result: result}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(report.End{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"schema":1,"files":[
	// {"path":"cpu.bin","kind":"data-block","bytes":20,"findings":[
	// {"rule":"PERF1101","name":"data-truncated","severity":"error","path":"","offset":0,"length":20,"message":"the input has 20 bytes, must have at least 88, the size of PERF_DATA_BLOCK"}
	// ],"counts":{"error":1,"warning":0,"info":0},"truncated":false}
	// ]}
}
