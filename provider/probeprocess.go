package provider

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// A request asks the process of a probe to make a call.
type request struct {
	call
	DLL *DLL `json:",omitempty"` // for LoadLibrary
}

// A reply is a message from the process of a probe. The process writes Started before a call, and Outcome after the
// call. If the call is not possible, it writes Error in place of Started or in place of Outcome. It can write Exception
// at any time.
type reply struct {
	Started   *addresses     `json:",omitempty"` // of the buffer
	Outcome   *returnValues  `json:",omitempty"`
	Exception *exceptionInfo `json:",omitempty"`
	Error     string         `json:",omitempty"` // why the call is not possible
}

// A process is the host of a DLL. LoadLibrary starts a child process. After a failure or an error, the next call must
// be LoadLibrary.
type process struct {
	ctx     context.Context
	dll     DLL
	program []string
	limit   func(function string) time.Duration // a call is stopped after twice its limit
	child   *child
}

// startTime is the longest time that a child may take to start, or to confirm a request.
const startTime = time.Minute

func (p *process) call(c call) (outcome, error) {
	if err := p.ctx.Err(); err != nil {
		return outcome{}, err
	}
	r := request{call: c}
	if c.Function == "LoadLibrary" {
		p.end()
		child, err := startChild(p.program)
		if err != nil {
			return outcome{}, err
		}
		p.child, r.DLL = child, &p.dll
	}
	o, err := p.ask(r)
	if err != nil || o.failure != "" {
		p.end()
	}
	return o, err
}

// ask sends a request to the child and waits for the outcome.
func (p *process) ask(r request) (outcome, error) {
	child := p.child
	sent := json.NewEncoder(child.stdin).Encode(r) // an error if the child has ended
	answer, err := child.next(p.ctx, startTime)
	if err == nil && answer.Started == nil {
		err = errors.New(answer.Error)
	}
	if err != nil {
		// The child loads the DLL only after its first answer. So a failure before this answer is not a fault of the DLL.
		if !child.answered && p.ctx.Err() == nil {
			child.end(endTime)
			return outcome{}, fmt.Errorf("the process of the probe does not run: %w, exit code %d: %s", errors.Join(sent, err), child.cmd.ProcessState.ExitCode(), oneLine(child.stderr.String()))
		}
		// The child did not start this call, so an earlier call is the cause.
		o, err := p.endFailed(err, startTime, addresses{})
		o.late = true
		return o, err
	}
	buffer, limit := *answer.Started, 2*p.limit(r.Function)
	answer, err = child.next(p.ctx, limit)
	switch {
	case err != nil:
		return p.endFailed(err, limit, buffer)
	case answer.Outcome == nil:
		return outcome{}, errors.New(answer.Error)
	}
	child.answered = true
	return outcome{returnValues: *answer.Outcome}, nil
}

// endFailed ends the child and returns the failure of a call as an outcome. cause says why the child did not reply.
func (p *process) endFailed(cause error, limit time.Duration, buffer addresses) (outcome, error) {
	if errors.Is(cause, io.EOF) {
		p.child.end(endTime)
		var o outcome
		o.failure, o.Outside = crash{uint32(p.child.cmd.ProcessState.ExitCode()), p.child.stderr.String(), p.child.exception}.describe(buffer)
		return o, nil
	}
	p.child.end(0)
	if errors.Is(cause, errNoReply) {
		cause = errors.New("hang, stopped after " + seconds(limit))
	}
	return outcome{failure: oneLine(cause.Error())}, p.ctx.Err() // the error is not nil if the probe was canceled
}

func (p *process) end() {
	if p.child != nil {
		p.child.end(endTime)
		p.child = nil
	}
}

// A child is a process that loads a DLL.
type child struct {
	cmd     *exec.Cmd
	job     *job
	stdin   io.WriteCloser
	stderr  tail
	replies chan reply // closed when the child ends
	err     error      // why replies ended; valid after replies is closed
	ended   sync.Once

	answered  bool           // the child has made a call
	exception *exceptionInfo // the last exception that the child reported, or nil
}

// errNoReply means that the child did not reply in time.
var errNoReply = errors.New("no reply")

func startChild(program []string) (*child, error) {
	if len(program) == 0 {
		return nil, errors.New("no program for the process of the probe")
	}
	c := &child{cmd: exec.Command(program[0], program[1:]...), replies: make(chan reply)}
	c.cmd.Stderr = &c.stderr
	c.cmd.WaitDelay = endTime
	detach(c.cmd)
	var err error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	// The child waits for the first request, so the DLL never runs outside the job.
	if c.job, err = newJob(c.cmd.Process); err != nil {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
		return nil, err
	}
	go func() {
		defer close(c.replies)
		d := json.NewDecoder(bufio.NewReader(stdout))
		for {
			var r reply
			if c.err = d.Decode(&r); c.err != nil {
				return
			}
			c.replies <- r
		}
	}()
	return c, nil
}

// next returns the next reply that is not an exception. The error is [errNoReply] after the timeout, and [io.EOF] if
// the child ended.
func (c *child) next(ctx context.Context, timeout time.Duration) (reply, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		select {
		case r, ok := <-c.replies:
			switch {
			case ok && r.Exception != nil:
				c.exception = r.Exception
			case ok:
				return r, nil
			case errors.Is(c.err, io.EOF), errors.Is(c.err, io.ErrUnexpectedEOF):
				return reply{}, io.EOF
			default:
				return reply{}, fmt.Errorf("the process of the probe wrote an unknown reply: %w", c.err)
			}
		case <-timer.C:
			return reply{}, errNoReply
		case <-ctx.Done():
			return reply{}, ctx.Err()
		}
	}
}

// end waits until the child has exited. After the given time, it stops the child and the processes that the child
// started. A second call does nothing.
func (c *child) end(wait time.Duration) {
	c.ended.Do(func() {
		_ = c.stdin.Close()
		ended := make(chan struct{})
		go func() {
			for range c.replies { // so that the goroutine that reads replies can end
			}
			_ = c.cmd.Wait() // ProcessState has the exit code
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(wait):
		}
		c.job.end() // also ends the processes that the child started
		<-ended
	})
}

// endTime is the time in which a child must end after its last request.
const endTime = time.Second

// A tail keeps the last bytes that were written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const mostTail = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if more := len(t.b) - mostTail; more > 0 {
		t.b = append(t.b[:0], t.b[more:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}
