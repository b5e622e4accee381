package pipeline

import (
	"context"
	"errors"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// The type clients has the clients of file systems and stores. A worker makes each client once. Functions embed the type,
// so that Beam calls Teardown.
type clients struct {
	schemes map[string]filesystem.Interface // such as gs, and "" for local files
}

// client returns the client for a path.
func (c *clients) client(ctx context.Context, path string) (filesystem.Interface, error) {
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

// Teardown closes the clients.
func (c *clients) Teardown() (err error) {
	for _, client := range c.schemes {
		err = errors.Join(err, client.Close())
	}
	return err
}
