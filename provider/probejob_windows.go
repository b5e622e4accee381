package provider

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A job is a job object with the process of a probe. Windows ends the processes of a job when this program ends.
type job struct {
	handle windows.Handle
	limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
}

const (
	mostMemory    = 2 << 30 // of a process, in bytes; half of the address space of 32 bits
	mostProcesses = 8       // in a job
)

func newJob(p *os.Process) (*job, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("CreateJobObject: %w", err)
	}
	j := &job{handle: handle}
	j.limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
		windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS
	j.limits.BasicLimitInformation.ActiveProcessLimit = mostProcesses
	j.limits.ProcessMemoryLimit = mostMemory
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&j.limits)), uint32(unsafe.Sizeof(j.limits)))
	runtime.KeepAlive(j)
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, fmt.Errorf("SetInformationJobObject: %w", err)
	}
	failed := p.WithHandle(func(of uintptr) { err = windows.AssignProcessToJobObject(handle, windows.Handle(of)) })
	if failed != nil {
		err = failed
	}
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, fmt.Errorf("AssignProcessToJobObject: %w", err)
	}
	return j, nil
}

// end ends the processes of the job.
func (j *job) end() {
	_ = windows.TerminateJobObject(j.handle, 1) // an error if the processes have ended
	_ = windows.CloseHandle(j.handle)
}

// detach starts the process of a probe without a console. So a DLL cannot write to the console of the user, and Ctrl-C does
// not end the process.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// systemFolder returns the folder of the DLLs of Windows.
func systemFolder() string {
	folder, _ := windows.GetSystemDirectory() // it does not fail
	return folder
}
