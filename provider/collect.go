package provider

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// A collection calls [Options.Collect].
type collection struct {
	compute  func()
	logger   *slog.Logger
	provider string // for the logger

	mu     sync.Mutex // held while compute runs
	warned time.Time  // when the last warning was logged
}

const (
	// waits is the time that Windows waits for the callback function of a provider.
	// Source: https://learn.microsoft.com/windows/win32/api/perflib/nc-perflib-perflibrequest
	waits = time.Second

	// silent is the time without another warning after a warning.
	silent = time.Minute
)

// control is the callback function of a provider. Windows calls control when a consumer adds, removes, lists or collects
// counters. Windows does not pass the counter set to collect.
func (c *collection) control(code uint32) uint32 {
	if code == collectStart {
		return uint32(c.run())
	}
	return uint32(success)
}

// run computes the values. It logs a warning if compute panics, or if the call takes too long, including the wait for
// another call. If compute panics, run returns statusNoData, because only some of the values may be new.
func (c *collection) run() (s status) {
	if c.compute == nil {
		return success
	}
	request := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	start := time.Now()
	defer func() {
		if fault := recover(); fault != nil {
			s = statusNoData
			c.warn("Collect has panicked, so the consumer gets no values", "panic", fmt.Sprint(fault), "stack", string(debug.Stack()))
			return
		}
		if took := time.Since(request); took > waits {
			c.warn("Collect took too long, so the consumer may have read old values", "took", took, "waited", start.Sub(request), "limit", waits)
		}
	}()
	c.compute()
	return success
}

// warn logs a warning, unless the last warning is less than [silent] ago.
func (c *collection) warn(message string, args ...any) {
	if !c.warned.IsZero() && time.Since(c.warned) < silent {
		return
	}
	c.warned = time.Now()
	c.logger.Warn(message, append([]any{"provider", c.provider}, args...)...)
}
