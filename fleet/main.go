// Command fleet validates many blocks on many machines, as an Apache Beam pipeline.
//
//	go run . --manifest paths.txt --output out/findings
//
// The manifest has a path on each line, as perfblock lint --files-from reads it: a file, binary or text, a
// folder, an archive or a member of an archive. If a path is in the manifest twice, its file is validated
// once. The records are those of perfblock lint --no-config.
//
// The outputs are JSON Lines, in order, and the same for the same files:
//
//	out/findings-00000-of-00016.jsonl and so on   the records that perfblock lint --format jsonl writes;
//	                                              perfblock merge makes a report from them
//	out/findings-summary.jsonl                    how many findings there are of each rule, provider and host
//
// A file that cannot be read or validated gives a record, and never an error of the pipeline. If a block has
// too many findings, the records list only the first ones, and the summary counts only these.
//
// The runner is Beam's local one, prism, in this process. It needs no network. Beam's flags select other
// runners, such as --runner=dataflow, and paths may begin with gs:// or s3://: such a path is an object, which
// may be an archive, and never a folder. Only local runs are tested.
package main

import (
	"context"
	"errors"
	"flag"
	"log"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/filter"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/layout"
)

var (
	manifest = flag.String("manifest", "", "the file with the path of a block on each line")
	output   = flag.String("output", "findings", "the start of the paths of the outputs")
	kind     = flag.String("kind", "", "the kind of the blocks, as in perfblock lint --kind")
	input    = flag.String("input", armor.Inputs()[0].Name, "the form of the files, as in perfblock lint --input")
	shards   = flag.Int("shards", 16, "the number of files of records; a worker keeps one in memory")
)

func main() {
	flag.Parse()
	beam.Init() // a worker of another machine starts here, and does not return
	if err := run(context.Background()); err != nil {
		log.Fatal("fleet: ", err)
	}
}

// run runs the pipeline that the flags describe.
func run(ctx context.Context) error {
	if *manifest == "" {
		return errors.New("--manifest is missing, must be the file that lists the blocks")
	}
	if *shards < 1 {
		return errors.New("--shards must be at least 1")
	}
	if _, err := layout.ParseKind(*kind); err != nil && *kind != "" {
		return err
	}
	if _, err := armor.InputNamed(*input); err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	paths := filter.Distinct(s, textio.Read(s, *manifest))
	// Without a reshuffle, the worker that reads a part of the manifest validates all its files.
	records, counted := beam.ParDo2(s, &validateFn{Kind: *kind, Input: *input, Shards: *shards}, beam.Reshuffle(s, paths))
	beam.ParDo0(s, &writeFn{Output: *output, Shards: *shards}, beam.GroupByKey(s, records))
	rows := beam.ParDo(s, summaryRow, stats.Count(s, counted))
	beam.ParDo0(s, &writeFn{Output: *output}, beam.GroupByKey(s, rows))
	return beamx.Run(ctx, p)
}
