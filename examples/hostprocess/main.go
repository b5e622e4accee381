// Command hostprocess writes a data block with the processes of this machine, which can run
// Linux, macOS or Windows. The block has the Process object of Windows, and the Thread object
// if the system reports threads.
//
//	hostprocess -o FILE               writes the block to a file
//	hostprocess | perfblock dump -    shows the block
//
// The counters have the types and title indexes of Windows. The names and values come from this machine. A value is 0
// if the system does not report the value (peaks, pools, other IO) or if the user may not read it (processes of other
// users). If the start of a process is unknown, its Elapsed Time is 0 seconds.
//
// gather.go reads the processes into a host, a type in host.go. counters.go defines the counters. block.go encodes the
// host as a block.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("o", "-", "write the block to `FILE`; - is standard output")
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

// run writes the block of this machine to the file out, or to stdout if out is "-".
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
		return fmt.Errorf("encoding the block: %w", err)
	}
	if out == "-" {
		_, err = stdout.Write(block)
		return err
	}
	return os.WriteFile(out, block, 0o666)
}
