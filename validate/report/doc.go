// Package report writes what package validate found: as text for people, as JSON,
// and as SARIF 2.1.0. It also explains rules.
//
//	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
//	files := []report.File{{Path: "cpu.bin", Kind: layout.DataBlockKind, Block: block, Result: result}}
//	err := report.Formats()[0].Write(os.Stdout, files, report.Options{})
//
// The one idea to know: nothing is judged here. A finding is shown with the bytes
// it is of, and a rule with all that it says of itself.
//
// The same files always give the same output. Text of a block, and the name of a file, reach
// it with escapes for whatever would drive a terminal.
package report
