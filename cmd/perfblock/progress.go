package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

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
	line     *mpb.Progress
	bar      *mpb.Bar
	text     atomic.Pointer[string] // what follows the bar, which another goroutine writes
	count    chan int               // receives the number of inputs, when it is known
	inputs   int                    // that number, or 0
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
	if p.bar == nil && (!isTerminal(os.Stderr) || time.Since(p.started) < progressAfter) {
		return
	}
	if p.bar == nil {
		p.show()
	}
	select {
	case p.inputs = <-p.count:
		p.bar.SetTotal(int64(p.inputs), false)
	default:
	}
	text := fmt.Sprintf("%s, %d MB, %s", quote.Count(p.files, "file"), p.bytes>>20, quote.Count(p.findings, "finding"))
	if p.inputs > 0 {
		passed := time.Since(p.started)
		rest := passed * time.Duration(max(0, p.inputs-o.input)) / time.Duration(o.input)
		text += fmt.Sprintf(" (%d/%d) [%v:%v]", o.input, p.inputs, passed.Truncate(time.Second), rest.Truncate(time.Second))
	}
	p.text.Store(&text)
	p.bar.SetCurrent(int64(o.input))
}

// show makes the bar, and starts to count the inputs.
func (p *progress) show() {
	p.text.Store(new(string))
	p.line = mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(20), mpb.WithRefreshRate(200*time.Millisecond))
	p.bar = p.line.AddBar(0, mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return *p.text.Load() })))
	p.count = make(chan int, 1)
	go func() {
		if n, ok := p.list.Count(p.ctx); ok {
			p.count <- n
		}
	}()
}

// end removes the progress from the terminal.
func (p *progress) end() {
	p.stop()
	if p.bar != nil {
		p.bar.Abort(true)
		p.line.Wait()
	}
}
