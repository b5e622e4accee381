package outfile

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// A watcher calls a cleanup function before a signal ends the process, because deferred functions do not run then.
type watcher struct {
	signals chan os.Signal
	ended   chan struct{}
}

// watch delays the signals that would end the process, except the signals in handled. The delay ends when
// [watcher.setCleanup] or [watcher.stop] is called.
func watch(handled []os.Signal) *watcher {
	w := &watcher{signals: make(chan os.Signal, 1)}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		// The process ignores SIGHUP under nohup.
		if !signal.Ignored(sig) && !slices.Contains(handled, sig) {
			signal.Notify(w.signals, sig)
		}
	}
	return w
}

// setCleanup sets the function that runs before a signal ends the process. If a signal has already arrived, the
// function runs now.
func (w *watcher) setCleanup(cleanup func()) {
	w.ended = make(chan struct{})
	go func() {
		defer close(w.ended)
		for sig := range w.signals {
			cleanup()
			endBy(sig)
		}
	}()
}

// stop restores the default action of the signals. A signal that came before stop ends the
// process.
func (w *watcher) stop() {
	signal.Stop(w.signals)
	close(w.signals) // after signal.Stop, no more signals are sent to w.signals
	if w.ended != nil {
		<-w.ended
	} else if sig, ok := <-w.signals; ok {
		endBy(sig)
	}
}

// UntilSignal calls f and returns its error. If an interrupt, SIGTERM or SIGHUP arrives, UntilSignal cancels the
// context of f, and the signal ends the process when f has returned.
func UntilSignal(f func(context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	returned := make(chan struct{})
	w := watch(nil)
	defer w.stop()
	defer close(returned)
	w.setCleanup(func() {
		cancel()
		<-returned
	})
	return f(ctx)
}

// endBy ends the process by the default action of sig. The parent process then sees which signal ended it.
func endBy(sig os.Signal) {
	signal.Reset(sig)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(sig) == nil {
		time.Sleep(time.Second) // the signal may come a moment later
	}
	os.Exit(2)
}
