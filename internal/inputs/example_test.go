package inputs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/perfblock/perfblock/internal/inputs"
)

// A command that validates its inputs in parallel and reports them in order.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "b.zip"), []byte(zipOf(testMember{name: "x.bin", text: "PERF"}, testMember{name: ".git", text: "?"})), 0o666); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.bin"), []byte("PERFPERF"), 0o666); err != nil {
		panic(err)
	}

	type result struct {
		inputs.Member
		bytes int
		err   error
	}
	work := func(m inputs.Member, err error) result {
		if err != nil || m.Skipped != "" {
			return result{m, 0, err}
		}
		b, err := m.Read()
		return result{m, len(b), err}
	}
	ctx := context.Background()
	list := inputs.List{Args: []string{dir, filepath.Join(dir, "*.evt")}}
	for r := range inputs.Ordered(ctx, list.All(ctx), inputs.Parallel{}, work) {
		name := filepath.Base(r.Path)
		switch {
		case r.err != nil:
			fmt.Println("error for", name)
		case r.Skipped != "":
			fmt.Println(name, "is skipped:", r.Skipped)
		default:
			fmt.Println(name, "has", r.bytes, "bytes")
		}
	}
	// Output:
	// a.bin has 8 bytes
	// x.bin has 4 bytes
	// .git is skipped: hidden
	// error for *.evt
}
