package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/perfblock/perfblock/internal/dll"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
)

// DefaultTimeout is the time that Windows gives a call of Open or Collect.
const DefaultTimeout = 10 * time.Second

// A Probe has the settings of a check. The zero value is the default.
type Probe struct {
	// Timeout is the longest time that a call of Collect may take: the value Collect Timeout of the provider's Performance
	// key. 0 means [DefaultTimeout].
	Timeout time.Duration

	// OpenTimeout is the longest time that a call of Open may take: the value Open Timeout of the Performance key. 0 means
	// the same time as for Collect.
	OpenTimeout time.Duration

	// Metadata is true if the value "Collect Supports Metadata" of the Performance key is 1. Windows passes metadata
	// queries only to such providers.
	Metadata bool

	// FirstCounter and LastCounter are values of the Performance key. 0 means not known.
	FirstCounter, LastCounter uint32

	// Validator has the severities of the rules. Nil means the severities of the zero [validate.Options].
	Validator *validate.Validator
}

// limit returns the longest time that a call of a function may take. Windows has no limit for functions other than Open
// and Collect.
func (p Probe) limit(function string) time.Duration {
	limit := p.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	switch {
	case function == "Open" && p.OpenTimeout > 0:
		return p.OpenTimeout
	case function == "Open", function == "Collect":
		return limit
	}
	return max(limit, DefaultTimeout)
}

// A DLL describes the DLL of a provider: its path, and the names of its functions.
type DLL struct {
	// Path is the path of the DLL. A name without a folder means a file in the current folder. If the current folder
	// has no file with this name, the name means a file in the folder of the system.
	Path string

	// Open, Collect and Close are the names of the functions. An empty name means the name of the field.
	Open, Collect, Close string

	// Export has the strings to pass to Open: the value Export of the key Linkage of the service. Nil means NULL.
	Export []string

	service string // the name for errors; set by [Service]
}

// ErrNotWindows is the error of [Probe.DLL] on systems other than Windows.
var ErrNotWindows = errors.New("a DLL can be loaded on Windows only; on other systems, call provider.Check in a Go test of the Collect function")

// DLL calls the functions of a DLL in another process, and checks the calls as [Probe.Check] does. A crash, a hang or
// an exit of the process is a finding. A call that takes twice its limit is a hang. The limit is OpenTimeout for Open,
// and Timeout for Collect. For the other functions, the limit is [DefaultTimeout] or Timeout, whichever is longer.
//
// host is the program of the process, with its arguments. The program must call [Serve]. DLL returns an error if the
// DLL cannot be called, for example because a function is missing. It also returns an error if the program does not
// run, or if ctx is done.
func (p Probe) DLL(ctx context.Context, dll DLL, host ...string) (Result, error) {
	if runtime.GOOS != "windows" {
		return Result{}, ErrNotWindows
	}
	dll, err := dll.completeNames()
	if err != nil {
		return Result{}, err
	}
	h := &process{ctx: ctx, dll: dll, program: host, limit: p.limit}
	defer h.end()
	return p.dll(h)
}

// dll loads a DLL in the host h, and makes the calls of a probe.
func (p Probe) dll(h host) (Result, error) {
	s := series{
		probe: p, host: h, places: []place{atEnd, atStart},
		before: []string{"LoadLibrary", "Open"}, after: []string{"Close", "FreeLibrary"},
	}
	if err := s.run(); err != nil {
		return Result{}, err
	}
	return s.result(), nil
}

// completeNames makes the path absolute, sets empty function names to their defaults, and checks the DLL.
func (d DLL) completeNames() (DLL, error) {
	d.Open, d.Collect, d.Close = cmp.Or(d.Open, "Open"), cmp.Or(d.Collect, "Collect"), cmp.Or(d.Close, "Close")
	if folder := systemFolder(); folder != "" && !strings.ContainsAny(d.Path, `/\`) {
		if _, err := os.Stat(d.Path); err != nil {
			d.Path = filepath.Join(folder, d.Path)
		}
	}
	path, err := filepath.Abs(d.Path)
	if err != nil {
		return d, err
	}
	d.Path = path
	return d, d.check(runtime.GOARCH)
}

// check returns an error if a program for the processor cannot load the DLL, or if the DLL does not have the functions.
func (d DLL) check(processor string) error {
	of, missing, err := dll.Read(d.Path, d.Open, d.Collect, d.Close)
	switch {
	case err != nil:
		return err
	case of != processor:
		return fmt.Errorf("%s: is for %s, but this program is for %s; use perfblock for windows/%s", d.Path, of, processor, of)
	case len(missing) == 0:
		return nil
	}
	remedy := "give the names of its functions with --open, --collect and --close, or the service with --service"
	if d.service != "" {
		var values, flags []string
		for _, f := range [][2]string{{"Open", d.Open}, {"Collect", d.Collect}, {"Close", d.Close}} {
			if slices.Contains(missing, f[1]) {
				values, flags = append(values, f[0]), append(flags, "--"+strings.ToLower(f[0]))
			}
		}
		remedy = fmt.Sprintf("correct %s in the Performance key of the service %s, or override the registry with %s; if the DLL is the bridge, run perfblock provider install --v1",
			quote.List(values, "and"), quote.Short(d.service), quote.List(flags, "and"))
	}
	if of == "386" {
		remedy += "; if a DLL for 386 has no .def file, the name of its function Open can be Open@4 or _Open@4"
	}
	return fmt.Errorf("%s: has no function %s: %s", d.Path, quote.List(missing, "and"), remedy)
}

// A crash describes the end of a process.
type crash struct {
	code      uint32 // the exit code
	stderr    string
	exception *exceptionInfo // the last exception that the process reported, or nil
}

// An exceptionInfo is an exception of a process.
type exceptionInfo struct {
	Code            uint32
	Access, Address uint64 // of an access violation; Access is 0 for a read, 1 for a write and 8 for execution
}

// addresses has the address and the size of a buffer, and the length of its guards.
type addresses struct {
	Start, Size uint64 // the buffer
	Guard       uint64 // the length of the guard before the buffer, and of the guard after it
}

// exceptions has the names of exception codes.
var exceptions = map[uint32]string{
	0xC0000005: "access violation", 0xC000001D: "illegal instruction", 0xC0000094: "division by zero",
	0xC00000FD: "stack overflow", 0xC0000374: "heap corruption", 0xC0000409: "stack buffer overrun", 0xE06D7363: "C++ exception",
}

// describe returns the failure of a call in which the process ended. The second result is the range that the call
// changed outside the buffer.
func (c crash) describe(b addresses) (failure string, outside changedRange) {
	if e := c.unhandledException(); e != nil {
		return e.describe(b)
	}
	for l := range strings.Lines(c.stderr) {
		if strings.HasPrefix(l, "fatal error: ") || strings.HasPrefix(l, "panic: ") {
			return oneLine(fmt.Sprintf("exit %d, %s", c.code, l)), changedRange{}
		}
	}
	return fmt.Sprintf("exit %d", c.code), changedRange{}
}

// unhandledException returns the exception that ended the process, or nil.
func (c crash) unhandledException() *exceptionInfo {
	if c.exception != nil && c.code == c.exception.Code {
		return c.exception
	}
	// The Go runtime writes an exception to standard error, and exits with code 2.
	for l := range strings.Lines(c.stderr) {
		var e exceptionInfo
		var at uint64
		if n, _ := fmt.Sscanf(l, "Exception 0x%x 0x%x 0x%x 0x%x", &e.Code, &e.Access, &e.Address, &at); n == 4 {
			return &e
		}
	}
	if c.code >= 0xC0000000 {
		return &exceptionInfo{Code: c.code, Access: unknownAccess}
	}
	return nil
}

const (
	accessViolation = 0xC0000005
	unknownAccess   = 1 << 32

	nullPage = 64 << 10 // no memory has a smaller address
)

// describe returns the text of an exception. If the exception is a write to a guard of the buffer, outside is the range of
// one byte at the address of the write. Otherwise outside is empty.
func (e *exceptionInfo) describe(b addresses) (text string, outside changedRange) {
	text = fmt.Sprintf("exception 0x%x", e.Code)
	if name := exceptions[e.Code]; name != "" {
		text += ", " + name
	}
	access, known := map[uint64]string{0: "read", 1: "write", 8: "execution"}[e.Access]
	if e.Code != accessViolation || !known {
		return text, changedRange{}
	}
	text += ", " + access
	switch {
	// The text has no absolute address, because addresses differ from run to run.
	case b.Guard > 0 && e.Address >= b.Start-b.Guard && e.Address < b.Start+b.Size+b.Guard:
		offset := int64(e.Address - b.Start)
		if access == "write" {
			outside = changedRange{offset, 1}
		}
		return fmt.Sprintf("%s at offset %d of the buffer", text, offset), outside
	case e.Address < nullPage:
		return text + " through a NULL pointer", changedRange{}
	}
	return text, changedRange{}
}
