// Command hostprocess builds the Process object of Windows, and the Thread object
// where there is data for it, from the processes of the machine it runs on, be
// that Linux, macOS or Windows.
//
//	hostprocess              shows the block
//	hostprocess -o FILE      writes it to a file, or with - to standard output
//
// The counters are those of Windows, with its types and title indexes. Names and
// values are those of this machine. A value that the system does not tell, or not
// without more rights, is 0: the peaks, the pools, the other IO, and what
// another user's processes keep to themselves. A start that is unknown is now,
// so that the Elapsed Time is 0.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/layout"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("o", "", "write the block to `FILE`, - for standard output, instead of showing it")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "hostprocess: no argument is expected, not %q\n", flag.Arg(0))
		flag.Usage()
		os.Exit(2)
	}
	if err := run(ctx, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hostprocess:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, out string, stdout io.Writer) error {
	h, err := gather(ctx)
	if err != nil {
		return err
	}
	c, err := newCollector()
	if err != nil {
		return fmt.Errorf("compiling the objects: %w", err)
	}
	block, err := c.append(nil, h)
	if err != nil {
		return fmt.Errorf("building the block: %w", err)
	}
	switch out {
	case "":
		return show(stdout, block)
	case "-":
		_, err = stdout.Write(block)
	default:
		err = os.WriteFile(out, block, 0o666)
	}
	return err
}

func show(w io.Writer, block []byte) error {
	tree, err := dump.FormatNamed("tree")
	if err != nil {
		return err
	}
	_, err = tree.Write(w, layout.DataBlockKind, block, dump.Options{})
	return err
}
