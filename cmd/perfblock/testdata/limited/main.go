//go:build windows

// Limited runs a program without elevation, and prints the program's output. Limited itself must run with elevation.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

func main() {
	out, err := run(os.Args[1], os.Args[2:]...)
	fmt.Printf("%s%v\n", out, err)
}

func run(program string, args ...string) ([]byte, error) {
	linked, err := windows.GetCurrentProcessToken().GetLinkedToken()
	if err != nil {
		return nil, err
	}
	defer linked.Close()
	var token windows.Token
	if err := windows.DuplicateTokenEx(linked, windows.MAXIMUM_ALLOWED, nil, windows.SecurityImpersonation, windows.TokenPrimary, &token); err != nil {
		return nil, err
	}
	defer token.Close()
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Token: syscall.Token(token)}
	return cmd.CombinedOutput()
}
