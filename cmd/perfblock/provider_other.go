//go:build !windows

package main

import "errors"

// newRegistration returns an error: only Windows has providers.
func newRegistration() (registration, error) {
	return registration{}, errors.New("only Windows has a registry of providers; copy the manifest and the program to Windows and run the command there")
}
