package pipeline

import (
	"context"
	"io"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// An emptyStore is a client of a store without files. open points to the number of open clients. All clients of a test
// share this number.
type emptyStore struct {
	filesystem.Interface // nil: the test calls no other method
	open                 *int
}

func (c emptyStore) OpenRead(context.Context, string) (io.ReadCloser, error)   { return nil, io.EOF }
func (c emptyStore) OpenWrite(context.Context, string) (io.WriteCloser, error) { return file{}, nil }
func (c emptyStore) Rename(context.Context, string, string) error              { return nil }
func (c emptyStore) Close() error                                              { *c.open--; return nil }

type file struct{}

func (file) Write(b []byte) (int, error) { return len(b), nil }
func (file) Close() error                { return nil }

// TestClients reads and writes several objects of a store. It checks that each Beam function makes only one client, and
// that Teardown closes the client.
func TestClients(t *testing.T) {
	made, open := 0, 0
	filesystem.Register("counted", func(context.Context) filesystem.Interface {
		made++
		open++
		return emptyStore{open: &open}
	})
	reader := validateFn{Input: "auto", Shards: 1}
	if err := reader.Setup(); err != nil {
		t.Fatal(err)
	}
	writer := writeFn{Output: "counted://b/out", Shards: 9}
	for shard := range 3 {
		reader.ProcessElement(t.Context(), "counted://b/a.bin", nil, func(int, string) {}, func(string, int) {})
		next := true
		if err := writer.ProcessElement(t.Context(), shard, func(line *string) bool { next = !next; return !next }); err != nil {
			t.Fatal(err)
		}
	}
	if made != 2 || open != 2 {
		t.Errorf("2 functions have made %d clients, of which %d are open", made, open)
	}
	for _, f := range []interface{ Teardown() error }{&reader, &writer} {
		if err := f.Teardown(); err != nil {
			t.Error(err)
		}
	}
	if open != 0 {
		t.Errorf("%d clients are open", open)
	}
}
