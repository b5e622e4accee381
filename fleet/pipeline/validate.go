package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// maxFile is the largest object of a store in bytes. perfblock lint has the same limit for files.
const maxFile = 1 << 30

// A validateFn validates files. Beam calls its methods in one goroutine at a time, and encodes only its
// exported fields.
type validateFn struct {
	Kind, Input string
	Shards      int

	input     armor.Input
	format    report.Format
	validator *validate.Validator
	names     func(index uint32) (name string, builtIn bool)
	clients   map[string]filesystem.Interface // by scheme of the path, such as gs
}

// Setup creates the validator and reads the formats. A worker uses them for all its files.
func (fn *validateFn) Setup() (err error) {
	fn.clients = make(map[string]filesystem.Interface)
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

// Teardown closes the clients.
func (fn *validateFn) Teardown() error {
	var errs []error
	for _, client := range fn.clients {
		errs = append(errs, client.Close())
	}
	return errors.Join(errs...)
}

// ProcessElement emits the records of a path, with the number of their shard, and the [row] of each finding.
func (fn *validateFn) ProcessElement(ctx context.Context, path string, _ func(*int) bool, record func(int, string), count func(string, int)) {
	hash := fnv.New32a()
	io.WriteString(hash, path)
	shard := int(hash.Sum32() % uint32(fn.Shards))
	for m, err := range fn.members(ctx, path) {
		results, others := block.Each(m, err, fn.input, fn.validate)
		for _, r := range results {
			fn.emit(r, count, func(line string) { record(shard, line) })
		}
		for range others {
			fn.write(func(w *report.Writer) error { return w.Skipped(m.Path) }, func(line string) { record(shard, line) })
		}
	}
}

// validate validates a block.
func (fn *validateFn) validate(s block.Source) (report.File, error) {
	f := report.File{Path: s.Path, Input: s.Form, Block: s.Bytes}
	var err error
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
		fn.write(func(w *report.Writer) error { return w.Unchecked(report.Unchecked{Path: r.Path, Err: r.Err}) }, record)
		return
	}
	host := hostOf(r.Value)
	fn.write(func(w *report.Writer) error { return w.File(r.Value) }, func(line string) {
		record(line)
		var finding struct {
			Record, StructuralPath string
			Finding                struct{ Rule string }
		}
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			panic(err) // report wrote the line
		}
		if finding.Record == "finding" {
			count(row{Rule: finding.Finding.Rule, Provider: providerOf(finding.StructuralPath), Host: host}.text(), 1)
		}
	})
}

// write calls add with a report in the format jsonl, and emits each line of the report as a record.
func (fn *validateFn) write(add func(*report.Writer) error, record func(string)) {
	var out bytes.Buffer
	w := fn.format.NewWriter(&out, report.Options{Names: fn.names})
	if err := errors.Join(add(w), w.Close(report.End{})); err != nil {
		panic(err) // out has no errors
	}
	for line := range strings.Lines(out.String()) {
		record(strings.TrimSuffix(line, "\n"))
	}
}

// members returns the files at a path: those that perfblock lint finds at the path, or those in an object
// of a store.
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
	scheme, _, _ := strings.Cut(address, "://")
	client := fn.clients[scheme]
	if client == nil {
		var err error
		if client, err = filesystem.New(ctx, address); err != nil {
			return nil, err
		}
		fn.clients[scheme] = client
	}
	r, err := client.OpenRead(ctx, address)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > maxFile:
		return nil, fmt.Errorf("is longer than %d bytes, the limit of one input", maxFile)
	}
	return b, nil
}

// hostOf returns the SystemName of a data block. It returns "" if the name cannot be read, and for other
// kinds of block.
func hostOf(f report.File) string {
	if f.Kind != layout.DataBlockKind {
		return ""
	}
	data, err := layout.ReadDataBlock(f.Block)
	if err != nil {
		return ""
	}
	name, err := data.SystemName()
	if err != nil {
		return ""
	}
	text, _ := name.Text()
	return text
}

var provider = regexp.MustCompile(`^object\[(\d+)|^[^"]*?([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})`)

// providerOf returns the provider of a finding, which its structural path shows: the ObjectNameTitleIndex of an object,
// the GUID of a counter set, or "" if the path has neither.
func providerOf(path string) string {
	m := provider.FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}
