package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"regexp"
	"strings"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// A validateFn validates files. Beam calls its methods in one goroutine at a time, and encodes only its
// exported fields.
type validateFn struct {
	Kind, Input string
	Shards      int

	input     armor.Input
	format    report.Format
	validator *validate.Validator
	names     func(index uint32) (name string, builtIn bool)
	clientCache
}

// Setup creates the validator and reads the formats. A worker uses both for all its files.
func (fn *validateFn) Setup() (err error) {
	if fn.input, err = armor.InputNamed(fn.Input); err != nil {
		return err
	}
	if fn.format, err = report.FormatNamed("jsonl"); err != nil {
		return err
	}
	fn.names = (*titles.Database)(nil).Lookup("") // the built-in names
	fn.validator, err = validate.New(validate.Options{})
	return err
}

// ProcessElement validates the files at a path. It passes each record to the function record, with the number of the
// shard that gets the record. It passes the [row] of each finding to the function count.
func (fn *validateFn) ProcessElement(ctx context.Context, path string, _ func(*int) bool, record func(int, string), count func(string, int)) {
	hash := fnv.New32a()
	io.WriteString(hash, path)
	shard := int(hash.Sum32() % uint32(fn.Shards))
	file, order := "", 0
	for m, err := range fn.members(ctx, path) {
		if m.File() != file {
			file, order = m.File(), 0
		}
		results, others := block.Each(m, err, fn.input, fn.validate)
		for _, r := range results {
			r.Value.Order = order
			order++
			fn.emit(r, count, func(line string) { record(shard, line) })
		}
		for range others {
			fn.emitReport(func(w *report.Writer) error { return w.Skipped(m.Path) }, func(line string) { record(shard, line) })
		}
	}
}

func (fn *validateFn) validate(s block.Source) (f report.File, err error) {
	f = report.File{Path: s.Path, Input: s.Form, Block: s.Bytes}
	if f.Kind, f.Detected, err = s.Kind(fn.Kind); err != nil {
		return f, err
	}
	f.Result = fn.validator.Bytes(f.Kind, s.Bytes, validate.Context{})
	if err := f.Result.Unchecked; err != nil {
		return f, fmt.Errorf("%s: not validated: %w", s.Path, err)
	}
	return f, nil
}

// emit emits the records of a block, and the row of each finding.
func (fn *validateFn) emit(r block.Result[report.File], count func(string, int), record func(string)) {
	if r.Err != nil {
		fn.emitReport(func(w *report.Writer) error {
			return w.Unchecked(report.Unchecked{Path: r.Path, Order: r.Value.Order, Err: r.Err})
		}, record)
		return
	}
	fn.emitReport(func(w *report.Writer) error { return w.File(r.Value) }, record)
	host, findings := hostOf(r.Value), r.Value.Result.Findings
	for i, path := range identity.Of(r.Value.Kind, r.Value.Block, findings) {
		count(row{Rule: findings[i].Rule.ID, Provider: providerOf(path), Host: host}.text(), 1)
	}
}

// emitReport emits each line of a report in the format jsonl as a record. The function fill writes the contents of the
// report.
func (fn *validateFn) emitReport(fill func(*report.Writer) error, record func(string)) {
	var out bytes.Buffer
	w := fn.format.NewWriter(&out, report.Options{Names: fn.names})
	if err := errors.Join(fill(w), w.Close(report.End{})); err != nil {
		panic(err) // cannot happen: a Buffer returns no error
	}
	for line := range strings.Lines(out.String()) {
		record(strings.TrimSuffix(line, "\n"))
	}
}

// members returns the files that the command perfblock lint finds at a path. If path is the URL of an object in cloud
// storage, members returns the files in this object.
func (fn *validateFn) members(ctx context.Context, path string) iter.Seq2[inputs.Member, error] {
	if !strings.Contains(path, "://") {
		return inputs.List{From: "-", Stdin: strings.NewReader(path)}.All(ctx)
	}
	file := inputs.Member{Path: path}.File()
	contents, err := fn.read(ctx, file)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
		return func(yield func(inputs.Member, error) bool) { yield(inputs.Member{Path: file}, err) }
	}
	return inputs.Unpack(ctx, path, contents)
}

// read returns the bytes of an object of a store.
func (fn *validateFn) read(ctx context.Context, address string) ([]byte, error) {
	client, err := fn.client(ctx, address)
	if err != nil {
		return nil, err
	}
	r, err := client.OpenRead(ctx, address)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	most := inputs.DefaultLimits().Bytes
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("is longer than %d bytes, the limit of one input", most)
	}
	return b, err
}

// hostOf returns the SystemName of a data block. It returns "" for other kinds, and for a name that cannot be read.
func hostOf(f report.File) string {
	if data, err := layout.ReadDataBlock(f.Block); err == nil && f.Kind == layout.DataBlockKind {
		if name, err := data.SystemName(); err == nil {
			text, _ := name.Text()
			return text
		}
	}
	return ""
}

var provider = regexp.MustCompile(`^object\[(\d+)|^[^"]*?([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})`)

// providerOf returns the title index of an object or the GUID of a counter set from the path of a finding. For
// object[238].counter[6] it returns "238". For a path without a provider it returns "".
func providerOf(path string) string {
	m := provider.FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}
