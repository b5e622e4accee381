// Package pipeline makes the Apache Beam pipeline of the command fleet. Its tests run the pipeline in process.
//
// The package imports only the core of Beam, because Beam's packages textio, filter, stats and register take long to
// compile. So it registers its functions without the package register.
package pipeline

import (
	"bufio"
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/layout"
)

func init() {
	beam.RegisterDoFn(readManifest)
	beam.RegisterDoFn(reflect.TypeFor[validateFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeFn]())
	beam.RegisterDoFn(summaryRow)
	beam.RegisterFunction(add)
}

// A Config has the flags of the command.
type Config struct {
	Manifest string // the file with the path of a block on each line
	Output   string // the start of the paths of the outputs
	Kind     string // the name of a kind of block, or "" to detect it
	Input    string // the name of a form of files
	Shards   int    // the number of files of records, at least 1
}

// Pipeline returns a new pipeline. It returns an error if c is not valid.
func (c Config) Pipeline() (*beam.Pipeline, error) {
	if c.Manifest == "" {
		return nil, errors.New("--manifest is missing, must be the file that lists the blocks")
	}
	if c.Shards < 1 {
		return nil, errors.New("--shards must be at least 1")
	}
	if _, err := layout.ParseKind(c.Kind); err != nil && c.Kind != "" {
		return nil, err
	}
	if _, err := armor.InputNamed(c.Input); err != nil {
		return nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	// GroupByKey removes repeated paths, and distributes the paths over the workers.
	paths := beam.GroupByKey(s, beam.ParDo(s, readManifest, beam.Create(s, c.Manifest)))
	records, counted := beam.ParDo2(s, &validateFn{Kind: c.Kind, Input: c.Input, Shards: c.Shards}, paths)
	beam.ParDo0(s, &writeFn{Output: c.Output, Shards: c.Shards}, beam.GroupByKey(s, records))
	rows := beam.ParDo(s, summaryRow, beam.CombinePerKey(s, add, counted))
	beam.ParDo0(s, &writeFn{Output: c.Output}, beam.GroupByKey(s, rows))
	return p, nil
}

func add(a, b int) int { return a + b }

// readManifest emits each line of the manifest. The number 0 is only there because GroupByKey requires pairs.
func readManifest(ctx context.Context, manifest string, emit func(string, int)) error {
	client, err := filesystem.New(ctx, manifest) // not from a clientCache, because a pipeline calls readManifest once
	if err != nil {
		return err
	}
	defer client.Close()
	f, err := client.OpenRead(ctx, manifest)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		emit(lines.Text(), 0)
	}
	return lines.Err()
}

// A clientCache keeps the clients of file systems and stores, so that a worker makes each client once.
type clientCache struct {
	schemes map[string]filesystem.Interface // such as gs, and "" for local files
}

func (c *clientCache) client(ctx context.Context, path string) (filesystem.Interface, error) {
	scheme := path[:max(0, strings.Index(path, "://"))]
	if c.schemes[scheme] == nil {
		client, err := filesystem.New(ctx, path)
		if err != nil {
			return nil, err
		}
		if c.schemes == nil {
			c.schemes = make(map[string]filesystem.Interface)
		}
		c.schemes[scheme] = client
	}
	return c.schemes[scheme], nil
}

// Teardown closes the clients. Beam calls Teardown for functions that embed a clientCache.
func (c *clientCache) Teardown() (err error) {
	for _, client := range c.schemes {
		err = errors.Join(err, client.Close())
	}
	return err
}
