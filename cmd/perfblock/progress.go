package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/internal/quote"
)

// progressAfter is the time after which a run shows its progress.
const progressAfter = 2 * time.Second

// A progress shows on a terminal how much of a run is done.
type progress struct {
	ctx  context.Context
	stop context.CancelFunc
	list inputs.List

	started  time.Time
	bar      *progressbar.ProgressBar
	total    chan int // receives the number of inputs, when it is known
	files    int
	bytes    int64
	findings int
}

// startProgress returns a progress for the members of a list. It shows something only if the run takes
// long, and standard error is a terminal.
func startProgress(ctx context.Context, list inputs.List) *progress {
	ctx, stop := context.WithCancel(ctx)
	return &progress{ctx: ctx, stop: stop, list: list, started: time.Now()}
}

// add counts a member.
func (p *progress) add(o outcome) {
	p.files++
	p.bytes += o.bytes
	for _, b := range o.blocks {
		p.findings += len(b.Value.file.Result.Findings)
	}
	switch {
	case p.bar != nil:
	case !isTerminal(os.Stderr) || time.Since(p.started) < progressAfter:
		return
	default:
		p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(20), progressbar.OptionThrottle(200*time.Millisecond), progressbar.OptionClearOnFinish())
		p.total = make(chan int, 1)
		go func() {
			if n, ok := p.list.Count(p.ctx); ok {
				p.total <- n
			}
		}()
	}
	select {
	case n := <-p.total:
		p.bar.ChangeMax(n)
	default:
	}
	p.bar.Describe(fmt.Sprintf("%s, %d MB, %s", quote.Count(p.files, "file"), p.bytes>>20, quote.Count(p.findings, "finding")))
	_ = p.bar.Set(o.input) // an error if it is more than the total, because a folder has changed
}

// end removes the progress from the terminal.
func (p *progress) end() {
	p.stop()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
