// Command hostprocess builds the Process object of Windows from the processes of this
// machine, which can run Linux, macOS or Windows. It adds the Thread object if the system
// reports threads.
//
//	hostprocess              shows the block
//	hostprocess -o FILE      writes it to a file, or with - to standard output
//
// Counters have the types and title indexes of Windows. Names and values come from this
// machine. A value is 0 if the system does not report it or more rights are required: peaks,
// pools, other IO, and values of other users' processes. If the start of a process is unknown,
// its Elapsed Time is 0.
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
		fmt.Fprintf(os.Stderr, "hostprocess: unexpected argument %q\n", flag.Arg(0))
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
