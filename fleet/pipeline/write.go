package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/perfblock/perfblock/internal/terminal"
)

// A row is a line of the summary.
type row struct {
	Rule     string `json:"rule"`
	Provider string `json:"provider"` // ObjectNameTitleIndex or GUID
	Host     string `json:"host"`     // SystemName
	Findings int    `json:"findings,omitempty"`
}

// text returns the row as JSON, with escapes for the control characters of a host's name.
func (r row) text() string { return string(terminal.JSON(r, "")) }

// summaryRow returns a line of the summary. key is the JSON text of a row without the number of findings. shard is 0,
// because the summary is one file.
func summaryRow(key string, findings int) (shard int, line string) {
	var r row
	if err := json.Unmarshal([]byte(key), &r); err != nil {
		panic(err) // cannot happen: row.text returned the key
	}
	r.Findings = findings
	return 0, r.text()
}

// A writeFn writes the sorted lines of a shard into a file. A repeated call writes the same file, and no reader sees an
// incomplete file.
type writeFn struct {
	Output string
	Shards int // 0 writes the summary
	clientCache
}

func (fn *writeFn) ProcessElement(ctx context.Context, shard int, next func(*string) bool) error {
	path := fn.Output + "-summary.jsonl"
	if fn.Shards > 0 {
		path = fmt.Sprintf("%s-%05d-of-%05d.jsonl", fn.Output, shard, fn.Shards)
	}
	var lines []string
	for line := ""; next(&line); {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	client, err := fn.client(ctx, path)
	if err != nil {
		return err
	}
	f, err := client.OpenWrite(ctx, path+".partial")
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, strings.Join(append(lines, ""), "\n"))
	if err := errors.Join(err, f.Close()); err != nil { // an object store has the file only after Close succeeds
		return err
	}
	return filesystem.Rename(ctx, client, path+".partial", path)
}
