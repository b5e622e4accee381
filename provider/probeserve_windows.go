package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Serve makes the calls that [Probe.DLL] requests. The process that Probe.DLL starts must call Serve with its
// standard input and standard output. Serve returns at the end of the input.
func Serve(input io.Reader, output *os.File) error {
	runtime.LockOSThread() // a provider may require that all calls are in one thread
	if err := hideStandardFiles(); err != nil {
		return err
	}
	s := server{replies: json.NewEncoder(output)}
	s.reportExceptions()
	requests := json.NewDecoder(input)
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer, err := s.answer(r)
		if err != nil {
			answer = reply{Error: err.Error()}
		}
		if err := s.write(answer); err != nil {
			return err
		}
	}
}

// hideStandardFiles replaces the standard input and output of DLLs by the device NUL. Otherwise the output of a DLL
// would be mixed with replies.
func hideStandardFiles() error {
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR, 0) // never closed
	if err != nil {
		return err
	}
	for _, file := range []uint32{windows.STD_INPUT_HANDLE, windows.STD_OUTPUT_HANDLE} {
		if err := windows.SetStdHandle(file, windows.Handle(null)); err != nil {
			return err
		}
	}
	return nil
}

// mostReports is the largest number of access violations that a server reports. A process can have many access
// violations, because a DLL can handle them itself.
const mostReports = 100

// reportExceptions installs a function that reports the first mostReports access violations. Windows calls this
// function first, and then searches the stack for a handler.
func (s *server) reportExceptions() {
	var reports atomic.Int32 // atomic, because threads of the DLL can cause exceptions too
	handler := windows.NewCallback(func(at *exceptionPointers) uintptr {
		if e := at.record; e.code == accessViolation && e.count >= 2 && reports.Add(1) <= mostReports {
			_ = s.write(reply{Exception: &exceptionInfo{e.code, uint64(e.information[0]), uint64(e.information[1])}})
		}
		return 0 // EXCEPTION_CONTINUE_SEARCH
	})
	_, _, _ = windows.NewLazySystemDLL("kernel32.dll").NewProc("AddVectoredExceptionHandler").Call(0, handler)
}

// write writes a reply. It locks mu, because a thread of the DLL can cause an exception while a call returns.
func (s *server) write(r reply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.replies.Encode(r)
}

// exceptionPointers is EXCEPTION_POINTERS.
type exceptionPointers struct {
	record *exceptionRecord
	_      uintptr // the context
}

// exceptionRecord is EXCEPTION_RECORD.
type exceptionRecord struct {
	code        uint32
	_           uint32     // flags
	_           [2]uintptr // the next record, and the address of the instruction
	count       uint32
	information [15]uintptr
}

// A server is the process that loads the DLL.
type server struct {
	mu      sync.Mutex // protects replies
	replies *json.Encoder
	dll     *DLL
	library windows.Handle

	openProc, collectProc, closeProc uintptr // the addresses of the functions
}

func (s *server) answer(r request) (reply, error) {
	if r.Function == "Collect" {
		return s.collect(r)
	}
	if r.Function == "LoadLibrary" {
		s.dll = r.DLL
	}
	if s.dll == nil {
		return reply{}, errors.New("no DLL is loaded")
	}
	if err := s.write(reply{Started: new(addresses)}); err != nil {
		return reply{}, err
	}
	var o returnValues
	var err error
	start := time.Now()
	switch r.Function {
	case "LoadLibrary":
		err = s.load()
	case "Open":
		o.Status = s.open()
	case "Close":
		o.Status = callProc(s.closeProc)
	case "FreeLibrary":
		if code, is := windows.FreeLibrary(s.library).(windows.Errno); is {
			o.Status = uint32(code)
		}
	default:
		err = fmt.Errorf("no function %q", r.Function)
	}
	o.Took = time.Since(start)
	return reply{Outcome: &o}, err
}

// load loads the DLL. If the DLL requires other DLLs, Windows also searches the folder of the DLL for the other DLLs.
func (s *server) load() (err error) {
	if s.library, err = windows.LoadLibraryEx(s.dll.Path, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH); err != nil {
		return fmt.Errorf("%s: cannot be loaded: %w", s.dll.Path, err)
	}
	for _, f := range []struct {
		name    string
		address *uintptr
	}{{s.dll.Open, &s.openProc}, {s.dll.Collect, &s.collectProc}, {s.dll.Close, &s.closeProc}} {
		if *f.address, err = windows.GetProcAddress(s.library, f.name); err != nil {
			return fmt.Errorf("%s: has no function %s: %w", s.dll.Path, f.name, err)
		}
	}
	return nil
}

// callProc calls a function of the DLL. The directive go:uintptrescapes keeps the memory of the arguments in place during
// the call. Otherwise the arguments can be on the stack, which Go moves if the report of an exception needs more stack.
//
//go:uintptrescapes
func callProc(function uintptr, args ...uintptr) (status uint32) {
	r, _, _ := syscall.SyscallN(function, args...)
	return uint32(r)
}

func (s *server) open() (status uint32) {
	if s.dll.Export == nil {
		return callProc(s.openProc, 0)
	}
	text := utf16.Encode([]rune(strings.Join(s.dll.Export, "\x00") + "\x00\x00"))
	return callProc(s.openProc, uintptr(unsafe.Pointer(&text[0])))
}

// arguments has variables for a call of Collect. Collect gets pointers to these variables.
type arguments struct {
	data           uintptr
	bytes, objects uint32
}

// anyObjects is the value of *lpNumObjectTypes before a call of Collect. It is arbitrary, because Windows does not set
// *lpNumObjectTypes.
const anyObjects = 0xDDDDDDDD

func (s *server) collect(r request) (reply, error) {
	query, err := windows.UTF16PtrFromString(r.Query)
	if err != nil {
		return reply{}, err
	}
	pages, err := allocatePages(r.Size, r.Place)
	if err != nil {
		return reply{}, err
	}
	defer pages.free()
	at := addresses{uint64(pages.start()), uint64(r.Size), uint64(pages.size)}
	if err := s.write(reply{Started: &at}); err != nil {
		return reply{}, err
	}
	in := &arguments{pages.start(), uint32(r.Size), anyObjects}
	start := time.Now()
	status := callProc(s.collectProc, uintptr(unsafe.Pointer(query)), uintptr(unsafe.Pointer(&in.data)), uintptr(unsafe.Pointer(&in.bytes)), uintptr(unsafe.Pointer(&in.objects)))
	o := &returnValues{Status: status, Bytes: in.bytes, Objects: in.objects, Pointer: int64(in.data) - int64(pages.start()), Took: time.Since(start), Outside: pages.findChanges()}
	if o.Status == success {
		o.Data = slices.Clone(pages.buffer()[:min(uint64(o.Bytes), uint64(r.Size))])
	}
	return reply{Outcome: o}, nil
}

// guardedPages is memory between two pages that cannot be accessed.
type guardedPages struct {
	guardedBuffer
	all  uintptr // the page before the memory
	size uintptr // of each of the two pages
}

// allocatePages allocates a buffer that starts or ends next to a page that cannot be accessed.
func allocatePages(size int, p place) (guardedPages, error) {
	page := uintptr(os.Getpagesize())
	n := (max(uintptr(size), 1) + page - 1) / page * page
	all, err := windows.VirtualAlloc(0, page+n+page, windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_NOACCESS)
	if err != nil {
		return guardedPages{}, fmt.Errorf("VirtualAlloc: %w", err)
	}
	var old uint32
	if err := windows.VirtualProtect(all+page, n, windows.PAGE_READWRITE, &old); err != nil {
		return guardedPages{}, fmt.Errorf("VirtualProtect: %w", err)
	}
	from := 0
	if p == atEnd {
		from = (int(n) - size) &^ 7 // a multiple of 8, so up to 7 bytes are between the buffer and the page
	}
	first := all + page
	memory := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&first))), n) // not Go memory, so the address is an integer
	return guardedPages{newGuardedBuffer(memory, from, size), all, page}, nil
}

// start returns the address of the buffer.
func (p *guardedPages) start() uintptr { return p.all + p.size + uintptr(p.first) }

func (p *guardedPages) free() { _ = windows.VirtualFree(p.all, 0, windows.MEM_RELEASE) }
