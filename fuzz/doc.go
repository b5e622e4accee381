// Package fuzz generates valid blocks of any kind from a seed or from any bytes, damages blocks, and makes blocks that
// break one rule. Use the package to test a program that reads such blocks.
//
//	model := fuzz.New[builder.DataBlock](fuzz.Seed(7), fuzz.Config{})
//	block, err := model.MarshalBinary()
//
// A [Source] turns bytes into choices, so a fuzzing engine steers the generator by changing the bytes. [New] and [Model]
// make a model of one kind. [Join] makes query data with its identifiers and registrations. [Workloads] returns fixed
// blocks for benchmarks. A [Series] makes the blocks of one machine at a fixed interval, and the values that a consumer
// should display.
//
// # Promises
//
// A generated model is valid. It encodes without an error and decodes to an equal model, and package validate finds no
// error in its bytes. Warnings do occur, for example about two instances with one name.
//
// The same bytes or the same seed make the same model on every machine. [Input] returns the bytes for a seed. A new
// version of this package may make another model from a seed.
//
// A small change of the bytes is a small change of the model. The bytes are divided into parts at [Separators]; each
// object, counter and instance has its own part. Changing a byte of a part changes only the record of this part, and
// records that refer to this record.
//
// More bytes never make a smaller model: appending bytes makes no list of objects, counters or instances shorter. A
// list grows until it reaches the limit in [Config]. A source without bytes left makes the simplest choice, such as 0
// or no further record. So every model is finite, and a source without any bytes makes an empty model.
//
// All parts of the format occur: each record, field and named value, names and values of different lengths, lists with
// and without elements, and padding. Each field of a model occurs with and without a value. docs/fuzz-coverage.md lists
// how often.
package fuzz
