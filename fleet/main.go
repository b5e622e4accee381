// Command fleet validates many blocks on many machines, as an Apache Beam pipeline.
//
//	go run . --manifest paths.txt --output out/findings
//
// The manifest has a path on each line, as for perfblock lint --files-from. A path names a binary file, a text file, a
// folder, an archive or a member of an archive. If a path is in the manifest twice, its files are validated once. The
// records are the same as those of perfblock lint --no-config.
//
// The outputs are sorted JSON Lines. For the same files, they are always the same:
//
//	out/findings-00000-of-00016.jsonl and so on   the records that perfblock lint --format jsonl writes;
//	                                              perfblock merge makes a report from them
//	out/findings-summary.jsonl                    the number of findings for each rule, provider and host
//
// If a file cannot be read or validated, the output has a record about the file, and the pipeline continues. For each
// block, the records list at most 1,000 findings of each severity. The summary counts only listed findings.
//
// The default runner is Beam's local runner, prism, in this process. It needs no network. Beam's flags select other
// runners, such as --runner=dataflow. A path that begins with gs:// or s3:// names one object, which may be an archive.
// It cannot name a folder. Only local runs are tested.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/perfblock/perfblock/fleet/pipeline"
	"github.com/perfblock/perfblock/internal/armor"
)

func main() {
	var c pipeline.Config
	flag.StringVar(&c.Manifest, "manifest", "", "the file with the path of a block on each line")
	flag.StringVar(&c.Output, "output", "findings", "the start of the paths of the outputs")
	flag.StringVar(&c.Kind, "kind", "", "the kind of the blocks, as in perfblock lint --kind")
	flag.StringVar(&c.Input, "input", armor.Inputs()[0].Name, "the form of the files, as in perfblock lint --input")
	flag.IntVar(&c.Shards, "shards", 16, "the number of files for the records; each worker keeps all records of one file in memory, so more files need less memory")
	flag.Parse()
	beam.Init() // a worker of another machine starts here, and does not return
	p, err := c.Pipeline()
	if err == nil {
		err = beamx.Run(context.Background(), p)
	}
	if err != nil {
		log.Fatal("fleet: ", err)
	}
}
