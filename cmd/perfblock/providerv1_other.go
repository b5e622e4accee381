//go:build !windows

package main

import "errors"

// newServiceRegistry returns an error: only Windows has providers.
func newServiceRegistry() (serviceRegistry, error) {
	return serviceRegistry{}, errors.New("only Windows has a registry of providers; copy the .ini file, its header and the DLL to Windows and run the command there")
}
