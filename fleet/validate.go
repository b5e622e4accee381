package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

func init() {
	register.DoFn4x0[context.Context, string, func(int, string), func(string)](&validateFn{})
	register.Emitter2[int, string]()
	register.Emitter1[string]()
}

// maxFile is the largest file in bytes, as of perfblock lint.
const maxFile = 1 << 30

// A validateFn validates files. Beam calls its methods in one goroutine at a time, and encodes only its
// exported fields.
type validateFn struct {
	Kind   string
	Shards int

	kind      layout.Kind
	format    report.Format
	validator *validate.Validator
	clients   map[string]filesystem.Interface // by scheme of the path, such as gs; "" for local files
}

// Setup makes what all files of a worker share.
func (fn *validateFn) Setup() (err error) {
	fn.clients = make(map[string]filesystem.Interface)
	if fn.kind, err = layout.ParseKind(fn.Kind); err != nil {
		return err
	}
	if fn.format, err = report.FormatNamed("jsonl"); err != nil {
		return err
	}
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

// ProcessElement emits the records of a file, with the number of their shard, and the [row] of each finding.
func (fn *validateFn) ProcessElement(ctx context.Context, path string, record func(int, string), count func(string)) {
	if path == "" {
		return // an empty line of the manifest
	}
	shard := fnv.New32a()
	io.WriteString(shard, path)
	b, err := fn.read(ctx, path)
	text := fn.records(path, b, err)
	host := hostOf(fn.kind, b)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		record(int(shard.Sum32()%uint32(fn.Shards)), line)
		var finding struct {
			Record, StructuralPath string
			Finding                struct{ Rule string }
		}
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			panic(err) // report wrote the line
		}
		if finding.Record == "finding" {
			count(row{Rule: finding.Finding.Rule, Provider: providerOf(finding.StructuralPath), Host: host}.text())
		}
	}
}

// records returns the lines that perfblock lint --format jsonl writes for the file. err is the error of
// reading the file.
func (fn *validateFn) records(path string, b []byte, err error) string {
	file := report.File{Path: path, Kind: fn.kind, Block: b}
	if err == nil {
		file.Result = fn.validator.Bytes(fn.kind, b, validate.Context{})
		if err = file.Result.Unchecked; err != nil {
			err = fmt.Errorf("not validated: %w", err)
		}
	}
	var out bytes.Buffer
	w := fn.format.NewWriter(&out, report.Options{})
	if err != nil {
		err = w.Unchecked(report.Unchecked{Path: path, Err: fmt.Errorf("%s: %w", path, err)})
	} else {
		err = w.File(file)
	}
	if err := errors.Join(err, w.Close(report.End{})); err != nil {
		panic(err) // out has no errors
	}
	return out.String()
}

// read returns the bytes of a file.
func (fn *validateFn) read(ctx context.Context, path string) ([]byte, error) {
	scheme, _, remote := strings.Cut(path, "://")
	if !remote {
		scheme = ""
		info, err := os.Stat(path)
		if err != nil {
			return nil, plain(err)
		}
		if !info.Mode().IsRegular() { // a pipe may never end
			return nil, errors.New("is not a file")
		}
	}
	client := fn.clients[scheme]
	if client == nil {
		var err error
		if client, err = filesystem.New(ctx, path); err != nil {
			return nil, err
		}
		fn.clients[scheme] = client
	}
	r, err := client.OpenRead(ctx, path)
	if err != nil {
		return nil, plain(err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, plain(err)
	case len(b) > maxFile:
		return nil, fmt.Errorf("is longer than %d bytes, the limit of one input", maxFile)
	case len(b) == 0:
		return nil, errors.New("is empty")
	}
	return b, nil
}

// plain returns err without the path.
func plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

// hostOf returns the SystemName of a data block, or "" if it has none that can be read. Other kinds have
// no name of a host.
func hostOf(kind layout.Kind, b []byte) string {
	if kind != layout.DataBlockKind {
		return ""
	}
	data, err := layout.ReadDataBlock(b)
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

// providerOf returns what identifies a provider in the structural path of a finding: the
// ObjectNameTitleIndex of an object, the GUID of a counter set, or "" if the path has neither.
func providerOf(path string) string {
	m := provider.FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}
