package provider

import (
	"bufio"
	"cmp"
	"context"
	"debug/pe"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/dll/dlltest"
)

// TestCrash checks the text of the failure after a crash, and the range that the process wrote outside the buffer.
func TestCrash(t *testing.T) {
	t.Parallel()
	buffer := addresses{0x10000_0800, 0x800, 0x1000}
	for _, tt := range []struct {
		reason  string
		crash   crash
		failure string
		outside changedRange
	}{
		{"the provider called ExitProcess", crash{code: 3}, "exit 3", changedRange{}},
		{"a write after the buffer has its offset", crash{code: accessViolation, exception: &exceptionInfo{accessViolation, 1, 0x10000_1000}}, "exception 0xc0000005, access violation, write at offset 2048 of the buffer", changedRange{2048, 1}},
		{"a write before the buffer has a negative offset", crash{code: accessViolation, exception: &exceptionInfo{accessViolation, 1, 0x10000_07FF}}, "exception 0xc0000005, access violation, write at offset -1 of the buffer", changedRange{-1, 1}},
		{"a read after the buffer changes nothing", crash{code: accessViolation, exception: &exceptionInfo{accessViolation, 0, 0x10000_1000}}, "exception 0xc0000005, access violation, read at offset 2048 of the buffer", changedRange{}},
		{"an address that is not near the buffer differs from run to run, so the text has none", crash{code: accessViolation, exception: &exceptionInfo{accessViolation, 1, 0x7FF0_0000_0000}}, "exception 0xc0000005, access violation, write", changedRange{}},
		{"an address below 64 KB is a NULL pointer", crash{code: accessViolation, exception: &exceptionInfo{accessViolation, 0, 8}}, "exception 0xc0000005, access violation, read through a NULL pointer", changedRange{}},
		{"the exit code is reported if the provider has handled the exception", crash{code: 4, exception: &exceptionInfo{accessViolation, 0, 8}}, "exit 4", changedRange{}},
		{"the Go runtime writes the exception to standard error", crash{code: 2, stderr: "Exception 0xc0000005 0x1 0x100001000 0x7ffe1234\nPC=0x7ffe1234\n"}, "exception 0xc0000005, access violation, write at offset 2048 of the buffer", changedRange{2048, 1}},
		{"without a report of the exception, the exit code is its code", crash{code: 0xC0000374}, "exception 0xc0000374, heap corruption", changedRange{}},
		{"a code without a name is a number", crash{code: 0xC1234567}, "exception 0xc1234567", changedRange{}},
		{"the first line of a fault of the Go runtime is shown", crash{code: 2, stderr: "x\nfatal error: bad\x1b g\n\ngoroutine 1"}, "exit 2, fatal error: bad? g", changedRange{}},
	} {
		if failure, outside := tt.crash.describe(buffer); failure != tt.failure || outside != tt.outside {
			t.Errorf("%s: %q %v, want %q %v", tt.reason, failure, outside, tt.failure, tt.outside)
		}
	}
}

// TestLimit checks the limit for a call of each function.
func TestLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		probe    Probe
		function string
		want     time.Duration
	}{
		{"the default", Probe{}, "Open", DefaultTimeout},
		{"the default", Probe{}, "Collect", DefaultTimeout},
		{"Timeout applies to Collect, and to Open if OpenTimeout is 0", Probe{Timeout: 3}, "Open", 3},
		{"Open has its own timeout", Probe{Timeout: 3, OpenTimeout: 7}, "Open", 7},
		{"OpenTimeout does not apply to Collect", Probe{Timeout: 3, OpenTimeout: 7}, "Collect", 3},
		{"the timeouts do not apply to Close, for which Windows has no limit", Probe{Timeout: 3, OpenTimeout: 7}, "Close", DefaultTimeout},
		{"a Timeout longer than the default applies to all functions", Probe{Timeout: time.Hour}, "LoadLibrary", time.Hour},
	} {
		if got := tt.probe.limit(tt.function); got != tt.want {
			t.Errorf("%s: %+v: %s may take %v, want %v", tt.reason, tt.probe, tt.function, got, tt.want)
		}
	}
}

// TestUnloadable checks the errors of files that cannot be loaded, and of DLLs without the functions.
func TestUnloadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	image := func(machine uint16) []byte { return dlltest.New(machine, "CloseShop", "CollectShop", "OpenShop") }
	amd64 := write("64.dll", image(pe.IMAGE_FILE_MACHINE_AMD64))
	for _, tt := range []struct {
		reason, path, processor string
		dll                     DLL
		want                    string
	}{
		{"the file does not exist", filepath.Join(dir, "none.dll"), "amd64", DLL{}, "none.dll"},
		{"a text is not a DLL", write("text.dll", []byte(strings.Repeat("text ", 40))), "amd64", DLL{}, "text.dll: is not a DLL"},
		{"an empty file is not a DLL", write("empty.dll", nil), "amd64", DLL{}, "empty.dll: is not a DLL"},
		{"a DLL of 32 bits needs a program of 32 bits", write("32.dll", image(pe.IMAGE_FILE_MACHINE_I386)), "amd64", DLL{}, "32.dll: is for 386, but this program is for amd64; use perfblock for windows/386"},
		{"a DLL for ARM needs a program for ARM", write("arm.dll", image(pe.IMAGE_FILE_MACHINE_ARM64)), "amd64", DLL{}, "is for arm64, but this program is for amd64"},
		{"the processor is the same", amd64, "amd64", DLL{}, ""},
		{"the names of the functions are the defaults", amd64, "amd64", DLL{Open: "Open", Collect: "Collect", Close: "CloseShop"}, "64.dll: has no function Open and Collect: give the names of its functions with --open, --collect and --close, or the service with --service"},
		{"the registry has a wrong name", amd64, "amd64", DLL{Collect: "CollectPerformanceData", service: "Shop"}, `64.dll: has no function CollectPerformanceData: correct Collect in the Performance key of the service "Shop", or override the registry with --collect; if the DLL is the bridge, run perfblock provider install --v1`},
		{"a compiler for 32 bits has added the size of the arguments", write("decorated.dll", dlltest.New(pe.IMAGE_FILE_MACHINE_I386, "CloseShop", "CollectShop", "OpenShop@4")), "386", DLL{}, "has no function OpenShop: give the names of its functions with --open, --collect and --close, or the service with --service; if a DLL for 386 has no .def file, the name of its function Open can be Open@4 or _Open@4"},
	} {
		d := tt.dll
		d.Path, d.Open, d.Collect, d.Close = tt.path, cmp.Or(d.Open, "OpenShop"), cmp.Or(d.Collect, "CollectShop"), cmp.Or(d.Close, "CloseShop")
		err := d.check(tt.processor)
		if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.reason, err, tt.want)
		}
	}
	d, err := DLL{Path: filepath.Join(dir, "none.dll"), Collect: "CollectShop"}.completeNames()
	if err == nil || d.Open != "Open" || d.Collect != "CollectShop" || d.Close != "Close" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestNotWindows checks that all functions for DLLs return ErrNotWindows on other systems.
func TestNotWindows(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows loads DLLs")
	}
	_, err := Probe{}.DLL(t.Context(), DLL{Path: "shop.dll"})
	_, _, serviceErr := Service("Shop")
	for _, err := range []error{err, serviceErr, Serve(nil, nil)} {
		if !errors.Is(err, ErrNotWindows) {
			t.Errorf("%v", err)
		}
	}
}

const (
	fakeVariable    = "PERFBLOCK_FAKE_PROVIDER"
	faultedVariable = "PERFBLOCK_FAKE_FAULTED" // a file that the fake provider makes at its first fault
)

// TestProcess checks how the type process handles failures of its child process. The child process does not load a DLL,
// but runs TestFakeProvider.
func TestProcess(t *testing.T) {
	for _, tt := range []struct {
		reason, fault string
		timeout       time.Duration
		want          string // in the log, or in the error
		loads         int
	}{
		{"a provider without a fault gets all calls", "", time.Minute, "FreeLibrary()  status 0", 1},
		{"after an exit, the DLL is loaded again", "exit", time.Minute, `Collect("Costly", 65536)  buffer before a guard  failure exit 3`, 2},
		{"after an exception, the DLL is loaded again", "exception", time.Minute, `Collect("Costly", 65536)  buffer before a guard  failure exception 0xc0000005, access violation, write at offset 4 of the buffer  changed 4`, 2},
		{"the function handles its exception", "handled", time.Minute, `Collect("Costly", 65536)  buffer before a guard  status 0`, 1},
		{"after a hang of Open, the probe ends", "hang", time.Nanosecond, "LoadLibrary()  status 0\nOpen()  failure hang", 1},
		{"the provider writes to the pipe", "noise", time.Minute, "LoadLibrary()  failure the process of the probe wrote an unknown reply", 1},
		{"a function is missing", "missing", time.Minute, "has no function", 0},
		{"the process does not start a call", "early", time.Minute, "the process of the probe does not run", 0},
		{"a thread ends the process between two calls, and the query is made again", "between", time.Minute, `Collect("", 0)  buffer after a guard  failure exit 3, after the call returned
LoadLibrary()  status 0
Open()  status 0
Collect("Costly", 65536)  buffer before a guard  status 0`, 2},
		{"a thread of Open ends each process", "thread", time.Minute, "Open()  failure exception 0xc0000005, access violation, read through a NULL pointer, after the call returned\n5 calls failed", 5},
		{"a thread handles its exceptions between the calls", "quiet", time.Minute, "FreeLibrary()  status 0", 1},
		{"the process has no memory for the buffer of a call", "memory", time.Minute, `Collect("", 0)  buffer after a guard  failure VirtualAlloc: no memory, after the call returned`, 5},
	} {
		t.Setenv(fakeVariable, "fault "+tt.fault)
		t.Setenv(faultedVariable, filepath.Join(t.TempDir(), "faulted"))
		p := Probe{Timeout: tt.timeout}
		h := &process{ctx: t.Context(), program: []string{os.Args[0], "-test.run=^TestFakeProvider$"}, limit: p.limit}
		r, err := p.dll(h)
		h.end()
		if text := r.Log + fmt.Sprint(err); !strings.Contains(text, tt.want) || strings.Count(r.Log, "LoadLibrary()") != tt.loads {
			t.Errorf("%s: want %q and %d loads:\n%s", tt.reason, tt.want, tt.loads, text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Probe{}).dll(&process{ctx: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled probe returns %v", err)
	}
}

// TestFakeProvider runs in a child process of TestProcess. It answers requests in place of a process that has loaded a
// DLL.
func TestFakeProvider(t *testing.T) {
	fault, is := strings.CutPrefix(os.Getenv(fakeVariable), "fault ")
	if !is {
		t.Skip("TestProcess runs it")
	}
	replies := json.NewEncoder(os.Stdout)
	write := func(r reply) {
		if err := replies.Encode(r); err != nil {
			os.Exit(9)
		}
	}
	buffer := addresses{0x1000, 4, 0x1000}
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		var r request
		if err := json.Unmarshal(requests.Bytes(), &r); err != nil {
			os.Exit(8)
		}
		violation := &exceptionInfo{accessViolation, 1, buffer.Start + 4}
		at := r.Query == "Costly"
		switch {
		case fault == "early":
			os.Exit(1)
		case at && fault == "between" && os.Mkdir(os.Getenv(faultedVariable), 0o777) == nil:
			os.Exit(3)
		case fault == "quiet":
			write(reply{Exception: violation})
		case at && fault == "memory":
			write(reply{Error: "VirtualAlloc: no memory"})
			continue
		}
		write(reply{Started: &buffer})
		switch {
		case at && fault == "exit":
			os.Exit(3)
		case at && fault == "exception":
			fmt.Fprintf(os.Stderr, "Exception 0x%x 0x%x 0x%x 0x10\n", violation.Code, violation.Access, violation.Address)
			os.Exit(2)
		case at && fault == "handled":
			write(reply{Exception: violation})
		case fault == "noise":
			fmt.Println("Hello")
		case r.Function == "Open" && fault == "hang":
			continue
		case fault == "missing":
			write(reply{Error: "has no function Open"})
			continue
		}
		write(reply{Outcome: new(returnValues)})
		if r.Function == "Open" && fault == "thread" {
			write(reply{Exception: &exceptionInfo{accessViolation, 0, 8}})
			fmt.Fprintln(os.Stderr, "Exception 0xc0000005 0x0 0x8 0x10")
			os.Exit(2)
		}
	}
	os.Exit(0)
}
