package main

import (
	"context"
	"fmt"
	"io"
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

// A progress shows on a terminal how much of a run is done. Only one goroutine may call add and end.
type progress struct {
	ctx  context.Context
	stop context.CancelFunc
	list inputs.List

	started time.Time
	timer   *time.Timer // calls show; nil if nothing is shown
	line    *mpb.Progress
	bar     atomic.Pointer[mpb.Bar] // nil before show
	shown   chan struct{}           // closed at the end of show
	inputs  atomic.Int64            // the number of inputs, or 0 if it is not known
	done    atomic.Pointer[doneWork]
}

// doneWork counts the work that a run has done so far.
type doneWork struct {
	input, files int
	bytes        int64
	findings     int
}

// startProgress returns a progress for the members of a list. It shows nothing if the run is short, or if standard
// error is not a terminal.
func startProgress(ctx context.Context, list inputs.List) *progress {
	ctx, stop := context.WithCancel(ctx)
	p := &progress{ctx: ctx, stop: stop, list: list, started: time.Now()}
	p.done.Store(new(doneWork))
	if isTerminal(os.Stderr) {
		p.showAfter(progressAfter, os.Stderr)
	}
	return p
}

// showAfter starts a timer that calls show after the duration d.
func (p *progress) showAfter(d time.Duration, to io.Writer) {
	p.shown = make(chan struct{})
	p.timer = time.AfterFunc(d, func() {
		p.show(to)
		close(p.shown)
	})
}

func (p *progress) add(o outcome) {
	now := *p.done.Load()
	now.input = o.input
	now.files++
	now.bytes += o.bytes
	for _, b := range o.blocks {
		now.findings += len(b.Value.file.Result.Findings)
	}
	p.done.Store(&now)
	if bar := p.bar.Load(); bar != nil {
		bar.SetCurrent(int64(o.input))
	}
}

// show makes the bar, and starts to count the inputs.
func (p *progress) show(to io.Writer) {
	p.line = mpb.New(mpb.WithOutput(to), mpb.WithAutoRefresh(), mpb.WithRefreshRate(200*time.Millisecond))
	bar := p.line.AddBar(0, mpb.BarWidth(20), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.text() })))
	p.bar.Store(bar)
	go func() {
		if n, ok := p.list.Count(p.ctx); ok {
			p.inputs.Store(int64(n))
			bar.SetTotal(int64(n), false)
		}
	}()
}

// text returns the text after the bar: what is done, the time that has passed, and an estimate of the rest.
func (p *progress) text() string {
	now, passed := p.done.Load(), time.Since(p.started)
	text := fmt.Sprintf("%s, %d MB, %s", quote.Count(now.files, "file"), now.bytes>>20, quote.Count(now.findings, "finding"))
	all := int(p.inputs.Load())
	if all == 0 || now.input == 0 {
		return text + fmt.Sprintf(" [%v]", passed.Truncate(time.Second))
	}
	rest := passed * time.Duration(max(0, all-now.input)) / time.Duration(now.input)
	return text + fmt.Sprintf(" (%d/%d) [%v:%v]", now.input, all, passed.Truncate(time.Second), rest.Truncate(time.Second))
}

// end removes the progress from the terminal.
func (p *progress) end() {
	p.stop()
	if p.timer == nil || p.timer.Stop() {
		return
	}
	<-p.shown
	p.bar.Load().Abort(true)
	p.line.Wait()
}
