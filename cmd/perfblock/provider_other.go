//go:build !windows

package main

import "errors"

// newSystem returns an error: only Windows has providers.
func newSystem() (system, error) {
	return system{}, errors.New("only Windows has a registry of providers; copy the files and the program or its DLL to Windows and run the command there")
}
