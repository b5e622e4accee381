package outfile

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// A watcher ends the process when the user or the system asks for it, and removes the
// temporary file before. It is needed because a signal runs no deferred function.
type watcher struct {
	signals chan os.Signal
	ended   chan struct{}
}

// watch holds back the signals that end a process until [watcher.do] or [watcher.stop].
// It leaves a signal alone that the process ignores, as SIGHUP under nohup.
func watch() *watcher {
	w := &watcher{signals: make(chan os.Signal, 1)}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(w.signals, sig)
		}
	}
	return w
}

// do makes a signal call cleanup and end the process.
func (w *watcher) do(cleanup func()) {
	w.ended = make(chan struct{})
	go func() {
		defer close(w.ended)
		for sig := range w.signals {
			cleanup()
			endBy(sig)
		}
	}()
}

// stop returns the signals to their default. A signal that came before ends the process.
func (w *watcher) stop() {
	signal.Stop(w.signals)
	close(w.signals) // after Stop nothing is sent to it
	if w.ended != nil {
		<-w.ended
	} else if sig, ok := <-w.signals; ok {
		endBy(sig)
	}
}

// endBy ends the process as sig does by default, so that a shell sees which signal it was.
func endBy(sig os.Signal) {
	signal.Reset(sig)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(sig) == nil {
		time.Sleep(time.Second) // the signal may come a moment later
	}
	os.Exit(2)
}
