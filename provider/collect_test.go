package provider

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/perfblock/perfblock/builder"
)

// TestCollect checks when Collect is called, what a consumer gets, and what is logged.
func TestCollect(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason  string
		collect func(q *Values)
		status  status
		log     []string
	}{
		{"a fast Collect logs nothing", func(q *Values) { q.Counters[0].Store(5) }, success, nil},
		{"one second is within the limit", func(*Values) { time.Sleep(time.Second) }, success, nil},
		{"a slow Collect is logged, and its values are used", func(*Values) { time.Sleep(1500 * time.Millisecond) }, success, []string{"level=WARN", "Collect took too long", "provider=Test", "took=1.5s", "limit=1s"}},
		{"a panic is logged, and the consumer gets no values", func(*Values) { panic("no connection") }, statusNoData, []string{"level=WARN", "Collect has panicked", `panic="no connection"`, "stack=", "collect_test.go"}},
		{"a panic can have an error as its value", func(*Values) { panic(errors.New("x")) }, statusNoData, []string{"panic=x"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			var q *Values
			s := newStandIn()
			named := queues()
			p := start(t, s, Options{Collect: func() { tt.collect(q) }, Logger: slog.New(slog.NewTextHandler(&log, nil))}, named)
			q = create(t, p, named, "a")
			control := s.providers[p.handle].control
			for _, code := range []uint32{0, 1, 2, 3, 4, 6, 9, 1 << 31} { // all codes but collectStart
				if got := control(code); got != 0 {
					t.Errorf("%s: the request %d returned %d", tt.reason, code, got)
				}
			}
			if log.Len() > 0 {
				t.Errorf("%s: other requests logged %s", tt.reason, &log)
			}
			if got := control(collectStart); got != uint32(tt.status) {
				t.Errorf("%s: the request returned %d, want %d", tt.reason, got, tt.status)
			}
			for _, part := range tt.log {
				if !strings.Contains(log.String(), part) {
					t.Errorf("%s: the log has no %s: %s", tt.reason, part, &log)
				}
			}
			if tt.log == nil && log.Len() > 0 {
				t.Errorf("%s: the log is %s", tt.reason, &log)
			}
			var data builder.QueryData
			if err := data.UnmarshalBinary(snapshot(t, p)); err != nil {
				t.Fatal(err)
			}
			if got := data.Results[0].Status; got != uint32(tt.status) {
				t.Errorf("%s: the snapshot has the status %d, want %d", tt.reason, got, tt.status)
			}
			control(collectStart)
			if n := strings.Count(log.String(), "level=WARN"); n > 1 {
				t.Errorf("%s: %d warnings in a minute", tt.reason, n)
			}
			time.Sleep(warningInterval)
			control(collectStart)
			if n := strings.Count(log.String(), "level=WARN"); tt.log != nil && n != 2 {
				t.Errorf("%s: %d warnings after a minute, want 2", tt.reason, n)
			}
		})
	}
}

// TestCollectWaits checks that the logged time of a call of Collect includes the wait for another call.
func TestCollectWaits(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newStandIn()
	p := start(t, s, Options{Collect: func() { time.Sleep(maxWait/2 + 50*time.Millisecond) }, Logger: slog.New(slog.NewTextHandler(&log, nil))}, queues())
	control := s.providers[p.handle].control
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { control(collectStart) })
	}
	both.Wait()
	if text := log.String(); strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, "waited=") {
		t.Errorf("the log is %q, must have a warning about one of two calls", text)
	}
}

// TestCollectCreates checks that Collect can create and delete instances.
func TestCollectCreates(t *testing.T) {
	t.Parallel()
	var p *Provider
	named, rounds := queues(), 0
	p = start(t, newStandIn(), Options{Collect: func() {
		q := create(t, p, named, "a")
		q.Counters[0].Store(uint64(rounds))
		if rounds++; rounds == 2 {
			return // the second snapshot has the instance
		}
		if err := q.Delete(); err != nil {
			t.Error(err)
		}
	}}, named)
	for _, want := range []int{0, 1} {
		var data builder.QueryData
		if err := data.UnmarshalBinary(snapshot(t, p)); err != nil {
			t.Fatal(err)
		}
		if n := len(data.Results[0].Instances); n != want {
			t.Errorf("%d instances, want %d", n, want)
		}
	}
}
